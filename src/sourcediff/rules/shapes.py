"""Functions that only move elements: shapes, joining, splitting, repeating. The adjoint moves them back."""

from __future__ import annotations

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from sourcediff.rules.forms import linear
from sourcediff.runtime import (
    inverse,
    known_array,
    known_rank,
    literal,
    resampled,
    split_like,
    unbroadcast,
    unpadded,
    unrepeated,
    unresized,
    untiled,
    unwindowed,
)


@linear(
    np.reshape, operands=("a",), kind="reshaped", view=True, on=["f(A, (2, 6))", "f(A, -1)", "f(A, (4, 3), order='F')", "f(0.5, (1, 1))"]
)
def reshape(y_bar, a, shape, order="C"):
    if order != "C":
        return np.reshape(y_bar, np.shape(a), order=order)
    if known_array(a):
        return np.reshape(y_bar, a.shape)
    return np.reshape(y_bar, np.shape(a))


@linear(np.ravel, operands=("a",), kind="rank 1", view=True, on=["f(A)", "f(B)", "f(A, order='F')", "f(0.5)"])
@linear(np.ndarray.flatten, operands=("a",), kind="rank 1", on=["f(A)", "f(B)", "f(A, order='F')"])
def ravel(y_bar, a, order="C"):
    if order != "C":
        return np.reshape(y_bar, np.shape(a), order=order)
    if known_array(a):
        return np.reshape(y_bar, a.shape)
    return np.reshape(y_bar, np.shape(a))


@linear(np.squeeze, operands=("a",), kind="unknown", view=True, on=["f(A[:, None])", "f(A[None, :, None], axis=(0, 2))"])
@linear(np.expand_dims, operands=("a",), kind="expanded", view=True, on=["f(A, 1)", "f(A, axis=(0, -1))"])
def expand_dims(y_bar, a, axis=None):
    return np.reshape(y_bar, a.shape if known_array(a) else np.shape(a))


@linear(np.atleast_1d, kind="unknown", view=True, on=["f(A)", "f(0.5)"])
@linear(np.atleast_2d, kind="unknown", view=True, on=["f(A)", "f(0.5)", "f(v)"])
@linear(np.atleast_3d, kind="unknown", view=True, on=["f(A)", "f(0.5)", "f(v)"])
def atleast(y_bar, a):
    return np.reshape(y_bar, np.shape(a))


@linear(np.transpose, operands=("a",), kind="same", view=True, on=["f(A)", "f(B)", "f(B, (1, 2, 0))", "f(B, (-1, 0, 1))", "f(v)"])
def transpose(y_bar, a, axes=None):
    if axes is not None:
        return np.transpose(y_bar, inverse(axes))
    return y_bar.T if known_array(a) else np.transpose(y_bar)


@linear(np.matrix_transpose, kind="same", view=True, on=["f(A)", "f(B)"])
def matrix_transpose(y_bar, x):
    return np.swapaxes(y_bar, -1, -2)


@linear(np.swapaxes, operands=("a",), kind="same", view=True, on=["f(A, 0, 1)", "f(B, 0, -1)"])
def swapaxes(y_bar, a, axis1, axis2):
    return np.swapaxes(y_bar, axis1, axis2)


@linear(np.moveaxis, operands=("a",), kind="same", view=True, on=["f(B, 0, -1)", "f(B, (0, 1), (2, 0))"])
def moveaxis(y_bar, a, source, destination):
    return np.moveaxis(y_bar, destination, source)


@linear(np.flip, operands=("m",), kind="same", view=True, on=["f(A)", "f(A, 0)", "f(B, (0, 2))"])
def flip(y_bar, m, axis=None):
    return np.flip(y_bar, axis)


@linear(np.fliplr, kind="same", view=True, on=["f(A)"])
def fliplr(y_bar, m):
    return np.fliplr(y_bar)


@linear(np.flipud, kind="same", view=True, on=["f(A)"])
def flipud(y_bar, m):
    return np.flipud(y_bar)


