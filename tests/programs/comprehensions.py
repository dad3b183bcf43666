"""Comprehensions and generator expressions consumed on the spot."""

import numpy as np

from tests.corpus import Program

X = np.array([0.5, 1.5, -0.7])
Y = np.array([0.7, 2.0, 0.4])


def polynomial(x, coefficients):
    return sum(c * x**k for k, c in enumerate(coefficients))


def matrix_of_products(x, y):
    table = [[a * b for b in y] for a in x]
    return sum(sum(row) ** 2 for row in table)


def filtered(x):
    kept = [v * v for v in x if v > 0.0]
    return sum(kept) * kept[0]


def array_of_list(x):
    return np.sum(np.array([np.sin(v) for v in x]) * np.arange(3.0))


def name_does_not_leak(x):
    k = x * 5.0
    ys = [k * x for k in (1.0, 2.0)]
    return k + ys[0] * ys[1]


def dictionary(x):
    d = {k: x**k for k in (1, 2, 3)}
    return d[1] * d[2] + d[3]


PROGRAMS = [
    Program(polynomial, (0.7, [1.0, -2.0, 0.5]), (0, 1)),
    Program(matrix_of_products, (X, Y), (0, 1)),
    Program(filtered, (X,)),
    Program(array_of_list, (X,)),
    Program(name_does_not_leak, (0.9,)),
    Program(dictionary, (0.9,)),
]
