"""The functions whose derivatives are timed, as a user writes them."""
# ruff: noqa: B905 (zip without strict= is what is timed: as users write it)

from __future__ import annotations

import math

import numpy as np


def softplus(x: float, y: float):
    return math.log(1 + math.exp(x * (x + y)))


def softplus_of_arrays(x, y):
    return np.log(1 + np.exp(x * (x + y)))


def mlp(W1, b1, W2, b2, X, Y):
    h = np.tanh(X @ W1 + b1)
    z = h @ W2 + b2
    zmax = np.max(z, axis=1, keepdims=True)
    lse = np.log(np.sum(np.exp(z - zmax), axis=1, keepdims=True)) + zmax
    return -np.mean(np.sum(Y * (z - lse), axis=1))


def logistic_regression(w, X, y):
    s = X @ w
    return np.mean(np.log(1.0 + np.exp(-y * s)))


def lorenz(s, p):
    return np.array([p[0] * (s[1] - s[0]), s[0] * (p[1] - s[2]) - s[1], s[0] * s[1] - p[2] * s[2]])


def rk4(s, p, h, n):
    for _ in range(n):
        k1 = lorenz(s, p)
        k2 = lorenz(s + 0.5 * h * k1, p)
        k3 = lorenz(s + 0.5 * h * k2, p)
        k4 = lorenz(s + h * k3, p)
        s = s + h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4)
    return np.sum(s * s)


def jacobi(A0, n):
    A = A0.copy()
    for _ in range(n):
        A[1:-1, 1:-1] = 0.2 * (A[1:-1, 1:-1] + A[1:-1, :-2] + A[1:-1, 2:] + A[2:, 1:-1] + A[:-2, 1:-1])
    return np.sum(A * A)


def newton(a):
    x = a
    while abs(x * x - a) > 1e-12:
        x = 0.5 * (x + a / x)
    return x


def recurrence(a, x):
    n = x.shape[0]
    y = np.zeros(n)
    y[0] = x[0]
    for i in range(1, n):
        y[i] = a * y[i - 1] + x[i] ** 2
    return np.sum(y)


def dot_of_lists(ys: list[float], xs: list[float]):
    acc = 0.0
    for y, x in zip(ys, xs):
        acc = y * x + acc
    return acc


def matvec(A: list[list[float]], x: list[float]):
    s = 0.0
    for row in A:
        r = dot_of_lists(row, x)
        s = s + r * r
    return s


def rotate(r0, r1, r2, d0, d1, d2):
    """Rodrigues' formula; the angle is the length of r, in radians."""
    angle = math.sqrt(r0 * r0 + r1 * r1 + r2 * r2)
    c = math.cos(angle)
    s = math.sin(angle)
    a0 = r0 / angle
    a1 = r1 / angle
    a2 = r2 / angle
    along = (a0 * d0 + a1 * d1 + a2 * d2) * (1.0 - c)
    return (
        d0 * c + (a1 * d2 - a2 * d1) * s + a0 * along,
        d1 * c + (a2 * d0 - a0 * d2) * s + a1 * along,
        d2 * c + (a0 * d1 - a1 * d0) * s + a2 * along,
    )


def bundle_residual(r0, r1, r2, c0, c1, c2, f, u0, v0, k1, k2, x0, x1, x2, w, m0, m1):
    """One observation of bundle adjustment: rotation, centre, focal length, principal point, distortion, point, weight; the measurement."""
    y0, y1, y2 = rotate(r0, r1, r2, x0 - c0, x1 - c1, x2 - c2)
    px = y0 / y2
    py = y1 / y2
    rho = px * px + py * py
    distortion = 1.0 + k1 * rho + k2 * rho * rho
    return w * (px * distortion * f + u0 - m0), w * (py * distortion * f + v0 - m1)


def two_rotations(p, m):
    q0, q1, q2 = rotate(p[6], p[7], p[8], p[9], p[10], p[11])
    y0, y1, y2 = rotate(p[0], p[1], p[2], q0 + p[3], q1 + p[4], q2 + p[5])
    return y0 - m[0], y1 - m[1], y2 - m[2]
