"""Stores, views, swaps, exits and nests of them: right by differences, or refused; never silently wrong."""

import pytest

from tests.constructs import Case, judge, mutations
from tests.judge import MODES
from tests.refusals import unexpected


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("case", mutations(), ids=lambda case: case.id)
def test_mutation_program(case: Case, mode: str) -> None:
    problem = unexpected(mode, case.id, judge(case, mode))
    assert not problem, f"{problem}\n{case.code}"
