"""Random programs that write into memory: no wrong derivative, and few refusals, whatever construct is in them.

The first hundred seeds run always, thousands more with the slow tests; `python -m tests.tools.search_memory` looks further, makes
failures small and prints the table of constructs with their frequencies.
"""

from __future__ import annotations

import functools
from collections import Counter

import pytest

from tests.random_memory_judge import Case, Outcome, case_of, judge
from tests.random_memory_table import TABLE, program

FEW, CHUNK, CHUNKS = 100, 150, 20
HONEST = ("right", "refused", "refused elsewhere", "undecided")
COUNTED = range(1500)  # seeds whose constructs are counted: written only, which is fast
LEAST = 0.03  # of the programs have a construct
MOST_REFUSED = 0.2  # of the programs with a construct are refused

# Shares of the programs with each construct, in percent, of the seeds COUNTED. What is written here is what the test finds.
FREQUENCIES = {
    "y = x": 9,
    "local bound to another array": 11,
    "y = x[1:]": 9,
    "row or column of a matrix": 9,
    "x.T": 9,
    "reshape": 9,
    "ravel": 10,
    "x.real": 9,
    "np.asarray": 10,
    "view of a view": 11,
    "for row in A": 8,
    "callee that writes into its argument": 8,
    "callee that returns a written argument or a view": 9,
    "y = x, then y += 1": 9,
    "view kept from an earlier iteration": 10,
    "name chosen by if": 9,
    "name chosen by a conditional expression": 9,
    "buffers swapped": 8,
    "buffers swapped in a loop": 10,
    "buffers swapped in a branch": 8,
    "buffers swapped in while": 9,
    "elements swapped": 8,
    "list of arrays, appended, then one array": 10,
    "list appended and popped": 9,
    "list of numbers": 9,
    "list of arrays, items written": 9,
    "for over a list of arrays": 10,
    "dict of arrays": 9,
    "tuple of arrays": 9,
    "object with attributes": 9,
    "number bound anew": 10,
    "x[i] = v": 10,
    "x[a:b] = v": 10,
    "x[::-1] = v": 9,
    "x[...] = v": 10,
    "x[np.newaxis] = v": 10,
    "x[[2, 0]] = v": 10,
    "x[mask] = v": 9,
    "x[1, :] = v, several axes": 9,
    "+= on items, slices, arrays": 10,
    "-= on items, slices, arrays": 10,
    "*= on items, slices, arrays": 9,
    "/= on items, slices, arrays": 10,
    "**= on items, slices, arrays": 10,
    "//= or %= on items, slices, arrays": 10,
    "@= on matrices": 9,
    "out= of ufuncs": 9,
    "np.add.at": 10,
    "fill": 9,
    "sort": 8,
    "np.copyto": 10,
    "put": 10,
    "fill_diagonal": 8,
    "diagonal read": 9,
    "broadcast_to read": 8,
    "argument overwritten": 9,
    "chained assignment": 9,
    "x.flat": 10,
    "loop": 9,
    "nested loops": 11,
    "while": 9,
    "branch": 9,
    "early return": 10,
    "break": 10,
    "continue": 10,
    "return from a loop": 9,
}


@functools.cache
def case(seed: int) -> Case | None:
    return case_of(program(seed), seed)


@functools.cache
def outcome(seed: int) -> Outcome | None:
    """None for a program that is of no use: it fails, grows, or depends on nothing."""
    found = case(seed)
    return None if found is None else judge(found, seed)


def failures(seeds: range) -> list[str]:
    found = {seed: result for seed in seeds if (result := outcome(seed)) is not None and result.kind not in HONEST}
    return [f"seed {seed}: {result.kind} {result.detail}\n{program(seed).text}" for seed, result in found.items()]


@pytest.mark.slow
def test_no_program_is_wrong() -> None:
    assert not failures(range(FEW))


@pytest.mark.thorough
@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_none_of_thousands_is_wrong(chunk: int) -> None:
    first = FEW + chunk * CHUNK
    assert not failures(range(first, first + CHUNK))


def test_every_result_depends_on_the_chosen_variables() -> None:
    cases = [found for seed in range(FEW) if (found := case(seed)) is not None]
    assert len(cases) >= 0.8 * FEW
    for found in cases:
        assert found.problem.wrt
        assert found.gradient.any()


def test_few_programs_cannot_be_decided() -> None:
    assert sum(result.kind == "undecided" for seed in range(FEW) if (result := outcome(seed)) is not None) <= 0.03 * FEW


def test_frequencies_of_constructs() -> None:
    """Each construct is in its share of the programs, as the table says."""
    counts = Counter(construct for seed in COUNTED for construct in program(seed).constructs)
    assert {name: round(100 * counts[name] / len(COUNTED)) for name in TABLE} == FREQUENCIES
    assert all(counts[name] >= LEAST * len(COUNTED) for name in TABLE), counts


@pytest.mark.thorough
def test_refusals_of_constructs() -> None:
    """A program that reverse mode refuses counts against each construct in it, whichever of them is to blame."""
    occurs: Counter[str] = Counter()
    refused: Counter[str] = Counter()
    for seed in range(FEW + 3 * CHUNK):
        result = outcome(seed)
        if result is not None:
            occurs.update(program(seed).constructs)
            refused.update(program(seed).constructs if result.kind == "refused" else ())
    shares = {name: refused[name] / occurs[name] for name in TABLE}
    assert all(share <= MOST_REFUSED for share in shares.values()), shares


def test_programs_are_the_same_on_every_run() -> None:
    assert [program(seed) for seed in range(20)] == [program(seed) for seed in range(20)]
    assert len({program(seed).text for seed in range(200)}) == 200
