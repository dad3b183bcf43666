"""Functions of numbers, called with Python floats, NumPy scalars and 0-d arrays: gradients are right, and of the class of the argument."""

from __future__ import annotations

import itertools
import linecache
import math
import warnings

import numpy as np
import pytest

import sourcediff as sd

ONE = [f"math.{n}(x)" for n in "exp expm1 sin cos tan sinh cosh tanh asinh atan erf fabs radians degrees exp2 cbrt log1p".split()]
ONE += ["math.sqrt(x * x)", "math.log(x * x)", "math.asin(x)", "math.acos(x)", "math.atanh(x)", "math.acosh(1 + x * x)", "math.modf(x)[0]"]
ONE += ["math.ldexp(x, 3)", "math.pow(x, 2)", "math.floor(x)", "math.fsum([x, x, 2.0])", "math.prod([x, x, 2.0])", "math.dist([x], [2.0])"]
ONE += [
    "abs(x)",
    "max(x, 0.1)",
    "min(x, 0.1)",
    "sum([x, x * x])",
    "pow(x, 2)",
    "x ** 3",
    "float(x)",
    "round(x)",
    "round(x, 1)",
    "int(x)",
    "bool(x)",
]
ONE += [
    "np.abs(x)",
    "np.sign(x)",
    "np.maximum(x, 0.1)",
    "np.minimum(0.1, x)",
    "np.clip(x, 0.1, 0.7)",
    "np.where(x > 0, x * x, x)",
    "-x if x < 0 else x",
]
TWO = [
    "math.hypot(x, y)",
    "math.atan2(x, y)",
    "math.copysign(x, y)",
    "math.fmod(x, y)",
    "math.remainder(x, y)",
    "max(x, y)",
    "min(x, y)",
    "x % y",
]
TWO += [
    "max([x, y, 0.1])",
    "sum([x, y], x)",
    "np.maximum(x, y)",
    "np.minimum(x, y)",
    "np.copysign(x, y)",
    "np.hypot(x, y)",
    "divmod(x, y)[1]",
]
TWO += ["abs(complex(x, y))", "x if x > y else y"]
CLASSES = (float, np.float64, np.array)


def function(expression, parameters):
    source = f"def f({', '.join(parameters)}):\n    return {expression}\n"
    file = f"<number {expression}>"
    linecache.cache[file] = (len(source), None, source.splitlines(True), file)
    scope = {"np": np, "math": math}
    exec(compile(source, file, "exec"), scope)
    return scope["f"]


def cases():
    for expressions, parameters in ((ONE, ("x",)), (TWO, ("x", "y"))):
        for expression in expressions:
            for text in (expression, f"x * {expression}"):
                yield pytest.param(text, parameters, id=text)


@pytest.mark.parametrize(("expression", "parameters"), list(cases()))
def test_numbers_of_every_class(expression, parameters):
    f = function(expression, parameters)
    for values, classes in itertools.product(
        ((0.62, 0.87), (-0.62, 0.87), (0.87, -0.62)), itertools.product(CLASSES, repeat=len(parameters))
    ):
        args = [kind(v) for kind, v in zip(classes, values, strict=False)]
        try:
            f(*args)
        except TypeError:
            continue  # Python does not round a 0-d array
        gradients = sd.grad(f, wrt=parameters)(*args)
        for k, (got, arg) in enumerate(zip(gradients, args, strict=True)):
            np.testing.assert_allclose(got, difference(f, args, k), rtol=1e-6, atol=1e-8)
            assert np.shape(got) == ()
            assert isinstance(got, np.ndarray if isinstance(arg, np.ndarray) else float)
            dots = [type(a)(float(j == k)) if not isinstance(a, np.ndarray) else np.array(float(j == k)) for j, a in enumerate(args)]
            np.testing.assert_allclose(sd.jvp(f, wrt=parameters)(*args, *dots)[1], got, rtol=1e-12)


def difference(f, args, k, h=1e-6):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        up, down = ([a if j != k else np.float64(a) + s for j, a in enumerate(args)] for s in (h, -h))
        return (f(*up) - f(*down)) / (2 * h)


def test_sinc_is_right_to_any_order_at_zero_and_around_it() -> None:
    """The derivatives of sinc are integrals: pi^n * the integral of t^n cos(pi x t + n pi/2) over [0, 1]."""
    derivative = sd.grad(sd.grad(sd.grad(sd.grad(lambda x: np.sinc(x)))))
    t, weights = np.polynomial.legendre.leggauss(40)
    t, weights = (t + 1) / 2, weights / 2
    for x in (0.0, 1e-3, 0.4, 0.999, 1.001, -2.5):
        exact = math.pi**4 * np.sum(weights * t**4 * np.cos(math.pi * x * t))
        assert abs(derivative(x) - exact) < 1e-12