@linear(np.rot90, operands=("m",), kind="same", view=True, on=["f(A)", "f(A, 2)", "f(B, 1, (1, 2))"])
def rot90(y_bar, m, k=1, axes=(0, 1)):
    return np.rot90(y_bar, -k, axes)


@linear(np.roll, operands=("a",), kind="same", on=["f(v, 1)", "f(A, 2)", "f(A, 1, axis=0)", "f(A, (1, 2), axis=(0, 1))"])
def roll(y_bar, a, shift, axis=None):
    if literal(shift) and isinstance(shift, int):
        return np.roll(y_bar, -shift, axis)
    return np.roll(y_bar, np.negative(shift), axis)


@linear(np.broadcast_to, operands=("array",), kind="reshaped", view=True, on=["f(v, (3, 4))", "f(A, (2, 3, 4))", "f(0.5, (2, 2))"])
def broadcast_to(y_bar, array, shape):
    return unbroadcast(y_bar, array)


@linear(
    np.resize, operands=("a",), kind="reshaped", also={"new_shape": "shape"}, on=["f(v, (3, 4))", "f(A, 5)", "f(v, 3)", "f(0.5, (2, 2))"]
)
def resize(y_bar, a, shape):
    return unresized(y_bar, a)


@linear(
    sliding_window_view,
    operands=("x",),
    besides={"subok": (False,), "writeable": (False,)},
    kind="windows",
    view=True,
    on=["f(v, 2)", "f(A, 2, 1)", "f(A, (2, 3))", "f(A, (2, 2), axis=(0, 0))"],
)
def windows(y_bar, x, window_shape, axis=None):
    return unwindowed(y_bar, x, window_shape, axis)


# ---- joining ----


@linear(np.concatenate, operands=("arrays",), sequences=("arrays",), kind="joined", on=["f([v, w])", "f((A, A), 1)", "f([A, v], None)"])
def concatenate(y_bar, arrays, axis=0):
    return split_like(y_bar, arrays, axis)


@linear(np.stack, operands=("arrays",), sequences=("arrays",), kind="stacked", on=["f([v, w])", "f((A, A), 1)", "f([A, A, A], axis=-1)"])
def stack(y_bar, arrays, axis=0):
    if axis == 0:
        return y_bar
    return np.moveaxis(y_bar, axis, 0)


@linear(np.vstack, sequences=("tup",), kind="promoted", on=["f([v, w])", "f((A, v))"])
def vstack(y_bar, tup):
    return split_like(y_bar, tup, 0)


@linear(np.hstack, sequences=("tup",), kind="promoted", on=["f([v, w])", "f((A, A))", "f([0.5, v])"])
def hstack(y_bar, tup):
    return split_like(y_bar, tup, 0 if np.ndim(y_bar) == 1 else 1)


@linear(np.column_stack, sequences=("tup",), kind="promoted", on=["f([v, w])", "f((A, S[0]))"])
def column_stack(y_bar, tup):
    return split_like(y_bar, tup, 1)


@linear(np.dstack, sequences=("tup",), kind="promoted", on=["f([v, w])", "f((A, A))"])
def dstack(y_bar, tup):
    return split_like(y_bar, tup, 2)


@linear(np.append, operands=("arr", "values"), kind="promoted", on=["f(v, w)", "f(v, 0.5)", "f(A, A, axis=1)"])
def append(y_bar, arr, values, axis=None):
    return split_like(y_bar, (arr, values), axis)[0], split_like(y_bar, (arr, values), axis)[1]


# ---- splitting: the cotangent of the result is a list ----


@linear(np.split, operands=("ary",), kind="pieces", view=True, on=["f(v, 2)", "f(A, [1], axis=0)", "f(A, 2, axis=1)"])
@linear(np.array_split, operands=("ary",), kind="pieces", view=True, on=["f(v, 3)", "f(A, 2, axis=0)"])
def split(y_bar, ary, indices_or_sections, axis=0):
    return np.concatenate(y_bar, axis)


