"""check_grads accepts right derivatives and names what is wrong about wrong ones."""

from __future__ import annotations

import numpy as np
import pytest

import sourcediff as sd
from tests.fakes import install


@pytest.fixture
def machine(monkeypatch):
    machine = install(monkeypatch)
    machine.bodies = {
        "square_jvp": "return x * x, 2 * x * x_dot",
        "square_vjp": "return x * x, 2 * x * value_bar",
        "square_jvp_jvp": "return (x * x, 2 * x * x_dot), (2 * x * x_dot2, 2 * x_dot2 * x_dot)",
        "square_jvp_vjp": "return (x * x, 2 * x * x_dot), 2 * x * value_bar[0] + 2 * x_dot * value_bar[1]",
        "both_jvp": "return a['k'] @ b[0], a_dot['k'] @ b[0] + a['k'] @ b_dot[0]",
        "both_vjp": "return a['k'] @ b[0], ({'k': np.outer(value_bar, b[0])}, [a['k'].T @ value_bar])",
    }
    return machine


def square(x):
    return x * x


def both(a, b):
    return a["k"] @ b[0]


@pytest.mark.parametrize("x", [3.0, np.float32(3.0), np.array([1.0, -2.0]), np.array([1.0, -2.0], dtype=np.float32), 1.0 + 2.0j])
def test_a_right_derivative_passes_at_first_order(machine, x):
    sd.check_grads(square, x, order=1)


def test_second_order_checks_the_derivative_of_the_derivative(machine):
    sd.check_grads(square, 3.0)
    machine.bodies["square_jvp_jvp"] = "return (x * x, 2 * x * x_dot), (2 * x * x_dot2, 3 * x_dot2 * x_dot)"
    machine.forget()
    with pytest.raises(AssertionError, match="square_jvp: the forward-mode derivative by x"):
        sd.check_grads(square, 3.0)


def test_structures(machine):
    sd.check_grads(both, {"k": np.arange(6.0).reshape(2, 3)}, [np.ones(3), "not a number"], wrt=("a", "b"), order=1)


def test_a_wrong_forward_derivative_is_named(machine):
    machine.bodies["square_jvp"] = "return x * x, 3 * x * x_dot"
    with pytest.raises(AssertionError, match=r"square: the forward-mode derivative by x is 9\., but finite differences give 6"):
        sd.check_grads(square, 3.0, order=1)


def test_the_wrong_element_is_named(machine):
    machine.bodies["square_vjp"] = "return x * x, 2 * x * value_bar * np.array([1.0, 1.0, 1.1])"
    with pytest.raises(AssertionError, match=r"the reverse-mode derivative by x\[2\] is .*, but forward mode gives"):
        sd.check_grads(square, np.array([1.0, 2.0, 3.0]), order=1)
    with pytest.raises(AssertionError, match=r"by x\[2\] is .*, but finite differences give"):
        sd.check_grads(square, np.array([1.0, 2.0, 3.0]), order=1, modes=("reverse",))
    machine.bodies["both_jvp"] = "return a['k'] @ b[0], a_dot['k'] @ b[0]"
    with pytest.raises(AssertionError, match=r"by b\[0\]\[0\] is"):
        sd.check_grads(both, {"k": np.ones((2, 3))}, [np.ones(3)], wrt=("a", "b"), order=1)


def test_the_arguments_are_left_alone(machine):
    def clear(x):
        value = x * x
        x[:] = 0.0
        return value

    machine.bodies["clear_jvp"] = "value = x * x, 2 * x * x_dot\n    x[:] = 0.0\n    return value"
    machine.bodies["clear_vjp"] = "value = x * x, 2 * x * value_bar\n    x[:] = 0.0\n    return value"
    x = np.array([1.0, 2.0])
    sd.check_grads(clear, x, order=1)
    assert x.tolist() == [1.0, 2.0]


@pytest.mark.parametrize("options", [{"order": 0}, {"modes": ("sideways",)}, {"modes": ()}])
def test_wrong_options(options):
    with pytest.raises(ValueError, match="order must be at least 1"):
        sd.check_grads(square, 1.0, **options)
