"""What a transform returns: a callable that writes its own source when it is first asked.

`Derivative` is the face that users see. Generation, types and the table of what was generated belong to the `Family` of
the function underneath; a derivative of a method or a partial holds the same family and what is bound to it.
"""

from __future__ import annotations

import functools
import inspect
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from .callables import Standing, Subject, name_of, signature_of, subject_of
from .choices import chosen
from .dispatch import argument_type
from .errors import DiffError
from .family import Declared, Family, Member, Options, family_of
from .python.lattice import NOTHING, UNKNOWN, List, Nothing, Real, Type, join
from .python.valued import type_of

_TITLES = {
    "grad": "The gradient of {f} by {wrt}.",
    "value_and_grad": "The value of {f} and its gradient by {wrt}.",
    "jvp": "The value of {f} and its tangent, for tangents of {wrt}.",
    "vjp": "The value of {f} and the cotangent of {wrt}, for a cotangent of the value.",
    "pullback": "The value of {f} and the function that pulls its cotangent back to {wrt}.",
    "pushforward": "The value of {f} and the function that pushes tangents of {wrt} forward.",
    "derivative": "The derivative of {f} by {wrt}.",
    "jacobian": "The Jacobian of {f} by {wrt}.",
    "value_and_jacobian": "The value of {f} and its Jacobian by {wrt}.",
    "hessian": "The Hessian of {f} by {wrt}.",
    "hvp": "The Hessian of {f} by {wrt}, times a direction.",
}


