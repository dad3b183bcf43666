"""break, continue, early return, else of loops."""

import numpy as np

from tests.corpus import Program

X = np.array([0.7, 1.1, 0.4, 1.6, 0.9])


def until_large(x):
    y = 1.0
    for _ in range(10):
        y = y * x
        if y > 3.0:
            break
    return y * x


def returned_from_loop(x):
    for _ in range(6):
        x = x * 1.5
        if x > 6.0:
            return x * x
    return x


def search_with_else(x, y):
    for v in x:
        if v > y:
            found = v * y
            break
    else:
        found = y * y
    return found + x[0]


def inner_and_outer(x, n):
    s = 1.0
    for i in range(n):
        for j in range(n):
            s = s * (1.0 + 0.1 * x[j])
            if s > 3.0 + i:
                break
            if i == 2 and j == 3:
                return s * s * x[i]
            s = s + x[i] * x[j]
        if s > 50.0:
            break
    return s * 2.0


def early_returns(x, y):
    if x < 0.0:
        return y
    z = x * y
    if z > 1.0:
        return z * z
    z = np.sin(z)
    return z * x


def skipping(x):
    s = x[0]
    for i in range(1, len(x)):
        if x[i] < 0.5:
            continue
        s = s * x[i] + x[i - 1]
        if s > 4.0:
            break
    return s


PROGRAMS = [
    Program(until_large, (1.3,)),
    Program(returned_from_loop, (2.0,)),
    Program(search_with_else, (X, 1.0), (0, 1)),
    Program(search_with_else, (X, 2.0), (0, 1), "search_without_find"),
    Program(inner_and_outer, (X, 5)),
    Program(early_returns, (0.7, 0.9), (0, 1)),
    Program(early_returns, (1.7, 0.9), (0, 1), "early_returns_second"),
    Program(skipping, (X,)),
]
