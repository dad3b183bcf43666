"""What a call gives that gives several values: a tuple where the call says of how many, else a list of values of one type."""

from __future__ import annotations

import gast
import numpy as np

from sourcediff.facts.bound_calls import Call
from sourcediff.facts.promotion import array_type, floating, plain, strong_dtype, ufunc_type
from sourcediff.python.lattice import UNKNOWN, Array, Bool, Complex, Float, Int, List, Other, Scalar, Tuple, Type, rank_of

INDICES = Array(np.dtype(np.intp), 1)


def pieces(call: Call) -> Type:
    """np.split: arrays like the one that is cut."""
    t = call.first
    return List(t if isinstance(t, Array) and t.rank != 0 else UNKNOWN)


def grids(call: Call) -> Type:
    """np.meshgrid: a tuple of one array for each axis (a list before NumPy 2)."""
    axes = call.nodes.get("xi")
    if not isinstance(axes, gast.Tuple) or any(isinstance(e, gast.Starred) for e in axes.elts):
        return UNKNOWN
    held = call.types.get("xi", UNKNOWN)
    types = [plain(t) for t in held.elements] if isinstance(held, Tuple) else [UNKNOWN] * len(axes.elts)
    return Tuple(
        tuple(UNKNOWN if strong_dtype(t) is None and not isinstance(t, Array) else Array(strong_dtype(t), len(types)) for t in types)
    )


def nested_list(call: Call) -> Type:
    """x.tolist(): lists as deep as x has axes, of Python numbers."""
    t = call.first
    dtype, rank = strong_dtype(t), rank_of(t)
    if rank is None:
        return UNKNOWN
    kind: Type = UNKNOWN if dtype is None else {"f": Float(), "i": Int(), "u": Int(), "b": Bool(), "c": Complex()}.get(dtype.kind, UNKNOWN)
    for _ in range(rank):
        kind = List(kind)
    return kind


def slogdet(call: Call) -> Type:
    t = call.first
    if not isinstance(t, Array) or t.rank is None or t.rank < 2:
        return Tuple((UNKNOWN, UNKNOWN))
    dtype = floating(t.dtype)
    real = None if dtype is None else np.zeros(0, dtype).real.dtype
    return Tuple((array_type(dtype, t.rank - 2), array_type(real, t.rank - 2)))


def pair(call: Call) -> Type:
    """np.modf, math.modf: two of the type of the operand."""
    t = call.first
    if call.rule.path.startswith("math."):
        return Tuple((Float(), Float()))
    return Tuple((ufunc_type(np.modf, (t,)),) * 2)


def places(call: Call) -> Type:
    """np.nonzero: the indices along each axis."""
    rank = rank_of(call.first)
    return UNKNOWN if rank is None else Tuple((INDICES,) * rank)


def mesh(call: Call) -> Type:
    """np.ix_ of indices and masks: an index for each axis. Of floats it hands on the floats."""
    held = [t.element if isinstance(t, List) else t for t in map(plain, call.types.values())]
    if not all(isinstance(t, (Int, Array)) and (strong_dtype(t) is None or strong_dtype(t).kind in "iub") for t in held):
        return UNKNOWN
    if any(isinstance(t, Array) and t.dtype is None for t in held):
        return UNKNOWN
    return Tuple((Array(np.dtype(np.intp), len(call.types)),) * len(call.types))


def flat_place(call: Call) -> Type:
    """The index along each axis of what an index of x.flat means."""
    index, shape = call.first, call.types.get("shape")
    if not isinstance(shape, Tuple):
        return UNKNOWN
    number = isinstance(index, Int) or (isinstance(index, Scalar) and index.dtype.kind in "iu")
    row = isinstance(index, (List, Other)) or (isinstance(index, Array) and index.rank == 1)
    return Tuple((Int() if number else INDICES,) * len(shape.elements)) if number or row else UNKNOWN


def diagonal_places(call: Call) -> Type:
    """np.diag_indices of so many axes."""
    try:
        return Tuple((INDICES,) * call.literal("ndim", 2))
    except LookupError:
        return UNKNOWN


def found(call: Call) -> Type:
    """np.unique: the values, and as many index arrays as are asked for."""
    t = call.first
    try:
        wanted = [bool(call.literal(f"return_{what}", False)) for what in ("index", "inverse", "counts")]
        whole = call.literal("axis") is None
    except LookupError:
        return UNKNOWN
    dtype = strong_dtype(t)
    values = UNKNOWN if dtype is None and not isinstance(t, Array) else Array(dtype, 1 if whole else rank_of(t))
    return Tuple((values, *[UNKNOWN] * sum(wanted))) if any(wanted) else values
