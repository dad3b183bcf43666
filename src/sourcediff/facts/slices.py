"""How long what a slice leaves of an axis is, told without knowing the axis: equal texts mean equal lengths."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import gast

from ..python import quote
from ..python.expressions import expression
from ..python.lattice import Array, Int, Scalar, Type


def axes_of(index: Any, type_of: Callable[[Any], Type]) -> list[str] | None:
    """For each part of an index what it leaves of its axis; None if that cannot be told of one."""
    if isinstance(index, gast.Constant) and index.value is Ellipsis:
        return []
    parts = index.elts if isinstance(index, gast.Tuple) else [index]
    axes = [axis(p, type_of) for p in parts]
    return None if None in axes else [a for a in axes if a is not None]


def axis(part: Any, type_of: Callable[[Any], Type]) -> str | None:
    """ "2" for an axis shorter by 2, "2/3" for each third of those, "#" for none; else the slice as it is written."""
    if not isinstance(part, gast.Slice):
        return "#" if is_integer(part, type_of) else None
    step = 1 if part.step is None else integer(part.step)
    if step is None or step == 0:
        return None
    trimmed = _forwards(part) if step > 0 else _backwards(part)
    if trimmed is not None:
        return str(trimmed) if abs(step) == 1 else f"{trimmed}/{abs(step)}"
    bounds = [b for b in (part.lower, part.upper) if b is not None]
    if not all(is_integer(b, type_of) for b in bounds):
        return None
    parts = [part.lower, part.upper] if step == 1 else [part.lower, part.upper, part.step]
    return ":".join("" if p is None else expression(p) for p in parts)


def _forwards(part: Any) -> int | None:
    """How many elements `[2:-1]` leaves out, whichever end they are at: of n elements n - 3 are left, or none."""
    trimmed = 0
    for bound, sign in ((part.lower, 1), (part.upper, -1)):
        if bound is None:
            continue
        amount = integer(bound)
        if amount is None or amount * sign < 0 or (sign == -1 and amount == 0):
            return None
        trimmed += abs(amount)
    return trimmed


def _backwards(part: Any) -> int | None:
    """The same of `[::-1]`, `[-2:0:-1]`: from the last element, or one before it, to the first, or one behind it."""
    first = -1 if part.lower is None else integer(part.lower)
    last = -1 if part.upper is None else integer(part.upper)
    if first is None or first >= 0 or last is None or (part.upper is not None and last < 0):
        return None
    return (-1 - first) + (last + 1)


def integer(node: Any) -> int | None:
    """The value of an expression of literal integers."""
    match node:
        case gast.Constant(value=bool()):
            return None
        case gast.Constant(value=int() as value):
            return value
        case gast.UnaryOp(op=gast.USub()):
            inner = integer(node.operand)
            return None if inner is None else -inner
        case gast.BinOp(op=gast.Add() | gast.Sub()):
            left, right = integer(node.left), integer(node.right)
            if left is None or right is None:
                return None
            return left + right if isinstance(node.op, gast.Add) else left - right
    return None


def is_integer(node: Any, type_of: Callable[[Any], Type]) -> bool:
    """Is it a whole number, which as an index takes an axis away, and as a bound is what it is each time it is read?"""
    match node:
        case gast.Name() | gast.Constant():
            kind = type_of(node)
            return isinstance(kind, Int) or (isinstance(kind, Scalar) and kind.dtype.kind in "iu")
        case gast.UnaryOp(op=gast.USub()):
            return is_integer(node.operand, type_of)
        case gast.BinOp():
            return is_integer(node.left, type_of) and is_integer(node.right, type_of)
    return False


def part_type(base: Any, axes: list[str]) -> Any:
    """The type of the part of an array that is left."""
    if not isinstance(base, Array) or base.rank is None:
        return None
    return Array(base.dtype, base.rank - axes.count("#"))


def template_of(space: str) -> Any:
    """An expression of this space, that is a slice of a name: `x[3:]` for what is shorter by 3; None if it is none."""
    found = _SLICED.fullmatch(space)
    if found is None:
        return None
    parts = [", ".join(_written(a) for a in axes.split(", ")) for axes in _AXES.findall(found[2])]
    return quote.expr(found[1] + "".join(f"[{p}]" for p in parts))


def _written(axes: str) -> str:
    trimmed, slash, step = axes.partition("/")
    if axes == "#":
        return "0"
    if not trimmed.isdigit():
        return axes
    return ("" if trimmed == "0" else trimmed) + ":" + (f":{step}" if slash else "")


_SLICED = re.compile(r"([^\W\d]\w*)((?:\[[^\[\]]*\])+)")
_AXES = re.compile(r"\[([^\[\]]*)\]")
