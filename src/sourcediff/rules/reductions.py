"""Sums, means, products, extremes: over everything, one axis or several, with or without keepdims."""

from __future__ import annotations

import numpy as np

from sourcediff.rules.forms import alias, composition, constant, forward, linear, reverse
from sourcediff.runtime import count, expanded, known_array, known_rank, known_real

AXES = ["f(A)", "f(v)", "f(A, axis=0)", "f(A, axis=-1)", "f(A, axis=(0, 1))", "f(A, axis=1, keepdims=True)", "f(A, keepdims=True)"]
AXES += ["f(B, axis=(0, 2))", "f(0.5)"]


@linear(np.sum, operands=("a",), thin=True, kind="reduction", on=[*AXES, "f(A, where=A > 0)"])
def sum_(y_bar, a, axis=None, *, keepdims=False, where=True):
    if where is not True:
        return np.where(where, expanded(y_bar, a, axis, keepdims), 0)
    if axis is None or keepdims:
        return y_bar
    return np.expand_dims(y_bar, axis)


@linear(np.mean, operands=("a",), thin=True, kind="float reduction", on=[*AXES, "f(A, axis=0, where=A > -0.5)"])
def mean(y_bar, a, axis=None, *, keepdims=False, where=True):
    if where is not True:
        n = np.sum(np.broadcast_to(where, np.shape(a)), axis=axis, keepdims=keepdims)
        return np.where(where, expanded(y_bar / n, a, axis, keepdims), 0)
    if axis is None:
        return y_bar / (a.size if known_array(a) else np.size(a))
    if keepdims:
        return y_bar / count(a, axis)
    return np.expand_dims(y_bar, axis) / count(a, axis)


# the deviations sum to zero, so that the mean inside needs no term of its own


@reverse(np.var, operands=("a",), also={"correction": "ddof"}, kind="real reduction", on=[*AXES, "f(A, axis=0, ddof=1)", "f(z)"])
def var(y_bar, a, axis=None, *, ddof=0, keepdims=False):
    n = (a.size if known_array(a) else np.size(a)) if axis is None else count(a, axis)
    deviation = a - np.mean(a) if axis is None else a - np.mean(a, axis=axis, keepdims=True)
    scale = 2 / (n - ddof) * (y_bar if axis is None or keepdims else np.expand_dims(y_bar, axis))
    return scale * (deviation if known_real(a) else deviation.conjugate())


@forward(np.var)
def var_forward(y, a, a_dot, axis=None, *, ddof=0, keepdims=False):
    n = np.size(a) if axis is None else count(a, axis)
    deviation = a - np.mean(a, axis=axis, keepdims=True)
    product = deviation * a_dot if known_real(a) else np.real(deviation.conjugate() * a_dot)
    return 2 / (n - ddof) * np.sum(product, axis=axis, keepdims=keepdims)


@reverse(
    np.std,
    operands=("a",),
    also={"correction": "ddof"},
    kind="real reduction",
    on=[*(c for c in AXES if "0.5" not in c), "f(A, axis=0, ddof=1)", "f(z)"],
)
def std(y_bar, y, a, axis=None, *, ddof=0, keepdims=False):
    n = (a.size if known_array(a) else np.size(a)) if axis is None else count(a, axis)
    deviation = a - np.mean(a) if axis is None else a - np.mean(a, axis=axis, keepdims=True)
    scale = y_bar / ((n - ddof) * (y + (y == 0)))  # where y is 0 all deviations are
    return (scale if axis is None or keepdims else np.expand_dims(scale, axis)) * (deviation if known_real(a) else deviation.conjugate())


@forward(np.std)
def std_forward(y, a, a_dot, axis=None, *, ddof=0, keepdims=False):
    n = np.size(a) if axis is None else count(a, axis)
    deviation = a - np.mean(a, axis=axis, keepdims=True)
    product = deviation * a_dot if known_real(a) else np.real(deviation.conjugate() * a_dot)
    return np.sum(product, axis=axis, keepdims=keepdims) / ((n - ddof) * (y + (y == 0)))


