"""Loops over ranges, arrays and lists: linear ones that save nothing, others that save what they overwrite."""

import numpy as np

from tests.corpus import Program

X = np.array([0.3, -0.8, 1.5, 0.9])
Y = np.array([1.1, 0.4, -0.6, 0.7])


def dot(x, y, n):
    s = 0
    for i in range(n):
        s += x[i] * y[i]
    return s


def iterated_sine(x, w, n):
    for _ in range(n):
        x = np.sin(x * w)
    return x


def horner(x, coefficients):
    p = 0.0
    for c in coefficients:
        p = p * x + c
    return p


def product_of_elements(x):
    p = 1.0
    for v in x:
        p = p * v + v * v
    return p


def backwards_in_steps(x):
    s = 0.0
    for i in range(len(x) - 1, -1, -2):
        s = s * 0.5 + x[i] * x[i]
    return s


def double_loop(x, y):
    s = 0.0
    for i in range(len(x)):
        for j in range(i + 1):
            s = s + x[i] * y[j] * np.cos(s)
    return s


def continued(x, n):
    s = x
    for k in range(n):
        if k % 3 == 1:
            continue
        s = s * x + k
    return s


def paired(xs, ys):
    s = 0.0
    for k, (x, y) in enumerate(zip(xs, ys)):
        s += x * y**k
    return s


def no_trip(x, n):
    y = x * 2.0
    for _ in range(n):
        y = np.sin(y)
    return y


def swapped(a, b, n):
    for _ in range(n):
        a, b = b, a * b + 0.1
    return b + a


def counter_in_the_value(x, n):
    k = 1
    s = 0.0
    for _ in range(n):
        s = s + x**k
        k = k + 2
    return s * k


PROGRAMS = [
    Program(dot, (X, Y, 4), (0, 1)),
    Program(iterated_sine, (0.9, 1.3, 4), (0, 1)),
    Program(horner, (0.7, [1.0, -2.0, 0.5, 3.0]), (0, 1)),
    Program(product_of_elements, (X,)),
    Program(backwards_in_steps, (X,)),
    Program(double_loop, (X, Y), (0, 1)),
    Program(continued, (0.9, 6)),
    Program(paired, ([0.5, 1.5, 2.0], [0.7, 1.2, 0.4]), (0, 1)),
    Program(no_trip, (0.8, 0)),
    Program(swapped, (1.1, 0.9, 5), (0, 1)),
    Program(counter_in_the_value, (0.8, 3)),
]
