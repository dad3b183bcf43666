"""Expressions and names: reuse, overwriting, unpacking, numbers that carry no derivative."""

import math

import numpy as np

from tests.corpus import Program


def softplus_of_product(x: float, y: float) -> float:
    return math.log(1 + math.exp(x * (x + y)))


def overwritten(x):
    x = x * x
    x = x + np.sin(x)
    x *= 2.0
    x /= x + 3.0
    return x


def reused(x, y):
    z = x * y
    w = z + np.exp(-z)
    return w * z + w / x


def unpacked(a, b, c):
    a, (b, c) = c * b, (a, b)
    p = q = a + b
    return p * q * c


def powers(x, y):
    return x**2 + x**y + 2.0**x + x**-1.5 + x**0.5


def gaussian(x, mean, width):
    z = (x - mean) / width
    return math.exp(-0.5 * z * z) / (width * math.sqrt(2 * math.pi))


def integers_are_constants(x, n):
    k = n // 2 + len("abc")
    return (x * k - n) * (x // 0.5) + round(x, 1) * x


def several_results(x, y):
    r = math.hypot(x, y)
    return r, math.atan2(y, x)


def unused(x, y):
    unneeded = np.exp(y) * x
    unneeded = unneeded + 1.0
    return 3.0 * x


PROGRAMS = [
    Program(softplus_of_product, (0.8, -0.3), (0, 1)),
    Program(overwritten, (1.3,)),
    Program(reused, (0.7, 1.4), (0, 1)),
    Program(unpacked, (1.5, 0.4, -0.8), (0, 1, 2)),
    Program(powers, (1.3, 0.6), (0, 1)),
    Program(gaussian, (0.4, 0.1, 1.7), (0, 1, 2)),
    Program(integers_are_constants, (1.7, 5)),
    Program(several_results, (1.2, 0.7), (0, 1)),
    Program(unused, (1.2, 0.7), (0, 1)),
]
