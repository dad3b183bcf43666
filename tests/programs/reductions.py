"""Sums, means, products, extremes, with axis and keepdims."""

import numpy as np

from tests.corpus import Program

A = np.array([[0.4, 1.3, -0.7], [2.1, 0.2, 0.9]])


def sums(a):
    return np.sum(a, axis=0) @ np.sum(a, axis=0) + a.sum() * np.sum(a, axis=1, keepdims=True)[0, 0]


def means(a):
    return np.mean(a * a) + np.sum(np.mean(a, axis=-1) ** 3) + a.mean(axis=(0, 1)) ** 2


def spread(a):
    return np.var(a) + np.sum(np.std(a, axis=1)) + a.std()


def products(a):
    return np.prod(a) + np.sum(a.prod(axis=0) ** 2)


def extremes(a):
    return np.max(a) * np.min(a) + np.sum(a.max(axis=1) ** 2) + np.sum(np.min(a, axis=0, keepdims=True) * a)


def log_sum_exp(a):
    m = np.max(a, axis=1, keepdims=True)
    return np.sum(np.log(np.sum(np.exp(a - m), axis=1, keepdims=True)) + m)


def running_sums(a):
    return np.sum(np.cumsum(a, axis=1) * a) + np.cumsum(a)[3] ** 2


def norms(a):
    return np.linalg.norm(a) + np.linalg.norm(a[0]) * np.sum(np.linalg.norm(a, axis=0))


PROGRAMS = [
    Program(sums, (A,)),
    Program(means, (A,)),
    Program(spread, (A,)),
    Program(products, (A,)),
    Program(extremes, (A,)),
    Program(log_sum_exp, (A,)),
    Program(running_sums, (A,)),
    Program(norms, (A,)),
]
