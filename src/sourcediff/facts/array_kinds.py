"""What a call gives that makes, joins, reshapes or multiplies arrays: each kind a function of the call."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast
import numpy as np

from sourcediff.facts.bound_calls import Call
from sourcediff.facts.expression_kinds import TypeOfName, expression_type
from sourcediff.facts.promotion import array_type, floating, plain, product_type, promoted, strong_dtype, summed
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
    rank_of,
    same_dtype,
)
from sourcediff.rules.einsum import split_subscripts

# ---- shapes ----


def same(call: Call) -> Type:
    """An array of the same rank and dtype."""
    t = call.first
    return t if isinstance(t, Array) and t.rank != 0 else UNKNOWN


def sorted_(call: Call) -> Type:
    try:
        flat = call.literal("axis", -1) is None
    except LookupError:
        flat = True
    t = same(call)
    return Array(t.dtype, 1 if call.nodes.get("axis") is not None and flat else t.rank) if isinstance(t, Array) else t


def order(call: Call) -> Type:
    """np.argsort: indices in the place of elements."""
    if isinstance(call.first, List):
        return Array(np.dtype(int), 1) if is_scalar(call.first.element) and "axis" not in call.nodes else UNKNOWN
    t = sorted_(call)
    return Array(np.dtype(int), t.rank) if isinstance(t, Array) else UNKNOWN


def float_same(call: Call) -> Type:
    t = call.first
    return Array(floating(t.dtype), t.rank) if isinstance(t, Array) and t.rank != 0 else UNKNOWN


def ranked(change: Callable[[int], int]) -> Callable[[Call], Type]:
    """An array whose rank is a function of the rank of the first operand."""

    def kind(call: Call) -> Type:
        t = call.first
        if not isinstance(t, Array):
            return UNKNOWN
        return Array(t.dtype, None) if t.rank is None else array_type(t.dtype, change(t.rank))

    return kind


def trace(call: Call) -> Type:
    t = call.first
    if not isinstance(t, Array) or t.rank is None:
        return UNKNOWN
    dtype = floating(t.dtype) if "det" in call.rule.path else summed(t.dtype)
    return array_type(dtype, t.rank - 2)


def reshaped(call: Call) -> Type:
    if strong_dtype(call.first) is None and not isinstance(call.first, Array):
        return UNKNOWN
    return Array(strong_dtype(call.first), length(call, "shape"))


def length(call: Call, parameter: str) -> int | None:
    """The rank that a shape means, None where not known."""
    node, known = call.nodes.get(parameter), call.types.get(parameter, UNKNOWN)
    if isinstance(node, (gast.Tuple, gast.List)):
        return None if any(isinstance(e, gast.Starred) for e in node.elts) else len(node.elts)
    if isinstance(known, Tuple):
        return len(known.elements)
    return 1 if isinstance(known, Int) or (isinstance(known, Scalar) and known.dtype.kind in "iu") else None


def windows(call: Call) -> Type:
    """sliding_window_view: an axis more for each length of the window."""
    t, added = call.first, length(call, "window_shape")
    if not isinstance(t, Array):
        return UNKNOWN
    return Array(t.dtype, None if t.rank is None or added is None else t.rank + added)


def expanded(call: Call) -> Type:
    t = call.first
    try:
        axis = call.literal("axis")
    except LookupError:
        axis = 0
    added = len(axis) if isinstance(axis, tuple) else 1
    if strong_dtype(t) is None and not isinstance(t, Array):
        return UNKNOWN
    rank = rank_of(t)
    return Array(strong_dtype(t), None if rank is None else rank + added)


def joined(call: Call) -> Type:
    arrays = elements_of(call.first)
    if not arrays or not all(isinstance(a, Array) for a in arrays):
        return UNKNOWN
    try:
        rank = 1 if "axis" in call.nodes and call.literal("axis") is None else rank_of(arrays[0])
    except LookupError:
        rank = None
    return Array(promoted(arrays), rank)


def stacked(call: Call) -> Type:
    arrays = elements_of(call.first)
    if not arrays or any(strong_dtype(a) is None for a in arrays):
        return UNKNOWN
    rank = rank_of(arrays[0])
    dtype = np.result_type(*[strong_dtype(a) for a in arrays])
    return Array(dtype, None if rank is None else rank + 1)


def elements_of(t: Type) -> tuple[Type, ...]:
    if isinstance(t, Tuple):
        return tuple(plain(e) for e in t.elements)
    return (plain(t.element),) if isinstance(t, List) else ()


def promoted_array(call: Call) -> Type:
    """Some array of the operands' dtype."""
    if any(not isinstance(t, Array) for t in call.operands):
        return UNKNOWN
    return Array(promoted(call.operands), None)


def diag(call: Call) -> Type:
    t = call.first
    return Array(t.dtype, 3 - t.rank) if isinstance(t, Array) and t.rank in (1, 2) else UNKNOWN


# ---- products ----


def dot(call: Call) -> Type:
    a, b = call.operands
    if is_scalar(a) or is_scalar(b):
        return UNKNOWN
    if rank_of(a) in (1, 2) and rank_of(b) in (1, 2):
        return product_type(a, b)
    return UNKNOWN


def inner(call: Call) -> Type:
    a, b = call.operands
    ranks = rank_of(a), rank_of(b)
    if None in ranks or 0 in ranks:
        return UNKNOWN
    return array_type(promoted((a, b)), ranks[0] + ranks[1] - 2)  # type: ignore[operator]


