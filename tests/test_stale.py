"""No derivative reads what the last trip of a loop left in a name as if it were its own trip's."""

from __future__ import annotations

from typing import Any

import pytest

import sourcediff as sd
from tests.judge import Problem, is_real_scalar, strict_warnings
from tests.stale import stale
from tests.tools.scoreboard import Entry, entries

HARMLESS = {  # numbers, whose shape is that of all numbers, and a list that is made anew
    "assigned_again-list_not_reached": {"values", "values2"},
    "filters_and_cells-softmax_in_place": {"t19"},
    "linear_algebra_loops-horner": {"c", "c2"},
    "own_output-arrays_on_a_stack": {"t5_bar"},
    "stencils-fdtd_2d_all": {"t3", "t4"},
}


def first(problem: Problem) -> tuple[sd.Derivative, tuple[Any, ...]]:
    value = problem.run(problem.f).value
    if is_real_scalar(value):
        return sd.grad(problem.f, wrt=problem.wrt), problem.args
    return sd.vjp(problem.f, wrt=problem.wrt), (*problem.args, value)


def second(problem: Problem) -> tuple[sd.Derivative, tuple[Any, ...]]:
    derivative, args = first(problem)
    bars = problem.run(derivative, *args[len(problem.args) :]).value
    return sd.vjp(derivative, wrt=problem.wrt), (*args, bars)


def found(entry: Entry, order: Any) -> set[str]:
    try:
        with strict_warnings():
            derivative, args = order(entry.problem())
            names = stale(derivative.specialize(*args).source)
    except Exception:  # whether it may be refused is the business of other tests
        return set()
    return set(names) - HARMLESS.get(entry.id, set())


@pytest.mark.parametrize("order", [first, pytest.param(second, marks=pytest.mark.slow)])
def test_no_loop_reads_what_an_earlier_one_left(order: Any) -> None:
    guilty = {entry.id: names for entry in entries() if (names := found(entry, order))}
    assert not guilty


def test_what_it_recognises() -> None:
    loop = "def f(x):\n    for i in range(3):\n        t = x[:i] * 2.0\n        x[:i] = t\n    for i in reversed(range(3)):\n        "
    assert stale(loop + "b = g(x[:i], t)\n") == ["t"]
    assert stale(loop + "t = x[:i]\n        b = g(x[:i], t)\n") == []
    assert stale(loop + "b = g(x[:i], t)\n        t = ts.pop()\n") == ["t"]
