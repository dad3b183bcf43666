"""Functions with kinks and jumps: absolute value, maximum, clip, where; and those whose derivative is zero.

At a kink the derivative is a choice, the same in both modes: `abs` at 0 gives 0, ties share equally, `clip` has slope 1/2 at a bound.
Cotangents are masked by `where`, never by multiplication: what was not selected contributes exactly 0, even of an infinite cotangent.
"""

from __future__ import annotations

import numpy as np

from sourcediff.rules.forms import constant, elementwise, forward, linear, reverse, undefined
from sourcediff.runtime import known_float, known_none, known_rank, known_real, phase


@reverse(np.absolute, kind="ufunc", pointwise=True, on=["f(v)", "f(A)", "f(0.5)", "f(-0.5)", "f(z)"])
def absolute(y_bar, x):
    if known_float(x):
        return y_bar * ((x > 0) - (x < 0))
    if known_real(x):
        return y_bar * np.sign(x)
    return y_bar * phase(x).conjugate()


@forward(np.absolute)
def absolute_forward(y, x, x_dot):
    if known_float(x):
        return ((x > 0) - (x < 0)) * x_dot
    if known_real(x):
        return np.sign(x) * x_dot
    return np.real(phase(x).conjugate() * x_dot)


@elementwise(np.fabs, on=(0.5, 2))
def fabs(y, x):
    return np.sign(x)


@elementwise(np.copysign, on=(0.5, 2))
def copysign(z, x, y):
    return np.sign(x) * np.copysign(1, y), 0


@elementwise(np.heaviside, on=(0.5, 2))
def heaviside(z, x, y):
    return 0, x == 0


@reverse(np.maximum, kind="ufunc", pointwise=True, on=["f(v, w)", "f(A, v)", "f(0.5, 0.7)", "f(A, 0.1)", "f(0.1, v)"])
def maximum(z_bar, x, y):
    if known_rank(x, 0) and known_rank(y, 0):
        return (z_bar / 2 if x == y else 0.0 if x < y else z_bar), (z_bar / 2 if x == y else 0.0 if x > y else z_bar)
    return np.where(x == y, z_bar / 2, np.where(x > y, z_bar, 0)), np.where(x == y, z_bar / 2, np.where(x < y, z_bar, 0))


@forward(np.maximum)
def maximum_forward(z, x, y, x_dot, y_dot):
    if known_rank(x, 0) and known_rank(y, 0):
        if y_dot is None:
            return x_dot / 2 if x == y else x_dot if x > y else 0.0
        if x_dot is None:
            return y_dot / 2 if x == y else y_dot if x < y else 0.0
        return (x_dot + y_dot) / 2 if x == y else x_dot if x > y else y_dot
    if y_dot is None:
        return np.where(x == y, x_dot / 2, np.where(x > y, x_dot, 0))
    if x_dot is None:
        return np.where(x == y, y_dot / 2, np.where(x < y, y_dot, 0))
    return np.where(x == y, (x_dot + y_dot) / 2, np.where(x > y, x_dot, y_dot))


@reverse(np.minimum, kind="ufunc", pointwise=True, on=["f(v, w)", "f(A, v)", "f(0.5, 0.7)", "f(A, 0.1)", "f(0.1, v)"])
def minimum(z_bar, x, y):
    if known_rank(x, 0) and known_rank(y, 0):
        return (z_bar / 2 if x == y else 0.0 if x > y else z_bar), (z_bar / 2 if x == y else 0.0 if x < y else z_bar)
    return np.where(x == y, z_bar / 2, np.where(x < y, z_bar, 0)), np.where(x == y, z_bar / 2, np.where(x > y, z_bar, 0))


@forward(np.minimum)
def minimum_forward(z, x, y, x_dot, y_dot):
    if known_rank(x, 0) and known_rank(y, 0):
        if y_dot is None:
            return x_dot / 2 if x == y else x_dot if x < y else 0.0
        if x_dot is None:
            return y_dot / 2 if x == y else y_dot if x > y else 0.0
        return (x_dot + y_dot) / 2 if x == y else x_dot if x < y else y_dot
    if y_dot is None:
        return np.where(x == y, x_dot / 2, np.where(x < y, x_dot, 0))
    if x_dot is None:
        return np.where(x == y, y_dot / 2, np.where(x > y, y_dot, 0))
    return np.where(x == y, (x_dot + y_dot) / 2, np.where(x < y, x_dot, y_dot))


# fmax and fmin look at the result, since they pass over a nan


@reverse(np.fmax, kind="ufunc", pointwise=True, on=["f(v, w)", "f(A, v)"])
@reverse(np.fmin, kind="ufunc", pointwise=True, on=["f(v, w)", "f(A, v)"])
def fmax(z_bar, z, x, y):
    return np.where(x == y, z_bar / 2, np.where(z == x, z_bar, 0)), np.where(x == y, z_bar / 2, np.where(z == y, z_bar, 0))


@forward(np.fmax)
@forward(np.fmin)
def fmax_forward(z, x, y, x_dot, y_dot):
    if y_dot is None:
        return np.where(x == y, x_dot / 2, np.where(z == x, x_dot, 0))
    if x_dot is None:
        return np.where(x == y, y_dot / 2, np.where(z == y, y_dot, 0))
    return np.where(x == y, (x_dot + y_dot) / 2, np.where(z == x, x_dot, y_dot))


