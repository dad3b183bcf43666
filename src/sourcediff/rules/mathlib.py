"""The math module. Where a formula divides by zero, a Python float raises, as the formula written by hand would."""

from __future__ import annotations

import math

import numpy as np

from sourcediff.rules.forms import constant, elementwise, forward, linear, reverse, undefined
from sourcediff.runtime import known_array, known_float, literal, others_product


@elementwise(math.exp, kind="python float")
def exp(y, x):
    return y


@elementwise(math.expm1, kind="python float")
def expm1(y, x):
    return y + 1


@elementwise(math.log, operands=("x", "base"), kind="python float", on=((0.5, 2), (2, 3)))
def log(y, x, base=None):
    if base is None:
        return 1 / x, 0
    return 1 / (x * math.log(base)), -y / (base * math.log(base))


@elementwise(math.log2, kind="python float", on=(0.5, 2))
def log2(y, x):
    return 1 / (math.log(2) * x)


@elementwise(math.log10, kind="python float", on=(0.5, 2))
def log10(y, x):
    return 1 / (math.log(10) * x)


@elementwise(math.log1p, kind="python float", on=(-0.5, 2))
def log1p(y, x):
    return 1 / (1 + x)


@elementwise(math.sqrt, kind="python float", on=(0.5, 2))
def sqrt(y, x):
    return 1 / (2 * y)


@elementwise(math.pow, kind="python float", on=((0.5, 2), (-2, 2)))
def pow_(z, x, y):
    if literal(y):
        return 0 if y == 0 else y * x ** (y - 1), 0
    return y * x ** (y - (y != 0)), z * math.log(x + (x == 0))


@elementwise(math.hypot, kind="python float", on=[(0.5, 2)] * 3)
def hypot(y, *coordinates):
    return [x / y for x in coordinates]


@elementwise(math.sin, kind="python float")
def sin(y, x):
    return math.cos(x)


@elementwise(math.cos, kind="python float")
def cos(y, x):
    return -math.sin(x)


@elementwise(math.tan, kind="python float", on=(-1, 1))
def tan(y, x):
    return 1 + y * y


@elementwise(math.asin, kind="python float", on=(-0.9, 0.9))
def asin(y, x):
    return 1 / math.sqrt(1 - x * x)


@elementwise(math.acos, kind="python float", on=(-0.9, 0.9))
def acos(y, x):
    return -1 / math.sqrt(1 - x * x)


@elementwise(math.atan, kind="python float")
def atan(y, x):
    return 1 / (1 + x * x)


@elementwise(math.atan2, kind="python float", on=(0.5, 2))
def atan2(z, y, x):
    return x / (x * x + y * y), -y / (x * x + y * y)


@elementwise(math.sinh, kind="python float")
def sinh(y, x):
    return math.cosh(x)


@elementwise(math.cosh, kind="python float")
def cosh(y, x):
    return math.sinh(x)


@elementwise(math.tanh, kind="python float")
def tanh(y, x):
    return 1 - y * y


@elementwise(math.asinh, kind="python float")
def asinh(y, x):
    return 1 / math.sqrt(x * x + 1)


@elementwise(math.acosh, kind="python float", on=(1.5, 3))
def acosh(y, x):
    return 1 / math.sqrt(x * x - 1)


@elementwise(math.atanh, kind="python float", on=(-0.9, 0.9))
def atanh(y, x):
    return 1 / (1 - x * x)


@elementwise(math.erf, kind="python float")
def erf(y, x):
    return 2 / math.sqrt(math.pi) * math.exp(-x * x)


@elementwise(math.erfc, kind="python float")
def erfc(y, x):
    return -2 / math.sqrt(math.pi) * math.exp(-x * x)


@elementwise(math.fabs, kind="python float", on=(0.5, 2))
def fabs(y, x):
    return (x > 0) - (x < 0) if known_float(x) else np.sign(x)  # comparisons of NumPy numbers cannot be subtracted


