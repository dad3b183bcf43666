"""The judges themselves: they must see a wrong derivative, and must not believe differences across a kink."""

from __future__ import annotations

import inspect
from typing import Any

import numpy as np
import pytest

from tests import judge, oracles
from tests import structures as st
from tests.constructs import constructs, listed_numbers


def test_differences_have_ten_digits() -> None:
    estimate = oracles.derivative_at_zero(lambda t: np.array([np.sin(1.0 + t), np.exp(2.0 * t)]))
    np.testing.assert_allclose(estimate.value, [np.cos(1.0), 2.0], rtol=1e-10)
    assert (estimate.error < 1e-8).all()


def test_a_jump_is_not_believed() -> None:
    estimate = oracles.derivative_at_zero(lambda t: np.array([np.sqrt(max(t, 0.0)), 1.0 if t > 0 else 0.0]))
    assert not estimate.reliable.any()
    assert not estimate.disagreement([1.0, 1.0])


def test_a_kink_at_the_very_point_is_not_believed() -> None:
    estimate = oracles.derivative_at_zero(lambda t: np.array([abs(t), t * t if t else 1.0]))
    assert not estimate.reliable.any()


def test_the_complex_step_is_not_believed_where_it_lies() -> None:
    estimate = oracles.gradient(lambda z: np.abs(z) ** 2, (0.7,))
    np.testing.assert_allclose(estimate.value, [1.4], rtol=1e-9)


def test_the_convention_of_complex_gradients() -> None:
    estimate = oracles.gradient(lambda z: z.real**2 + 3.0 * z.imag, (0.5 + 0.2j,))
    np.testing.assert_allclose(estimate.value, [1.0 - 3.0j], rtol=1e-9)
    estimate = oracles.gradient(lambda z: z**3, (0.5 + 0.2j,))
    np.testing.assert_allclose(estimate.value, [3 * (0.5 + 0.2j) ** 2], rtol=1e-9)


def test_gradients_of_structures() -> None:
    args = ({"w": np.array([1.0, 2.0]), "n": 3}, [0.5, (2.0, None)])
    estimate = oracles.gradient(lambda p, q: np.sum(p["w"] ** p["n"]) * q[0] * q[1][0], args)
    np.testing.assert_allclose(estimate.value, [3.0, 12.0, 18.0, 4.5], rtol=1e-9)


@pytest.mark.parametrize("case", [case for case in constructs() if case.listed], ids=lambda case: case.id)
def test_the_oracle_agrees_with_the_listed_numbers(case: Any) -> None:
    problem = case.problem()
    if not case.smooth or case.id == "M03":  # at kinks, and where the program itself needs a gradient
        pytest.skip("no differences here")
    with judge.strict_warnings():
        estimate = oracles.gradient(problem.of_chosen(problem.f), problem.chosen)
    assert not estimate.disagreement(listed_numbers(case.listed), 3e-5)


class Fake:
    """A derivative written by hand, with the parameters that a transform would give it."""

    def __init__(self, function: Any, *added: str) -> None:
        self.function = function
        keyword = inspect.Parameter.KEYWORD_ONLY
        self.__signature__ = inspect.Signature(
            [*inspect.signature(program).parameters.values(), *(inspect.Parameter(n, keyword) for n in added)]
        )

    def __call__(self, *args: Any, **extra: Any) -> Any:
        return self.function(*args, **extra)


def program(x: np.ndarray) -> float:
    x *= 2.0
    return np.sum(x * x)


def faithful(x: np.ndarray) -> Any:
    x *= 2.0
    return np.sum(x * x), (4.0 * x,)


def wrong_number(x: np.ndarray) -> Any:
    x *= 2.0
    return np.sum(x * x), (2.0 * x,)


def argument_untouched(x: np.ndarray) -> Any:
    return np.sum(4.0 * x * x), (8.0 * x,)


def argument_returned(x: np.ndarray) -> Any:
    x *= 2.0
    return np.sum(x * x), (x,)


def another_type(x: np.ndarray) -> Any:
    x *= 2.0
    return np.sum(x * x), ((4.0 * x).tolist(),)


def another_value(x: np.ndarray) -> Any:
    x *= 2.0
    return np.sum(x), (4.0 * x,)


def talkative(x: np.ndarray) -> Any:
    print("hello")
    return faithful(x)


@pytest.mark.parametrize("function", [wrong_number, argument_untouched, argument_returned, another_type, another_value, talkative])
def test_the_judge_sees_what_is_wrong(function: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    problem = judge.Problem(program, (np.array([0.3, 0.8]),), (0,))
    monkeypatch.setattr(judge.sd, "value_and_grad", lambda f, wrt: Fake(function))
    monkeypatch.setattr(judge.sd, "grad", lambda f, wrt: Fake(lambda x: function(x)[1]))
    assert judge.verdict(lambda: judge.check_reverse(problem)).kind == "WRONG"


def test_the_judge_sees_what_is_right(monkeypatch: pytest.MonkeyPatch) -> None:
    problem = judge.Problem(program, (np.array([0.3, 0.8]),), (0,))
    monkeypatch.setattr(judge.sd, "value_and_grad", lambda f, wrt: Fake(faithful))
    monkeypatch.setattr(judge.sd, "grad", lambda f, wrt: Fake(lambda x: faithful(x)[1]))
    assert judge.verdict(lambda: judge.check_reverse(problem)).kind == "right"


def test_forward_mode_is_judged(monkeypatch: pytest.MonkeyPatch) -> None:
    problem = judge.Problem(program, (np.array([0.3, 0.8]),), (0,))

    def pushed(factor: float) -> Any:
        def function(x: np.ndarray, x_dot: np.ndarray) -> Any:
            x *= 2.0
            return np.sum(x * x), factor * np.sum(x * x_dot)

        return lambda f, wrt: Fake(function, "x_dot")

    for factor, kind in ((4.0, "right"), (4.1, "WRONG")):
        monkeypatch.setattr(judge.sd, "jvp", pushed(factor))
        assert judge.verdict(lambda: judge.check_forward(problem)).kind == kind


def test_an_endless_loop_is_a_crash() -> None:
    def endless() -> None:
        while True:
            pass

    assert judge.verdict(endless, seconds=1).kind == "crash"


def test_structures() -> None:
    one = {"a": [1.0, 2, None], "b": (np.array([1.0, 2.0]), "text")}
    np.testing.assert_array_equal(st.flat(one), [1.0, 1.0, 2.0])
    assert len(list(st.units(one))) == 3
    assert not st.difference_in_form({"a": [0.5, None, None], "b": (np.zeros(2), None)}, one)
    assert st.difference_in_form({"a": [0.5, 0, None], "b": (np.zeros(2), None)}, one)
    assert st.difference_in_form({"a": (0.5, None, None), "b": (np.zeros(2), None)}, one)
    assert st.difference_in_form({"a": [0.5, None, None], "b": (np.zeros(2, np.float32), None)}, one)
    assert st.shared_memory(one, one)
