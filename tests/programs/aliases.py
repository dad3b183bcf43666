"""Two names for one array, views that are written, updates that are not rebindings."""

import numpy as np

from tests.corpus import Program

X = np.array([0.3, 0.7, 1.1, 0.8, -0.4])


def two_names(x):
    a = x + 0.0
    b = a
    b[0] = x[1] * x[2]
    return a[0] * a[1]


def read_before_store(x):
    y = x * 1.0
    t = y[0]
    y[0] = 5.0 * y[1]
    return t * 2.0 * y[0]


def updated_through_a_name(x):
    y = x
    y *= 3.0
    return np.sum(x * x)


def update_of_a_number(x):
    y = x
    y += x * x
    return y * x


def written_view(x):
    a = x * 1.0
    v = a[1:4]
    v[0] = v[1] * v[2]
    a[3] = v[0] * a[0]
    return np.sum(v) * a[3]


def writing_callee(x):
    y = x * 1.0
    scale_in_place(y, x[0])
    scale_in_place(y[1:3], y[0])
    return np.sum(y)


def scale_in_place(v, k):
    v[:] = v * k


def condition_that_writes(x):
    y = x * 1.0
    n = 0
    while decay(y) > 0.6:
        n += 1
    return np.sum(y * y) * n


def decay(y):
    y *= 0.8
    y[0] = y[0] * y[1] + 0.1
    return np.max(y)


def added_then_changed(x, y):
    z = x + y
    z_bar = z
    w = z_bar * 1.0
    z_bar[0] += 1.0
    return np.sum(w * z)


PROGRAMS = [
    Program(two_names, (X,)),
    Program(read_before_store, (X,)),
    Program(updated_through_a_name, (X,)),
    Program(update_of_a_number, (1.5,)),
    Program(written_view, (X,)),
    Program(writing_callee, (X,)),
    Program(condition_that_writes, (X,)),
    Program(added_then_changed, (X, X[::-1].copy()), (0, 1)),
]
