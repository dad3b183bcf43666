"""NumPy's functions that act element by element."""

from __future__ import annotations

import math

import numpy as np

from sourcediff.rules.forms import constant, elementwise, forward, linear, reverse, undefined
from sourcediff.runtime import known_float, known_none, known_real, known_scalar

# ---- exponentials and powers ----


@elementwise(np.exp)
def exp(y, x):
    return y


@elementwise(np.exp2)
def exp2(y, x):
    return math.log(2) * y


@elementwise(np.expm1)
def expm1(y, x):
    return y + 1


@elementwise(np.log, on=(0.5, 2))
def log(y, x):
    return 1 / x


@elementwise(np.log2, on=(0.5, 2))
def log2(y, x):
    return 1 / (math.log(2) * x)


@elementwise(np.log10, on=(0.5, 2))
def log10(y, x):
    return 1 / (math.log(10) * x)


@elementwise(np.log1p, on=(-0.5, 2))
def log1p(y, x):
    return 1 / (1 + x)


@elementwise(np.logaddexp)
def logaddexp(z, x, y):
    return np.exp(x - z), np.exp(y - z)


@elementwise(np.logaddexp2)
def logaddexp2(z, x, y):
    return np.exp2(x - z), np.exp2(y - z)


@elementwise(np.sqrt, on=(0.5, 2))
def sqrt(y, x):
    return 1 / (2 * y)


@elementwise(np.cbrt, on=(0.5, 2))
def cbrt(y, x):
    return 1 / (3 * y * y)


@elementwise(np.square)
def square(y, x):
    return 2 * x


@elementwise(np.reciprocal, on=(0.5, 2))
def reciprocal(y, x):
    return -y * y


@elementwise(np.hypot, on=(0.5, 2))
def hypot(z, x, y):
    return x / z, y / z


@elementwise(np.ldexp, operands=("x",), on=["f(v, 3)", "f(0.5, 3)"])
def ldexp(z, x, i):
    return 2.0**i


# ---- trigonometric and hyperbolic functions ----


@elementwise(np.sin)
def sin(y, x):
    return np.cos(x)


@elementwise(np.cos)
def cos(y, x):
    return -np.sin(x)


@elementwise(np.tan, on=(-1, 1))
def tan(y, x):
    return 1 + y * y


@elementwise(np.arcsin, on=(-0.9, 0.9))
def arcsin(y, x):
    return 1 / np.sqrt(1 - x * x)


@elementwise(np.arccos, on=(-0.9, 0.9))
def arccos(y, x):
    return -1 / np.sqrt(1 - x * x)


@elementwise(np.arctan)
def arctan(y, x):
    return 1 / (1 + x * x)


@elementwise(np.arctan2, on=(0.5, 2))
def arctan2(z, y, x):
    return x / (x * x + y * y), -y / (x * x + y * y)


@elementwise(np.sinh)
def sinh(y, x):
    return np.cosh(x)


@elementwise(np.cosh)
def cosh(y, x):
    return np.sinh(x)


@elementwise(np.tanh)
def tanh(y, x):
    return 1 - y * y


@elementwise(np.arcsinh)
def arcsinh(y, x):
    return 1 / np.sqrt(x * x + 1)


@elementwise(np.arccosh, on=(1.5, 3))
def arccosh(y, x):
    return 1 / (np.sqrt(x - 1) * np.sqrt(x + 1))


@elementwise(np.arctanh, on=(-0.9, 0.9))
def arctanh(y, x):
    return 1 / (1 - x * x)


@elementwise(np.sinc, kind="float", on=(0.2, 2))
def sinc(y, x):
    return (np.cos(math.pi * x) - y) / (x + (x == 0))


@elementwise(np.deg2rad)
def deg2rad(y, x):
    return math.pi / 180


@elementwise(np.radians)
def radians(y, x):
    return math.pi / 180


@elementwise(np.rad2deg)
def rad2deg(y, x):
    return 180 / math.pi


@elementwise(np.degrees)
def degrees(y, x):
    return 180 / math.pi


# ---- absolute value and what chooses: kinks ----


@reverse(np.absolute, kind="ufunc", pointwise=True, on=["f(v)", "f(A)", "f(0.5)", "f(-0.5)", "f(z)"])
def absolute(y_bar, x):
    if known_float(x):
        return y_bar * ((x > 0) - (x < 0))
    if known_real(x):
        return y_bar * np.sign(x)
    return y_bar * np.sign(x).conjugate()


