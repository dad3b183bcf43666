"""Calls of other functions: names that clash, defaults, keywords, tuples as results, recursion of the inlined kind."""

import numpy as np

from tests.corpus import Program

GAIN = 1.5


def product_and_sine(u, v):
    t = u * v
    return t + np.sin(u)


def called_twice(x, y):
    t = x + y
    return product_and_sine(t, y) * product_and_sine(y, x)


def scaled(a, b=2.0, *, offset=0.5):
    x = a * b
    return x * x + offset


def defaults_and_keywords(x, y):
    return scaled(x) + scaled(offset=x, a=y) + scaled(y, x)


def polar(x, y):
    return np.sqrt(x * x + y * y), np.arctan2(y, x)


def takes_apart(x, y):
    r, angle = polar(x, y)
    again, _ = polar(r, angle)
    return r * angle + again


def clipped(v):
    if v > 1.0:
        return 1.0 + np.log(v)
    return v


def early_return_in_callee(x, n):
    s = x
    for _ in range(n):
        s = clipped(s * 1.4) * x
    return s


def norm(v):
    return np.sqrt(np.sum(v * v))


def normalised(v):
    return v / norm(v)


def three_deep(x, y):
    return normalised(x * GAIN) @ normalised(y) * norm(x + y)


def bump(counter, v):
    counter[0] = counter[0] * 2.0
    return v * counter[0]


def order_of_evaluation(x):
    counter = np.ones(1)
    return bump(counter, x) * 10.0 + bump(counter, x * x)


PROGRAMS = [
    Program(called_twice, (0.7, 2.0), (0, 1)),
    Program(defaults_and_keywords, (0.7, 1.2), (0, 1)),
    Program(takes_apart, (0.7, 1.2), (0, 1)),
    Program(early_return_in_callee, (0.9, 4)),
    Program(three_deep, (np.array([0.3, 0.8, -0.5]), np.array([1.0, 0.4, 0.7])), (0, 1)),
    Program(order_of_evaluation, (1.2,)),
]
