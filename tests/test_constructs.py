"""Every small construct of Python is differentiated right, or refused with an error of its own, in every mode."""

import pytest

import sourcediff as sd
from tests.constructs import Case, constructs, judge
from tests.judge import MODES
from tests.refusals import unexpected


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("case", constructs(), ids=lambda case: case.id)
def test_construct(case: Case, mode: str) -> None:
    found = judge(case, mode)
    if case.expect == "error" and found.kind == "refused":
        return
    problem = unexpected(mode, case.id, found)
    assert not problem, f"{case.title}: {problem}\n{case.code}"


def by_id(identifier: str) -> Case:
    (case,) = (case for case in constructs() if case.id == identifier)
    return case


def gradient_or_refusal(case: Case, module: object, args: tuple[object, ...]) -> bool:
    try:
        sd.grad(module.f)(*args)  # type: ignore[attr-defined]
    except sd.DiffError:
        return False
    return True


def test_a_global_counter_counts_once() -> None:
    case = by_id("N20")
    module = case.module()
    if gradient_or_refusal(case, module, (0.7,)):
        assert module.COUNT == 1
    else:
        assert module.COUNT == 0


def test_a_mutable_default_is_appended_to_once() -> None:
    case = by_id("P05")
    module = case.module()
    appended = gradient_or_refusal(case, module, (0.7,))
    assert module.f.__defaults__ == (([0.7] if appended else []),)


def test_a_redefined_callee_changes_the_derivative() -> None:
    case = by_id("O05")
    module = case.module()
    derivative = sd.grad(module.f)
    assert derivative(0.7) == pytest.approx(2.8)
    module.h = lambda v: v * 3.0
    assert derivative(0.7) == pytest.approx(4.2)


def test_a_call_that_raised_leaves_no_state() -> None:
    case = by_id("N05")
    derivative = sd.grad(case.module().f)
    before = derivative(0.7)
    with pytest.raises(ValueError, match="negative"):
        derivative(-1.0)
    assert derivative(0.7) == before
