"""Loops whose number of trips is found while they run."""

import math

from tests.corpus import Program


def growth(x):
    y = x
    n = 0
    while y < 2.0:
        y = y * 1.7 + x
        n += 1
    return y * n


def heun(y0, k):
    y, t, dt = y0, 0.0, 0.05
    while t < 1.0 - 1e-12:
        k1 = -k * y + math.sin(t)
        k2 = -k * (y + dt * k1) + math.sin(t + dt)
        y = y + 0.5 * dt * (k1 + k2)
        t += dt
    return y


def geometric_mean(a, g):
    while abs(a - g) > 1e-10:
        a, g = 0.5 * (a + g), math.sqrt(a * g)
    return a


def nested_whiles(x, n):
    s = x
    i = 0
    while i < n:
        j = 0
        while j < i:
            s = s + 0.1 * s * x
            j += 1
        i += 1
    return s


def halving(x, low, high):
    while high - low > 0.25 * x:
        middle = 0.5 * (low + high)
        if middle * middle > x:
            high = middle * x / 2.0
        else:
            low = middle
    return low * high


PROGRAMS = [
    Program(growth, (0.05,)),
    Program(heun, (0.1, 1.5), (0, 1)),
    Program(geometric_mean, (1.0, 3.0), (0, 1)),
    Program(nested_whiles, (0.7, 4)),
    Program(halving, (2.1, 0.3, 4.0), (0, 1, 2)),
]
