"""Rules that users declare, and functions from text: both under the names that the errors tell to write."""

import numpy as np
import pytest

import sourcediff as sd


def softplus(x):
    return np.log1p(np.exp(x))


@sd.elementwise(softplus)
def softplus_rule(y, x):
    return 1.0 / (1.0 + np.exp(-x))


def weight(x):
    return float(np.max(x))


sd.constant(weight)


def lookup(x):
    return x


sd.undefined(lookup, "it reads a table")


def test_the_text_of_an_own_rule_is_in_the_derivative() -> None:
    def f(x):
        return np.sum(softplus(x) * x)

    x = np.array([0.3, -1.2])
    derivative = sd.grad(f).specialize(x)
    assert "1.0 + np.exp(-x)" in derivative.source
    np.testing.assert_allclose(derivative(x), softplus(x) + x / (1.0 + np.exp(-x)), rtol=1e-14)


def test_nothing_flows_through_a_constant() -> None:
    def f(x):
        return weight(x) * x

    assert sd.grad(f)(3.0) == 3.0


def test_an_undefined_derivative_is_refused_with_its_reason() -> None:
    with pytest.raises(sd.UnsupportedError, match="it reads a table"):
        sd.grad(lambda x: lookup(x) * x)(2.0)


def test_a_function_from_text() -> None:
    f = sd.from_source("import math\n\ndef f(x: float):\n    return math.sin(x) * x\n")
    assert sd.grad(f)(0.5) == pytest.approx(np.cos(0.5) * 0.5 + np.sin(0.5), rel=1e-15)
    assert "return math.sin(x) + x * math.cos(x)" in sd.grad(f).source


def test_a_text_of_two_functions_is_refused() -> None:
    with pytest.raises(sd.SourceError, match="exactly one function"):
        sd.from_source("x = 1\nf = 2\n")


def test_names_that_do_not_exist_are_attribute_errors() -> None:
    with pytest.raises(AttributeError, match="nothing_like_it"):
        _ = sd.nothing_like_it
    assert "elementwise" in dir(sd)
