"""Whole small methods: root finding, integration, regression, networks, relaxation."""

import numpy as np

from tests.corpus import Program

rng = np.random.default_rng(11)


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
    B = A0.copy()
    for _ in range(n):
        B[1:-1, 1:-1] = 0.25 * (A[1:-1, :-2] + A[1:-1, 2:] + A[2:, 1:-1] + A[:-2, 1:-1])
        A, B = B, A
    return np.sum(A * A)


def newton(a):
    x = a
    while abs(x * x - a) > 1e-12:
        x = 0.5 * (x + a / x)
    return x


def dot_of_lists(ys, xs):
    acc = 0.0
    for y, x in zip(ys, xs):
        acc = y * x + acc
    return acc


def matvec_of_lists(A, x):
    s = 0.0
    for row in A:
        r = dot_of_lists(row, x)
        s = s + r * r
    return s


def projectile(v, angle):
    x, y = 0.0, 1.0
    vx, vy = v * np.cos(angle), v * np.sin(angle)
    while y > 0.0:
        x, y = x + 0.05 * vx, y + 0.05 * vy
        vy = vy - 0.05 * 9.81
        if vx > 5.0:
            vx = vx * 0.99
    return x + y * vx / vy


def gradient_descent(w0, X, y, rate, n):
    w = w0
    for _ in range(n):
        r = X @ w - y
        w = w - rate * (X.T @ r)
    return np.sum((X @ w - y) ** 2)


def covariance_log_likelihood(x, mean, scale):
    d = x - mean
    cov = scale * np.eye(3) + np.outer(d[0], d[0])
    s = 0.0
    for row in d:
        s = s - 0.5 * row @ np.linalg.solve(cov, row)
    return s - 0.5 * len(x) * np.log(np.linalg.det(cov))


PROGRAMS = [
    Program(
        mlp,
        (
            rng.normal(size=(4, 3)),
            rng.normal(size=3),
            rng.normal(size=(3, 2)),
            rng.normal(size=2),
            rng.normal(size=(5, 4)),
            np.eye(2)[[0, 1, 1, 0, 1]],
        ),
        (0, 1, 2, 3),
    ),
    Program(logistic_regression, (rng.normal(size=3), rng.normal(size=(6, 3)), np.array([1.0, -1.0, 1.0, 1.0, -1.0, 1.0])), (0, 1)),
    Program(rk4, (np.array([1.0, 0.8, 1.2]), np.array([10.0, 2.8, 2.6]), 0.05, 4), (0, 1, 2)),
    Program(jacobi, (rng.normal(size=(5, 6)), 3)),
    Program(newton, (3.0,)),
    Program(matvec_of_lists, (rng.normal(size=(3, 4)).tolist(), rng.normal(size=4).tolist()), (0, 1)),
    Program(projectile, (7.0, 0.8), (0, 1)),
    Program(gradient_descent, (rng.normal(size=3), rng.normal(size=(6, 3)), rng.normal(size=6), 0.05, 4), (0, 1, 2)),
    Program(covariance_log_likelihood, (rng.normal(size=(4, 3)), rng.normal(size=3), 1.4), (0, 1, 2)),
]
