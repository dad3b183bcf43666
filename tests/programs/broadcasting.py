"""Operands of different shapes: what is stretched on the way there is summed on the way back."""

import numpy as np

from tests.corpus import Program

A = np.arange(6.0).reshape(3, 2) / 5.0 + 0.1
B = np.array([1.0, 2.0])
COLUMN = np.array([[0.5], [1.5], [-0.4]])


def missing_axis(b, a):
    return np.sum((a + b) ** 2)


def both_stretched(column, row):
    return np.sum(np.sin(column - row) / (1.5 + column * row))


def number_and_array(s, a):
    return np.sum(s * a + a / s - s)


def standardised(a):
    m = a.mean(axis=1, keepdims=True)
    s = np.sqrt(((a - m) ** 2).sum(axis=1, keepdims=True) + 0.1)
    return np.sum(((a - m) / s) ** 3)


def zero_dimensional(z, b):
    return np.sum(z * b) + z


def added_axes(b, c):
    return np.sum(b[:, None] * c[None, :] ** 2)


def stretched_store(s, b):
    y = np.ones((3, 2))
    y[1:] = b * s
    y[0] = s
    return np.sum(y**2)


PROGRAMS = [
    Program(missing_axis, (B, A), (0, 1)),
    Program(both_stretched, (COLUMN, B), (0, 1)),
    Program(number_and_array, (1.3, A), (0, 1)),
    Program(standardised, (A,)),
    Program(zero_dimensional, (np.array(0.7), B), (0, 1)),
    Program(added_axes, (B, np.array([0.3, 0.2, 0.9])), (0, 1)),
    Program(stretched_store, (0.6, B), (0, 1)),
]
