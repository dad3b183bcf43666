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


def left_after_a_view(A):
    B = A.T
    t = 0.5
    for i in range(3):
        if i == 2:
            break
        A += 0.5
        t += np.sum(A * A)
    return t * np.sum(B[0])


def swapped_then_scaled(x, n):
    u = x * 0.7
    v = np.sin(x)
    if n > 2:
        u, v = v, u
    scale_in_place(u[::-2], x[0])
    return np.sum(u * v)


def array_in_a_list_scaled(x: np.ndarray):
    u = x * 1.5
    both = [u, x * x]
    both[0] *= x[0]
    both[1] /= 2.0 + x[1]
    return np.sum(u) * np.sum(both[0] * both[1])


def item_of_a_list_replaced(x):
    u = x * 1.5
    both = [x * x, u]
    both[1][0] *= x[1]
    both[1] = both[0] + u
    return np.sum(np.sin(both[1])) * np.sum(u)


def arrays_of_a_list_swapped_in_a_loop(x, n):
    u, w = x * 1.5, x * x
    both = [u, w]
    s = 0.0
    for i in range(n):
        both[0][i] *= np.cos(x[1])
        both[1][1:] += u[:-1] * x[0]
        both[0], both[1] = both[1], both[0]
        if i % 2 == 0:
            both[i % 2] = np.sin(both[1]) * x
            both[0][1] = x[0] * 2.0
        for p in both:
            s += np.sum(p * p)
            p *= 0.7
    return np.sum(u) * np.sum(w) + s + np.sum(both[0])


def last_of_a_growing_list(x, n):
    u = x * 1.5
    history = [u]
    p = history[-1]
    for i in range(n):
        w = u * x[i]
        history.append(w)
        w[1:] *= x[0]
    p[1] = x[2] * history[-2][0]
    history[1][0] = 0.3 * x[1]
    return np.sum(u) * np.sum(history[-1] * history[1])


def swapped_until_a_break(x, n):
    s = 0.0
    t = x[1] * 0.5
    y = x.copy()
    z = x * 0.5
    for _ in range(n):
        y = x.copy()
    for k in range(4):
        v = y[1:3]
        v[1] += v[0]
        s = s + v[0] * v[1]
        if k % 2 == 1:
            break
        y, z = z, y
    return s * t + y[0] * y[2] + z[1]


def view_before_a_loop_that_is_left(A):
    t = 0.5
    B = A.T
    for k in range(1, 3):
        if k != 1:
            break
        A += 0.5
        t += np.sum(A * t)
    return t + np.sum(B[0] * A[1])


def swapped_in_nested_loops(x, k):
    s = np.sum(x * k)
    u = np.zeros_like(x)
    v = x * 2.0
    for _ in range(2):
        for _ in range(3):
            v[1:] = np.sin(u[:-1] + k)
            u, v = v, u
        u, x = x, u
    return s * np.sum(v)


PROGRAMS = [
    Program(swapped_until_a_break, (np.array([0.3, 0.8, -0.5, 1.1]), 1)),
    Program(view_before_a_loop_that_is_left, (np.array([[0.3, 0.8], [-0.5, 1.1]]),)),
    Program(two_names, (X,)),
    Program(read_before_store, (X,)),
    Program(updated_through_a_name, (X,)),
    Program(update_of_a_number, (1.5,)),
    Program(written_view, (X,)),
    Program(writing_callee, (X,)),
    Program(condition_that_writes, (X,)),
    Program(added_then_changed, (X, X[::-1].copy()), (0, 1)),
    Program(left_after_a_view, (np.array([[0.2, -0.4], [1.1, 0.3]]),)),
    Program(swapped_then_scaled, (X, 3)),
    Program(array_in_a_list_scaled, (X,)),
    Program(item_of_a_list_replaced, (X,)),
    Program(arrays_of_a_list_swapped_in_a_loop, (X, 4)),
    Program(last_of_a_growing_list, (X, 3)),
    Program(swapped_in_nested_loops, (X, 1.3), (0, 1)),
]
