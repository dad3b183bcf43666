"""Conditions on values that stay, that change, and that decide what a name means."""

import numpy as np

from tests.corpus import Program


def huber(x, delta):
    if abs(x) < delta:
        return 0.5 * x * x
    return delta * (abs(x) - 0.5 * delta)


def overwritten_condition(x):
    if x > 1.0:
        x = x * 3.0
    elif x > 0.0:
        x = x * x
    else:
        x = np.exp(x)
    if x > 0.5:
        x = x + np.sin(x)
    return x * 2.0


def smooth_step(t):
    t = 0.0 if t < 0.0 else 1.0 if t > 1.0 else t
    return t * t * (3.0 - 2.0 * t)


def piecewise_by_flags(x, y):
    inside = x * x + y * y < 4.0
    right = not x < 0.0
    if inside and right:
        z = x * y
    elif inside or right:
        z = x - y
    else:
        z = x / y
    return z * z


def bound_in_one_branch(x, positive):
    y = x
    if positive:
        scale = np.exp(x)
        y = scale * x
    return y * y if not positive else y + scale


def nested(x, y):
    if x > 0.0:
        if 0.0 < y < 2.0:
            x = x * y
        else:
            y = y * y
        x = x + y
    return x * y


PROGRAMS = [
    Program(huber, (0.3, 1.0), (0, 1), "huber_inside"),
    Program(huber, (2.3, 1.0), (0, 1), "huber_outside"),
    Program(overwritten_condition, (0.8,)),
    Program(overwritten_condition, (-0.4,), name="overwritten_condition_negative"),
    Program(smooth_step, (0.3,)),
    Program(piecewise_by_flags, (1.1, 0.7), (0, 1)),
    Program(piecewise_by_flags, (-3.1, 2.7), (0, 1), "piecewise_outside"),
    Program(bound_in_one_branch, (0.7, True)),
    Program(nested, (0.7, 1.4), (0, 1)),
    Program(nested, (0.7, 2.4), (0, 1), "nested_else"),
]
