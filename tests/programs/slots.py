"""Programs that a careless saving, restoring or zeroing of array slots gets wrong."""

import numpy as np

from tests.corpus import Program

X = np.array([0.3, 0.7, 1.1, 0.8, -0.4])
W = np.array([0.9, -0.5, 1.3, 0.4, 0.6])
A = np.arange(16.0).reshape(4, 4) / 9.0 + 0.2


# -- arrays scaled in place


def scaled_by_itself(x):
    y = x + 1.0
    y *= y
    y /= y + 2.0
    return np.sum(y * x)


def scaled_by_a_view(x):
    y = x + 1.0
    for _ in range(3):
        y *= y[::-1]
    return np.sum(y * x)


def scaled_by_an_element(x):
    y = x + 1.5
    for k in range(4):
        y /= y[k]
        y *= x
    return np.sum(y * x)


def scaled_through_a_view(x):
    y = x * 2.0
    z = y[1:]
    for _ in range(3):
        z *= x[:-1]
        y *= 0.9
    return np.sum(y * y)


def scaled_under_two_names(x):
    y = x * 2.0
    z = y
    y *= x
    z /= 1.0 + x
    return np.sum(y * z)


def scaled_and_swapped(x, w):
    a = x * 1.0
    b = w * 1.0
    for _ in range(3):
        a *= b
        a, b = b, a
        b /= 1.0 + a * a
    return np.sum(a * x) + np.sum(b)


def scaled_in_one_branch(x, s):
    y = x * 1.0
    for k in range(5):
        if x[k] > 0.5:
            y *= s * x
        else:
            y /= 2.0 + s
        s = s + y[k]
    return np.sum(y) * s


def scaled_argument(x, s):
    x *= s
    x /= 1.0 + x[0] ** 2
    return np.sum(x * x) * s


def scaled_column(a, x):
    b = a * 1.0
    for k in range(3):
        b *= x[:4]
        b /= 1.0 + b[:, k : k + 1] ** 2
        b *= 1.0 + a[k]
    return np.sum(b * b)


def scaled_no_times(x, s):
    y = x * x
    for _ in range(0):
        y *= s
    n = 0
    while n < 2:
        y *= s
        n += 1
        if y[0] > 100.0:
            break
    return np.sum(y * x)


def scaled_integers(x):
    y = x * 1.0
    k = np.array([1, 2, 3, 2, 1])
    y *= k
    y *= 2
    y /= k + 1
    y[:] = y * x
    y[...] = x / y
    return np.sum(y * y)


def accumulated_matrices(x, w, n):
    total = np.zeros(5)
    for k in range(n):
        h = np.tanh(w * x[k])
        g = h
        total = total + g * w[k]
        g = g * x
        total = total + h * g
    return np.sum(total * total)


# -- slots stored once, twice, or not at all


def one_slot_again_and_again(x):
    y = np.zeros(2)
    s = 0.0
    for i in range(5):
        y[0] = x[i] * x[i]
        s = s + y[0] * (i + 1.0) + y[1]
    return s


def inner_loop_stores_again(x, w):
    y = np.zeros(5)
    s = 0.0
    for i in range(4):
        for j in range(3):
            y[i] = x[j] * w[i]
            s = s + y[i] * y[i] * (j + 1.0)
    return s


def read_before_it_is_stored(x, w):
    y = np.zeros(5)
    s = 0.0
    for i in range(5):
        s = s + (y[i] + 1.0) * x[i] * w[i] + y[0] * y[0] * w[i]
        y[i] = x[i] ** 2
    return s + np.sum(y * y)


def full_of_twos(x, w):
    y = np.full(6, 2.0)
    s = 0.0
    for i in range(5):
        s = s + y[i + 1] ** 2 * x[i]
        y[i] = x[i] * w[i]
        s = s + y[i] ** 2 * y[i + 1]
    return s


def wraps_around(x):
    y = np.zeros(5)
    s = 0.0
    for i in range(-1, 5):
        y[i] = x[i] ** 2 + s
        s = s + y[i] * (i + 2.0)
    return s


def stored_below_zero(x):
    y = np.zeros(5)
    s = 0.0
    for i in range(6):
        y[i - 1] = x[i - 1] ** 2 * (s + 1.0)
        s = s + y[i - 1] ** 2
    return s


