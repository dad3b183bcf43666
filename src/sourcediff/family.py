"""All derivatives of one function by one transform: one member for each combination of argument types.

A member is generated when its types are first met, kept in a bounded table under a lock, and made anew when what its
generation relied on has changed (a helper redefined in a notebook, for example).
"""

from __future__ import annotations

import dataclasses
import functools
import inspect
import threading
import types
from collections import OrderedDict
from collections.abc import Mapping
from typing import Any

from .callables import name_of, signature_of
from .declared import declared_types, spelled_all
from .dispatch import Dispatch, Entry, argument_type
from .errors import problem
from .loading import load
from .python.function import Namespace
from .python.lattice import UNKNOWN, Array, Complex, Const, Dict, Float, Int, Items, Number, Object, Other, Scalar, Tuple, Type, is_discrete
from .python.paths import root_of, steps_of, type_at
from .reuse import cells_of, key_of, rebound, recall, remember, same_cells, same_code

MEMBERS = 64

Options = tuple[tuple[str, Any], ...]
Declared = tuple[tuple[str, Type], ...]


@dataclasses.dataclass(frozen=True)
class Member:
    """The derivative for one combination of types."""

    function: types.FunctionType
    source: str
    stages: Mapping[str, Any]
    namespace: Namespace
    helpers: dict[str, Any]
    guards: tuple[Any, ...]
    entry: Entry

    def holds(self) -> bool:
        """Whether all that generation relied on is as it was."""
        try:
            return all(guard.get() is guard.expected for guard in self.guards)
        except Exception:  # a name that is gone: generation will say so
            return False


class Family:
    """The derivatives of `function` (a Python function or another family), whatever the types. Callable."""

    def __init__(self, function: Any, mode: str, wrt: tuple[str, ...], single: bool, options: Options, declared: Declared = ()) -> None:
        self.function, self.mode, self.wrt, self.single, self.options = function, mode, wrt, single, options
        self.__name__ = f"{name_of(function)}_{mode}"
        self.__module__ = function.__module__
        self.__qualname__ = function.__qualname__.rpartition(function.__name__)[0] + self.__name__
        own = signature_of(function)
        self.extra, parameters = _parameters(function, own, wrt, mode)
        self.__signature__ = inspect.Signature(parameters)
        stated = declared_types(own, getattr(function, "__globals__", None))
        inner: dict[str, Type] = function.declared if isinstance(function, Family) else {}  # a derivative states what its function does
        self.declared: dict[str, Type] = self.completed(stated | inner | dict(declared))
        by_parts = mode in ("jacobian", "value_and_jacobian", "hessian")
        # Arguments whose lists are taken apart: a path leads into them, or the result has an entry for each of their parts.
        self.whole = frozenset(root_of(path) for path in wrt if by_parts or root_of(path) != path)
        self._dispatch = Dispatch(self.__name__, parameters)
        self._members: OrderedDict[tuple[Type, ...], Member] = OrderedDict()
        self._lock = threading.RLock()
        self.entry = self._dispatch.first(self._miss)

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        return self.entry(*args, **kwargs)

    def completed(self, given: dict[str, Type]) -> dict[str, Type]:
        """A type for each parameter: a tangent is taken to be of the type of its variable where nothing is known."""
        same = {tangent: given.get(variable, UNKNOWN) for variable, tangent in self.extra.items()}
        return {name: given.get(name, same.get(name, UNKNOWN)) for name in self.__signature__.parameters}

    def member(self, given: dict[str, Type]) -> Member:
        """The derivative for arguments of these types; generated if there is none or it no longer holds."""
        key = tuple(given[name] for name in self.__signature__.parameters)
        with self._lock:
            found = self._members.get(key)
            if found is None or not found.holds():
                for path in self.wrt:
                    check_chosen(path, chosen_type(path, given[root_of(path)]))
                found = self._members[key] = self._generated(given, key)
                if len(self._members) > MEMBERS:
                    self._members.popitem(last=False)
            else:
                self._members.move_to_end(key)
            return found

    def _miss(self, values: tuple[Any, ...]) -> Any:
        """A call whose types are not those of the call before."""
        named = zip(self._dispatch.names, values, strict=True)
        given = {name: argument_type(v, self.declared[name], name in self.whole) for name, v in named}
        entry = self.member(given).entry
        self.entry = entry.call
        return entry.invoke(values)

    def _generated(self, given: dict[str, Type], key: tuple[Type, ...]) -> Member:
        function = self.function
        guards: tuple[Any, ...] = ()
        if isinstance(function, Family):  # what was written is again a function that is read
            inner = function.member({name: given[name] for name in function.__signature__.parameters})
            function, guards = inner.function, inner.guards
        guards = (*guards, same_code(function))
        request = (self.mode, self.wrt, self.single, self.options, key)
        reusable = key_of(function, request)
        found = recall(reusable) if reusable is not None else None
        if found is None:
            derivative, made = self._differentiated(function, given)
            guards += made.guards
        else:
            derivative, made = rebound(found.function, function), found
            guards += (*found.guards, *same_cells(function))
        namespace = Namespace(function.__globals__, {**made.namespace.cells, **cells_of(function)})
        entry = self._dispatch.entry(derivative, key, guards, self._miss)
        member = Member(derivative, made.source, made.stages, namespace, made.helpers, guards, entry)
        if found is None and reusable is not None:
            remember(reusable, member)
        return member

    def _differentiated(self, function: types.FunctionType, given: dict[str, Type]) -> tuple[types.FunctionType, Any]:
        """Run the pipeline; the generated function and the Product."""
        from . import steps  # the whole machine: imported when first needed, so that `import sourcediff` is quick

        product = steps.differentiate(steps.Request(function, self.mode, self.wrt, self.single, dict(given), self.options))
        derivative = load(product.source, function, product.namespace.cells, product.helpers)
        types_known = spelled_all(given) or "unknown types"
        derivative.__doc__ = f"Generated by sourcediff for {types_known}; nothing checks them, nor that this still holds."
        return derivative, product


