"""The shape of the project: which part may import which, names of modules, sizes of files."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import sourcediff

ROOT = Path(sourcediff.__file__).parent
MODULES = sorted(ROOT.rglob("*.py"))

# Imports go down this list only; a module at the top level of the package is a layer of its own here.
LAYERS = [
    ["messages"],
    ["errors"],
    ["python"],
    ["runtime"],
    ["rules"],
    ["facts"],
    ["steps"],
    ["callables", "choices", "declared", "dispatch", "loading", "reuse", "structures"],
    ["family"],
    ["standalone"],
    ["result"],
    ["transforms"],
    ["decorators", "checking"],
    ["jupyter", "cli"],
    ["__init__"],
    ["__main__"],
]
LEVEL = {name: level for level, names in enumerate(LAYERS) for name in names}

# Imports inside functions that go up, each with its reason.
UPWARDS = {
    ("result", "jupyter"),  # a notebook asks the object itself for its view
}

# Files that may be longer than others, each with its reason.
LONGER = {
    "runtime.py": 580,  # the helpers of derivatives, which standalone modules copy from one place
}


def part_of(path):
    """`python/emit.py` is of the part `python`, `cli.py` of the part `cli`."""
    return path.relative_to(ROOT).parts[0].removesuffix(".py")


def imported_parts(path):
    """(part, line) of each import of our own modules."""
    package = ("sourcediff", *path.relative_to(ROOT).parts[:-1])
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        targets = []
        if isinstance(node, ast.ImportFrom):
            base = package[: len(package) + 1 - node.level] if node.level else ()
            base = (*base, *filter(None, (node.module or "").split(".")))
            targets = [(*base, alias.name) for alias in node.names]
        elif isinstance(node, ast.Import):
            targets = [tuple(alias.name.split(".")) for alias in node.names]
        for target in targets:
            if target[0] == "sourcediff" and len(target) > 1:
                yield (target[1] if target[1] in LEVEL else "__init__"), node.lineno


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(ROOT)))
def test_imports_go_one_way(path):
    part = part_of(path)
    assert part in LEVEL, f"{path.name} is in no layer: add it to LAYERS"
    wrong = [
        f"line {line}: {part} imports {other}"
        for other, line in imported_parts(path)
        if LEVEL[other] > LEVEL[part] and (part, other) not in UPWARDS
    ]
    assert wrong == []


def test_every_layer_exists():
    assert set(LEVEL) == {part_of(p) for p in MODULES}


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(ROOT)))
def test_a_file_holds_one_idea(path):
    lines = path.read_text(encoding="utf-8").splitlines()
    assert len(lines) <= LONGER.get(path.name, 320), "past 300 lines a file usually holds two ideas"
    tree = ast.parse("\n".join(lines))
    assert ast.get_docstring(tree), "a module's docstring is its idea"
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            assert (node.end_lineno or 0) - node.lineno < 45, f"{node.name} is long"


def test_names_of_modules():
    top = {part_of(p) for p in MODULES} - {"__init__", "__main__"}
    assert top & set(sys.stdlib_module_names) == set()
    assert {name for name in sourcediff.__all__ if name in top} == set()


def test_public_names_exist_and_are_documented():
    for name in sourcediff.__all__:
        assert getattr(sourcediff, name).__doc__, name


def test_one_file_imports_astor():
    assert {p.name for p in MODULES if "import astor" in p.read_text(encoding="utf-8")} <= {"emit.py", "expressions.py"}


def test_importing_sourcediff_costs_little_beyond_numpy():
    code = "import numpy, time; t = time.perf_counter(); import sourcediff; print(time.perf_counter() - t)"
    command = [sys.executable, "-W", "error", "-c", code]
    environment = {"PYTHONPATH": str(ROOT.parent)}
    seconds = [float(subprocess.run(command, capture_output=True, check=True, env=environment).stdout) for _ in range(5)]
    assert min(seconds) < 0.1