# ties share equally: the tangent is the mean of theirs


@reverse(np.max, operands=("a",), kind="extreme", on=AXES)
@reverse(np.min, operands=("a",), kind="extreme", on=AXES)
def max_(y_bar, y, a, axis=None, *, keepdims=False):
    if axis is None and not keepdims:
        return np.where(a == y, y_bar / np.count_nonzero(a == y), 0)
    if axis is None or keepdims:
        return np.where(a == y, y_bar / np.sum(a == y, axis=axis, keepdims=True), 0)
    chosen = a == np.expand_dims(y, axis)
    return np.where(chosen, np.expand_dims(y_bar, axis) / np.sum(chosen, axis=axis, keepdims=True), 0)


@forward(np.max)
@forward(np.min)
def max_forward(y, a, a_dot, axis=None, *, keepdims=False):
    if axis is None or keepdims:
        return np.mean(np.broadcast_to(a_dot, np.shape(a)), axis=axis, keepdims=keepdims, where=a == y)
    return np.mean(np.broadcast_to(a_dot, np.shape(a)), axis=axis, where=a == np.expand_dims(y, axis))


alias(np.amax, np.max)
alias(np.amin, np.min)


@composition(np.ptp, kind="extreme", on=AXES)
def ptp(a, axis=None, *, keepdims=False):
    return np.max(a, axis=axis, keepdims=keepdims) - np.min(a, axis=axis, keepdims=keepdims)


@composition(np.average, kind="float reduction", on=["f(A)", "f(A, axis=0)", "f(A, axis=1, weights=v)", "f(v, weights=w + 3)"])
def average(a, axis=None, weights=None):
    if weights is None:
        return np.mean(a, axis=axis)
    weights = np.asarray(weights)
    if np.ndim(weights) == np.ndim(a):
        return np.sum(a * weights, axis=axis) / np.sum(weights, axis=axis)
    return np.sum(np.swapaxes(a, axis, -1) * weights, axis=-1) / np.sum(weights)


# ---- products ----


def products_of_others(a, axis):
    """For each element the product of all others along `axis`, without dividing, so that zeros are welcome."""
    a = np.moveaxis(a, axis, 0)
    before = np.ones_like(a)
    after = np.ones_like(a)
    for i in range(1, len(a)):
        before[i] = before[i - 1] * a[i - 1]
        after[-1 - i] = after[-i] * a[-i]
    return np.moveaxis(before * after, 0, axis)


def others(a, axis):
    """products_of_others over any axis: None is all of them, a tuple several."""
    if axis is None:
        return np.reshape(products_of_others(np.reshape(a, -1), 0), np.shape(a))
    if not isinstance(axis, tuple):
        return products_of_others(a, axis)
    product = 1
    for i in axis:
        product = product * products_of_others(a, i)
        a = np.prod(a, axis=i, keepdims=True)
    return product


@reverse(np.prod, operands=("a",), kind="reduction", on=AXES)
def prod(y_bar, a, axis=None, *, keepdims=False):
    if axis is None or keepdims:
        return y_bar * others(a, axis)
    return np.expand_dims(y_bar, axis) * others(a, axis)


@forward(np.prod)
def prod_forward(y, a, a_dot, axis=None, *, keepdims=False):
    return np.sum(a_dot * others(a, axis), axis=axis, keepdims=keepdims)


# ---- running sums and products ----


@linear(np.cumsum, operands=("a",), kind="cumulative", on=["f(v)", "f(A)", "f(A, axis=0)", "f(A, axis=-1)"])
def cumsum(y_bar, a, axis=None):
    if known_rank(a, 1):
        return np.cumsum(y_bar[::-1])[::-1]
    if axis is None:
        return np.reshape(np.cumsum(y_bar[::-1])[::-1], np.shape(a))
    return np.flip(np.cumsum(np.flip(y_bar, axis), axis=axis), axis)


def cumprod_tangent(a, a_dot, y):
    """The tangent of the products of a[0], …, a[i] along the first axis."""
    y_dot = np.empty_like(a_dot)
    y_dot[0] = a_dot[0]
    for i in range(1, len(a)):
        y_dot[i] = y_dot[i - 1] * a[i] + y[i - 1] * a_dot[i]
    return y_dot