@functools.lru_cache(maxsize=128)
def family_of(function: Any, mode: str, wrt: tuple[str, ...], single: bool, options: Options, declared: Declared = ()) -> Family:
    """The family; the same one where it is asked for again, so that `sd.grad(f)(x)` in a loop generates once.

    declared: types of parameters, over those of the annotations.
    """
    return Family(function, mode, wrt, single, options, declared)


def chosen_type(path: str, root: Type) -> Type:
    """The type of what a choice of wrt means in a parameter of type `root`."""
    found = type_at(root, steps_of(path) or [])
    if found is None and root != UNKNOWN:
        raise problem("variable_path", path=path)
    return UNKNOWN if found is None else found


def check_chosen(name: str, t: Type) -> None:
    """Raise if an argument of this type cannot be differentiated by."""
    if isinstance(t, Int) or (isinstance(t, (Scalar, Array)) and t.dtype is not None and t.dtype.kind in "iu"):
        raise problem("integer_argument", name=name)
    if is_discrete(t):
        raise problem("not_a_number", name=name, what=_described(t))
    if isinstance(t, (Tuple, Items, Dict, Object)) and not _may_hold_float(t):
        raise problem("no_float_leaf", name=name)


def _may_hold_float(t: Type) -> bool:
    if isinstance(t, (Tuple, Items)):
        return any(map(_may_hold_float, t.elements))
    if isinstance(t, Dict):
        return t.items is None or any(_may_hold_float(v) for _, v in t.items)
    if isinstance(t, Object):
        return any(_may_hold_float(v) for _, v in t.fields)
    return isinstance(t, (Float, Complex, Number)) or not is_discrete(t)


def _described(t: Type) -> str:
    """An argument of a type without derivative, in words."""
    if isinstance(t, Const):
        if callable(t.value):
            return "a function"
        return "None" if t.value is None else f"a {type(t.value).__name__}"
    if isinstance(t, (Scalar, Array)):
        return f"of dtype {t.dtype}"
    return f"a {t.cls.__name__}" if isinstance(t, Other) and t.cls else f"a {type(t).__name__.lower()}"


def _parameters(function: Any, own: inspect.Signature, wrt: tuple[str, ...], mode: str) -> tuple[dict[str, str], list[inspect.Parameter]]:
    """(variable -> tangent parameter, parameters of the derivative), as steps.signatures places them."""
    if mode not in ("jvp", "hvp", "vjp"):
        return {}, [p.replace(annotation=p.empty) for p in own.parameters.values()]
    from .python.names import Names
    from .steps.signatures import extra_names, own_parameters

    tangents, seed = extra_names(wrt, mode, Names({*own.parameters, *_identifiers(function)}).fresh)
    every = [p.replace(annotation=p.empty) for p in own.parameters.values()]
    positional = all(p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD) and p.default is p.empty for p in every)
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD if positional else inspect.Parameter.KEYWORD_ONLY
    extra = [inspect.Parameter(name, kind) for name in own_parameters(mode, tangents, seed)]
    last = every[-1:] if every[-1].kind is inspect.Parameter.VAR_KEYWORD else []
    return tangents, [*every[: len(every) - len(last)], *extra, *last]


def _identifiers(function: Any) -> set[str]:
    """Every identifier that a function's code uses: a parameter of ours is numbered where it would clash with one."""
    found: set[str] = set()
    pending = [function.__code__] if isinstance(function, types.FunctionType) else []
    while pending:
        code = pending.pop()
        found.update(code.co_varnames, code.co_names, code.co_freevars, code.co_cellvars)
        pending += [c for c in code.co_consts if isinstance(c, types.CodeType)]
    return found
