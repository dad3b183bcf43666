"""*args, **kwargs, defaults, structures as arguments and results."""

import numpy as np

from tests.corpus import Program


def weighted(a, b, scale=1.0):
    return scale * a * b


def forwarded(*args, **options):
    return weighted(*args, **options) + sum(args)


def variadic(first, *rest):
    s = first
    for k, v in enumerate(rest):
        s = s * v + k
    return s


def with_defaults(x, n=3, scale=0.5):
    for _ in range(n):
        x = scale * x * x + x
    return x


def positional_only(a, /, b, *, c=2.0):
    return a * b * c + a / c


def options_of_callee(x, y):
    options = {"scale": y}
    return weighted(x, b=x, **options)


def dict_of_parameters(params, x):
    return np.sum(np.tanh(params["w"] * x + params["b"]))


def pair_of_arrays(pair, c):
    a, b = pair
    return np.sum(a * b) * c + pair[0][1]


def list_of_numbers(xs):
    s = 0.0
    for i in range(len(xs)):
        s = s + xs[i] * xs[len(xs) - 1 - i] * (i + 1)
    return s


def dict_result(x):
    return {"sine": np.sin(x), "pair": (x * x, [x, 1])}


PROGRAMS = [
    Program(forwarded, (0.7, 2.0)),
    Program(variadic, (0.7, 2.0, 0.4, -0.3), (0, 1)),
    Program(with_defaults, (0.7,)),
    Program(with_defaults, (0.7, 2, 0.3), (0, 2), "with_defaults_given"),
    Program(positional_only, (0.7, 2.0), (0, 1)),
    Program(options_of_callee, (0.7, 2.0), (0, 1)),
    Program(dict_of_parameters, ({"w": np.array([0.2, 0.4]), "b": 0.1}, np.array([1.0, 2.0])), (0, 1)),
    Program(pair_of_arrays, ((np.array([0.2, 0.4]), np.array([1.0, 2.0])), 0.7), (0, 1)),
    Program(list_of_numbers, ([0.5, 1.5, 2.5],)),
    Program(dict_result, (0.7,)),
]
