"""The same program in other words: what a derivative must not depend on.

Names are exchanged for those that generated code likes to use itself, and copies are made in all the ways that people make them.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator

HOSTILE = (
    *("t", "x_bar", "y_bar", "t2", "value", "g", "xs", "ts", "trips", "value_bar", "x_dot", "y", "t_bar", "t3", "held", "bars"),
    *("i_bar", "out", "flag", "x2", "saved", "unbroadcast", "y_bars", "t4", "owned", "zero", "a_bar", "t5", "seed", "pull", "n2", "t_dot"),
)


def renamed(text: str) -> str:
    """Parameters and local variables of all functions and methods under hostile names."""
    tree = ast.parse(text)
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            new = dict(zip(dict.fromkeys(_locals(node)), HOSTILE, strict=False))
            for inner in ast.walk(node):
                if isinstance(inner, ast.arg):
                    inner.arg = new.get(inner.arg, inner.arg)
                elif isinstance(inner, ast.Name):
                    inner.id = new.get(inner.id, inner.id)
    return ast.unparse(tree)


def _locals(function: ast.FunctionDef) -> Iterator[str]:
    for node in ast.walk(function):
        if isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id


def copied_by(spelling: str) -> Callable[[str], str]:
    """`x.copy()` in another spelling; the name stands for {}."""
    return lambda text: re.sub(r"\b(\w+)\.copy\(\)", lambda found: spelling.format(found[1]), text)


VARIANTS: dict[str, Callable[[str], str]] = {
    "renamed": renamed,
    "np.copy": copied_by("np.copy({})"),
    "np.array": copied_by("np.array({})"),
    "product": copied_by("({} * 1.0)"),
    "filled": copied_by("(np.zeros_like({0}) + {0})"),
}
