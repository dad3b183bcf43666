"""The call of a derivative, made as short as Python allows.

For each combination of argument types a small function is generated, with the derivative's own parameters:

    def f_grad(x, y, n=_0):
        try:
            _same = _type(x) is _float and _type(y) is _ndarray and y.dtype is _1 and y.ndim == 1 and _2.__code__ is _3 and _4() is _5
        except _Exception:
            _same = False
        if _same:
            return _derivative(x, y, n)
        return _miss((x, y, n))

Python itself binds the arguments and fills in defaults; the types and what generation relied on (the guards) are
compared by identity; only when something differs does the slow way through the table of all specialisations begin.
"""

from __future__ import annotations

import builtins
import inspect
import types
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from .callables import Standing
from .python.lattice import UNKNOWN, Array, Complex, Const, Dict, Float, Int, Items, List, Number, Object, Other, Scalar, Tuple, Type
from .python.valued import is_items, type_of
from .reuse import AttributeGuard

_VAR_POSITIONAL, _KEYWORD_ONLY = inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.KEYWORD_ONLY
_STARS: dict[Any, str] = {_VAR_POSITIONAL: "*", inspect.Parameter.VAR_KEYWORD: "**"}
_CLASS_OF: dict[type[Type], type] = {Float: float, Int: int, Complex: complex}


class Entry(NamedTuple):
    """call: what the user's call runs. invoke: the derivative on a tuple of values in the order of the parameters."""

    call: Callable[..., Any]
    invoke: Callable[[tuple[Any, ...]], Any]


class Dispatch:
    """Makes the entries of one derivative; knows its name and parameters."""

    def __init__(self, name: str, parameters: Sequence[inspect.Parameter]) -> None:
        self.name = name
        self.parameters = tuple(parameters)
        self.names = tuple(p.name for p in parameters)
        # No name of ours may be that of a parameter.
        self.prefix = "_"
        while any(n.startswith(self.prefix) for n in self.names):
            self.prefix += "_"

    def first(self, miss: Callable[[tuple[Any, ...]], Any]) -> Callable[..., Any]:
        """The entry as long as nothing is generated: binds the arguments and hands them on."""
        scope = _Scope(self.prefix)
        body = [f"    return {scope.named('miss', miss)}({self._values})"]
        return scope.run(self.name, [self._header(scope), *body])

    def entry(
        self,
        derivative: types.FunctionType,
        argument_types: Sequence[Type],
        guards: Iterable[Any],
        miss: Callable[[tuple[Any, ...]], Any],
    ) -> Entry:
        """The entry for arguments of these types, as long as the guards hold."""
        scope = _Scope(self.prefix)
        tests = [test for name, t in zip(self.names, argument_types, strict=True) for test in _tests(t, name, scope)]
        tests += [f"{_now(g, scope)} is {scope.constant(g.expected)}" for g in guards]
        call = f"{scope.named('derivative', derivative)}({self._arguments(derivative)})"
        same = f"{self.prefix}same"
        lines = [
            self._header(scope),
            "    try:",
            f"        {same} = {' and '.join(tests) or 'True'}",
            f"    except {scope.named('Exception', Exception)}:",
            f"        {same} = False",
            f"    if {same}:",
            f"        return {call}",
            f"    return {scope.named('miss', miss)}({self._values})",
            f"def {self.prefix}invoke({self.prefix}values):",
            f"    {self._values} = {self.prefix}values",
            f"    return {call}",
        ]
        return Entry(scope.run(self.name, lines), scope.names[f"{self.prefix}invoke"])

    @property
    def _values(self) -> str:
        return f"({', '.join(self.names)},)"

    def _header(self, scope: _Scope) -> str:
        shown: list[str] = []
        star = False
        for i, p in enumerate(self.parameters):
            if p.kind is _KEYWORD_ONLY and not star:
                shown.append("*")
            star = star or p.kind in (_KEYWORD_ONLY, _VAR_POSITIONAL)
            default = "" if p.default is p.empty else f"={scope.constant(p.default)}"
            shown.append(f"{_STARS.get(p.kind, '')}{p.name}{default}")
            following = self.parameters[i + 1].kind if i + 1 < len(self.parameters) else None
            if p.kind is p.POSITIONAL_ONLY and following is not p.kind:
                shown.append("/")
        return f"def {self.name}({', '.join(shown)}):"

    def _arguments(self, derivative: types.FunctionType) -> str:
        """How the derivative is called. Its keyword-only names are asked of itself: only the order is agreed on."""
        code = derivative.__code__
        keywords = iter(code.co_varnames[code.co_argcount : code.co_argcount + code.co_kwonlyargcount])
        shown = []
        for p in self.parameters:
            if p.kind is _KEYWORD_ONLY:
                shown.append(f"{next(keywords)}={p.name}")
            else:
                shown.append(_STARS.get(p.kind, "") + p.name)
        return ", ".join(shown)


class _Scope:
    """The names that a generated entry sees: objects by constant names, some builtins under names of ours."""

    def __init__(self, prefix: str) -> None:
        self.prefix = prefix
        self.names: dict[str, Any] = {}

    def named(self, name: str, value: Any) -> str:
        self.names[self.prefix + name] = value
        return self.prefix + name

    def constant(self, value: Any) -> str:
        return self.named(str(len(self.names)), value)

    def builtin(self, name: str) -> str:
        return self.named(name, getattr(builtins, name))

    def run(self, name: str, lines: list[str]) -> Callable[..., Any]:
        exec(compile("\n".join(lines), f"<sourcediff call of {name}>", "exec", dont_inherit=True), self.names)
        return self.names[name]


