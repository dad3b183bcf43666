"""Derivatives kept as text: any change of the output is seen, and the promises about it are checked.

`python -m tests.tools.update_golden` rewrites the files; a reviewer reads the diff.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

import pytest

from tests.golden.programs import GOLDEN, Golden
from tests.golden.text import FOLDER, derivative_in, text_of


@pytest.mark.parametrize("golden", GOLDEN, ids=lambda golden: golden.file)
def test_output_is_as_kept(golden: Golden) -> None:
    assert text_of(golden) == (FOLDER / golden.file).read_text(encoding="utf-8")


def test_files_and_programs_are_the_same() -> None:
    files = {path.name for path in FOLDER.glob("*.py")} - {"__init__.py", "in_place.py", "programs.py", "text.py"}
    assert files == {golden.file for golden in GOLDEN}
    assert len(files) == len(GOLDEN) >= 40


# What the output must be in substance, whatever its exact words.


def kept(name: str) -> ast.FunctionDef:
    (golden,) = (golden for golden in GOLDEN if golden.file == f"{name}.py")
    (function,) = (node for node in ast.parse(derivative_in(golden)).body if isinstance(node, ast.FunctionDef))
    return function


def calls(tree: ast.AST) -> Iterator[str]:
    """The functions and methods called, as written."""
    return (ast.unparse(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call))


def methods(tree: ast.AST, name: str) -> int:
    return sum(called.endswith(f".{name}") for called in calls(tree))


def loops(tree: ast.AST) -> list[ast.For | ast.While]:
    return [node for node in ast.walk(tree) if isinstance(node, (ast.For, ast.While))]


def multiplications(tree: ast.AST) -> int:
    return sum(isinstance(node, ast.Mult) for node in ast.walk(tree))


@pytest.mark.parametrize("name", ["softplus_grad", "softplus_value_and_grad"])
def test_softplus_computes_each_intermediate_once(name: str) -> None:
    function = kept(name)
    text = ast.unparse(function)
    assert multiplications(function) <= 4  # three in the hand-derived version
    assert sum(called.endswith("exp") for called in calls(function)) == 1
    assert not any(called.startswith("np.") or "." not in called for called in calls(function))
    assert "0.0 +" not in text
    assert "1.0 *" not in text


def test_known_floats_need_no_helper() -> None:
    for name in (
        "softplus_grad",
        "polynomial_grad",
        "overwritten_grad",
        "shared_grad",
        "huber_grad",
        "changed_condition_grad",
        "calls_grad",
    ):
        assert not [called for called in calls(kept(name)) if not called.startswith("math.") and called not in ("abs",)], name


def test_a_linear_loop_is_one_reversed_loop_without_a_stack() -> None:
    function = kept("dot_grad")
    assert len(loops(function)) == 1
    assert methods(function, "append") == methods(function, "pop") == 0
    assert "range(n - 1, -1, -1)" in ast.unparse(function) or "reversed(range(n))" in ast.unparse(function)


def test_a_nonlinear_loop_saves_one_value_an_iteration() -> None:
    function = kept("iterated_sine_grad")
    assert methods(function, "append") == methods(function, "pop") == 1
    assert len(loops(function)) == 2


def test_a_recurrence_adds_in_place() -> None:
    function = kept("recurrence_grad")
    back = loops(function)[-1]
    stored = {ast.unparse(node.target) for node in ast.walk(back) if isinstance(node, ast.AugAssign)}
    stored |= {ast.unparse(target) for node in ast.walk(back) if isinstance(node, ast.Assign) for target in node.targets}
    assert "y_bar[i - 1]" in stored
    assert "x_bar[i]" in stored
    assert not [called for statement in back.body for called in calls(statement)]


def test_an_unchanged_condition_is_tested_again() -> None:
    function = kept("huber_grad")
    assert methods(function, "append") == methods(function, "pop") == 0
    assert any(isinstance(node, ast.If) for node in ast.walk(function))


def test_backpropagation_saves_nothing_and_loops_nowhere() -> None:
    function = kept("mlp_value_and_grad")
    assert not loops(function)
    assert "X.T @" in ast.unparse(function)
    assert "h.T @" in ast.unparse(function)


def test_a_unit_tangent_selects() -> None:
    (returned,) = (node for node in ast.walk(kept("dot_with_unit_derivative")) if isinstance(node, ast.Return))
    assert ast.unparse(returned) == "return b0"
    assert multiplications(kept("dot3_jacobian")) == 0