@reverse(
    np.clip,
    operands=("a", "a_min", "a_max"),
    also={"min": "a_min", "max": "a_max"},
    kind="ufunc",
    pointwise=True,
    on=["f(v, -0.3, 0.4)", "f(0.5, 0.1, 0.7)", "f(0.5, None, 0.3)", "f(A, None, 0.2)", "f(A, 0.1, None)", "f(v, w - 0.5, w + 0.5)"],
)
def clip(y_bar, a, a_min=None, a_max=None):
    if known_rank(a, 0) and known_rank(a_min, 0) and known_rank(a_max, 0):
        return (
            y_bar / 2 if a == a_min or a == a_max else y_bar if a > a_min and a < a_max else 0.0,  # noqa: SIM109 also for Numba
            y_bar / 2 if a == a_min else y_bar if a < a_min and a_min < a_max else 0.0,
            y_bar / 2 if a == a_max else y_bar if a > a_max or a_min >= a_max else 0.0,
        )
    if known_rank(a, 0) and known_none(a_min) and known_rank(a_max, 0):
        return y_bar / 2 if a == a_max else y_bar if a < a_max else 0.0, 0, y_bar / 2 if a == a_max else y_bar if a > a_max else 0.0
    if known_rank(a, 0) and known_rank(a_min, 0) and known_none(a_max):
        return y_bar / 2 if a == a_min else y_bar if a > a_min else 0.0, y_bar / 2 if a == a_min else y_bar if a < a_min else 0.0, 0
    if known_none(a_min):
        return (
            np.where(a == a_max, y_bar / 2, np.where(a < a_max, y_bar, 0)),
            0,
            np.where(a == a_max, y_bar / 2, np.where(a > a_max, y_bar, 0)),
        )
    if known_none(a_max):
        return (
            np.where(a == a_min, y_bar / 2, np.where(a > a_min, y_bar, 0)),
            np.where(a == a_min, y_bar / 2, np.where(a < a_min, y_bar, 0)),
            0,
        )
    inside = np.where((a == a_min) | (a == a_max), y_bar / 2, np.where((a > a_min) & (a < a_max), y_bar, 0))
    below = np.where(a == a_min, y_bar / 2, np.where((a < a_min) & (a_min < a_max), y_bar, 0))
    return inside, below, np.where(a == a_max, y_bar / 2, np.where((a > a_max) | (a_min >= a_max), y_bar, 0))


@forward(np.clip)
def clip_forward(y, a, a_dot, a_min_dot, a_max_dot, a_min=None, a_max=None):
    if a_min_dot is None and a_max_dot is None:
        if known_rank(a, 0) and known_rank(a_min, 0) and known_rank(a_max, 0):
            return a_dot / 2 if a == a_min or a == a_max else a_dot if a > a_min and a < a_max else 0.0  # noqa: SIM109
        if known_rank(a, 0) and known_none(a_min) and known_rank(a_max, 0):
            return a_dot / 2 if a == a_max else a_dot if a < a_max else 0.0
        if known_rank(a, 0) and known_rank(a_min, 0) and known_none(a_max):
            return a_dot / 2 if a == a_min else a_dot if a > a_min else 0.0
        if known_none(a_min):
            return np.where(a == a_max, a_dot / 2, np.where(a < a_max, a_dot, 0))
        if known_none(a_max):
            return np.where(a == a_min, a_dot / 2, np.where(a > a_min, a_dot, 0))
        return np.where((a == a_min) | (a == a_max), a_dot / 2, np.where((a > a_min) & (a < a_max), a_dot, 0))
    inside = 0 if a_dot is None else a_dot
    low = 0 if a_min_dot is None else a_min_dot
    high = 0 if a_max_dot is None else a_max_dot
    if known_none(a_min):
        return np.where(a == a_max, (inside + high) / 2, np.where(a < a_max, inside, high))
    if known_none(a_max):
        return np.where(a == a_min, (inside + low) / 2, np.where(a > a_min, inside, low))
    outside = np.where((a > a_max) | (a_min >= a_max), high, np.where(a < a_min, low, inside))
    return np.where(a == a_max, (inside + high) / 2, np.where(a == a_min, (inside + low) / 2, outside))


@linear(
    np.where,
    operands=("x", "y"),
    inert=("condition",),
    kind="where",
    pointwise=True,
    on=["f(v > 0, v, w)", "f(A > 0, v, 0.5)", "f(True, 0.5, 0.7)"],
)
def where(z_bar, condition, x=None, y=None):
    return np.where(condition, z_bar, 0), np.where(condition, 0, z_bar)


@elementwise(np.nan_to_num, kind="float")
def nan_to_num(y, x, *, nan=0.0, posinf=None, neginf=None):
    return np.isfinite(x)


constant(np.sign, pointwise=True, kind="ufunc", real=True)
constant(np.floor, np.ceil, np.rint, np.trunc, pointwise=True, kind="ufunc")
constant(np.round, np.around, np.fix, pointwise=True, kind="same")
constant(np.isnan, np.isinf, np.isfinite, np.signbit, np.spacing, pointwise=True, kind="ufunc")
constant(np.isclose, np.iscomplex, np.isreal, pointwise=True)
constant(np.allclose, np.array_equal, np.array_equiv, np.isscalar, np.iscomplexobj, np.isrealobj, kind="bool")
undefined(np.nextafter, "it steps from one floating-point number to the next")
