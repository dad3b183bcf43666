"""Products and solutions of matrices and vectors."""

import numpy as np

from tests.corpus import Program

A = np.array([[3.0, 1.0, 0.2], [0.5, 2.0, 0.1], [0.3, -0.4, 1.5]])
B = np.array([[0.2, 1.0], [0.7, -0.3], [0.5, 0.4]])
V = np.array([1.0, 2.0, -0.5])


def matrix_products(a, b, v):
    return np.sum(a @ b) + v @ a @ v + np.sum(np.dot(a, v)) + np.sum(v @ b)


def quadratic_form(a, v):
    return np.dot(v, a.dot(v)) / np.dot(v, v)


def outer_and_inner(v, w):
    return np.sum(np.outer(v, w) * np.arange(9.0).reshape(3, 3)) + np.inner(v, w) ** 2


def sums_by_letters(a, b):
    return np.sum(np.einsum("ij,jk->ki", a, b) ** 2) + np.einsum("ii", a)


def least_squares(b, y):
    normal = b.T @ b + 0.1 * np.eye(2)
    w = np.linalg.solve(normal, b.T @ y)
    r = b @ w - y
    return r @ r


def inverse_and_determinant(a):
    return np.trace(np.linalg.inv(a) @ a.T) + np.log(np.linalg.det(a))


def stacks_of_matrices(t, a):
    return np.sum((t @ a) ** 2) + np.sum(t @ V)


PROGRAMS = [
    Program(matrix_products, (A, B, V), (0, 1, 2)),
    Program(quadratic_form, (A, V), (0, 1)),
    Program(outer_and_inner, (V, V[::-1].copy()), (0, 1)),
    Program(sums_by_letters, (A, B), (0, 1)),
    Program(least_squares, (B, V), (0, 1)),
    Program(inverse_and_determinant, (A,)),
    Program(stacks_of_matrices, (np.stack([A, A.T * 0.5]), A), (0, 1)),
]
