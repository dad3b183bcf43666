"""The types of run-time values, and of the structures that they are: what a call looks at."""

from __future__ import annotations

import dataclasses
import numbers
import sys
import types
from collections.abc import Iterator
from typing import Any

import numpy as np

from .lattice import UNKNOWN, Array, Complex, Const, Dict, Float, Int, Items, List, Number, Object, Other, Scalar, Tuple, Type

LARGEST = 64  # containers of more parts are not taken apart
DEEPEST = 12
_CONTAINERS = (list, tuple, dict)
_WITHOUT_PARTS = {float, int, bool, complex, str, type(None), np.ndarray, np.float64}
_KEYS = (str, int, float, bool)
_HEAP_TYPE = 1 << 9  # the flag of a class that a class statement made


def type_of(value: Any, whole: bool = False, depth: int = 0) -> Type:
    """The type of a run-time value.

    A list is "a list of unknown", at no cost in its length, unless it is short and holds an object; whole: its elements are looked at.
    """
    kind = type(value)
    if kind is float:
        return Float()
    if kind is int:
        return Int()
    if kind is np.ndarray:
        return Array(value.dtype, value.ndim)
    if isinstance(value, np.generic) and value.dtype.kind in "biufc":
        return Scalar(value.dtype)
    if value is None or kind in (bool, str):
        return Const(value)
    if kind is complex:
        return Complex()
    if isinstance(value, _CONTAINERS):
        return _container_type(value, whole, depth)
    if isinstance(value, numbers.Number):  # Decimal is registered as one, too
        return Number(kind)
    names = attributes_of(value) if depth < DEEPEST else None
    if names is not None:
        return Object(kind, tuple((name, type_of(getattr(value, name), whole, depth + 1)) for name in names))
    if callable(value) or isinstance(value, types.ModuleType):
        return Const(value)
    return Other(kind)


def _container_type(value: Any, whole: bool, depth: int) -> Type:
    kind = type(value)
    taken_apart = len(value) <= LARGEST and depth < DEEPEST
    if kind is list:
        if is_items(value) or (whole and taken_apart):
            return Items(tuple(type_of(v, whole, depth + 1) for v in value))
        return List(UNKNOWN)
    if kind is tuple or is_named(kind):
        return Tuple(tuple(type_of(v, whole, depth + 1) for v in value), None if kind is tuple else kind)
    if kind is dict:
        if taken_apart and all(type(k) in _KEYS for k in value):
            return Dict(tuple((k, type_of(v, whole, depth + 1)) for k, v in value.items()))
        return Dict()
    return Other(kind)


def is_items(value: list[Any]) -> bool:
    """Does a list hold an object, or a named tuple? Then its elements are looked at one by one."""
    return 0 < len(value) <= LARGEST and not set(map(type, value)) <= _WITHOUT_PARTS and any(map(has_objects, value))


def has_objects(value: Any, depth: int = 0) -> bool:
    """Is it an object or a named tuple, or a container of such? Its parts have names that only its class tells."""
    kind = type(value)
    if kind in _CONTAINERS:
        inside = value.values() if kind is dict else value
        return depth < DEEPEST and len(value) <= LARGEST and any(has_objects(v, depth + 1) for v in inside)
    return kind not in _WITHOUT_PARTS and (is_named(kind) or attributes_of(value) is not None)


def is_named(kind: type) -> bool:
    """Is it a class of named tuples?"""
    return issubclass(kind, tuple) and hasattr(kind, "_fields") and hasattr(kind, "_replace")


def attributes_of(value: Any) -> list[str] | None:
    """The names of what an object holds; None for what is not taken apart: a class, a function, an object of a library."""
    kind = type(value)
    if isinstance(value, (type, *_CONTAINERS)) or not has_attributes(kind):
        return None
    own = getattr(value, "__dict__", None)
    if type(own) is not dict:
        names = [f.name for f in dataclasses.fields(kind)] if dataclasses.is_dataclass(kind) else []
        return names if names and all(hasattr(value, n) for n in names) else None
    names = [n for n in own if isinstance(n, str) and n.isidentifier()]
    return names if len(names) == len(own) <= LARGEST and not _is_cyclic(value, frozenset()) else None


def has_attributes(kind: type) -> bool:
    """Is it a class whose objects are taken apart: SimpleNamespace, or one that is written in Python and belongs to no library we know?"""
    if kind is types.SimpleNamespace:
        return True
    root = kind.__module__.partition(".")[0]
    libraries = root in ("numpy", "scipy", "numba", "sourcediff") or (root in sys.stdlib_module_names and root != "__main__")
    return bool(kind.__flags__ & _HEAP_TYPE) and not libraries


def _is_cyclic(value: Any, above: frozenset[int]) -> bool:
    """Does an object hold itself?"""
    if id(value) in above:
        return True
    return any(_is_cyclic(v, above | {id(value)}) for v in _held(value))


def _held(value: Any) -> Iterator[Any]:
    kind = type(value)
    if kind in _CONTAINERS and len(value) <= LARGEST:
        yield from value.values() if kind is dict else value
    elif kind is types.SimpleNamespace or has_attributes(kind):
        yield from getattr(value, "__dict__", {}).values()
