"""Elements of arrays written in place."""

import numpy as np

from tests.corpus import Program

X = np.array([0.3, 0.7, 1.1, 0.8])


def fresh_array(x):
    y = np.zeros(3)
    y[0] = x[0] * x[1]
    y[1] = y[0] + x[2]
    y[2] = y[1] * y[0]
    return np.sum(y)


def of_itself(x):
    y = x.copy()
    y[1] = y[1] * y[1] + y[0]
    y[1] = np.sin(y[1])
    y[2] *= y[1]
    return y[1] * y[2]


def dead_stores(x):
    y = np.zeros(3)
    y[0] = x[0] * x[1]
    y[0] = x[2]
    y[1] = x[0] * y[0]
    y[0] = 4.0
    return y[0] * y[1]


def swapped_elements(x):
    y = x * 1.0
    y[0], y[2] = y[2], y[0]
    y[1] = y[0] * y[2]
    return np.sum(y * np.arange(4.0))


def one_slot_in_a_loop(x):
    y = np.zeros(1)
    s = 0.0
    for i in range(len(x)):
        y[0] = x[i]
        s += y[0] * (i + 1)
    return s * s


def last_of_inner_loop(x):
    y = np.zeros(len(x))
    for i in range(len(x)):
        for j in range(len(x)):
            y[i] = x[j] * x[i]
    return np.sum(y * y)


def matrix_by_elements(x):
    m = np.zeros((3, 3))
    for i in range(3):
        for j in range(3):
            m[i, j] = x[i] * x[j + 1] if i != j else 1.0
    return np.linalg.det(m)


def stored_after_a_loop(x, n):
    y = x.copy()
    for _ in range(n):
        y = np.tanh(y)  # its derivative reads y, which changes below
    y[0] += 0.5
    return np.sum(y * x)


def argument_written(x):
    x[0] = x[1] * x[2]
    x[1] = x[0] * x[0]
    return np.sum(x * x)


PROGRAMS = [
    Program(fresh_array, (X,)),
    Program(of_itself, (X,)),
    Program(dead_stores, (X,)),
    Program(swapped_elements, (X,)),
    Program(one_slot_in_a_loop, (X,)),
    Program(last_of_inner_loop, (X,)),
    Program(matrix_by_elements, (X,)),
    Program(stored_after_a_loop, (X, 2)),
    Program(argument_written, (X,)),
]
