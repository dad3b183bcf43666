"""Rules of the helpers that derivatives call, so that derivatives can be differentiated again."""

from __future__ import annotations

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from sourcediff import runtime
from sourcediff.rules.forms import constant, forward, linear, reverse
from sourcediff.runtime import known_real, pick, pick_adjoint, unbroadcast


@linear(runtime.unbroadcast, operands=("g",), inert=("x",), kind="like x", view=True, on=["f(A, v)", "f(v, 0.5)", "f(A, A)", "f(v, w[:1])"])
@linear(runtime.broadcast_like, operands=("g",), inert=("x",), kind="broadcast like", view=True, on=["f(v, A)", "f(0.5, v)", "f(v, v)"])
@linear(runtime.owned, operands=("g",), inert=("x",), kind="like x", on=["f(v, A)", "f(0.5, v)", "f(v, v)"])
@linear(runtime.owned_unbroadcast, operands=("g",), inert=("x",), kind="like x", on=["f(A, v)", "f(v, 0.5)", "f(A, A)"])
def unbroadcast_(y_bar, g, x):
    return unbroadcast(y_bar, g)  # the adjoint of spreading sums, that of summing spreads


@linear(runtime.expanded, operands=("g",), inert=("x",), kind="unknown", view=True, on=["f(v, A, 0)", "f(0.5, A)"])
def expanded_(y_bar, g, x, axis=None, keepdims=False):
    return np.reshape(y_bar, np.shape(g))


@linear(runtime.split_like, operands=("g",), inert=("arrays",), kind="list", view=True, on=["f(np.concatenate([v, w]), [v, w], 0)"])
def split_like_(y_bar, g, arrays, axis):
    if axis is None:
        return np.reshape(np.concatenate(y_bar, None), np.shape(g))
    return np.concatenate([np.reshape(p, joined_shape(p, g, axis)) for p in y_bar], axis)


def joined_shape(piece, g, axis):
    """The shape that a piece of g had along `axis` before it took its own."""
    shape = list(np.shape(g))
    shape[axis] = np.shape(piece)[axis] if np.ndim(piece) == len(shape) else 1
    return shape


@linear(
    runtime.scattered,
    operands=("g",),
    inert=("x",),
    kind="like x",
    on=["f(0.5, v, 2)", "f(w[:3], v, [0, 2, 2])", "f(A[1:], A, slice(1, 3))"],
)
def scattered_(y_bar, g, x, index):
    return y_bar[index]


@linear(runtime.taken_back, operands=("g",), inert=("x",), kind="like x", on=["f(v, v, [0, 2, 2, 1], None)"])
def taken_back_(y_bar, g, x, indices, axis):
    return np.take(y_bar, indices, axis=axis)


@linear(runtime.untiled, operands=("g",), inert=("x",), kind="like x", on=["f(np.tile(v, 2), v, 2)"])
def untiled_(y_bar, g, x, reps):
    return np.tile(y_bar, reps)


@linear(runtime.unrepeated, operands=("g",), inert=("x",), kind="like x", on=["f(np.repeat(v, 2), v, 2, None)"])
def unrepeated_(y_bar, g, x, repeats, axis):
    return np.repeat(y_bar, repeats, axis)


@linear(runtime.unresized, operands=("g",), inert=("x",), kind="like x", on=["f(np.resize(v, 10), v)"])
def unresized_(y_bar, g, x):
    return np.resize(y_bar, np.shape(g))


@linear(runtime.unwindowed, operands=("g",), inert=("x",), kind="like x", on=["f(np.array([v[:3], v[1:]]), v, 3)"])
def unwindowed_(y_bar, g, x, window_shape, axis=None):
    return sliding_window_view(y_bar, window_shape, axis)


@linear(runtime.unpadded, operands=("g",), inert=("x",), kind="like x", on=["f(np.pad(v, 2), v, 2)"])
def unpadded_(y_bar, g, x, pad_width):
    return np.pad(y_bar, pad_width)


@linear(runtime.resampled, operands=("g",), inert=("x",), kind="like x", on=["f(np.pad(v, 2, mode='edge'), v, 2, 'edge')"])
def resampled_(y_bar, g, x, pad_width, mode):
    return np.pad(y_bar, pad_width, mode=mode)


@reverse(runtime.phase, kind="same", pointwise=True, on=["f(v)", "f(z)", "f(1j + 2)"])
def phase_(y_bar, y, x):
    if known_real(x):
        return 0
    return (y_bar - np.real(y_bar * y) * y.conjugate()) / (np.abs(x) + (x == 0))


@forward(runtime.phase)
def phase_forward(y, x, x_dot):
    if known_real(x):
        return 0 * x_dot
    return (x_dot - np.real(y.conjugate() * x_dot) * y) / (np.abs(x) + (x == 0))


@linear(
    runtime.pick,
    operands=("parts",),
    sequences=("parts",),
    inert=("chosen", "values"),
    on=["f(3.0, (1.0, 3.0), (0.5, 0.7))", "f(3.0, ([1.0, 3.0],), ([0.5, 0.7],))"],
)
def pick_(y_bar, chosen, values, parts):
    return pick_adjoint(y_bar, chosen, values)


@linear(
    runtime.pick_adjoint,
    operands=("g",),
    kind="list",
    inert=("chosen", "values"),
    on=["f(0.5, 3.0, (1.0, 3.0))", "f(0.5, 3.0, ([1.0, 3.0],))"],
)
def pick_adjoint_(y_bar, g, chosen, values):
    return pick(chosen, values, y_bar)


constant(runtime.zero_of, kind="like x", takes=lambda x: None)
constant(runtime.last_writes, runtime.inverse, runtime.along_axis)
constant(runtime.flat_index, kind="flat place", takes=lambda i, shape, mode="raise": None)
constant(runtime.count, kind="int")
constant(
    runtime.literal, runtime.known_none, runtime.known_equal, runtime.known_scalar, runtime.known_float, runtime.known_array, kind="bool"
)
constant(runtime.known_rank, runtime.known_real, runtime.known_inexact, runtime.known_mask, runtime.known_distinct, kind="bool")
constant(
    runtime.check_item,
    runtime.check_replaced,
    runtime.check_seed,
    runtime.check_scalar,
    runtime.check_separate,
    runtime.put_back,
    runtime.put_back_each,
    kind="none",
    pure=False,
)


@linear(runtime.plus, kind="same", on=["f(v, w)", "f(0.5, 0.7)"])
def plus_(y_bar, a, b):
    return y_bar, y_bar


@linear(runtime.kept, kind="same", on=["f(v)", "f(0.5)"])
@linear(runtime.working_copy, kind="same", on=["f(v)", "f(0.5)"])
def kept_(y_bar, x):
    return y_bar


constant(runtime.zero_gradient, kind="like x", takes=lambda x: None)
constant(runtime.zero_parts, kind="like x", takes=lambda x: None)
constant(runtime.unit_directions, takes=lambda x: None)
constant(runtime.zero_jacobian, takes=lambda value, x: None)
