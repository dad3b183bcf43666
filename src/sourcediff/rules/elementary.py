"""NumPy's smooth functions that act element by element. (kinks.py has those with kinks.)"""

from __future__ import annotations

import math

import numpy as np

from sourcediff.rules.forms import elementwise, forward, linear, reverse
from sourcediff.runtime import known_real

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


def sinc_derivative(x, n=1):
    """The n-th derivative of np.sinc at x: near 0 by the series, elsewhere by n differentiations of x*sinc(x) = sin(pi*x)/pi."""
    series = sum(
        (-1) ** k * math.pi ** (2 * k) * x ** (2 * k - n) / ((2 * k + 1) * math.factorial(2 * k - n))
        for k in range((n + 1) // 2, (n + 1) // 2 + 16)
    )
    away = np.where(np.abs(x) < 1, 1, x)
    value = np.sinc(away)
    for m in range(1, n + 1):
        value = (math.pi ** (m - 1) * np.sin(math.pi * away + m * math.pi / 2) - m * value) / away
    return np.where(np.abs(x) < 1, series, value)[()]


@elementwise(np.sinc, kind="float", on=(0.2, 2))
def sinc(y, x):
    return sinc_derivative(x)


@elementwise(sinc_derivative, operands=("x",), kind="float", on=(0.2, 2))
def sinc_derivative_(y, x, n=1):
    return sinc_derivative(x, n + 1)


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
