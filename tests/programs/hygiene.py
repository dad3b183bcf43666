"""Names that clash: with generated ones, with builtins, with modules, between caller and callee."""

import math

import numpy as np
import numpy as xp
from numpy import sin as sine

from tests.corpus import Program

SCALE = 1.5


def names_like_ours(x, x_bar):
    t = x * 2.0
    t2 = t * x_bar
    y_bar, x_dot, value, c, trips, flag = 1.0, 2.0, 3.0, 4.0, 5.0, 6.0
    for i in range(2):
        trips = trips + t2 * i
    return t * y_bar + t2 * x_dot + value + c * trips + flag


def parameter_called_np(np, x):
    return xp.sin(np) * x + math.exp(np * x)


def shadowed_builtins(x):
    list = [x, x * x]
    range = 3
    abs = list[1] * range
    return abs * list[0]


def callee_with_global(x):
    return x * SCALE


def local_here_global_there(x):
    SCALE = x * x
    return callee_with_global(SCALE) + SCALE


def make_same_name(power):
    def g(v):
        return v**power

    return g


square = make_same_name(2)
cube = make_same_name(3)


def same_names(x):
    g = x * 2.0
    return square(x) * cube(g) + square(g)


def by_other_names(x):
    return sine(x) * xp.cos(x) + np.tanh(x)


def deleted_name(x):
    y = x * x
    z = y * x
    del y
    y = z + 1.0
    return y * z


def unicode_names(α, β):
    σ = α * β
    Δx = σ**2
    return Δx + β


PROGRAMS = [
    Program(names_like_ours, (0.7, 0.2), (0, 1)),
    Program(parameter_called_np, (0.7, 0.2), (0, 1)),
    Program(shadowed_builtins, (0.7,)),
    Program(local_here_global_there, (0.7,)),
    Program(same_names, (0.7,)),
    Program(by_other_names, (0.7,)),
    Program(deleted_name, (0.7,)),
    Program(unicode_names, (0.7, 0.2), (0, 1)),
]