@linear(np.hsplit, operands=("ary",), kind="pieces", view=True, on=["f(v, 2)", "f(A, 2)"])
def hsplit(y_bar, ary, indices_or_sections):
    return np.hstack(y_bar)


@linear(np.vsplit, operands=("ary",), kind="pieces", view=True, on=["f(A, 3)"])
def vsplit(y_bar, ary, indices_or_sections):
    return np.vstack(y_bar)


# ---- repeating, padding, triangles ----


@linear(np.tile, operands=("A",), kind="promoted", on=["f(v, 2)", "f(A, (2, 1))", "f(v, (2, 3))", "f(A, 2)"])
def tile(y_bar, A, reps):  # noqa: N803 NumPy's own name of the parameter
    return untiled(y_bar, A, reps)


@linear(np.repeat, operands=("a",), kind="promoted", on=["f(v, 2)", "f(A, 2, axis=1)", "f(v, [1, 0, 2, 1])", "f(A, 3)"])
def repeat(y_bar, a, repeats, axis=None):
    return unrepeated(y_bar, a, repeats, axis)


@linear(
    np.pad,
    operands=("array",),
    besides={"constant_values": (0, 0.0)},
    kind="same",
    on=["f(v, 2)", "f(A, ((1, 2), (0, 1)))", "f(A, 1, mode='edge')", "f(v, (1, 2), 'wrap')"],
)
def pad(y_bar, array, pad_width, mode="constant"):
    if mode == "constant":
        return unpadded(y_bar, array, pad_width)
    return resampled(y_bar, array, pad_width, mode)


@linear(np.tril, operands=("m",), kind="same", on=["f(A)", "f(A, 1)", "f(B)"])
def tril(y_bar, m, k=0):
    return np.tril(y_bar, k)


@linear(np.triu, operands=("m",), kind="same", on=["f(A)", "f(A, 1)", "f(B)"])
def triu(y_bar, m, k=0):
    return np.triu(y_bar, k)


@linear(np.diag, operands=("v",), kind="diag", view=True, on=["f(A)", "f(v)", "f(A, 1)", "f(v, -1)", "f(S)"])
def diag(y_bar, v, k=0):
    if known_rank(v, 1):
        return np.diag(y_bar, k)
    return undiagonal(y_bar, v, k) if np.ndim(v) == 2 else np.diag(y_bar, k)


@linear(np.diagonal, operands=("a",), kind="rank - 1", view=True, on=["f(A)", "f(S, 1)", "f(B, 0, 1, 2)"])
def diagonal(y_bar, a, offset=0, axis1=0, axis2=1):
    return undiagonal(y_bar, a, offset, axis1, axis2)


@linear(np.trace, operands=("a",), kind="rank - 2", on=["f(S)", "f(A)", "f(S, 1)", "f(B, 0, 1, 2)"])
def trace(y_bar, a, offset=0, axis1=0, axis2=1):
    if known_rank(a, 2) and axis1 == 0 and axis2 == 1:
        return y_bar * np.eye(a.shape[0], a.shape[1], offset)
    return undiagonal(np.expand_dims(y_bar, -1), a, offset, axis1, axis2)


def undiagonal(g, a, offset=0, axis1=0, axis2=1):
    """Zeros of the shape of `a` with `g` on the diagonal."""
    out = np.zeros(np.shape(a), np.asarray(g).dtype)
    moved = np.moveaxis(out, (axis1, axis2), (-2, -1))
    n = np.diagonal(moved, offset, -2, -1).shape[-1]
    rows = np.arange(n) + max(-offset, 0)
    moved[..., rows, rows + offset] = g
    return out


@linear(undiagonal, operands=("g",), inert=("a",), on=["f(u, A)", "f(t[:2], S, 1)", "f(A[:2, :3], B, 0, 1, 2)"])
def undiagonal_(y_bar, g, a, offset=0, axis1=0, axis2=1):
    return unbroadcast(np.diagonal(y_bar, offset, axis1, axis2), g)
