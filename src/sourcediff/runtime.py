"""The few functions that a derivative may call. They need NumPy alone and are copied into saved modules.

The machine writes the chain rule; what depends on shapes and dtypes that only the run knows stands here: summing a cotangent to the
shape of its operand, zeros, a last-write rule for stores, the check of seeds. The predicates at the end choose between two correct
texts of a rule; here they answer for values, in `rules/text.py` for types.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np


def unbroadcast(g: Any, x: Any) -> Any:
    """The cotangent `g` summed to the shape of `x`, of its dtype (real for a real x): what broadcasting x back means.

    Numbers and arrays only; anything else raises TypeError.
    """
    kind = type(x)
    if kind is np.ndarray:
        dtype = x.dtype
        if type(g) is np.ndarray and g.dtype is dtype and g.shape == x.shape:
            return g
        if dtype.kind not in "fc":
            dtype = np.result_type(dtype, np.float64)
        g = _summed_to(np.asarray(g), x.shape)
        if dtype.kind == "f" and g.dtype.kind == "c":
            g = g.real
        return g.astype(dtype, copy=False)
    if kind is float or kind is int or kind is bool:
        if type(g) is float:
            return g
        return float(_total(g).real)
    if kind is complex:
        return complex(_total(g))
    if isinstance(x, np.generic):
        total = _total(g)
        if x.dtype.kind == "c":
            return x.dtype.type(total)
        return x.dtype.type(total.real) if x.dtype.kind == "f" else np.float64(total.real)
    if isinstance(x, np.ndarray):
        return unbroadcast(g, np.asarray(x))
    if _is_number(x):
        return g
    raise TypeError(f"sourcediff differentiates numbers and arrays, not a {kind.__name__}")


def _summed_to(g: Any, shape: tuple[int, ...]) -> Any:
    """Sum over what broadcasting added; a `g` of fewer dimensions, or of length 1 where x is longer, is spread."""
    extra = g.ndim - len(shape)
    if extra > 0:
        g = g.sum(axis=tuple(range(extra)))
    ones = tuple(i for i, n in enumerate(shape[len(shape) - g.ndim :]) if n == 1 and g.shape[i] != 1)
    if ones:
        g = g.sum(axis=ones, keepdims=True)
    return g if g.shape == shape else np.broadcast_to(g, shape)


def _total(g: Any) -> Any:
    return g.sum() if isinstance(g, np.ndarray) else g


def _is_number(x: Any) -> bool:
    return hasattr(x, "__add__") and hasattr(x, "__mul__") and not hasattr(x, "__len__")


def zero_of(x: Any) -> Any:
    """The zero cotangent of `x`, with its structure; float64 where x is of integers."""
    kind = type(x)
    if kind is float or kind is int or kind is bool:
        return 0.0
    if kind is np.ndarray:
        return np.zeros_like(x) if x.dtype.kind in "fc" else np.zeros(x.shape)
    if kind is complex:
        return 0j
    if isinstance(x, np.generic):
        return x.dtype.type(0) if x.dtype.kind in "fc" else np.float64(0)
    if isinstance(x, list):
        return [zero_of(v) for v in x]
    if isinstance(x, tuple):
        zeros = [zero_of(v) for v in x]
        return kind(*zeros) if hasattr(x, "_fields") else tuple(zeros)
    if isinstance(x, dict):
        return {key: zero_of(v) for key, v in x.items()}
    return 0 if _is_number(x) and not isinstance(x, str) else None


def broadcast_like(g: Any, x: Any) -> Any:
    """`g` spread to the shape of `x`; it may be read-only."""
    return np.broadcast_to(g, np.shape(x)) if np.shape(g) != np.shape(x) else g


def owned(g: Any, x: Any) -> Any:
    """A fresh writable array of the shape and dtype of `x`, filled with `g`; `g` itself where x is a number."""
    if not isinstance(x, np.ndarray):
        return unbroadcast(g, x)
    out = np.empty(x.shape, x.dtype if x.dtype.kind in "fc" else np.float64)
    out[...] = g.real if out.dtype.kind == "f" and np.iscomplexobj(g) else g
    return out


def check_seed(seed: Any, value: Any, name: str) -> None:
    """Raise ValueError unless `seed` has the shape of `value`: a seed is never broadcast."""
    if np.shape(seed) != np.shape(value):
        raise ValueError(f"{name} has shape {np.shape(seed)}, the value it belongs to has shape {np.shape(value)}")


def check_scalar(value: Any, name: str) -> None:
    """Raise TypeError unless `value`, the result of the function `name`, is one real number."""
    if np.shape(value) != ():
        raise TypeError(f"grad needs a scalar: {name} returned an array of shape {np.shape(value)}; use jacobian or vjp")
    if np.iscomplexobj(value):
        raise TypeError(f"grad needs a real result: {name} returned a complex number; use vjp, or np.real of it")


def last_writes(index: Any, shape: tuple[int, ...]) -> Any:
    """Where a store `x[index] = v` into an x of this shape kept its value: False at the earlier ones of repeated indices."""
    places = np.arange(math.prod(shape)).reshape(shape)[index]
    order = np.arange(places.size).reshape(places.shape)
    writer = np.empty(math.prod(shape), order.dtype)
    writer[places] = order
    return writer[places] == order


def count(x: Any, axis: Any = None) -> int:
    """How many elements of `x` a reduction over `axis` combines into one."""
    shape = np.shape(x)
    if axis is None:
        return math.prod(shape)
    return math.prod(shape[i] for i in axis) if isinstance(axis, tuple) else shape[axis]


def expanded(g: Any, x: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """`g`, which has the shape of a reduction of `x` over `axis`, in a shape that broadcasts to that of x."""
    return g if axis is None or keepdims else np.expand_dims(g, axis)


# ---- predicates of rules: True only where certain ----


def literal(x: Any) -> bool:
    """Whether x stands in the source as a literal: no value does."""
    return False


def known_scalar(x: Any) -> bool:
    return np.ndim(x) == 0 and not isinstance(x, np.ndarray)


def known_float(x: Any) -> bool:
    return type(x) is float


def known_array(x: Any) -> bool:
    return isinstance(x, np.ndarray)


def known_rank(x: Any, rank: int) -> bool:
    return np.ndim(x) == rank


def known_real(x: Any) -> bool:
    return not np.iscomplexobj(x)
