"""NumPy's and Python's functions that change one of their arguments instead of giving a new value.

None of them is a constant: what they write may carry a derivative, and what they wrote over no longer does. A rule, where there is
one (np.add.at), says how the derivative follows the memory; any other of these has to be refused where active memory is written.

    writes_argument(np.fill_diagonal)  ->  True
    writes_argument(np.multiply.at)    ->  True
    writes_receiver("sort")            ->  True: x.sort() changes x
"""

from __future__ import annotations

import builtins
import random
from typing import Any

import numpy as np

METHODS = frozenset({"byteswap", "fill", "itemset", "partition", "put", "resize", "setfield", "setflags", "sort"})

_FUNCTIONS: tuple[Any, ...] = (
    np.copyto,
    np.fill_diagonal,
    np.place,
    np.put,
    np.put_along_axis,
    np.putmask,
    np.random.shuffle,
    np.random.Generator.shuffle,
    np.random.RandomState.shuffle,
    random.shuffle,
    builtins.setattr,
    builtins.delattr,
)
_BOUND: Any = type(len)


def writes_argument(value: Any) -> bool:
    """Whether a call of this object changes an argument (of an unbound method: what it is called on)."""
    if type(value) is _BOUND and isinstance(value.__self__, np.ufunc):
        return bool(value.__name__ == "at")
    if any(value is function for function in _FUNCTIONS):
        return True
    owner, name = getattr(value, "__objclass__", None), getattr(value, "__name__", "")
    if owner in _MUTABLE:
        return name in _MUTABLE[owner]
    this = getattr(value, "__self__", None)
    if isinstance(this, (np.random.Generator, np.random.RandomState, random.Random)):
        return name == "shuffle"
    return any(type(this) is kind and name in names for kind, names in _MUTABLE.items())


def writes_receiver(method: str) -> bool:
    """Whether x.method(...) of an array changes x."""
    return method in METHODS


_MUTABLE: dict[Any, frozenset[str]] = {
    np.ndarray: METHODS | {"__setitem__", "__iadd__", "__isub__", "__imul__", "__itruediv__", "__ipow__", "__imatmul__"},
    list: frozenset({"append", "clear", "extend", "insert", "pop", "remove", "reverse", "sort", "__setitem__", "__delitem__", "__iadd__"}),
    dict: frozenset({"clear", "pop", "popitem", "setdefault", "update", "__setitem__", "__delitem__", "__ior__"}),
}