@elementwise(math.copysign, kind="python float", on=(0.5, 2))
def copysign(z, x, y):
    return ((x > 0) - (x < 0) if known_float(x) else np.sign(x)) * math.copysign(1, y), 0


@elementwise(math.fmod, kind="python float", on=((2.3, 2.5), (0.9, 1.1)))
def fmod(z, x, y):
    return 1, (z - x) / y


@elementwise(math.remainder, kind="python float", on=((2.1, 2.2), (0.9, 1.0)))
def remainder(z, x, y):
    return 1, (z - x) / y


@elementwise(math.radians, kind="python float")
def radians(y, x):
    return math.pi / 180


@elementwise(math.degrees, kind="python float")
def degrees(y, x):
    return 180 / math.pi


@elementwise(math.ldexp, operands=("x",), kind="python float", on=["f(0.5, 3)"])
def ldexp(y, x, i):
    return 2.0**i


@reverse(math.dist, kind="python float", sequences=("p", "q"), on=["f([0.5, 2.0], [1.5, 0.7])"])
def dist(y_bar, y, p, q):
    return [y_bar * (a - b) / y for a, b in zip(p, q, strict=True)], [y_bar * (b - a) / y for a, b in zip(p, q, strict=True)]


@forward(math.dist)
def dist_forward(y, p, q, p_dot, q_dot):
    p_dot = [0.0] * len(p) if p_dot is None else p_dot
    q_dot = [0.0] * len(q) if q_dot is None else q_dot
    return sum((a - b) * (a_dot - b_dot) for a, b, a_dot, b_dot in zip(p, q, p_dot, q_dot, strict=True)) / y


@linear(math.fsum, kind="python float", sequences=("seq",), on=["f([0.5, 2.0, 1.0])", "f(v)"])
def fsum(y_bar, seq):
    if known_array(seq):
        return np.broadcast_to(y_bar, seq.shape)
    return [y_bar for _ in seq]


@reverse(math.prod, operands=("iterable", "start"), kind="number", sequences=("iterable",), on=["f([0.5, 2.0, 1.5])", "f([0.5, 0.0, 1.5])"])
def prod(y_bar, y, iterable, start=1):
    return [y_bar * start * others for others in others_product(iterable)], y_bar * math.prod(iterable)


@forward(math.prod)
def prod_forward(y, iterable, iterable_dot, start_dot, start=1):
    value = 0 if start_dot is None else start_dot * math.prod(iterable)
    if iterable_dot is None:
        return value
    return value + start * sum(x_dot * others for x_dot, others in zip(iterable_dot, others_product(iterable), strict=True))


@elementwise(math.cbrt, kind="python float", on=(0.5, 2))
def cbrt(y, x):
    return 1 / (3 * y * y)


@elementwise(math.exp2, kind="python float")
def exp2(y, x):
    return math.log(2) * y


@reverse(math.modf, kind="two of one type", on=["f(2.3)", "f(-2.3)"])
@reverse(np.modf, kind="two of one type", on=["f(2.3)", "f(v)"])
def modf(y_bar, x):
    return y_bar[0]


@forward(math.modf)
@forward(np.modf)
def modf_forward(y, x, x_dot):
    return x_dot, 0 * x_dot


constant(math.floor, math.ceil, math.trunc, kind="int", pointwise=True)
constant(math.comb, math.factorial, math.gcd, math.isqrt, math.lcm, math.perm, kind="int")
constant(math.isclose, math.isfinite, math.isinf, math.isnan, kind="bool")
constant(math.ulp, kind="python float")
undefined(math.gamma, "its derivative needs the digamma function, which math has not; use scipy.special.gamma", kind="python float")
undefined(math.lgamma, "its derivative is the digamma function, which math has not; use scipy.special.gammaln", kind="python float")
undefined(math.nextafter, "it steps from one floating-point number to the next", kind="python float")
undefined(math.frexp, "its mantissa jumps; use np.log2")