def outer(call: Call) -> Type:
    dtypes = [strong_dtype(t) for t in call.operands]
    return Array(common(dtypes), 2)


def vdot(call: Call) -> Type:
    return array_type(promoted(call.operands), 0) if all(isinstance(t, Array) for t in call.operands) else UNKNOWN


def solve(call: Call) -> Type:
    a, b = call.operands
    if not isinstance(a, Array) or not isinstance(b, Array):
        return UNKNOWN
    return Array(floating(promoted((a, b))), b.rank if a.rank == 2 else None)


def einsum(call: Call) -> Type:
    arrays = elements_of(call.types.get("operands", UNKNOWN))
    try:
        subscripts = call.literal("subscripts")
    except LookupError:
        return UNKNOWN
    if not arrays or not all(isinstance(a, Array) for a in arrays) or not isinstance(subscripts, str) or "." in subscripts:
        return UNKNOWN
    return array_type(promoted(arrays), len(split_subscripts(subscripts)[1]))


# ---- making arrays ----


def array(call: Call) -> Type:
    node = next(iter(call.nodes.values()))
    held = call.first if isinstance(call.first, Tuple) else display_type(node, call.type_of_name) or call.first
    dtype, rank = dtype_and_rank(held)
    return Array(call.dtype(dtype), rank)


def display_type(node: Any, type_of_name: TypeOfName) -> Tuple | None:
    """A display, list or tuple, as the types of its elements one by one."""
    if not isinstance(node, (gast.List, gast.Tuple)) or any(isinstance(e, gast.Starred) for e in node.elts):
        return None
    return Tuple(tuple(display_type(e, type_of_name) or expression_type(e, type_of_name) for e in node.elts))


def dtype_and_rank(t: Type) -> tuple[Any, int | None]:
    """dtype and rank of np.array(x)."""
    if isinstance(t, List) and is_scalar(t.element):  # an empty list gives floats
        return (FLOAT64 if same_dtype(strong_dtype(t.element), FLOAT64) else None), 1
    elements = elements_of(t)
    if not elements:
        return strong_dtype(t), rank_of(t)
    contents = [dtype_and_rank(e) for e in elements]
    ranks = {rank for _, rank in contents}
    dtypes = [dtype for dtype, _ in contents]
    rank = None if len(ranks) > 1 else ranks.pop()
    return common(dtypes), None if rank is None else rank + 1


def common(dtypes: list[Any]) -> Any:
    """The dtype that holds all of these, None if one is not known (`None in dtypes` would not do: float64 == None to NumPy)."""
    return None if any(d is None for d in dtypes) else np.result_type(*dtypes)


def zeros(call: Call) -> Type:
    return Array(call.dtype(FLOAT64), length(call, "shape"))


def full(call: Call) -> Type:
    return Array(call.dtype(strong_dtype(call.types.get("fill_value", UNKNOWN))), length(call, "shape"))


def like(call: Call) -> Type:
    t = call.first
    try:
        rank = rank_of(t) if call.literal("shape") is None else None
    except LookupError:
        rank = length(call, "shape")
    return Array(call.dtype(strong_dtype(t)), rank)


def eye(call: Call) -> Type:
    return Array(call.dtype(FLOAT64), 2)


def arange(call: Call) -> Type:
    types = [t for p, t in call.types.items() if p in ("start", "stop", "step") and t != Const(None)]
    if any(strong_dtype(t) is None for t in types):
        return Array(call.dtype(None), 1)
    return Array(call.dtype(np.result_type(*[strong_dtype(t) for t in types])), 1)


def linspace(call: Call) -> Type:
    return Array(FLOAT64, 1) if all(isinstance(t, (Float, Int)) for t in call.operands) else UNKNOWN


def copied(call: Call) -> Type:
    t = call.first
    return Array(strong_dtype(t), rank_of(t)) if strong_dtype(t) is not None or isinstance(t, Array) else UNKNOWN


def cast(call: Call) -> Type:
    t = call.first
    return Array(call.dtype(None), t.rank) if isinstance(t, Array) else UNKNOWN


def item(call: Call) -> Type:
    dtype = strong_dtype(call.first)
    if dtype is None:
        return UNKNOWN
    return {"f": Float(), "i": Int(), "u": Int(), "b": Bool(), "c": Complex()}.get(dtype.kind, UNKNOWN)


def like_x(call: Call) -> Type:
    """A cotangent of x: of its dtype, float64 where x is of integers."""
    return cotangent_type(plain(call.types.get("x", call.first)))


def cotangent_type(t: Type) -> Type:
    if isinstance(t, List):
        return List(cotangent_type(plain(t.element)))
    if isinstance(t, (Int, Bool, Float)):
        return Float()
    if isinstance(t, Real):
        return t
    if isinstance(t, Scalar):
        return t if t.dtype.kind in "fc" else Scalar(FLOAT64)
    if isinstance(t, Array):
        return Array(t.dtype if t.dtype is None or t.dtype.kind in "fc" else FLOAT64, t.rank)
    return t if isinstance(t, Complex) else UNKNOWN


def broadcast_like(call: Call) -> Type:
    x, g = plain(call.types.get("x", UNKNOWN)), plain(call.types.get("g", UNKNOWN))
    return Array(strong_dtype(g), x.rank) if isinstance(x, Array) and x.rank else UNKNOWN


def shape(call: Call) -> Type:
    if call.rule.path != "np.shape":
        return Int()
    rank = rank_of(call.first)
    return UNKNOWN if rank is None else Tuple((Int(),) * rank)