class Derivative(Standing):
    """The derivative of `original`: call it, or read it.

    Nothing but the signature is looked at before the first use of `source`, `function`, `stages` or a call; what cannot
    be differentiated is refused then, before a line of the original runs. A call generates for the types of its
    arguments; `source`, `function` and `stages` are those of the declared types (annotations, `specialize`).
    """

    def __init__(self, original: Any, mode: str, wrt: Any = 0, options: Options = ()) -> None:
        subject = subject_of(original)
        names, single = chosen(wrt, subject.signature, name_of(original), subject.bound_names)
        self._set(original, wrt, family_of(subject.function, mode, names, single, options), subject)

    def _set(self, original: Any, wrt: Any, family: Family, subject: Subject, declared: Declared = ()) -> None:
        self.original = original
        self.mode = family.mode
        self.wrt = family.wrt[0] if family.single else family.wrt
        self._subject = Subject(family, subject.args, subject.keywords)
        self._given_wrt, self._family, self._declared = wrt, family, declared
        self._bound = self.subject.bind(family) if subject.args or subject.keywords else None
        self.__signature__ = signature_of(self._bound or family)
        self.__name__, self.__qualname__, self.__module__ = family.__name__, family.__qualname__, family.__module__
        self.__doc__ = _TITLES[self.mode].format(f=name_of(original), wrt=", ".join(family.wrt))

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        if self._bound is None:
            return self._family.entry(*args, **kwargs)
        return self._bound(*args, **kwargs)

    @property
    def subject(self) -> Subject:
        """What is differentiated when this is: the family, with what is bound to it."""
        return self._subject

    @property
    def source(self) -> str:
        """The generated function as text, with the imports it needs: it can be pasted into a file."""
        return self._member().source

    @property
    def function(self) -> Callable[..., Any]:
        """The generated function itself, for the declared types. It checks neither types nor that these still hold."""
        return self.subject.bind(self._member().function)

    @property
    def stages(self) -> Mapping[str, str]:
        """Name of a stage -> the source after that stage, printed when it is read."""
        return _Stages(self._member().stages)

    def specialize(self, /, *args: Any, **kwargs: Any) -> Derivative:
        """This derivative with the types of these example arguments declared; tangents and seeds may be left out."""
        bound = self.__signature__.bind_partial(*args, **kwargs)
        extra = set(self._family.__signature__.parameters) - set(signature_of(self._family.function).parameters)
        missing = [p.name for p in self.__signature__.parameters.values() if _is_due(p) and p.name not in {*bound.arguments, *extra}]
        if missing:
            raise TypeError(f"specialize() needs an example of {', '.join(missing)}")
        bound.apply_defaults()
        return self.declaring({name: _example_type(value, name in self._family.whole) for name, value in bound.arguments.items()})

    def declaring(self, types: dict[str, Type]) -> Derivative:
        """This derivative with the types of some parameters declared."""
        declared = tuple((dict(self._declared) | types).items())
        f = self._family
        family = family_of(f.function, f.mode, f.wrt, f.single, f.options, declared)
        new = object.__new__(Derivative)
        new._set(self.original, self._given_wrt, family, self.subject, declared)
        return new

    def example_arguments(self, example: Callable[[Type], Any]) -> inspect.BoundArguments:
        """Arguments for the original: defaults where there are any, `example(type)` elsewhere."""
        own = signature_of(self.subject.bind(self._family.function))
        given = {p.name: example(self.argument_types[p.name]) for p in own.parameters.values() if _is_due(p)}
        bound = inspect.BoundArguments(own, given)
        bound.apply_defaults()
        return bound

    @property
    def tangents(self) -> dict[str, str]:
        """Chosen variable -> the name of the parameter that takes its tangent (jvp and hvp)."""
        return dict(self._family.extra)

    @property
    def argument_types(self) -> dict[str, Type]:
        """The declared type of each parameter; of those that are bound, the type of what is bound."""
        known = dict(self._family.declared)
        bound = self._family.__signature__.bind_partial(*self.subject.args, **self.subject.keywords)
        for name, value in bound.arguments.items():
            kind = self._family.__signature__.parameters[name].kind
            known[name] = (
                argument_type(value, whole=name in self._family.whole)
                if kind not in (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
                else UNKNOWN
            )
        return known

    def save(self, path: str | Path) -> None:
        """Write a module that stands alone: it needs neither sourcediff nor, mostly, the user's program.

        Raises DiffError, naming it, for what the derivative needs and no module can be imported for.
        """
        from .standalone import module_text

        Path(path).write_text(module_text(self._member(), self), encoding="utf-8")

    def __get__(self, instance: Any, owner: type | None = None) -> Derivative:
        """As a method: the derivative of the method bound to `instance`, whose `self` is not counted by `wrt`."""
        if instance is None:
            return self
        subject = Subject(self.subject.function, (*self.subject.args, instance), self.subject.keywords)
        method = Subject(self._family.function, subject.args, subject.keywords)
        names, single = chosen(self._given_wrt, method.signature, name_of(self.original), method.bound_names)
        family = family_of(self._family.function, self.mode, names, single, self._family.options, self._declared)
        new = object.__new__(Derivative)
        new._set(functools.partial(self.original, instance), self._given_wrt, family, subject, self._declared)
        return new

    @property
    def __wrapped__(self) -> Any:
        """The generated function, where inspect looks for the source."""
        try:
            return self._member().function
        except DiffError as error:
            raise AttributeError(f"{self.__name__} has no source: {error}") from error

    def __reduce__(self) -> Any:
        if not self._declared and _importable(self.original) is self:
            return self.original.__qualname__
        return _restored, (self.original, self.mode, self._given_wrt, self._family.options, self._declared)

    def __repr__(self) -> str:
        return f"<{self.mode} of {name_of(self.original)} by {', '.join(self._family.wrt)}>"

    def _repr_html_(self) -> str:
        from .jupyter import html

        return html(self)

    def _member(self) -> Member:
        """The derivative for the declared types."""
        return self._family.member(self.argument_types)


class _Stages(Mapping[str, str]):
    def __init__(self, printers: Mapping[str, Callable[[], str]]) -> None:
        self._printers = printers

    def __getitem__(self, name: str) -> str:
        return self._printers[name]()

    def __iter__(self) -> Iterator[str]:
        return iter(self._printers)

    def __len__(self) -> int:
        return len(self._printers)


def _is_due(p: inspect.Parameter) -> bool:
    return p.default is p.empty and p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)


def _example_type(value: Any, whole: bool) -> Type:
    """The type of an example argument; of a list also that of its elements, which a call would not look at."""
    return _settled(_type_with_elements(value, whole))


def _type_with_elements(value: Any, whole: bool) -> Type:
    found = type_of(value, whole)
    if not isinstance(found, List):
        return found
    element: Type = NOTHING
    for v in value:
        element = join(element, _type_with_elements(v, whole))
    return List(element)


def _settled(t: Type) -> Type:
    """The type, where calls can know it too: of numbers of several classes nothing is known, since integers among them get None."""
    if isinstance(t, List):
        return List(_settled(t.element))
    return UNKNOWN if isinstance(t, (Nothing, Real)) else t


def _importable(original: Any) -> Any:
    """What stands in the original's module under the original's name."""
    found: Any = sys.modules.get(getattr(original, "__module__", None) or "")
    for part in getattr(original, "__qualname__", "?").split("."):
        found = getattr(found, part, None)
    return found


def _restored(original: Any, mode: str, wrt: Any, options: Options, declared: Declared) -> Derivative:
    """Unpickle."""
    return Derivative(original, mode, wrt, options).declaring(dict(declared))
