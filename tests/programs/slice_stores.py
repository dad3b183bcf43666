"""Slices, rows and masked parts of arrays written in place."""

import numpy as np

from tests.corpus import Program

X = np.array([0.3, 0.7, 1.1, 0.8, -0.4])
A = np.arange(16.0).reshape(4, 4) / 9.0 + 0.2


def shifted(x):
    y = x * x
    y[1:] = y[:-1]
    y[:-2] = y[2:] * y[1:-1]
    return np.sum(y * y * x)


def filled(x, c):
    y = np.empty(5)
    y[:2] = c
    y[2:] = x[:3] * c
    return np.sum(y * y)


def rows(a):
    b = np.zeros((4, 4))
    for i in range(4):
        b[i] = a[i] * a[:, i]
    b[1:3, 1:3] = a[:2, :2] ** 2
    return np.sum(b * a)


def relaxation(a, n):
    b = a.copy()
    for _ in range(n):
        b[1:-1, 1:-1] = 0.2 * (b[1:-1, 1:-1] + b[1:-1, :-2] + b[1:-1, 2:] + b[2:, 1:-1] + b[:-2, 1:-1])
    return np.sum(b * b)


def masked(x):
    y = x * 2.0
    y[x < 0.0] = 0.0
    y[y > 2.0] *= x[0]
    return np.sum(y * y)


def repeated_store(x):
    y = np.zeros(3)
    y[[1, 1, 2, 0, 2]] = x * x
    return np.sum(y * np.array([1.0, 10.0, 100.0]))


def accumulated(x):
    y = np.zeros(5)
    y[1:] += x[:-1] ** 2
    y[:3] -= y[2:] * x[:3]
    y *= x
    return np.sum(y * y)


def displays_stored(x):
    y = np.zeros((2, 2))
    y[0] = [x[1], x[2] ** 2]
    y[1, :] = (x[0], 3.0)
    y[:, 1] += [1.0, x[0]]
    y[1, [0, 1]] = [y[0, 1], x[0]]
    return np.sum(y**2)


def array_of_rank_0(x):
    y = np.array(x[0])
    y *= x[1]
    y[...] += x[2]
    return y * y


PROGRAMS = [
    Program(array_of_rank_0, (np.array([0.3, 0.7, 1.1]),)),
    Program(displays_stored, (np.array([0.3, 0.5, 0.7]),)),
    Program(shifted, (X,)),
    Program(filled, (X, 0.7), (0, 1)),
    Program(rows, (A,)),
    Program(relaxation, (A, 3)),
    Program(masked, (X,)),
    Program(repeated_store, (X,)),
    Program(accumulated, (X,)),
]
