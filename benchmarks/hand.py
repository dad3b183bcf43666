"""Value and gradient of the programs as a person derives them: (value, gradient, …) in the order of `benchmarks.programs`."""
# ruff: noqa: B905 (zip without strict= is what is timed: as users write it)

from __future__ import annotations

import math

import numpy as np

from .programs import lorenz


def softplus(x, y):
    s = x + y
    e = math.exp(x * s)
    q = 1.0 + e
    w = e / q
    return math.log(q), (w * (s + x), w * x)


def softplus_of_arrays(x, y):
    s = x + y
    e = np.exp(x * s)
    q = 1.0 + e
    w = e / q
    return np.log(q), (w * (s + x), w * x)


def mlp(W1, b1, W2, b2, X, Y):
    h = np.tanh(X @ W1 + b1)
    z = h @ W2 + b2
    zmax = np.max(z, axis=1, keepdims=True)
    e = np.exp(z - zmax)
    total = np.sum(e, axis=1, keepdims=True)
    lse = np.log(total) + zmax
    value = -np.mean(np.sum(Y * (z - lse), axis=1))
    z_bar = (e / total * np.sum(Y, axis=1, keepdims=True) - Y) * (1.0 / X.shape[0])
    a_bar = (z_bar @ W2.T) * (1.0 - h * h)
    return value, (X.T @ a_bar, np.sum(a_bar, axis=0), h.T @ z_bar, np.sum(z_bar, axis=0))


def logistic_regression(w, X, y):
    s = X @ w
    e = np.exp(-y * s)
    q = 1.0 + e
    s_bar = (e / q) * (-y) * (1.0 / y.size)
    return np.mean(np.log(q)), s_bar @ X


def _lorenz_reverse(s, p, k_bar, p_bar):
    b0, b1, b2 = k_bar[0], k_bar[1], k_bar[2]
    p_bar[0] += b0 * (s[1] - s[0])
    p_bar[1] += b1 * s[0]
    p_bar[2] -= b2 * s[2]
    return np.array([-p[0] * b0 + (p[1] - s[2]) * b1 + s[1] * b2, p[0] * b0 - b1 + s[0] * b2, -s[0] * b1 - p[2] * b2])


def rk4(s, p, h, n):
    saved = []
    for _ in range(n):
        k1 = lorenz(s, p)
        s2 = s + 0.5 * h * k1
        k2 = lorenz(s2, p)
        s3 = s + 0.5 * h * k2
        k3 = lorenz(s3, p)
        s4 = s + h * k3
        k4 = lorenz(s4, p)
        saved.append((s, s2, s3, s4))
        s = s + h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4)
    value = np.sum(s * s)
    s_bar = 2.0 * s
    p_bar = np.zeros(3)
    for _ in range(n):
        s, s2, s3, s4 = saved.pop()
        b = h / 6.0 * s_bar
        b4 = _lorenz_reverse(s4, p, b, p_bar)
        b3 = _lorenz_reverse(s3, p, 2.0 * b + h * b4, p_bar)
        b2 = _lorenz_reverse(s2, p, 2.0 * b + 0.5 * h * b3, p_bar)
        b1 = _lorenz_reverse(s, p, b + 0.5 * h * b2, p_bar)
        s_bar = s_bar + b1 + b2 + b3 + b4
    return value, (s_bar, p_bar)


def jacobi(A0, n):
    A = A0.copy()
    for _ in range(n):
        A[1:-1, 1:-1] = 0.2 * (A[1:-1, 1:-1] + A[1:-1, :-2] + A[1:-1, 2:] + A[2:, 1:-1] + A[:-2, 1:-1])
    value = np.sum(A * A)
    A_bar = 2.0 * A
    for _ in range(n):
        b = 0.2 * A_bar[1:-1, 1:-1]
        A_bar[1:-1, 1:-1] = b
        A_bar[1:-1, :-2] += b
        A_bar[1:-1, 2:] += b
        A_bar[2:, 1:-1] += b
        A_bar[:-2, 1:-1] += b
    return value, A_bar


def newton(a):
    x = a
    saved = []
    while abs(x * x - a) > 1e-12:
        saved.append(x)
        x = 0.5 * (x + a / x)
    value = x
    x_bar = 1.0
    a_bar = 0.0
    while saved:
        x = saved.pop()
        t = 0.5 * x_bar
        q = t / x
        a_bar += q
        x_bar = t - q * a / x
    return value, a_bar + x_bar


def recurrence(a, x):
    n = x.shape[0]
    y = np.zeros(n)
    y[0] = x[0]
    for i in range(1, n):
        y[i] = a * y[i - 1] + x[i] ** 2
    value = np.sum(y)
    x_bar = np.zeros(n)
    a_bar = 0.0
    b = 1.0
    for i in range(n - 1, 0, -1):
        a_bar += b * y[i - 1]
        x_bar[i] = 2.0 * x[i] * b
        b = a * b + 1.0
    x_bar[0] = b
    return value, (a_bar, x_bar)


def matvec(A, x):
    s = 0.0
    rs = []
    for row in A:
        r = 0.0
        for a, b in zip(row, x):
            r = a * b + r
        rs.append(r)
        s = s + r * r
    x_bar = [0.0] * len(x)
    A_bar = []
    for row, r in zip(A, rs):
        r_bar = 2.0 * r
        A_bar.append([r_bar * b for b in x])
        x_bar = [g + r_bar * a for g, a in zip(x_bar, row)]
    return s, (A_bar, x_bar)
