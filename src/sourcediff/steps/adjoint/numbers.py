"""What an expression of a cotangent is, by its form: a number, or perhaps an array where its primal is a number."""

from __future__ import annotations

from typing import Any

import gast

from ...python.lattice import FLOAT64, UNKNOWN, Array, Scalar, is_real_scalar, is_scalar, rank_of
from ..closed import Closed

MAKES_ARRAYS = frozenset({"broadcast_to", "expand_dims", "full", "reshape", "tensordot", "where", "zeros_like"})


def is_number(closed: Closed, value: Any) -> bool:
    """Is the value made of numbers, and of the sizes of arrays?"""
    match value:
        case gast.Constant():
            return True
        case gast.Name():
            return is_scalar(closed.types.get(value.id, UNKNOWN))
        case gast.Attribute(attr="size"):
            return True
        case gast.UnaryOp():
            return is_number(closed, value.operand)
        case gast.BinOp():
            return is_number(closed, value.left) and is_number(closed, value.right)
    return False


def is_summed(closed: Closed, target: str, result: str) -> bool:
    """Is the target a number beside an array of the same precision, so that its cotangent is a plain sum?"""
    kind, other = closed.types.get(target, UNKNOWN), closed.types.get(result, UNKNOWN)
    if not is_real_scalar(kind) or not isinstance(other, Array) or other.dtype is None or not other.rank:
        return False
    return bool(other.dtype == (kind.dtype if isinstance(kind, Scalar) else FLOAT64))


def may_be_array(closed: Closed, value: Any) -> bool:
    """Could the cotangent of a number be an array of rank 0, since the function that it goes through is one of arrays?"""
    match value:
        case gast.Constant():
            return False
        case gast.Name():
            return isinstance(closed.types.get(value.id), Array)
        case gast.UnaryOp():
            return may_be_array(closed, value.operand)
        case gast.BinOp(op=gast.MatMult(), left=gast.Name(), right=gast.Name()):
            return rank_of(closed.type_of(value.left)) != 1 or rank_of(closed.type_of(value.right)) != 1
        case gast.BinOp():
            return may_be_array(closed, value.left) or may_be_array(closed, value.right)
        case gast.IfExp():
            return may_be_array(closed, value.body) or may_be_array(closed, value.orelse)
        case gast.Subscript():
            return not (isinstance(value.value, gast.Name) and value.value.id in closed.types) and not is_spread(closed, value.value)
        case gast.Call(func=gast.Attribute(attr=name)):
            return name in MAKES_ARRAYS
        case gast.Call(func=gast.Name(id=name)):
            return name not in ("unbroadcast", "float")
    return False


def is_spread(closed: Closed, value: Any) -> bool:
    """Is it the spread cotangent of an array, whose elements are numbers?"""
    return isinstance(value, gast.Call) and isinstance(value.func, gast.Name) and value.func.id.startswith("broadcast_like")
