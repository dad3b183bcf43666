"""What rules give where a derivative does not exist or is a matter of choice (SPEC, "Values and conventions"), in both modes."""

from __future__ import annotations

import math

import numpy as np
import pytest
from test_rules import Case

import sourcediff as sd
from sourcediff.rules import rule_for

inf, nan = np.inf, np.nan

TABLE = [
    # function, arguments, options, the partial derivative of each operand
    (abs, (0.0,), {}, [0.0]),
    (np.abs, (np.array([-2.0, 0.0, 3.0]),), {}, [[-1.0, 0.0, 1.0]]),
    (np.abs, (np.array([0j, 3 + 4j]),), {}, [[0.0, 0.6 - 0.8j]]),
    (math.fabs, (0.0,), {}, [0.0]),
    (np.maximum, (np.array([1.0, 2.0, 3.0]), np.array([2.0, 2.0, 2.0])), {}, [[0, 0.5, 1], [1, 0.5, 0]]),
    (np.minimum, (np.array([1.0, 2.0, 3.0]), np.array([2.0, 2.0, 2.0])), {}, [[1, 0.5, 0], [0, 0.5, 1]]),
    (np.maximum, (2.0, 2.0), {}, [0.5, 0.5]),
    (np.maximum, (np.array([-inf, inf]), np.array([-inf, inf])), {}, [[0.5, 0.5], [0.5, 0.5]]),
    (np.fmax, (np.array([nan, 1.0]), np.array([2.0, nan])), {}, [[0, 1], [1, 0]]),
    (np.clip, (np.array([-1.0, 0.0, 0.5, 1.0, 2.0]), 0.0, 1.0), {}, [[0, 0.5, 1, 0.5, 0], 1.5, 1.5]),
    (np.clip, (np.array([0.0, 2.0]), None, 2.0), {}, [[1, 0.5], None, 0.5]),
    (np.max, (np.array([1.0, 3.0, 3.0]),), {}, [[0, 0.5, 0.5]]),
    (np.min, (np.array([[1.0, 1.0], [2.0, 1.0]]),), {"axis": 1}, [[[0.5, 0.5], [0, 1]]]),
    (max, (2.0, 2.0), {}, [[1.0, 0.0]]),
    (max, (1.0, 2.0), {}, [[0.0, 1.0]]),
    (min, (2.0, 2.0), {}, [[1.0, 0.0]]),
    (max, ([1.0, 3.0, 3.0],), {}, [[[0.0, 1.0, 0.0]]]),
    (max, (1.0, 3.0, 3.0), {}, [[0.0, 1.0, 0.0]]),
    (np.linalg.norm, (np.zeros(3),), {}, [[0, 0, 0]]),
    (np.linalg.norm, (np.zeros((2, 2)),), {"axis": 0}, [[[0, 0], [0, 0]]]),
    (np.linalg.norm, (np.array([0.0, 2.0]),), {"ord": 1}, [[0, 1]]),
    (np.linalg.norm, (np.array([2.0, -2.0]),), {"ord": inf}, [[0.5, -0.5]]),
    (np.std, (np.ones(3),), {}, [[0, 0, 0]]),
    (np.var, (np.ones(3),), {}, [[0, 0, 0]]),
    (np.power, (np.array([0.0, 2.0, 0.0]), np.array([0.0, 0.0, 2.0])), {}, [[0, 0, 0], [0, math.log(2), 0]]),
    (np.power, (np.array([0.0]), np.array([1.0])), {}, [[1.0], [0.0]]),
    (math.pow, (0.0, 0.0), {}, [0.0, 0.0]),
    (pow, (0.0, 2.0), {}, [0.0, 0.0]),
    (np.prod, (np.array([0.0, 2.0, 3.0]),), {}, [[6, 0, 0]]),
    (np.prod, (np.array([0.0, 0.0, 3.0]),), {}, [[0, 0, 0]]),
    (np.cumprod, (np.array([2.0, 0.0, 3.0]),), {}, [[1, 8, 0]]),
    (np.sinc, (np.array([0.0]),), {}, [[0.0]]),
    (np.where, (np.array([True, False]), np.array([1.0, inf]), np.array([nan, 2.0])), {}, [[1, 0], [0, 1]]),
]


