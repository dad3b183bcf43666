"""Calls that write into an array: out=, fill, sort, copyto, put, place, fill_diagonal, ufunc.at, .flat, .real and .imag; every op=."""

import numpy as np

from tests.corpus import Program

X = np.array([0.3, 0.7, 1.1, 0.8, -0.4])
Y = np.array([1.2, 0.5, -0.3, 0.9, 1.6])
A = np.array([[0.1, 0.5, 0.3], [0.9, 0.35, 0.7], [0.2, 0.8, 0.6]])
B = np.array([[0.6, -0.2, 1.3, 0.4], [0.05, 0.75, -0.9, 1.1], [0.85, 0.45, 0.15, 0.95]])


# ---- out= ----


def out_of_ufuncs(x):
    buf = np.empty(5)
    np.multiply(x, x, out=buf)
    np.exp(buf, out=buf)
    np.add(buf, 1.0, buf)
    np.log(buf, out=(buf,))
    return np.sum(buf * buf)


def out_reused_in_a_loop(x, w, n):
    state = x.copy()
    work = np.empty_like(x)
    for _ in range(n):
        np.multiply(state, w, out=work)
        np.tanh(work, out=work)
        np.add(state, work, out=state)
    return np.sum(state * work)


def out_is_a_slice_of_an_operand(x):
    y = x * 1.5
    np.add(y[1:], y[:-1], out=y[1:])
    np.subtract(y[::-1], x, out=y[::2].repeat(2)[:5])
    np.multiply(y[:2], y[3:], out=y[1:3])
    return np.sum(y * y)


def out_of_reductions(a):
    rows = np.empty(3)
    columns = np.empty(4)
    np.sum(a * a, axis=1, out=rows)
    a.mean(axis=0, out=columns)
    np.cumsum(columns, out=columns)
    rows.cumprod(out=rows)
    return np.sum(rows) * np.sum(columns**2)


def out_of_products(a, x):
    y = np.empty(3)
    z = np.empty((3, 3))
    np.dot(a, x[:4], out=y)
    np.matmul(a, a.T, out=z)
    np.dot(z, y, out=y)
    np.outer(y, y, z)
    return np.sum(z * z) + y[0]


def out_of_clip_and_maximum(x, y):
    z = x * y
    z.clip(-0.35, 0.6, out=z)
    np.maximum(z, 0.5 * x, out=z)
    np.clip(z, 0.0, None, z)
    return np.sum(z * y)


def out_where(x, y):
    z = np.zeros(5)
    np.divide(x, y, out=z, where=y > 0.0)
    np.sqrt(x, out=z, where=x > 1.0)
    np.exp(x[0], out=z, where=np.array([False, False, True, False, True]))
    return np.sum(z * z)


def out_where_divides_by_zero(x):
    y = np.array([1.0, 0.0, 2.0, 0.0, 3.0])
    return np.sum(np.divide(x, y * x, out=x * 2.0, where=y != 0.0) * x)


def out_into_rows(a):
    b = np.zeros((3, 4))
    for i in range(3):
        np.multiply(a[i], a[i - 1], out=b[i])
        np.sqrt(b[i] * b[i] + 1.0, out=b[i])
    np.sin(a[:, 1], out=b[:, 2])
    return np.sum(b * a)


def out_on_one_path(x):
    y = x * 2.0
    if x[0] > 0.0:
        np.square(y, out=y)
    else:
        np.negative(y, out=y)
    z = np.exp(y, out=np.empty(5))
    return np.sum(z * x)


def out_of_no_derivative(x):
    y = np.empty(5)
    np.floor(x * 3.0, out=y)
    np.add(y, x, out=y)
    mask = np.zeros(5, bool)
    np.less(x, 0.75, out=mask)
    y[mask] *= x[1]
    return np.sum(y * y)


def out_is_an_argument(x, y):
    np.multiply(x, x, out=y)
    return np.sum(y)


# ---- functions and methods that fill ----


def filled(x):
    a = np.zeros((3, 3))
    np.fill_diagonal(a, x[:3])
    b = np.empty(5)
    np.copyto(b, x * x)
    b.put([1], x[0])
    c = np.empty(2)
    c.fill(x[2])
    np.place(b, b > 0.8, x[1:2])
    return np.sum(a * a) + np.sum(b * b * x) + np.sum(c**3)


def copied_by_mask(x, y):
    z = y * 1.0
    np.copyto(z, x * x, where=y > 0.6)
    np.copyto(z[1:3], 0.5)
    np.putmask(z, x < 0.0, y * x)
    np.putmask(z, y < 0.0, x[:2])
    np.place(z, z > 0.6, [x[1], x[2] * y[0]])
    return np.sum(z * z * y)


