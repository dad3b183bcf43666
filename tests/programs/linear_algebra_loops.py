"""Linear algebra by loops over elements, rows and slices, as textbooks print it."""

import math

import numpy as np

from tests.corpus import Program

rng = np.random.default_rng(32)
M = rng.uniform(-1.0, 1.0, (4, 4)) + 4.0 * np.eye(4)
S = M @ M.T + np.eye(4)
L = np.tril(M)
B = rng.uniform(-1.0, 1.0, 4)
T = rng.uniform(-1.0, 1.0, 5)
C = rng.uniform(-1.0, 1.0, (4, 3))


def lu(matrix):
    a = matrix.copy()
    n = len(a)
    for k in range(n):
        for i in range(k + 1, n):
            a[i, k] /= a[k, k]
            for j in range(k + 1, n):
                a[i, j] -= a[i, k] * a[k, j]
    return np.sum(a * a)


def lu_rows(a):
    """Gaussian elimination by rows, into the argument itself."""
    n = a.shape[0]
    for k in range(n - 1):
        for i in range(k + 1, n):
            a[i, k] = a[i, k] / a[k, k]
            a[i, k + 1 :] -= a[i, k] * a[k, k + 1 :]
    return np.sum(np.tril(a, -1) ** 2) + np.prod(np.diag(a))


def lu_blocks(a):
    """A rank-one update at each step."""
    a = a.copy()
    for k in range(a.shape[0] - 1):
        a[k + 1 :, k] /= a[k, k]
        a[k + 1 :, k + 1 :] -= np.outer(a[k + 1 :, k], a[k, k + 1 :])
    return np.sum(a**2)


def pivoted_solve(a, b):
    """Gaussian elimination with row exchanges, then back substitution."""
    a, b = a.copy(), b.copy()
    n = len(b)
    for k in range(n):
        p = k + np.argmax(np.abs(a[k:, k]))
        if p != k:
            a[[k, p]] = a[[p, k]]
            b[k], b[p] = b[p], b[k]
        for i in range(k + 1, n):
            m = a[i, k] / a[k, k]
            a[i, k:] -= m * a[k, k:]
            b[i] -= m * b[k]
    x = np.zeros(n)
    for i in range(n - 1, -1, -1):
        x[i] = (b[i] - a[i, i + 1 :] @ x[i + 1 :]) / a[i, i]
    return np.sum(x * x)


def cholesky(a):
    n = a.shape[0]
    l = np.zeros_like(a)
    for i in range(n):
        for j in range(i + 1):
            s = a[i, j]
            for k in range(j):
                s -= l[i, k] * l[j, k]
            if i == j:
                l[i, j] = np.sqrt(s)
            else:
                l[i, j] = s / l[j, j]
    return np.sum(l * l * l)


def cholesky_in_place(matrix):
    a = matrix.copy()
    n = len(a)
    for i in range(n):
        for j in range(i):
            for k in range(j):
                a[i, j] -= a[i, k] * a[j, k]
            a[i, j] /= a[j, j]
        for k in range(i):
            a[i, i] -= a[i, k] * a[i, k]
        a[i, i] = math.sqrt(a[i, i])
    return np.sum(np.tril(a))


def cholesky_columns(a):
    l = np.zeros(a.shape)
    for j in range(len(a)):
        l[j, j] = np.sqrt(a[j, j] - np.dot(l[j, :j], l[j, :j]))
        l[j + 1 :, j] = (a[j + 1 :, j] - l[j + 1 :, :j] @ l[j, :j]) / l[j, j]
    return np.sum(np.log(np.diag(l)))


def triangular_solve(l, b):
    n = len(b)
    x = np.zeros(n)
    for i in range(n):
        x[i] = b[i]
        for j in range(i):
            x[i] -= l[i, j] * x[j]
        x[i] = x[i] / l[i, i]
    return np.sum(x * x)


def triangular_solve_rows(l, b):
    x = b.copy()
    for i in range(x.size):
        x[i] = (x[i] - l[i, :i] @ x[:i]) / l[i, i]
    return np.sum(x**2)


def thomas(lower, diagonal, upper, right):
    """A tridiagonal system, with the two sweeps into copies of its right side and upper diagonal."""
    n = len(diagonal)
    c, d = upper.copy(), right.copy()
    c[0] = upper[0] / diagonal[0]
    d[0] = right[0] / diagonal[0]
    for i in range(1, n):
        m = diagonal[i] - lower[i] * c[i - 1]
        c[i] = upper[i] / m
        d[i] = (right[i] - lower[i] * d[i - 1]) / m
    x = np.zeros(n)
    x[-1] = d[-1]
    for i in range(n - 2, -1, -1):
        x[i] = d[i] - c[i] * x[i + 1]
    return np.sum(x * x)


def durbin(r):
    """The Yule-Walker equations of a Toeplitz matrix."""
    n = len(r)
    y = np.zeros(n)
    y[0] = -r[0]
    beta = 1.0
    alpha = -r[0]
    for k in range(1, n):
        beta = (1.0 - alpha * alpha) * beta
        alpha = -(r[k] + np.dot(r[:k][::-1], y[:k])) / beta
        y[:k] = y[:k] + alpha * y[:k][::-1]
        y[k] = alpha
    return np.sum(y * y)


