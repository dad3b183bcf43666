"""What a call gives that works element by element, or reduces: each kind a function of the call."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from sourcediff.facts.bound_calls import Call
from sourcediff.facts.expression_kinds import attribute_type, joined_elements
from sourcediff.facts.promotion import array_type, binary_type, broadcast_rank, floating, plain, promoted, strong_dtype, summed, ufunc_type
from sourcediff.facts.several_kinds import places
from sourcediff.python.lattice import (
    FLOAT64,
    UNKNOWN,
    Array,
    Bool,
    Complex,
    Const,
    Float,
    Int,
    List,
    Real,
    Scalar,
    Tuple,
    Type,
    is_scalar,
    join,
    rank_of,
)

# ---- elements ----


def ufunc(call: Call) -> Type:
    if isinstance(call.rule.function, np.ufunc):
        return ufunc_type(call.rule.function, call.operands)
    if call.rule.function is pow:
        return binary_type("**", *call.operands[:2])
    return ufunc_type(np.maximum, call.operands[:2]) if len(call.operands) == 2 else broadcast(call)


def broadcast(call: Call) -> Type:
    if any(strong_dtype(t) is None and not isinstance(t, Array) for t in call.operands):
        return UNKNOWN
    return array_type(promoted(call.operands), broadcast_rank(call.operands))


def absolute(call: Call) -> Type:
    t = call.first
    if isinstance(t, (Bool, Int)):
        return Int()
    if isinstance(t, Real):
        return t
    if isinstance(t, (Float, Complex)):
        return Float()
    return ufunc_type(np.absolute, (t,)) if isinstance(t, (Array, Scalar)) else UNKNOWN


def where(call: Call) -> Type:
    if len(call.operands) < 2:
        return places(call)
    types = (plain(call.types.get("condition", UNKNOWN)), *call.operands)
    if any(strong_dtype(t) is None and not isinstance(t, Array) for t in types):
        return UNKNOWN
    return Array(promoted(call.operands), broadcast_rank(types))


def float_(call: Call) -> Type:
    t = call.first
    return array_type(floating(strong_dtype(t)), rank_of(t)) if strong_dtype(t) is not None else UNKNOWN


def real_part_of(call: Call) -> Type:
    return attribute_type(call.first, "real")


def numpy_number(call: Call) -> Type:
    if not is_scalar(call.first):
        return UNKNOWN
    return Scalar(np.dtype(call.rule.function))


def one_of(call: Call) -> Type:
    values = call.first
    if isinstance(values, Tuple) and len(values.elements) == 1:
        values = values.elements[0]
        if isinstance(values, Array) and values.rank == 1:
            return array_type(values.dtype, 0)
        return values.element if isinstance(values, List) else joined_elements(values)
    return joined_elements(values)


def sum_(call: Call) -> Type:
    """Python's sum: start + first + …"""
    total = plain(call.types.get("start", Int()))
    values = plain(call.types.get("iterable", UNKNOWN))
    if isinstance(values, Tuple):
        for element in values.elements:
            total = binary_type("+", total, element)
        return total
    if isinstance(values, Array) and values.rank is not None and values.rank > 0:
        return UNKNOWN if values.dtype is None else join(total, binary_type("+", total, array_type(values.dtype, values.rank - 1)))
    if isinstance(values, List):
        grown = binary_type("+", total, values.element)
        return join(total, grown)  # an empty list gives the start
    return UNKNOWN


def python_number(call: Call) -> Type:
    """math.prod: a float if all that it multiplies is."""
    elements = call.types.get("iterable", UNKNOWN)
    return (
        Float() if isinstance(elements, Tuple) and Float() in elements.elements and set(elements.elements) <= {Float(), Int()} else UNKNOWN
    )


def rounded(call: Call) -> Type:
    """Python's round: an int, unless digits are asked for."""
    if len(call.types) == 1 and isinstance(call.first, (Int, Float, Real, Bool)):
        return Int()
    return call.first if len(call.types) == 2 and isinstance(call.first, (Int, Float)) else UNKNOWN


def counts(call: Call) -> Type:
    """np.bincount: ints, or floats where there are weights."""
    return Array(np.dtype(np.intp) if call.types.get("weights", Const(None)) == Const(None) else FLOAT64, 1)


# ---- reductions ----


def reduced(call: Call, dtype: Any) -> Type:
    """An array less the axes that are reduced."""
    t = call.first
    if strong_dtype(t) is None and not isinstance(t, Array):
        return UNKNOWN
    rank = rank_of(t)
    try:
        axis, keepdims = call.literal("axis"), call.literal("keepdims", False)
    except LookupError:
        return UNKNOWN
    if keepdims:
        return array_type(dtype, rank)
    if axis is None:
        return array_type(dtype, 0)
    lost = len(axis) if isinstance(axis, tuple) else 1
    return Array(dtype, None) if rank is None else array_type(dtype, rank - lost)


def cumulative(call: Call) -> Type:
    t = call.first
    if not isinstance(t, Array):
        return UNKNOWN
    try:
        return Array(summed(t.dtype), 1 if call.literal("axis") is None else t.rank)
    except LookupError:
        return Array(summed(t.dtype), None)


def counted(call: Call) -> Type:
    """An integer for each place that is left; a list of numbers is one axis."""
    t = call.first
    if isinstance(t, List) and is_scalar(t.element) and "axis" not in call.nodes:
        return Scalar(np.dtype(int))
    return reduced(call, np.dtype(int))


def reduction(dtype_of: Callable[[Any], Any]) -> Callable[[Call], Type]:
    return lambda call: reduced(call, dtype_of(strong_dtype(call.first)))
