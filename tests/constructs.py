"""The small programs of tests/data, each with what is right for it.

constructs.json: one Python construct a case; `expect` says what counts as right (`allowed` below reads it).
mutation_programs.py: stores, views, swaps and exits; right is the gradient by differences.
"""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

import sourcediff as sd
from tests import structures as st
from tests.data import mutation_programs
from tests.judge import CHECKS, Problem, Verdict, Wrong, chosen_positions, demand, verdict
from tests.loading import load

DATA = Path(__file__).parent / "data"

# The points where the project chooses a convention (the specification's "Values and conventions").
CONVENTIONS = {
    "J05": [0.5],  # maximum shares equally between its operands, the three other forms follow the branch taken
    "J06": [0.5, 0.5, 1.0],  # clip has slope 1/2 at a bound
    "J25": [1.0],  # mod has slope 1 in its first operand, floor is a constant
}

# Whose first derivative cancels all its digits at the point given, so that nothing can be said of the second.
ILL_CONDITIONED = ("J23",)


@dataclass(frozen=True)
class Case:
    """A program and what is right for it. `wrt` is None where every argument with a float leaf is chosen."""

    id: str
    theme: str
    title: str
    code: str
    make_args: Callable[[ModuleType], tuple[Any, ...]]
    expect: str = "fd"
    listed: str = ""
    raises: str = ""
    wrt: tuple[int, ...] | None = None

    def module(self) -> ModuleType:
        """The program, freshly executed: no state of an earlier run is left in it."""
        return load(self.id, self.code, GRAD=sd.grad)

    def problem(self) -> Problem:
        module = self.module()
        args = self.make_args(module)
        return Problem(module.f, args, self.wrt or chosen_positions(module.f, args), self.smooth)

    @property
    def smooth(self) -> bool:
        """Whether differences give the derivative here."""
        return self.expect in ("fd", "seeded", "expect", "error-or-support", "either", "error-no-source") or self.expect.startswith("dtype")

    @property
    def must_be_refused(self) -> bool:
        return self.expect == "error"


def listed_numbers(text: str) -> np.ndarray:
    """The numbers of a printed gradient, in order; '-' stands where no float is."""
    plain = re.sub(r"[A-Za-z_]\w*:", "", text)
    numbers = [complex(t) for t in re.findall(r"[-+]?(?:\d[\d.]*(?:e[-+]?\d+)?|nan|inf)(?:[-+]\d[\d.]*(?:e[-+]?\d+)?j)?", plain)]
    return np.array([n.real if n.imag == 0 else n for n in numbers])


@functools.cache
def constructs() -> tuple[Case, ...]:
    cases = []
    for entry in json.loads((DATA / "constructs.json").read_text(encoding="utf-8")):
        cases.append(
            Case(
                id=entry["id"],
                theme=entry["id"][0],
                title=entry["title"],
                code=entry["code"],
                make_args=functools.partial(_evaluated, entry["args"]),
                expect=entry["expect"],
                listed=entry["grad"] or "",
                raises=entry.get("raises", ""),
            )
        )
    return tuple(cases)


def _evaluated(expression: str, module: ModuleType) -> tuple[Any, ...]:
    return eval(expression, dict(vars(module)))


@functools.cache
def mutations() -> tuple[Case, ...]:
    cases = []
    for name, (source, args, wrt, callees) in mutation_programs.PROGRAMS.items():
        code = "".join(callees.values()) + source
        cases.append(Case(name, "mutation", name, code, lambda module, args=args: st.fresh(args), wrt=tuple(wrt)))
    return tuple(cases)


def allowed(case: Case, gradient: np.ndarray) -> str:
    """Why `gradient` (flat) is not what the case lists; "" if it is. Differences are compared elsewhere."""
    if case.expect == "nonfinite":
        return "" if not np.isfinite(gradient).any() else f"{gradient} is finite"
    if case.expect == "nan or 0":
        # Only the coordinates away from the kink have a number to compare with: the listed ones that are finite and small.
        listed = listed_numbers(case.listed)
        fine = np.isnan(gradient) | (gradient == 0.0) | np.isclose(gradient, listed, rtol=1e-5)
        return "" if fine.all() else f"{gradient} is neither nan nor 0 nor {listed}"
    exact = _exact(case)
    if exact is not None:
        same = gradient.shape == exact.shape and np.allclose(gradient, exact, rtol=1e-12, atol=1e-12)
        return "" if same else f"{gradient} is not {exact}"
    listed = listed_numbers(case.listed)
    same = gradient.shape == listed.shape and np.allclose(gradient, listed, rtol=2e-5, atol=2e-6)
    return "" if same or not case.listed else f"{gradient} is not {listed}, as listed"


def _exact(case: Case) -> np.ndarray | None:
    if case.id in CONVENTIONS:
        return np.array(CONVENTIONS[case.id])
    return np.ravel(json.loads(case.expect)) if re.fullmatch(r"\[?-?\d[-\d., ]*\]?", case.expect) else None


def judge(case: Case, mode: str) -> Verdict:
    """The verdict on a case in one mode ("reverse", "forward", "pairing", "second")."""
    problem = case.problem()
    if mode == "second" and case.id in ILL_CONDITIONED:
        return Verdict("right", "not comparable")
    if case.raises:
        return verdict(lambda: _check_raises(case, problem))
    return verdict(lambda: _check(case, problem, mode))


def _check(case: Case, problem: Problem, mode: str) -> None:
    found = CHECKS[mode](problem)
    demand("differentiated, but must be refused" if case.must_be_refused else "", case.id)
    if mode == "reverse":
        demand(allowed(case, found), case.id)


def _check_raises(case: Case, problem: Problem) -> None:
    """The program raises; so must its derivative, if it is not refused."""
    try:
        sd.grad(problem.f)(*problem.args)
    except sd.DiffError:
        raise
    except Exception as error:
        if type(error).__name__ != case.raises:
            raise
    else:
        raise Wrong(f"no {case.raises}")