@pytest.mark.parametrize(("function", "args", "options", "expected"), TABLE)
def test_convention(function, args, options, expected):
    rule = rule_for(function)
    case = Case(rule, list(args), options)
    with np.errstate(all="raise"):
        y = case.run()
        bars = case.adjoints(y, np.ones(np.shape(y)) if np.ndim(y) else 1.0)
    for p, partial in zip(rule.operands, expected, strict=True):
        if partial is not None:
            assert_same(bars[p], partial)
    if rule.form == "general" and not any(isinstance(a, list) for a in args) and rule.path not in ("max", "min"):
        forward_agrees(case, y, bars)


def assert_same(got, expected):
    if isinstance(expected, list) and isinstance(got, list):
        for a, b in zip(got, expected, strict=True):
            assert_same(a, b)
    else:
        np.testing.assert_allclose(got, expected, rtol=1e-14)


def forward_agrees(case, y, bars):
    """The tangents in each direction sum to what the adjoint of a seed of ones says."""
    for p in case.active:
        x = case.arguments[p]
        for k in np.ndindex(np.shape(x)):
            if np.ndim(x):
                direction = np.zeros_like(x)
                direction[k] = 1.0
            else:
                direction = 1.0
            y_dot = case.tangent(y, {p: direction})
            np.testing.assert_allclose(np.sum(np.broadcast_to(y_dot, np.shape(y))), np.real(np.asarray(bars[p])[k]), rtol=1e-14)


def test_where_masks_an_infinite_cotangent():
    case = Case(rule_for(np.where), [np.array([True, False]), np.ones(2), np.ones(2)], {})
    bars = case.adjoints(case.run(), np.array([inf, nan]))
    np.testing.assert_array_equal(bars["x"], [inf, 0])
    np.testing.assert_array_equal(bars["y"], [0, nan])


def test_nothing_divides_by_zero_silently():
    """Where the derivative is infinite, NumPy gives inf and warns; a formula on Python floats raises."""
    case = Case(rule_for(np.sqrt), [np.array([0.0])], {})
    with pytest.warns(RuntimeWarning, match="divide by zero"):
        assert case.adjoints(case.run(), np.ones(1))["x"][0] == inf
    case = Case(rule_for(math.sqrt), [0.0], {})
    with pytest.raises(ZeroDivisionError):
        case.adjoints(case.run(), 1.0)


@pytest.mark.parametrize(
    ("a", "cofactors"),
    [
        ([[1.0, 2.0], [2.0, 4.0]], [[4.0, -2.0], [-2.0, 1.0]]),
        ([[0.0, 0.0], [0.0, 0.0]], [[0.0, 0.0], [0.0, 0.0]]),
        ([[0.0, 1.0], [0.0, 0.0]], [[0.0, 0.0], [-1.0, 0.0]]),
        ([[1.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 0.0]], [[0.0, 0.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 2.0]]),
        (np.ones((3, 3)), np.zeros((3, 3))),
    ],
)
def test_the_determinant_has_a_gradient_where_there_is_no_inverse(a, cofactors):
    case = Case(rule_for(np.linalg.det), [np.array(a)], {})
    np.testing.assert_allclose(case.adjoints(case.run(), 1.0)["a"], cofactors, atol=1e-14)
    stack = Case(rule_for(np.linalg.det), [np.stack([np.array(a), np.eye(len(a))])], {})
    np.testing.assert_allclose(stack.adjoints(stack.run(), np.ones(2))["a"], [cofactors, np.eye(len(a))], atol=1e-14)


def test_derivatives_of_a_singular_determinant():
    def f(x, y):
        matrix = np.array([[x, 1.0], [x * y, y]])
        return np.linalg.det(matrix) + matrix[1, 0]

    np.testing.assert_allclose(sd.grad(f, wrt=("x", "y"))(0.5, 1.5), (1.5, 0.5))

    def cube(t):  # the determinant is (t - 1) * t * t
        return np.linalg.det(np.array([[t - 1.0, 0.0, 0.0], [2.0, t, 0.0], [3.0, 4.0, t]]))

    first = sd.grad(cube)
    second = sd.derivative(first)
    np.testing.assert_allclose([first(1.0), second(1.0), sd.derivative(second)(1.5)], [1.0, 4.0, 6.0])


def test_np_power_of_python_floats_is_as_numpy_has_it():
    """The operator raises where the derivative is infinite; np.power gives inf, and nan where the value is nan."""

    def root(x, y=0.5):
        return np.power(x, 0.5) + np.power(x, y)

    with np.errstate(all="ignore"):
        assert sd.grad(root)(0.0) == inf
        assert math.isnan(sd.grad(root)(-1.0))
    with pytest.raises(ZeroDivisionError):
        sd.grad(lambda x: x**0.5)(0.0)