def two_stores_meet(x, w):
    y = np.zeros(7)
    s = 0.0
    for i in range(5):
        y[i] = x[i] * w[i]
        s = s + y[i] ** 2
        y[i + 1] = s * x[i]
    return s + np.sum(y * y)


def in_a_loop_around(x, w):
    y = np.zeros(5)
    s = 0.0
    for k in range(3):
        for i in range(5):
            y[i] = x[i] * w[k] + s
            s = s + 0.1 * y[i] ** 2
    return s


def made_in_each_trip(x, w):
    s = 0.0
    for k in range(3):
        y = np.zeros(5)
        for i in range(5):
            y[i] = x[i] * w[k] + s
            s = s + 0.1 * y[i] ** 2
        s = s + np.sum(y * x)
    return s


def made_beside_another(x, w):
    y = np.zeros(5)
    s = 0.0
    for k in range(3):
        z = y
        for i in range(5):
            z[i] = x[i] * w[k] + s
            s = s + 0.1 * y[i] ** 2
    return s


def two_loops(a, x):
    b = np.zeros((4, 4))
    s = 0.0
    for i in range(4):
        for j in range(i + 1):
            b[i, j] = a[i, j] * x[j] + s
            s = s + b[i, j] ** 2 * 0.1
    return s + np.sum(b * b)


def two_loops_one_index(a, x):
    b = np.zeros((4, 4))
    s = 0.0
    for i in range(4):
        for j in range(4):
            b[i, 0] = a[i, j] * x[j] + s
            s = s + b[i, 0] ** 2 * 0.1
    return s + np.sum(b * b)


def triangle_and_mirror(a, x):
    b = np.zeros((4, 4))
    s = 0.0
    for i in range(4):
        for j in range(4):
            b[i, j] = a[i, j] * x[j] + s
            s = s + b[i, j] ** 2 * 0.1
            b[j, i] = s * x[i]
    return s + np.sum(b * b)


def one_of_two_branches(x, w):
    y = np.zeros(5)
    s = 1.0
    for i in range(5):
        if x[i] > 0.5:
            y[i] = x[i] * s
        else:
            y[i] = w[i] * s * s
        s = s + y[i] ** 2
    return s


def steps_of_two(x):
    y = np.zeros(6)
    s = 0.0
    for i in range(0, 4, 2):
        y[i] = x[i] * (1.0 + s)
        y[i + 1] = x[i + 1] * y[i]
        s = s + y[i] * y[i + 1]
    return s


def twice_in_one_trip(x):
    y = np.zeros(5)
    s = 0.0
    for i in range(5):
        y[i] = x[i] ** 2
        s = s + y[i] ** 2
        y[i] = x[i] * s
    return s + np.sum(y * y)


def downwards(x, w):
    y = np.zeros(7)
    for i in range(4, -1, -1):
        y[i] = x[i] * y[i + 1] * y[i + 1] + w[i] * y[i + 2] ** 2 + 1.0
    return y[0] ** 2 + y[1]


def downwards_reading_below(x, w):
    y = w * 1.0
    for i in range(4, 0, -1):
        y[i] = x[i] * y[i - 1] * y[i - 1] + y[i] ** 2
    return np.sum(y * y)


def downwards_reading_both(x, w):
    y = w * 1.0
    for i in range(3, 0, -1):
        y[i] = x[i] * y[i - 1] * y[i + 1]
    return np.sum(y * y)


def upwards_reading_above(x, w):
    y = w * 1.0
    for i in range(4):
        y[i] = x[i] * y[i + 1] * y[i + 1] + y[i] ** 2
    return np.sum(y * y)


def rows_of_states(a, x):
    h = np.zeros((5, 4))
    h[0] = x[:4]
    for t in range(4):
        h[t + 1] = np.tanh(a @ h[t])
    return np.sum(h * h)


def rows_of_states_overlapping(a, x):
    h = np.zeros((6, 4))
    h[0] = x[:4]
    for t in range(4):
        h[t + 1] = np.tanh(a @ h[t])
        h[t + 2] = h[t + 1] * h[t]
        h[t] = h[t + 2] * a[t]
    return np.sum(h * h)


def read_behind_its_store(x, a):
    y = np.zeros(5)
    s = 0.0
    for n in range(5):
        y[n] = a * x[n] + s * s
        s = 0.5 * y[n] ** 2
    return s