def argument_type(value: Any, declared: Type = UNKNOWN, whole: bool = False) -> Type:
    """The type of an argument. The elements of a list are looked at only where they are declared, in one pass; whole: always."""
    found = type_of(value, whole)
    if isinstance(found, Const) and callable(value) and not isinstance(value, (Standing, type)):
        call: Any = type(value).__call__
        if isinstance(call, types.FunctionType):  # an object of the user's that can be called: its class is what matters
            return Other(type(value))
    if isinstance(found, List) and isinstance(declared, List):
        element = _common([value], declared.element)
        return found if element is None else List(element)
    return found


def _common(lists: list[Any], declared: Type) -> Type | None:
    """The type of all elements of these lists, if it is the declared one; of arrays with their dtype and rank."""
    if isinstance(declared, List):
        if any(set(map(type, held)) - {list} for held in lists):
            return None
        element = _common([inner for held in lists for inner in held], declared.element)
        return None if element is None else List(element)
    if isinstance(declared, Array):
        found = [a for held in lists for a in held]
        if not found or any(type(a) is not np.ndarray for a in found):
            return None if found else declared
        dtype, rank = found[0].dtype, found[0].ndim
        return Array(dtype, rank) if all(a.dtype is dtype and a.ndim == rank for a in found) else None
    cls = class_of(declared)
    return declared if cls is not None and all(set(map(type, held)) <= {cls} for held in lists) else None


def class_of(t: Type) -> type | None:
    """The class that values of this type have, where the class is all there is to the type."""
    if isinstance(t, (Number, Other)):
        return t.cls
    return t.dtype.type if isinstance(t, Scalar) else _CLASS_OF.get(type(t))


def _tests(t: Type, text: str, scope: _Scope) -> list[str]:
    """Expressions that are all true just for the values of type t."""
    if isinstance(t, Const):
        if isinstance(t.value, str):
            return [_is_a(str, text, scope), f"{text} == {scope.constant(t.value)}"]
        return [f"{text} is {scope.constant(t.value)}"]
    cls = class_of(t)
    if cls is not None:
        return [_is_a(cls, text, scope)]
    if isinstance(t, Array):
        if t.dtype is None or t.rank is None:  # of the elements of an empty list
            return [_is_a(np.ndarray, text, scope)]
        return [_is_a(np.ndarray, text, scope), f"{text}.dtype is {scope.constant(t.dtype)}", f"{text}.ndim == {t.rank}"]
    if isinstance(t, List):
        held = _element_tests(t.element, text, scope)
        return [_is_a(list, text, scope), *(held or [f"not {scope.named('is_items', is_items)}({text})"])]
    if isinstance(t, (Tuple, Items)):
        inner = [test for i, e in enumerate(t.elements) for test in _tests(e, f"{text}[{i}]", scope)]
        cls = list if isinstance(t, Items) else t.cls or tuple
        return [_is_a(cls, text, scope), f"{scope.builtin('len')}({text}) == {len(t.elements)}", *inner]
    if isinstance(t, Object):
        inner = [test for name, e in t.fields for test in _tests(e, f"{text}.{name}", scope)]
        closed = not any("__dict__" in vars(c) for c in t.cls.__mro__)  # __slots__ leave no room for more
        count = [] if closed else [f"{scope.builtin('len')}({text}.__dict__) == {len(t.fields)}"]
        return [_is_a(t.cls, text, scope), *count, *inner]
    if isinstance(t, Dict) and t.items is not None:
        keys = scope.constant(tuple(k for k, _ in t.items))
        inner = [test for k, v in t.items for test in _tests(v, f"{text}[{scope.constant(k)}]", scope)]
        return [_is_a(dict, text, scope), f"{scope.builtin('tuple')}({text}) == {keys}", *inner]
    return []


def _element_tests(t: Type, text: str, scope: _Scope) -> list[str]:
    """Expressions that are all true just for lists of values of type t; none if its elements are not looked at."""
    if isinstance(t, List):
        each = " and ".join(_element_tests(t.element, scope.prefix + "v", scope))
        inner = f"{scope.builtin('all')}({each} for {scope.prefix}v in {text})"
        return [_one_pass(list, text, scope), inner] if each else []
    if isinstance(t, Array):
        each = " and ".join(_tests(t, f"{scope.prefix}a", scope))
        return [f"{scope.builtin('all')}({each} for {scope.prefix}a in {text})"]
    cls = class_of(t)
    return [] if cls is None else [_one_pass(cls, text, scope)]


def _one_pass(cls: type, text: str, scope: _Scope) -> str:
    return f"{scope.builtin('set')}({scope.builtin('map')}({scope.builtin('type')}, {text})) <= {scope.constant({cls})}"


def _now(guard: Any, scope: _Scope) -> str:
    """An expression for what a guard looks at."""
    if isinstance(guard, AttributeGuard):
        return f"{scope.constant(guard.owner)}.{guard.attribute}"
    return f"{scope.constant(guard.get)}()"


def _is_a(cls: type, text: str, scope: _Scope) -> str:
    return f"{scope.builtin('type')}({text}) is {scope.constant(cls)}"
