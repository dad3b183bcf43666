"""The last step's text: comments that carry the user's own lines, and the imports that a pasted function needs."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from types import ModuleType
from typing import Any

import gast

from ..facts.uses import blocks
from ..python.emit import to_source, unchecked
from ..python.names import free_names
from .closed import Closed

OURS = str(Path(__file__).parents[1])  # what is inlined from here the user did not write


def finished_source(tree: Any, closed: Closed, original: Any) -> tuple[str, dict[str, Any]]:
    """(the text with its imports, helper names that it needs in scope)."""
    free = free_names(tree)
    helpers = {n: v for n, v in closed.spelling.helpers.items() if n in free}
    imports = together({line for n in free if (line := import_line(n, closed, helpers))})
    text = to_source(tree, comments(tree))
    head = "\n".join(imports)
    return (f"{head}\n\n\n{text}" if head else text), helpers


def together(lines: set[str]) -> list[str]:
    """Import lines in order; what comes from one module stands in one line, if that is not too long."""
    plain = sorted(line for line in lines if line.startswith("import"))
    by_module: dict[str, list[str]] = {}
    for line in sorted(lines - set(plain)):
        module, _, name = line.removeprefix("from ").partition(" import ")
        by_module.setdefault(module, []).append(name)
    for module, names in sorted(by_module.items()):
        line = f"from {module} import {', '.join(names)}"
        plain += [line] if len(line) <= 100 else [f"from {module} import {n}" for n in names]
    return plain


def import_line(name: str, closed: Closed, helpers: dict[str, Any]) -> str:
    where, value = closed.spelling.namespace.lookup(name)
    if name in helpers:
        value = helpers[name]
        if isinstance(value, ModuleType):
            return _module_line(name, value)
        module, own = getattr(value, "__module__", None), getattr(value, "__qualname__", "")
        if module and own.isidentifier() and module.startswith("sourcediff"):
            return f"from {module} import {own}" + (f" as {name}" if own != name else "")
        return ""
    if isinstance(value, ModuleType) and where == "global":
        return _module_line(name, value)
    return ""


def _module_line(name: str, module: ModuleType) -> str:
    return f"import {module.__name__}" + (f" as {name}" if module.__name__ != name else "")


def comments(tree: Any) -> dict[Any, str]:
    """statement → the user's line that it comes from, where that is another text and was not just said."""
    found: dict[Any, str] = {}
    said = ""
    for stmt in _in_order(tree.body):
        line = users_line(getattr(stmt, "place", None))
        simple = not isinstance(stmt, (gast.For, gast.While, gast.If))
        if line and line != said and simple:
            text = unchecked(stmt).strip()
            if text != line and canonical(line) != canonical(text):
                found[stmt] = line
        said = line or said
    return found


def _in_order(body: list[Any]) -> Iterator[Any]:
    for stmt in body:
        yield stmt
        for block in blocks(stmt):
            yield from _in_order(block)


def users_line(place: Any) -> str:
    """The source line at a place; of a line that sourcediff wrote, the user's line that it carries as a comment; of its own, none."""
    if place is None or place.file.startswith(OURS):
        return ""
    line = str(place.text).strip()
    if place.file.startswith("<sourcediff"):
        return line.partition("  # ")[2].strip()
    return line


@lru_cache(maxsize=1024)
def canonical(line: str) -> str:
    """A statement's text without what does not matter: spaces, and whether a number is updated by `+=` or by `=`."""
    try:
        (stmt,) = ast.parse(line.strip()).body
    except (SyntaxError, ValueError):
        return "".join(line.split())
    if isinstance(stmt, ast.AugAssign) and isinstance(stmt.target, ast.Name):
        left = ast.Name(id=stmt.target.id, ctx=ast.Load())
        stmt = ast.Assign(targets=[stmt.target], value=ast.BinOp(left=left, op=stmt.op, right=stmt.value), lineno=1)
    return ast.unparse(stmt)


__all__ = ["finished_source"]
