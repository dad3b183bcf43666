"""Functions that see names of the functions around them."""

import numpy as np

from tests.corpus import Program


def nested_definition(x, y):
    def g(u):
        return u * y + x

    return g(x) * g(2.0)


def captured_later(x):
    k = x

    def g(v):
        return v * k

    k = x * x
    return g(x)


def make_weighted(w):
    def weighted(x):
        return np.sum(w * x**2)

    return weighted


def make_adder(step):
    return lambda v: v + step * v * v


def local_lambdas(x):
    square = lambda v: v * v  # noqa: E731 (lambdas under a name are what is tested)
    add = make_adder(x)
    return square(x) * add(square(x))


def closure_in_a_loop(x, n):
    s = 1.0
    for k in range(n):

        def term(v):
            return v**k + s

        s = term(x) * 0.5
    return s


weighted = make_weighted(np.array([1.0, 2.0, 3.0]))
cube = lambda x: x * x * x  # noqa: E731

PROGRAMS = [
    Program(nested_definition, (0.9, 2.0), (0, 1)),
    Program(captured_later, (0.9,)),
    Program(weighted, (np.array([0.9, 0.4, -0.2]),)),
    Program(local_lambdas, (0.9,)),
    Program(closure_in_a_loop, (0.9, 3)),
    Program(cube, (0.9,), name="cube"),
]