def scratch_row_by_hand(a, x):
    row = np.empty(4)
    s = 0.0
    for i in range(4):
        for j in range(4):
            row[j] = a[i, j] * x[j] + s
        for j in range(4):
            s = s + 0.1 * row[j] ** 2
    return s


def stops_early(x, limit):
    y = np.zeros(6)
    y[0] = x[0]
    s = 0.0
    for i in range(5):
        y[i + 1] = y[i] * y[i] + x[i]
        s = s + y[i + 1] * y[i]
        if s > limit:
            break
    return s + y[1] ** 2


def while_it_lasts(x):
    y = np.zeros(5)
    k = 0
    s = 0.0
    while k < 4:
        y[k] = x[k] ** 2 + s
        s = s + y[k] ** 2
        if s < 0.9:
            k = k + 1
        else:
            k = k + 2
    return s + np.sum(y)


def in_place_of_the_argument(x):
    for i in range(1, 5):
        x[i] = x[i] * x[i - 1] + x[i - 1]
    return np.sum(x * x)


def zero_then_added(x, w):
    y = x * w
    for i in range(1, 4):
        y[i] = y[i] * y[i - 1] * y[i]
        y[i] = w[i] * y[i + 1] - y[i] * x[i]
    return np.sum(y * y)


def pivots(a):
    b = a + 2.0 * np.eye(4)
    for k in range(3):
        for i in range(k + 1, 4):
            b[i, k] /= b[k, k]
            for j in range(k + 1, 4):
                b[i, j] -= b[i, k] * b[k, j]
    return np.prod(np.diag(b)) + np.sum(b * b)


def index_changes_in_between(x, w):
    y = x * w
    k = 0
    mask = x > 0.5
    for i in range(3):
        y[mask] = y[mask] * w[i] + y[k] ** 2
        mask[i] = not mask[i]
        k = i + 1
        y[k] = y[k] * y[k - 1] * w[k]
    return np.sum(y * y)


PROGRAMS = [
    Program(scaled_by_itself, (X,)),
    Program(scaled_by_a_view, (X,)),
    Program(scaled_by_an_element, (X,)),
    Program(scaled_through_a_view, (X,)),
    Program(scaled_under_two_names, (X,)),
    Program(scaled_and_swapped, (X, W), (0, 1)),
    Program(scaled_in_one_branch, (X, 0.7), (0, 1)),
    Program(scaled_argument, (X, 0.7), (0, 1)),
    Program(scaled_column, (A, X), (0, 1)),
    Program(scaled_no_times, (X, 0.7), (0, 1)),
    Program(scaled_integers, (X,)),
    Program(accumulated_matrices, (X, W, 3), (0, 1)),
    Program(one_slot_again_and_again, (X,)),
    Program(inner_loop_stores_again, (X, W), (0, 1)),
    Program(read_before_it_is_stored, (X, W), (0, 1)),
    Program(full_of_twos, (X, W), (0, 1)),
    Program(wraps_around, (X,)),
    Program(stored_below_zero, (X,)),
    Program(two_stores_meet, (X, W), (0, 1)),
    Program(in_a_loop_around, (X, W), (0, 1)),
    Program(made_in_each_trip, (X, W), (0, 1)),
    Program(made_beside_another, (X, W), (0, 1)),
    Program(two_loops, (A, X), (0, 1)),
    Program(two_loops_one_index, (A, X), (0, 1)),
    Program(triangle_and_mirror, (A, X), (0, 1)),
    Program(one_of_two_branches, (X, W), (0, 1)),
    Program(steps_of_two, (X,)),
    Program(twice_in_one_trip, (X,)),
    Program(downwards, (X, W), (0, 1)),
    Program(downwards_reading_below, (X, W), (0, 1)),
    Program(downwards_reading_both, (X, W), (0, 1)),
    Program(upwards_reading_above, (X, W), (0, 1)),
    Program(rows_of_states, (A, X), (0, 1)),
    Program(rows_of_states_overlapping, (A, X), (0, 1)),
    Program(read_behind_its_store, (X, 0.6), (0, 1)),
    Program(scratch_row_by_hand, (A, X), (0, 1)),
    Program(stops_early, (X, 1.0), (0, 1)),
    Program(while_it_lasts, (X,)),
    Program(in_place_of_the_argument, (X,)),
    Program(zero_then_added, (X, W), (0, 1)),
    Program(index_changes_in_between, (X, W), (0, 1)),
    Program(pivots, (A,)),
]
