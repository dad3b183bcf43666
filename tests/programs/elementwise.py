"""Functions of arrays element by element."""

import numpy as np

from tests.corpus import Program

X = np.array([0.5, 1.5, 0.7, 2.1])
Y = np.array([1.2, -0.4, 0.9, 0.3])


def chain(x):
    return np.exp(-x * x / (1.0 + np.sqrt(x * x + 1.0))) * np.tanh(np.log1p(x * x))


def trigonometry(x, y):
    return np.sin(x) * np.cos(y) + np.arctan2(y, x) + np.arcsin(0.3 * y) + np.sinh(y) / np.cosh(x)


def masked(x, y):
    return np.where(x > y, x * y, np.exp(y)) + np.maximum(x, y) * np.minimum(x, 1.1)


def absolute(x):
    return np.abs(x - 1.0) + np.clip(x, 0.6, 2.0) + np.square(x) + np.sign(x) * x


def methods(x):
    return (x * 2.0).clip(0.0, 3.1) + x.copy() ** 3 + (-x) / +x


def safe_logarithm(x):
    safe = np.where(x > 0.0, x, 1.0)
    return np.where(x > 0.0, safe * np.log(safe), 0.0)


def single_precision(x):
    return np.sum(x * x * 0.5 + np.sin(x))


PROGRAMS = [
    Program(chain, (X,)),
    Program(trigonometry, (X, Y), (0, 1)),
    Program(masked, (X, Y), (0, 1)),
    Program(absolute, (X,)),
    Program(methods, (X,)),
    Program(safe_logarithm, (Y,)),
    Program(single_precision, (X.astype(np.float32),)),
]
