"""Arithmetic: the operators of Python, which are NumPy's ufuncs of the same meaning."""

from __future__ import annotations

import numpy as np

from sourcediff.rules.forms import composition, constant, elementwise, operator_of
from sourcediff.runtime import known_array, literal


@elementwise(np.add, operator="+", cheap=True)
def add(z, x, y):
    return 1, 1


@elementwise(np.subtract, operator="-", cheap=True)
def subtract(z, x, y):
    return 1, -1


@elementwise(np.multiply, operator="*", cheap=True)
def multiply(z, x, y):
    return y, x


@elementwise(np.divide, operator="/", cheap=True, on=((-2, 2), (0.5, 2)))
def divide(z, x, y):
    return 1 / y, -z / y


@elementwise(np.negative, operator="-", arity=1, cheap=True)
def negative(y, x):
    return -1


@elementwise(np.positive, operator="+", arity=1, cheap=True)
def positive(y, x):
    return 1


# The operator is that of `pow` (builtin_functions.py): between Python floats it raises where np.power gives inf or nan.
@elementwise(np.power, on=((0.5, 2), (-2, 2)))
def power(z, x, y):
    if literal(y) and (known_array(x) or y == 0 or y == 1 or y == 2):
        return 0 if y == 0 else y * x ** (y - 1), 0
    if literal(y):
        return y * np.power(x, y - 1), 0
    # the exponent 0 gives 0 * x ** 0, also at x = 0; the logarithm is not taken at x = 0, where z is 0 or 1
    return y * np.power(x, y - (y != 0)), z * np.log(x + (x == 0))


@elementwise(np.float_power, on=((0.5, 2), (-2, 2)))
def float_power(z, x, y):
    if literal(y):
        return 0 if y == 0 else y * np.float_power(x, y - 1), 0
    return y * np.float_power(x, y - (y != 0)), z * np.log(x + (x == 0))


@elementwise(np.remainder, operator="%", on=((2.3, 2.5), (0.9, 1.1)))
def remainder(z, x, y):
    return 1, -(x // y)


@elementwise(np.fmod, on=((2.3, 2.5), (0.9, 1.1)))
def fmod(z, x, y):
    return 1, (z - x) / y


@composition(divmod, on=["f(2.3, 0.7)"])
@composition(np.divmod, on=["f(2.3, 0.7)", "f(v, 0.7)"])
def divmod_(x, y):
    return x // y, x % y


constant(np.floor_divide, pointwise=True, kind="ufunc")
constant(np.bitwise_and, np.bitwise_or, np.bitwise_xor, np.left_shift, np.right_shift, np.invert, pointwise=True, kind="ufunc")
constant(np.equal, np.not_equal, np.less, np.less_equal, np.greater, np.greater_equal, pointwise=True, kind="ufunc")
constant(np.logical_and, np.logical_or, np.logical_xor, np.logical_not, pointwise=True, kind="ufunc")
for _symbol, _arity, _function in (
    ("//", 2, np.floor_divide),
    ("&", 2, np.bitwise_and),
    ("|", 2, np.bitwise_or),
    ("^", 2, np.bitwise_xor),
    ("<<", 2, np.left_shift),
    (">>", 2, np.right_shift),
    ("~", 1, np.invert),
    ("==", 2, np.equal),
    ("!=", 2, np.not_equal),
    ("<", 2, np.less),
    ("<=", 2, np.less_equal),
    (">", 2, np.greater),
    (">=", 2, np.greater_equal),
):
    operator_of(_symbol, _arity, _function)
