"""The zero cotangents of lists whose elements are known, as one writes them.

x: list[float]              x_bar = [0.0] * len(x)
A: list[list[float]]        A_bar = [[0.0] * len(row) for row in A]
weights: list of arrays     weights_bar = [np.zeros_like(weight) for weight in weights]
"""

from __future__ import annotations

from typing import Any

import gast

from ...python import quote
from ...python.lattice import Array, Float, List, Real, Type
from ..closed import Closed


def zero_list(closed: Closed, kind: Type, node: Any) -> Any:
    """The zeros of a list of this type; None where its elements are not known."""
    if not isinstance(kind, List) or not isinstance(node, gast.Name):
        return None
    element = kind.element
    if isinstance(element, (Float, Real)):
        return quote.expr("[0.0] * n(x)", n=closed.spelling.builtin("len"), x=node)
    if is_exact(element):
        one = _item_of(closed, node.id, element)
        numpy = closed.spelling.module("numpy")
        zero = zero_list(closed, element, quote.name(one)) or quote.expr("np.zeros_like(v)", np=numpy, v=one)
        loop = gast.comprehension(target=quote.name(one), iter=node, ifs=[], is_async=0)
        return gast.ListComp(elt=zero, generators=[loop])
    return None


def is_exact(kind: Type) -> bool:
    """Is it an array or list of floats, with nothing in it that carries no derivative?"""
    if isinstance(kind, List):
        return isinstance(kind.element, (Float, Real)) or is_exact(kind.element)
    return isinstance(kind, Array) and kind.dtype is not None and kind.dtype.kind in "fc"


def _item_of(closed: Closed, name: str, element: Type) -> str:
    """A name for an item of the list: `weight` of `weights`, `row` of a list of lists."""
    if name.endswith("s") and len(name) > 1 and not name.endswith("ss") and closed.names.is_free(name[:-1]):
        return closed.names.fresh(name[:-1])
    return closed.names.fresh("row" if isinstance(element, List) else "a")
