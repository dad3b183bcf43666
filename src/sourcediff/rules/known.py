"""What is known of an argument before anything runs: its value, its elements one by one, or its type."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast
import numpy as np

from sourcediff.python.lattice import Array, Bool, Const, Float, Int, Real, Scalar, Type, is_scalar, rank_of


class Literal:
    """Known by value."""

    def __init__(self, value: Any, literal: bool):
        self.value = value
        self.literal = literal
        by_text = value is None or isinstance(value, (bool, int, float, complex, str, tuple))  # 1, 1.0 and True are equal, 0.0 and -0.0 too
        self.key = (type(value), repr(value), literal) if by_text else (Const(value), literal)


class Display:
    """A list or tuple whose elements stand in the text."""

    def __init__(self, length: int):
        self.length = length
        self.key = ("display", length)


class Typed:
    """Known by type, perhaps UNKNOWN."""

    def __init__(self, type_: Type):
        self.type = type_
        self.key = type_


Fact = Any  # Literal | Display | Typed


def fact_of(node: Any, known: Callable[[Any], Type]) -> Fact:
    """What is known of a node before anything runs; `known` gives the type of one that is not a literal."""
    try:
        return Literal(literal_value(node), True)
    except ValueError:
        pass
    if isinstance(node, (gast.Tuple, gast.List)) and not any(isinstance(e, gast.Starred) for e in node.elts):
        return Display(len(node.elts))
    type_ = known(node)
    return Literal(type_.value, False) if isinstance(type_, Const) else Typed(type_)


def literal_value(node: Any) -> Any:
    """The value of a literal (a number, also negative, text, None, a tuple of these); ValueError for any other node."""
    if isinstance(node, gast.Constant):
        return node.value
    if isinstance(node, gast.UnaryOp) and isinstance(node.op, gast.USub):
        value = literal_value(node.operand)
        if isinstance(value, (int, float, complex)):
            return -value
    if isinstance(node, gast.Tuple):
        return tuple(literal_value(e) for e in node.elts)
    raise ValueError("not a literal")


def _is_inexact(dtype: Any) -> bool:
    try:
        return dtype is not None and np.dtype(dtype).kind in "fc"
    except TypeError:
        return False


PREDICATES: dict[str, Callable[..., bool]] = {
    "known_none": lambda t: t == Const(None),
    "known_scalar": is_scalar,
    "known_float": lambda t: isinstance(t, Float),
    "known_array": lambda t: isinstance(t, Array),
    "known_rank": lambda t, rank: rank_of(t) == rank,
    "known_inexact": lambda t: isinstance(t, Const) and _is_inexact(t.value),
    "known_mask": lambda t: isinstance(t, Array) and t.dtype is not None and t.dtype.kind == "b",
    "known_real": lambda t: (
        isinstance(t, (Float, Real, Int, Bool)) or (isinstance(t, (Scalar, Array)) and t.dtype is not None and t.dtype.kind in "fiub")
    ),
}
