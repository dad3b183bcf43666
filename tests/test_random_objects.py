"""Random programs with objects: what is not refused is right, in both modes, against differences."""

import linecache

import numpy as np
import pytest

import sourcediff as sd
from tests.random_objects import Writer

POINT, STEP = (0.8, 0.6), 1e-6


def function_of(seed):
    text, file = Writer(seed).program(), f"<objects {seed}>"
    linecache.cache[file] = (len(text), None, text.splitlines(True), file)
    scope = {"np": np, "__name__": "__main__"}
    exec(compile(text, file, "exec"), scope)
    return scope["f"], text


def differences(f):
    (x, y), h = POINT, STEP
    return (f(x + h, y, 2) - f(x - h, y, 2)) / (2 * h), (f(x, y + h, 2) - f(x, y - h, 2)) / (2 * h)


def judged(seed):
    """ "right" or "refused"; raises if a derivative is wrong."""
    f, text = function_of(seed)
    value, expected = f(*POINT, 2), differences(f)
    if max(map(abs, expected)) > 1e4:
        return "wild"
    try:
        found, gradient = sd.value_and_grad(f, wrt=(0, 1))(*POINT, 2)
        pushed = [sd.jvp(f, wrt=(0, 1))(*POINT, 2, *direction)[1] for direction in ((1.0, 0.0), (0.0, 1.0))]
    except sd.UnsupportedError as error:
        assert error.name in ("object_undecided", "runtime_structure", "unstable_loop"), text
        return "refused"
    assert found == pytest.approx(value), text
    assert gradient == pytest.approx(expected, rel=1e-4, abs=1e-5), text
    assert pushed == pytest.approx(gradient, rel=1e-8, abs=1e-10), text
    return "right"


@pytest.mark.parametrize("start", range(0, 100, 20))
def test_no_program_is_wrong_and_few_are_refused(start):
    verdicts = [judged(seed) for seed in range(start, start + 20)]
    assert verdicts.count("refused") <= 9


@pytest.mark.thorough
@pytest.mark.parametrize("start", range(1000, 3000, 100))
def test_no_program_of_many_is_wrong(start):
    verdicts = [judged(seed) for seed in range(start, start + 100)]
    assert verdicts.count("refused") <= 40  # aliases that nobody would write: three names for three objects, swapped in loops
