"""Python's builtins. `max` and `min` give one of their operands back: the first that no other exceeds."""

from __future__ import annotations

import numpy as np

from sourcediff.rules.forms import constant, elementwise, forward, linear, reverse
from sourcediff.runtime import known_array, known_float, known_real, literal, phase, pick, pick_adjoint


@reverse(abs, kind="absolute", pointwise=True, on=["f(0.5)", "f(-0.5)", "f(v)", "f(z)", "f(1j + 2)"])
def abs_(y_bar, x):
    if known_float(x):
        return y_bar * ((x > 0) - (x < 0))
    if known_real(x):
        return y_bar * np.sign(x)
    return y_bar * phase(x).conjugate()


@forward(abs)
def abs_forward(y, x, x_dot):
    if known_float(x):
        return ((x > 0) - (x < 0)) * x_dot
    if known_real(x):
        return np.sign(x) * x_dot
    return np.real(phase(x).conjugate() * x_dot)


@elementwise(pow, operator="**", on=((0.5, 2), (-2, 2)))
def pow__(z, base, exp):
    if literal(exp):
        return 0 if exp == 0 else exp * base ** (exp - 1), 0
    return exp * base ** (exp - (exp != 0)), z * np.log(base + (base == 0))


@linear(float, operands=("x",), kind="python float", pointwise=True, on=["f(0.5)"])
def float_(y_bar, x=0.0):
    return y_bar


@linear(complex, operands=("real", "imag"), kind="complex", pointwise=True, on=["f(0.5, 2.0)", "f(0.5)"])
def complex_(y_bar, real=0.0, imag=0.0):
    return y_bar, 1j * y_bar


@linear(
    sum, operands=("iterable", "start"), kind="sum", sequences=("iterable",), on=["f([0.5, 2.0], 1.5)", "f((0.5, 2.0))", "f(v)", "f(A)"]
)
def sum_(y_bar, iterable, start=0):
    if known_array(iterable):
        return np.broadcast_to(y_bar, iterable.shape), y_bar
    return [y_bar for _ in iterable], y_bar


@reverse(max, kind="one of", sequences=("values",), on=["f(0.5, 0.7)", "f(0.7, 0.5)", "f(0.5, 0.7, 0.6)", "f([0.5, 0.7])", "f(v)"])
def max_(z_bar, z, *values):
    if len(values) == 2:
        return [0.0 if values[1] > values[0] else z_bar, z_bar if values[1] > values[0] else 0.0]
    return pick_adjoint(z_bar, z, values)


@forward(max)
def max_forward(z, values, values_dot):
    if len(values) == 2:
        return values_dot[1] if values[1] > values[0] else values_dot[0]
    return pick(z, values, values_dot)


@reverse(min, kind="one of", sequences=("values",), on=["f(0.5, 0.7)", "f(0.7, 0.5)", "f(0.5, 0.7, 0.6)", "f([0.5, 0.7])", "f(v)"])
def min_(z_bar, z, *values):
    if len(values) == 2:
        return [0.0 if values[1] < values[0] else z_bar, z_bar if values[1] < values[0] else 0.0]
    return pick_adjoint(z_bar, z, values)


@forward(min)
def min_forward(z, values, values_dot):
    if len(values) == 2:
        return values_dot[1] if values[1] < values[0] else values_dot[0]
    return pick(z, values, values_dot)


constant(round, kind="rounded")
constant(int, len, hash, ord, id, kind="int")
constant(bool, isinstance, issubclass, callable, hasattr, all, any, kind="bool")
constant(str, repr, format, ascii, chr, bin, hex, oct, kind="str")
constant(range, type, slice)
constant(set, frozenset)  # of values that carry no derivative, facts/limits sees to it
constant(print, input, kind="none", pure=False)