def put_by_flat_indices(a, x):
    b = a * 2.0
    np.put(b, [0, 5, -1], x[:3] ** 2)
    b.put([2, 7, 3, 9], x[3:])
    np.put(b, 4, x[0], mode="clip")
    np.put(b, [13, 14], x[0] * x[1], mode="wrap")
    return np.sum(b * b * a)


def put_repeatedly(x):
    y = x * x
    np.put(y, [0, 2, 0, 2], x[:4])
    y.put([1, 1], [x[0] * x[1], x[3]])
    return np.sum(y * y)


def diagonals(a, x):
    b = a @ a.T
    np.fill_diagonal(b, 1.0)
    c = np.zeros((4, 3))
    np.fill_diagonal(c, x[0] * x[1])
    d = np.zeros((3, 4))
    np.fill_diagonal(d, x[:2])
    return np.sum((b @ d) * c.T) + np.sum(b)


def filled_in_a_loop(x, n):
    y = np.zeros(5)
    total = 0.0
    for k in range(n):
        y.fill(x[k] * total + 1.0)
        y[k:] *= x[k]
        total += np.sum(y)
    return total


def along_an_axis(a):
    b = a * 1.0
    np.put_along_axis(b, np.argmax(a, axis=1)[:, None], 0.25 * a[0, 0], axis=1)
    np.put_along_axis(b, np.array([[0, 1, 2, 0]]), a[:1] ** 2, 0)
    return np.sum(b * b)


# ---- sorts ----


def sorted_in_place(x):
    y = x * x
    y.sort()
    return np.sum(y * np.array([1.0, 10.0, 100.0, 1000.0, 10000.0]))


def sorted_rows(a):
    b = a * a
    b.sort(axis=0)
    b[1].sort()
    c = b.T * a.T
    c.sort()
    return np.sum(b * b) + c[0, 1] * c[3, 2]


def sorted_in_a_loop(x, n):
    y = x * 1.0
    for _ in range(n):
        y[0] *= 2.5
        y.sort()
        y += 0.1 * y[0] * y
    return y[1] * y[3]


# ---- ufunc.at ----


def at_once_for_each_time(x):
    y = x * 1.0
    i = np.array([0, 1, 1, 3])
    np.add.at(y, i, x[1:])
    np.multiply.at(y, i, x[:4])
    np.subtract.at(y, [2, 2], x[3])
    np.divide.at(y, [4, 4, 0], 2.0)
    np.negative.at(y, [1, 3, 3])
    return np.sum(y * y)


def extremes_at(x, y):
    top = np.full(3, -9.0)
    np.maximum.at(top, np.array([0, 1, 0, 2, 1]), x * y)
    low = np.full(3, 9.0)
    np.minimum.at(low, np.array([0, 1, 0, 2, 1]), x)
    np.multiply.at(low, top > 0.3, top[0])
    np.multiply.at(low, 1, x[4])
    return np.sum(top * low)


# ---- flat, real, imag ----


def through_flat(a, x):
    b = a * 1.0
    b.flat[3] = x[0] * x[1]
    b.flat[-2] += x[2]
    b.flat[[1, 6]] = x[3:]
    b.flat[8:10] = b.flat[0:2] * b.flat[5]
    y = np.empty(5)
    y.flat = x * x
    y.flat[2] *= x[0]
    c = np.empty((2, 3))
    c.flat = x
    return np.sum(b * b * a) + np.sum(y) * np.sum(c.flat)


def parts_of_complex(x):
    z = np.zeros(5, complex)
    z.real = x
    z.imag[0] = x[1] ** 2
    z.real[1:] += x[:4]
    z.imag -= 0.5 * x
    z.imag[2:] *= x[2:]
    z *= z[0]
    return np.sum(np.abs(z) ** 2)


def parts_in_a_loop(x, n):
    z = x + 0.5j * x[::-1]
    for k in range(n):
        z.real[k] = z.imag[k] * z.real[k + 1]
        z.imag = z.real * x
    return np.sum(np.real(z * z))


def real_of_a_real_array(x):
    y = x * 1.0
    y.real[1:] = x[:-1] ** 2
    y.real *= x
    return np.sum(y * y)


# ---- op= and indices ----


def every_operator(x):
    y = x * x + 1.0
    y -= 0.5 * x
    y *= y[0]
    y /= x + 2.0
    y **= 2
    y %= 0.7
    y //= 0.01
    z = x * 3.0
    z[1] -= x[0]
    z[2:] *= x[2:]
    z[::-2] /= 2.0 + x[:3]
    z[...] **= 2
    z[[0, 3]] += x[1]
    z[x > 0.75] -= x[0]
    z[-1] %= 0.4
    return np.sum(z * z) + np.sum(y)


