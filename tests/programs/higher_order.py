"""Functions as arguments and as values."""

import numpy as np

from tests.corpus import Program


def compose(f, g, x):
    return f(g(x))


def composed(x):
    return compose(np.sin, lambda v: v * v, x) + compose(lambda v: v * x, np.exp, x)


def repeat(step, x, n):
    for _ in range(n):
        x = step(x)
    return x


def repeated(x, w):
    return repeat(lambda v: np.tanh(w * v) + x, x, 3)


def trapezoid(g, a, b, n):
    h = (b - a) / n
    s = 0.5 * (g(a) + g(b))
    for k in range(1, n):
        s += g(a + k * h)
    return s * h


def integral(a, b, w):
    return trapezoid(lambda t: np.exp(-w * t * t), a, b, 6)


def several_functions(x):
    for g in (np.sin, np.exp, np.tanh):
        x = g(x)
    return x


def newton_step(g, slope, x):
    return x - g(x) / slope(x)


def root_by_steps(a):
    x = a
    for _ in range(4):
        x = newton_step(lambda v: v * v - a, lambda v: 2.0 * v, x)
    return x


PROGRAMS = [
    Program(composed, (0.9,)),
    Program(repeated, (0.4, 0.8), (0, 1)),
    Program(integral, (0.1, 1.3, 0.7), (0, 1, 2)),
    Program(several_functions, (0.9,)),
    Program(root_by_steps, (2.0,)),
]
