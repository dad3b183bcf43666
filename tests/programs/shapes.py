"""Reshaping, transposing, joining, repeating."""

import numpy as np

from tests.corpus import Program

A = np.arange(6.0).reshape(2, 3) / 4.0 + 0.2
X = np.array([0.3, -0.8, 1.5, 0.9])


def reshaped(a):
    return np.sum(a.reshape(3, 2) @ np.reshape(a, (2, 3)) ** 2) + a.ravel()[1] * a.flatten()[4]


def transposed(a):
    return np.sum(a.T @ a) + np.sum(np.transpose(a)[0] * a[:, 0]) + a.T.shape[0] * a[1, 2] ** 2


def joined(x, a):
    y = np.concatenate([x, a.ravel(), x * x])
    z = np.stack([x, 2.0 * x], axis=1)
    return np.sum(y * np.arange(y.size)) + np.sum(z[:, 1] ** 3) + np.sum(np.vstack([x, x])[1] ** 2)


def squeezed(x):
    column = x[:, np.newaxis]
    return np.sum(np.squeeze(column * column) * x) + np.sum(np.expand_dims(x, 0) @ column)


def built_from_elements(x):
    m = np.array([[x[0], 1.0], [x[1] * x[2], x[3]]])
    return np.linalg.det(m) + m[1, 0]


def padded_and_rolled(x):
    return np.sum(np.roll(x, 1) * x) + np.sum(np.flip(x) ** 2 * np.tile(x, 1)) + np.sum(np.repeat(x, 2) ** 2)


def sized_like(x):
    w = np.zeros_like(x) + np.ones(len(x)) * np.full(x.shape, 2.0)
    return np.sum(w * x**2) / x.size


def linearly_spaced(a, b):
    return np.sum(np.linspace(a, b, 5) ** 2) + np.sum(np.arange(3) * a)


PROGRAMS = [
    Program(reshaped, (A,)),
    Program(transposed, (A,)),
    Program(joined, (X, A), (0, 1)),
    Program(squeezed, (X,)),
    Program(built_from_elements, (X,)),
    Program(padded_and_rolled, (X,)),
    Program(sized_like, (X,)),
    Program(linearly_spaced, (0.5, 2.0), (0, 1)),
]