def cumprod_adjoint(y_bar, a, y):
    """The adjoint of the products of a[0], …, a[i] along the first axis."""
    a_bar = np.empty_like(y_bar)
    carried = np.zeros_like(y_bar[0])
    for i in range(len(a) - 1, 0, -1):
        carried = carried + y_bar[i]
        a_bar[i] = carried * y[i - 1]
        carried = carried * a[i]
    a_bar[0] = carried + y_bar[0]
    return a_bar


@reverse(np.cumprod, operands=("a",), kind="cumulative", on=["f(v)", "f(A)", "f(A, axis=0)", "f(A, axis=-1)"])
def cumprod(y_bar, y, a, axis=None):
    if axis is None:
        return np.reshape(cumprod_adjoint(y_bar, np.reshape(a, -1), y), np.shape(a))
    return np.moveaxis(cumprod_adjoint(np.moveaxis(y_bar, axis, 0), np.moveaxis(a, axis, 0), np.moveaxis(y, axis, 0)), 0, axis)


@forward(np.cumprod)
def cumprod_forward(y, a, a_dot, axis=None):
    if axis is None:
        return cumprod_tangent(np.reshape(a, -1), np.reshape(a_dot, -1), y)
    return np.moveaxis(cumprod_tangent(np.moveaxis(a, axis, 0), np.moveaxis(a_dot, axis, 0), np.moveaxis(y, axis, 0)), 0, axis)


@linear(np.diff, operands=("a",), kind="float same rank", on=["f(v)", "f(A)", "f(A, axis=0)", "f(v, n=2)"])
def diff(y_bar, a, n=1, axis=-1):
    return undiff(y_bar, n, axis)


def undiff(g, n, axis):
    """The adjoint of n differences along an axis."""
    for _ in range(n):
        g = -np.diff(g, axis=axis, prepend=0, append=0)
    return g


@linear(undiff, operands=("g",), on=["f(v, 1, -1)", "f(A, 1, 0)", "f(v, 2, 0)"])
def undiff_(y_bar, g, n, axis):
    return np.diff(y_bar, n, axis)


@linear(np.bincount, operands=("weights",), kind="counts", on=["f([0, 2, 2, 1], v)", "f(np.array([0, 2, 2, 1]), v, 5)"])
def bincount(y_bar, x, weights=None, minlength=0):
    return y_bar[np.asarray(x)]


constant(np.argmax, np.argmin, np.count_nonzero, kind="int reduction", takes=lambda a, axis=None, *, keepdims=False: None)
constant(np.all, np.any, kind="bool reduction", takes=lambda a, axis=None, *, keepdims=False: None)
constant(np.nonzero, kind="places")
constant(np.argsort, kind="order", takes=lambda a, axis=-1, kind=None, order=None, *, stable=None: None)
constant(np.flatnonzero, kind="row of indices", takes=lambda a: None)
constant(np.lexsort, np.argwhere, np.searchsorted, np.digitize)


# ---- the reductions of ufuncs ----


@composition(np.add.reduce, on=["f(v)", "f(A)", "f(A, axis=1)"])
def add_reduce(array, axis=0, *, keepdims=False):
    return np.sum(array, axis=axis, keepdims=keepdims)


@composition(np.multiply.reduce, on=["f(v)", "f(A)", "f(A, axis=1)"])
def multiply_reduce(array, axis=0, *, keepdims=False):
    return np.prod(array, axis=axis, keepdims=keepdims)


@composition(np.maximum.reduce, on=["f(v)", "f(A)", "f(A, axis=1)"])
def maximum_reduce(array, axis=0, *, keepdims=False):
    return np.max(array, axis=axis, keepdims=keepdims)


@composition(np.minimum.reduce, on=["f(v)", "f(A)", "f(A, axis=1)"])
def minimum_reduce(array, axis=0, *, keepdims=False):
    return np.min(array, axis=axis, keepdims=keepdims)