def durbin_elements(r):
    n = len(r)
    y = np.zeros(n)
    z = np.zeros(n)
    y[0] = -r[0]
    beta, alpha = 1.0, -r[0]
    for k in range(1, n):
        beta *= 1.0 - alpha**2
        total = 0.0
        for i in range(k):
            total += r[k - i - 1] * y[i]
        alpha = -(r[k] + total) / beta
        for i in range(k):
            z[i] = y[i] + alpha * y[k - i - 1]
        for i in range(k):
            y[i] = z[i]
        y[k] = alpha
    return np.sum(y**2)


def lag_products(r):
    """Views that grow shorter: what the way back makes for one of them has its length, not that of the one before."""
    s = 0.0
    for k in range(len(r), 0, -2):
        s += np.dot(r[:k][::-1], r[:k])
    return s


def shrinking_sweep(x):
    """Work in double precision on what may be single: parts that grow shorter, cast back on the way back."""
    y = np.zeros(len(x))
    for k in range(len(x) - 1):
        y[k + 1 :] = (x[k + 1 :] * 2.0 - y[k]) / (1.0 + y[k])
    return np.sum(y * y)


def givens_qr(a):
    r = a.copy()
    m, n = r.shape
    for j in range(n):
        for i in range(m - 1, j, -1):
            h = np.hypot(r[i - 1, j], r[i, j])
            c, s = r[i - 1, j] / h, r[i, j] / h
            top = c * r[i - 1] + s * r[i]
            r[i] = c * r[i] - s * r[i - 1]
            r[i - 1] = top
    return np.sum(np.abs(r[:n] @ np.arange(1.0, n + 1)))


def jacobi_rotations(a, sweeps):
    """Eigenvalues of a symmetric matrix by plane rotations."""
    a = a.copy()
    n = len(a)
    for _ in range(sweeps):
        for p in range(n - 1):
            for q in range(p + 1, n):
                theta = 0.5 * math.atan2(2.0 * a[p, q], a[q, q] - a[p, p])
                c, s = math.cos(theta), math.sin(theta)
                for k in range(n):
                    akp, akq = a[k, p], a[k, q]
                    a[k, p] = c * akp - s * akq
                    a[k, q] = s * akp + c * akq
                for k in range(n):
                    apk, aqk = a[p, k], a[q, k]
                    a[p, k] = c * apk - s * aqk
                    a[q, k] = s * apk + c * aqk
    return np.sum(np.diag(a) * np.arange(1.0, n + 1))


def gram_schmidt(a):
    """Modified Gram-Schmidt: the columns are made orthogonal in place."""
    q = a.copy()
    m, n = q.shape
    r = np.zeros((n, n))
    for k in range(n):
        r[k, k] = np.sqrt(np.sum(q[:, k] ** 2))
        q[:, k] /= r[k, k]
        for j in range(k + 1, n):
            r[k, j] = q[:, k] @ q[:, j]
            q[:, j] -= r[k, j] * q[:, k]
    return np.sum(r) + np.sum(q[0] * q[1])


def horner(coefficients, x):
    value = np.zeros_like(x)
    for c in coefficients[::-1]:
        value *= x
        value += c
    return np.sum(value)


def clenshaw(c, x):
    """A Chebyshev series at a point."""
    n = len(c)
    b = np.zeros(n + 2)
    for k in range(n - 1, 0, -1):
        b[k] = c[k] + 2.0 * x * b[k + 1] - b[k + 2]
    return c[0] + x * b[1] - b[2]


def clenshaw_scalars(c, x):
    b1, b2 = 0.0, 0.0
    for k in range(len(c) - 1, 0, -1):
        b1, b2 = c[k] + 2.0 * x * b1 - b2, b1
    return c[0] + x * b1 - b2


def power_iteration(a, n):
    v = np.ones(a.shape[0])
    for _ in range(n):
        v[:] = a @ v
        v /= np.sqrt(v @ v)
    return v @ a @ v


PROGRAMS = [
    Program(lu, (M,)),
    Program(lu_rows, (M,)),
    Program(lu_blocks, (M,)),
    Program(pivoted_solve, (M[[2, 0, 3, 1]], B), (0, 1)),
    Program(cholesky, (S,)),
    Program(cholesky_in_place, (S,)),
    Program(cholesky_columns, (S,)),
    Program(cholesky_columns, (S.astype(np.float32),), name="cholesky_columns_single"),
    Program(triangular_solve, (L, B), (0, 1)),
    Program(triangular_solve_rows, (L, B), (0, 1)),
    Program(thomas, (T, T[::-1] + 3.0, T * 0.5, T**2), (0, 1, 2, 3)),
    Program(durbin, (T * 0.5,)),
    Program(durbin_elements, (T * 0.5,)),
    Program(lag_products, (T,)),
    Program(shrinking_sweep, (T,)),
    Program(shrinking_sweep, (np.abs(T).astype(np.float32),), name="shrinking_sweep_single"),
    Program(givens_qr, (C,)),
    Program(jacobi_rotations, (S, 2)),
    Program(gram_schmidt, (C,)),
    Program(horner, (T, B), (0, 1)),
    Program(clenshaw, (T, 0.3), (0, 1)),
    Program(clenshaw_scalars, (T, 0.3), (0, 1)),
    Program(power_iteration, (S, 2)),
]