def every_index(a, x):
    b = a[None] * np.ones((2, 1, 1))
    b[..., 1] *= x[0]
    b[1, :, ::-1] -= a * a
    b[:, [0, 2], 1:3] /= x[1]
    b[0, a > 0.5] *= 2.0
    b[1, np.array([0, 1]), np.array([1, 3])] = x[:2]
    b[:, None, 0] += x[2]
    b[::-1, 1] = b[:, 2] * b[:, 0]
    return np.sum(b * b)


def products_in_place(a):
    b = a * 1.0
    b @= a
    c = b[:2]
    d = c @ a
    b[1:] @= a.T
    return np.sum(b * b) + np.sum(d)


def open_mesh(a):
    b = a * a
    rows, columns = np.array([0, 2]), [1, 0, 3]
    c = b[np.ix_(rows, columns)]
    b[np.ix_(rows, [2, 3])] = c[:, 1:] * c[:, :2]
    b[np.ix_([1], columns)] *= a[0, :3]
    return np.sum(b * b) + np.sum(c)


def chained_targets(x):
    y = x * 1.0
    z = x * x
    y[0] = z[1] = v = x[2] * x[3]
    y[2:4] = z[:2] = x[1:3] * v
    w = z[4] = y[1] + v
    return np.sum(y * z) * w


def swapped_elements(x, n):
    y = x * x
    for i in range(n):
        j = 4 - i
        y[i], y[j] = y[j] * 2.0, y[i]
        y[i], y[i + 1] = y[i + 1], y[i]
    y[0], y[1], y[2] = y[2], y[0] * x[0], y[1]
    return np.sum(y * np.array([1.0, 10.0, 100.0, 1000.0, 10000.0]))


def sliding_windows(x):
    w = np.lib.stride_tricks.sliding_window_view(x, 3)
    return np.sum(w[:, 0] * w[:, 1] ** 2 - w[:, 2]) + np.sum(np.max(w, axis=1) ** 2)


def windows_of_a_matrix(a):
    w = np.lib.stride_tricks.sliding_window_view(a, (2, 2))
    s = np.lib.stride_tricks.sliding_window_view(a, 2, axis=0)
    return np.sum(np.sum(w, axis=(2, 3)) ** 2) + np.sum(s[..., 0] * s[..., 1] ** 2)


def callee_with_out(x):
    y = np.empty(5)
    scaled_square(x, 0.5, out=y)
    scaled_square(y, y[0], y)
    return np.sum(y)


def scaled_square(v, k, out):
    np.square(v, out)
    out *= k
    return out


PROGRAMS = [
    Program(out_of_ufuncs, (X,)),
    Program(out_reused_in_a_loop, (X, Y, 3), (0, 1)),
    Program(out_is_a_slice_of_an_operand, (X,)),
    Program(out_of_reductions, (B,)),
    Program(out_of_products, (B, X), (0, 1)),
    Program(out_of_clip_and_maximum, (X, Y), (0, 1)),
    Program(out_where, (np.abs(X), Y), (0, 1)),
    Program(out_where_divides_by_zero, (X,)),
    Program(out_into_rows, (B,)),
    Program(out_on_one_path, (X,)),
    Program(out_of_no_derivative, (X,)),
    Program(out_is_an_argument, (X, Y), (0, 1)),
    Program(filled, (X,)),
    Program(copied_by_mask, (X, Y), (0, 1)),
    Program(put_by_flat_indices, (B, X), (0, 1)),
    Program(put_repeatedly, (X,)),
    Program(diagonals, (B, X), (0, 1)),
    Program(filled_in_a_loop, (X, 4)),
    Program(along_an_axis, (B,)),
    Program(sorted_in_place, (X,)),
    Program(sorted_rows, (B,)),
    Program(sorted_in_a_loop, (X, 3)),
    Program(at_once_for_each_time, (X,)),
    Program(extremes_at, (X, Y), (0, 1)),
    Program(through_flat, (B, X), (0, 1)),
    Program(parts_of_complex, (X,)),
    Program(parts_in_a_loop, (X, 3)),
    Program(real_of_a_real_array, (X,)),
    Program(every_operator, (X,)),
    Program(every_index, (B, X), (0, 1)),
    Program(products_in_place, (A,)),
    Program(open_mesh, (B,)),
    Program(chained_targets, (X,)),
    Program(swapped_elements, (X, 2)),
    Program(sliding_windows, (X,)),
    Program(windows_of_a_matrix, (B,)),
    Program(callee_with_out, (X,)),
]
