"""A random program that writes into memory, judged: reverse mode against the complex step on the program itself.

The complex step is exact where the program is analytic around the point. Where it disagrees, extrapolated differences have to
confirm: at a kink both say nothing, and the program is counted as undecided.
"""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

import sourcediff as sd
from tests import oracles
from tests import structures as st
from tests.judge import Problem, Wrong, check_again, check_pairing, check_second, demand, demand_same_effects, is_real_scalar, verdict
from tests.loading import load
from tests.random_memory import Program, Statement

CHOICES = ((0, 1, 2, 3), (0, 1, 2, 3), (0,), (2,), (0, 3), (1, 2))
RESULTS = tuple(
    f"return {value}" for value in ("s", "t", "np.sum(u * u)", "np.sum(v * v)", "np.sum(B * B)", "np.sum(x * x) + np.sum(A * A)")
)
STEP = 1e-30
TOLERANCE = 1e-8
POINTS = (
    np.array([0.31, 0.83, -0.52, 1.13]),
    np.array([0.74, -0.23, 0.42, 0.91]),
    np.array([[0.2, -0.4, 0.9], [1.1, 0.3, -0.7], [0.6, -0.1, 0.8]]),
)


class Undecided(Exception):
    """The complex step and the derivative differ, and differences cannot tell which is right."""


@dataclass(frozen=True)
class Case:
    """A program at a point, with the derivative that it has there."""

    program: Program
    problem: Problem
    gradient: np.ndarray


@dataclass(frozen=True)
class Outcome:
    kind: str  # "right" | "refused" | "refused elsewhere" | "WRONG" | "crash" | "undecided"
    detail: str = ""
    construct: str = ""  # of a refusal: which construct wrote the line that it points at


def case_of(program: Program, seed: int) -> Case | None:
    """None where the program fails, grows, or depends on nothing that is chosen."""
    choose = random.Random(seed)
    a, n, wrt = choose.choice((0.63, -0.4, 1.2)), choose.choice((0, 1, 2, 3, 3)), choose.choice(CHOICES)
    problem = Problem(load("memory", program.text).f, (*POINTS, a, n), wrt)
    with np.errstate(all="ignore"):
        try:
            numbers = st.flat(problem.run(problem.f).value)
            slopes = [_slopes(program, problem, k) for k in wrt]
        except (ArithmeticError, ValueError, IndexError, TypeError, NameError, SyntaxError, AttributeError):
            return None
    wrt = tuple(k for k, slope in zip(wrt, slopes, strict=True) if slope.any())
    gradient = np.concatenate([slope for slope in slopes if slope.any()] or [np.zeros(0)])
    fine = wrt and np.all(np.abs(numbers) < 50.0) and np.all(np.abs(gradient) < 1e3)
    return Case(program, dataclasses.replace(problem, wrt=wrt), gradient) if fine else None


def _slopes(program: Program, problem: Problem, k: int) -> np.ndarray:
    """The gradient of the sum of the results with respect to parameter k."""
    if "//=" in program.text or "%=" in program.text:  # not for complex numbers
        alone = dataclasses.replace(problem, wrt=(k,))
        return oracles.gradient(alone.of_chosen(alone.f), alone.chosen).value
    f = load("memory_complex", program.text.replace(".real", "[...]")).f
    slopes = []
    for place in np.ndindex(np.shape(problem.args[k])):
        args = [np.array(value, dtype=complex) for value in problem.args[:4]]
        args[k][place] += 1j * STEP
        value = f(*args[:3], args[3][()], problem.args[4])
        slopes.append(sum(np.sum(np.imag(part)) for part in (value if isinstance(value, tuple) else (value,))) / STEP)
    return np.array(slopes)


def check_reverse(case: Case) -> None:
    """Value, arguments after the call, gradient."""
    p = case.problem
    primal = p.run(p.f)
    if is_real_scalar(primal.value):
        result, seed = p.run(sd.grad(p.f, wrt=p.wrt)), ()
        gradient = result.value
    else:
        seed = (st.ones_like(primal.value),)
        result = p.run(sd.vjp(p.f, wrt=p.wrt), *seed)
        value, gradient = result.value
        demand(st.difference(value, primal.value), "value")
    demand_same_effects(result, primal)
    demand(st.difference_in_form(gradient, p.chosen), "form of the gradient")
    mine = st.flat(gradient)
    if not np.allclose(mine, case.gradient, rtol=TOLERANCE, atol=TOLERANCE):
        estimate = oracles.gradient(p.of_chosen(p.f), p.chosen)
        if not estimate.reliable.all() or not estimate.disagreement(mine):
            raise Undecided(f"{mine} is not {case.gradient}; differences: {estimate.value}")
        raise Wrong(f"gradient: {mine} is not {case.gradient}")


def judge(case: Case, seed: int) -> Outcome:
    """Reverse mode always; forward against reverse, pulling twice and second order of some."""
    found = _judged(lambda: check_reverse(case), case)
    others = [lambda: check_pairing(case.problem)] if seed % 5 == 0 else []
    others += [lambda: check_again(case.problem)] if seed % 7 == 0 else []
    others += [lambda: check_second(case.problem)] if seed % 10 == 1 else []
    for check in others:
        if found.kind == "right":
            result = _judged(check, case)
            # What reverse mode takes and another mode refuses is counted by itself.
            found = dataclasses.replace(result, kind="refused elsewhere") if result.kind == "refused" else result
    return found


def _judged(check: Callable[[], None], case: Case) -> Outcome:
    refusals: list[sd.DiffError] = []

    def noted() -> None:
        try:
            check()
        except sd.DiffError as error:
            refusals.append(error)
            raise

    found = verdict(noted, seconds=120)
    if found.detail.startswith("Undecided"):
        return Outcome("undecided", found.detail)
    return Outcome(found.kind, found.detail, _blamed(case.program, refusals) if found.kind == "refused" else "")


def _blamed(program: Program, refusals: list[sd.DiffError]) -> str:
    """The construct of the line that a refusal points at, or of the call in f that leads there."""
    lines = program.lines()
    for place in (refusals[-1].place, *refusals[-1].chain):
        line = place.line - 3 if place else -1  # below the two imports of tests.loading
        if place and 0 <= line < len(lines) and lines[line][1]:
            return lines[line][1]
    return ""


def shrink(case: Case, seed: int, outcome: Outcome) -> tuple[Program, Outcome]:
    """A program with fewer statements that fails in the same way."""
    program = case.program
    while True:
        for smaller in _smaller(program.statements):
            candidate = Program(smaller, program.helpers)
            try:
                again = case_of(candidate, seed)
            except Exception:  # a program that no longer hangs together
                continue
            if again is None:
                continue
            found = judge(again, seed)
            if found.kind == outcome.kind and found.detail.partition(":")[0] == outcome.detail.partition(":")[0]:
                program, outcome = candidate, found
                break
        else:
            return program, outcome


def _smaller(statements: tuple[Statement, ...]) -> Iterator[tuple[Statement, ...]]:
    """Without one statement, with a statement replaced by what is below it, or with less below it."""
    for k, statement in enumerate(statements):
        before, after = statements[:k], statements[k + 1 :]
        yield before + after
        if statement.text.startswith("return") and statement.text not in RESULTS:
            yield from ((*before, dataclasses.replace(statement, text=result), *after) for result in RESULTS)
        if statement.body:
            yield before + statement.body + after
            for body in _smaller(statement.body):
                yield (*before, dataclasses.replace(statement, body=body), *after)
