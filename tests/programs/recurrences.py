"""Arrays filled by a loop from their own earlier elements."""

import numpy as np

from tests.corpus import Program

X = np.array([0.3, 0.7, 1.1, 0.8, -0.4])


def linear(a, x):
    n = x.shape[0]
    y = np.zeros(n)
    y[0] = x[0]
    for i in range(1, n):
        y[i] = a * y[i - 1] + x[i] ** 2
    return np.sum(y)


def logistic(a, u0):
    u = np.empty(6)
    u[0] = u0
    for i in range(1, 6):
        u[i] = a * u[i - 1] * (1.0 - u[i - 1])
    return u[5] + np.sum(u)


def two_terms(x, a, b):
    y = x.copy()
    for i in range(2, len(y)):
        y[i] = a * y[i - 1] + b * y[i - 2] * x[i]
    return y


def backward(x):
    y = np.zeros(len(x) + 1)
    for i in range(len(x) - 1, -1, -1):
        y[i] = np.tanh(y[i + 1] + x[i])
    return y[0]


def as_number(a, x):
    y = x[0]
    s = y
    for i in range(1, len(x)):
        y = a * y + x[i] ** 2
        s = s + y
    return s


def sweeps(x, n):
    u = x.copy()
    for _ in range(n):
        for i in range(1, len(u) - 1):
            u[i] = 0.5 * u[i - 1] * u[i + 1] + 0.1 * u[i] * u[i]
    return np.sum(u * u)


PROGRAMS = [
    Program(linear, (0.7, X), (0, 1)),
    Program(logistic, (2.9, 0.3), (0, 1)),
    Program(two_terms, (X, 0.4, 1.3), (0, 1, 2)),
    Program(backward, (X,)),
    Program(as_number, (0.7, X), (0, 1)),
    Program(sweeps, (X, 3)),
]
