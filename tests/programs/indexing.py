"""Reads of elements, slices, rows, with masks and index arrays."""

import numpy as np

from tests.corpus import Program

X = np.array([0.3, -0.8, 1.5, 0.9, 0.4])
A = np.arange(12.0).reshape(3, 4) / 6.0 + 0.1


def elements(x):
    return x[0] * x[-1] + x[2] ** 2 * x[1]


def slices(x):
    return np.sum(x[1:] * x[:-1]) + np.sum(x[::2] ** 2) + np.sum(x[::-1] * x) + np.sum(x[5:])


def rows_and_columns(a):
    return a[0] @ a[1] + np.sum(a[:, 2] ** 2) + np.sum(a[1:, ::2]) * a[2, -1] + np.sum(a[..., 0])


def repeated_indices(x):
    k = np.array([0, 0, 2, 1, 0])
    return np.sum(x[k] * np.arange(1.0, 6.0)) + np.sum(x[[1, 1]] ** 2)


def masks(x, a):
    return np.sum(x[x > 0.0] ** 2) + np.sum(a[a < 1.0] * 3.0) * x[0]


def pairs_of_indices(a):
    i = np.array([0, 1, 1])
    j = np.array([3, 0, 0])
    return np.sum(a[i, j] ** 2) + np.sum(np.take(a, [0, 2], axis=1) ** 3)


def computed_index(x, n):
    s = 0.0
    k = 0
    for _ in range(n):
        s = s * 0.5 + x[k] ** 2
        k = (k + 3) % len(x)
    return s


def stencil(x):
    return 0.25 * x[:-2] * x[2:] + 0.5 * x[1:-1]


PROGRAMS = [
    Program(elements, (X,)),
    Program(slices, (X,)),
    Program(rows_and_columns, (A,)),
    Program(repeated_indices, (X,)),
    Program(masks, (X, A), (0, 1)),
    Program(pairs_of_indices, (A,)),
    Program(computed_index, (X, 6)),
    Program(stencil, (X,)),
]