@forward(np.absolute)
def absolute_forward(y, x, x_dot):
    if known_float(x):
        return ((x > 0) - (x < 0)) * x_dot
    if known_real(x):
        return np.sign(x) * x_dot
    return np.real(np.sign(x).conjugate() * x_dot)


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
    if known_scalar(x) and known_scalar(y):
        return (z_bar / 2 if x == y else 0.0 if x < y else z_bar), (z_bar / 2 if x == y else 0.0 if x > y else z_bar)
    return np.where(x == y, z_bar / 2, np.where(x > y, z_bar, 0)), np.where(x == y, z_bar / 2, np.where(x < y, z_bar, 0))


@forward(np.maximum)
def maximum_forward(z, x, y, x_dot, y_dot):
    if y_dot is None:
        return np.where(x == y, x_dot / 2, np.where(x > y, x_dot, 0))
    if x_dot is None:
        return np.where(x == y, y_dot / 2, np.where(x < y, y_dot, 0))
    return np.where(x == y, (x_dot + y_dot) / 2, np.where(x > y, x_dot, y_dot))


@reverse(np.minimum, kind="ufunc", pointwise=True, on=["f(v, w)", "f(A, v)", "f(0.5, 0.7)", "f(A, 0.1)", "f(0.1, v)"])
def minimum(z_bar, x, y):
    if known_scalar(x) and known_scalar(y):
        return (z_bar / 2 if x == y else 0.0 if x > y else z_bar), (z_bar / 2 if x == y else 0.0 if x < y else z_bar)
    return np.where(x == y, z_bar / 2, np.where(x < y, z_bar, 0)), np.where(x == y, z_bar / 2, np.where(x > y, z_bar, 0))


@forward(np.minimum)
def minimum_forward(z, x, y, x_dot, y_dot):
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
    kind="ufunc",
    pointwise=True,
    on=["f(v, -0.3, 0.4)", "f(A, None, 0.2)", "f(A, 0.1, None)", "f(v, w - 0.5, w + 0.5)"],
)
def clip(y_bar, a, a_min=None, a_max=None):
    if known_none(a_min):
        return np.where(a == a_max, y_bar / 2, np.where(a < a_max, y_bar, 0)), 0, np.where(a == a_max, y_bar / 2, np.where(a > a_max, y_bar, 0))
    if known_none(a_max):
        return np.where(a == a_min, y_bar / 2, np.where(a > a_min, y_bar, 0)), np.where(a == a_min, y_bar / 2, np.where(a < a_min, y_bar, 0)), 0
    inside = np.where((a == a_min) | (a == a_max), y_bar / 2, np.where((a > a_min) & (a < a_max), y_bar, 0))
    below = np.where(a == a_min, y_bar / 2, np.where((a < a_min) & (a_min < a_max), y_bar, 0))
    return inside, below, np.where(a == a_max, y_bar / 2, np.where((a > a_max) | (a_min >= a_max), y_bar, 0))


@forward(np.clip)
def clip_forward(y, a, a_dot, a_min_dot, a_max_dot, a_min=None, a_max=None):
    if a_min_dot is None and a_max_dot is None:
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


@linear(np.where, operands=("x", "y"), kind="where", pointwise=True, on=["f(v > 0, v, w)", "f(A > 0, v, 0.5)", "f(True, 0.5, 0.7)"])
def where(z_bar, condition, x=None, y=None):
    return np.where(condition, z_bar, 0), np.where(condition, 0, z_bar)


@elementwise(np.nan_to_num, kind="float")
def nan_to_num(y, x, copy=True, nan=0.0, posinf=None, neginf=None):
    return np.isfinite(x)


# ---- complex numbers: cotangents pair without conjugation ----


@linear(np.real, kind="real part", view=True, pointwise=True, on=["f(v)", "f(z)"])
def real(y_bar, x):
    return y_bar


@linear(np.imag, kind="real part", view=True, pointwise=True, on=["f(z)"])
def imag(y_bar, x):
    if known_real(x):
        return 0
    return -1j * y_bar


@linear(np.conjugate, kind="ufunc", pointwise=True, on=["f(v)", "f(z)"])
def conjugate(y_bar, x):
    return np.conj(y_bar)


@reverse(np.angle, kind="real float", pointwise=True, on=["f(z)"])
def angle(y_bar, x):
    return -1j * y_bar / x


@forward(np.angle)
def angle_forward(y, x, x_dot):
    return np.imag(x_dot / x)


# ---- constants ----

constant(np.sign, np.floor, np.ceil, np.rint, np.trunc, pointwise=True, kind="ufunc")
constant(np.round, np.around, np.fix, pointwise=True, kind="same")
constant(np.isnan, np.isinf, np.isfinite, np.signbit, np.spacing, pointwise=True, kind="ufunc")
constant(np.isclose, np.iscomplex, np.isreal, pointwise=True)
constant(np.allclose, np.array_equal, np.array_equiv, np.isscalar, np.iscomplexobj, np.isrealobj, kind="bool")
undefined(np.nextafter, "it steps from one floating-point number to the next")
