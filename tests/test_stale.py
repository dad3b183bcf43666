"""No derivative reads what the last trip of a loop left in a name as if it were its own trip's."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import pytest

import sourcediff as sd
from tests import structures as st
from tests.judge import Problem, is_real_scalar, strict_warnings
from tests.stale import stale
from tests.tools.scoreboard import Entry, entries

HARMLESS = {  # what the program itself reads behind its loop, and pointers that nobody reads again
    "assigned_again-list_not_reached": {"values", "values2"},
    "assigned_again-rebound_while_iterated_over": {"row", "row2"},
    "own_output-arrays_on_a_stack": {"t5_bar"},
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


def locals_at_the_end(function: Any, args: tuple[Any, ...]) -> dict[str, Any]:
    """The local variables of a call when it returns."""
    kept: dict[str, Any] = {}

    def watch(frame: Any, event: str, _: Any) -> None:
        if event == "return" and frame.f_code is function.__code__:
            kept.update(frame.f_locals)

    sys.setprofile(watch)
    try:
        function(*st.fresh(args))
    finally:
        sys.setprofile(None)
    return kept


def found(entry: Entry, order: Any) -> set[str]:
    try:
        with strict_warnings():
            derivative, args = order(entry.problem())
            special = derivative.specialize(*args)
            names = set(stale(special.source)) - HARMLESS.get(entry.id, set())
            values = locals_at_the_end(special.function, args) if names else {}
    except Exception:  # whether it may be refused is the business of other tests
        return set()
    return {name for name in names if name not in values or np.ndim(values[name])}  # all numbers have one shape


@pytest.mark.parametrize("order", [pytest.param(first, marks=pytest.mark.slow), pytest.param(second, marks=pytest.mark.thorough)])
def test_no_loop_reads_what_an_earlier_one_left(order: Any) -> None:
    guilty = {entry.id: names for entry in entries() if (names := found(entry, order))}
    assert not guilty


def test_what_it_recognises() -> None:
    loop = "def f(x):\n    for i in range(3):\n        t = x[:i] * 2.0\n        x[:i] = t\n    for i in reversed(range(3)):\n        "
    assert stale(loop + "b = g(x[:i], t)\n") == ["t"]
    assert stale(loop + "t = x[:i]\n        b = g(x[:i], t)\n") == []
    assert stale(loop + "b = g(x[:i], t)\n        t = ts.pop()\n") == ["t"]
