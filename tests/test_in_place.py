"""The programs that write into arrays: exact to many digits, in whatever names and with whatever copies they are written."""

from __future__ import annotations

import functools
import inspect
from types import ModuleType

import pytest

import sourcediff as sd
from benchmarks import in_place
from tests import oracles
from tests import structures as st
from tests.corpus import Program
from tests.judge import Problem, is_real_scalar, strict_warnings
from tests.loading import load
from tests.programs import dynamic_programming, filters_and_cells, linear_algebra_loops, particles_and_gathers, stencils
from tests.refusals import refused
from tests.variants import VARIANTS

FILES = (stencils, linear_algebra_loops, dynamic_programming, particles_and_gathers, filters_and_cells)
PROGRAMS = [
    program
    for file in FILES
    for program in file.PROGRAMS
    if ("reverse", program.id) not in refused() and not st.is_single_precision(program.args)
]


def gradient(program: Program, f: object) -> object:
    problem = Problem(f, program.arguments(), program.wrt)
    assert is_real_scalar(problem.run(f).value)
    with strict_warnings():
        return problem.run(sd.grad(f, wrt=program.wrt)).value


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.id)
def test_eight_digits(program: Program) -> None:
    problem = program.problem()
    found = oracles.gradient(problem.of_chosen(program.f), problem.chosen)
    assert not found.disagreement(st.flat(gradient(program, program.f)), 1e-8)


@functools.cache
def in_other_words(file: ModuleType, variant: str) -> ModuleType:
    text = inspect.getsource(file)
    changed = VARIANTS[variant](text)
    assert changed != text
    return load(f"{file.__name__}_{variant}", changed)


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("file", FILES, ids=lambda file: file.__name__.rpartition(".")[2])
def test_in_other_words(file: ModuleType, variant: str) -> None:
    other = in_other_words(file, variant)
    for program in PROGRAMS:
        if program.f.__module__ == file.__name__:
            difference = st.difference(gradient(program, getattr(other, program.f.__name__)), gradient(program, program.f), 1e-9, 1e-10)
            assert not difference, (program.id, difference)


LINEAR = [workload for workload in in_place.workloads() if workload.linear]

@pytest.mark.parametrize("workload", LINEAR, ids=lambda workload: workload.f.__name__)
def test_a_linear_stencil_keeps_nothing_for_each_step(workload: in_place.Workload) -> None:
    few, many = (in_place.peak_of_gradient(workload, steps) for steps in (5, 40))
    assert many < 1.2 * few, (few, many)
