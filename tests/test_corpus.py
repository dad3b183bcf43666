"""Every program of the corpus: at every stage, in every mode, to second order, and generated twice."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.corpus import Program, corpus, judge_program
from tests.judge import MODES
from tests.refusals import unexpected
from tests.tools.all_sources import sources

ROOT = Path(__file__).parents[1]


@pytest.mark.parametrize("mode", [*MODES, pytest.param("stages", marks=pytest.mark.slow), "sources"])
@pytest.mark.parametrize("program", corpus(), ids=lambda program: program.id)
def test_program(program: Program, mode: str) -> None:
    problem = unexpected(mode, program.id, judge_program(program, mode))
    assert not problem, problem


def test_the_corpus_is_large_and_its_names_are_different() -> None:
    names = [program.id for program in corpus()]
    assert len(names) == len(set(names)) >= 60


def test_generation_does_not_depend_on_the_order_of_sets() -> None:
    """Byte-identical sources in this process and in others that hash strings in another way."""
    here = dict(sources())
    for seed in ("1", "2"):
        environment = os.environ | {"PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join([str(ROOT / "src"), str(ROOT)])}
        command = [sys.executable, "-m", "tests.tools.all_sources"]
        text = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True).stdout
        there = dict(part.split("\n", 1) for part in text.split("\0") if part)
        assert there == here
