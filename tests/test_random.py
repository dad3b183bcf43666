"""Random programs: both modes against differences of the program and against each other, at every stage, to second order.

The same programs on every run; SOURCEDIFF_SEARCH=20 looks for new ones, twenty times as many.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, event, given, settings
from hypothesis import strategies as st

from tests.judge import Problem, check_forward, check_pairing, check_reverse, check_second, verdict
from tests.loading import load
from tests.random_programs import expressions, programs
from tests.stages import check_sources, check_stages

pytestmark = pytest.mark.slow

SEARCH = int(os.environ.get("SOURCEDIFF_SEARCH", "0"))
POINTS = st.tuples(st.sampled_from([0.4, 0.9, -0.6]), st.integers(0, 3))


def examples(count: int) -> settings:
    return settings(max_examples=count * max(1, SEARCH), derandomize=not SEARCH)


def problem_of(text: str, point: tuple[float, int]) -> Problem:
    a, n = point
    args = (a, np.array([0.3, 0.8, -0.5, 1.1]), n)
    problem = Problem(load("random", text).f, args, (0, 1))
    try:
        value = problem.run(problem.f).value
    except (ArithmeticError, ValueError, RuntimeWarning):
        value = np.nan
    assume(isinstance(value, float) and abs(value) < 100.0)
    return problem


def demand_right(check: Callable[[Problem], Any], problem: Problem, text: str) -> None:
    """Right or refused with a sentence for the user; the events show how often which."""
    found = verdict(lambda: check(problem))
    event(f"{found.kind} {found.detail.partition(':')[0] if found.kind == 'refused' else ''}")
    assert found.kind in ("right", "refused"), f"{found.kind}: {found.detail}\n{text}"


@given(programs(), POINTS)
@examples(120)
def test_reverse_mode_of_programs(text: str, point: tuple[float, int]) -> None:
    demand_right(check_reverse, problem_of(text, point), text)


@given(programs(), POINTS)
@examples(120)
def test_forward_mode_of_programs(text: str, point: tuple[float, int]) -> None:
    problem = problem_of(text, point)
    demand_right(check_forward, problem, text)
    demand_right(check_pairing, problem, text)


@given(programs(), POINTS)
@examples(50)
def test_second_order_of_programs(text: str, point: tuple[float, int]) -> None:
    demand_right(check_second, problem_of(text, point), text)


@given(programs(), POINTS)
@examples(80)
def test_stages_of_programs(text: str, point: tuple[float, int]) -> None:
    problem = problem_of(text, point)
    demand_right(check_stages, problem, text)
    demand_right(check_sources, problem, text)


@given(expressions(), st.sampled_from([(0.7, 0.3), (-1.2, 0.8), (np.array([0.2, 0.9]), 0.4), (0.5, np.array([[0.3], [1.1]]))]))
@examples(150)
def test_expressions(text: str, args: tuple[Any, ...]) -> None:
    problem = Problem(load("expression", text).f, args, (0, 1))
    demand_right(check_reverse, problem, text)
    demand_right(check_forward, problem, text)
    demand_right(check_pairing, problem, text)
