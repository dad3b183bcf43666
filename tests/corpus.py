"""The corpus: small real programs by theme, one file each in tests/programs, every one run in every mode and at every stage.

A file ends with the list PROGRAMS; the functions above it stand there as a user would write them.
"""

from __future__ import annotations

import functools
import importlib
import pkgutil
from dataclasses import dataclass
from typing import Any

from tests import programs
from tests import structures as st
from tests.judge import CHECKS, Problem, Verdict, verdict
from tests.stages import check_sources, check_stages


@dataclass(frozen=True)
class Program:
    """A function, sample arguments, and the positions of the parameters to differentiate with respect to."""

    f: Any
    args: tuple[Any, ...]
    wrt: tuple[int, ...] = (0,)
    name: str = ""

    @property
    def id(self) -> str:
        theme = self.f.__module__.rpartition(".")[2]
        return f"{theme}-{self.name or self.f.__name__}"

    def arguments(self) -> tuple[Any, ...]:
        return st.fresh(self.args)

    def problem(self) -> Problem:
        return Problem(self.f, self.arguments(), self.wrt)


@functools.cache
def corpus() -> tuple[Program, ...]:
    """All programs, in the order of the files and of their lists."""
    names = sorted(found.name for found in pkgutil.iter_modules(programs.__path__))
    modules = [importlib.import_module(f"{programs.__name__}.{name}") for name in names]
    return tuple(program for module in modules for program in module.PROGRAMS)


def judge_program(program: Program, mode: str) -> Verdict:
    """The verdict in one mode: those of tests.judge, and "stages" and "sources"."""
    checks = CHECKS | {"stages": check_stages, "sources": check_sources}
    return verdict(lambda: checks[mode](program.problem()))
