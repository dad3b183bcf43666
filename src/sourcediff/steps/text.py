"""The last step's text: comments that carry the user's own lines, and the imports that a pasted function needs."""

from __future__ import annotations

import math
from types import ModuleType
from typing import Any

import gast

from ..facts.uses import blocks
from ..python.emit import to_source
from ..python.names import free_names
from .closed import Closed


def finished_source(tree: Any, closed: Closed, original: Any) -> tuple[str, dict[str, Any]]:
    """(the text with its imports, helper names that it needs in scope)."""
    free = free_names(tree)
    helpers = {n: v for n, v in closed.spelling.helpers.items() if n in free}
    imports = sorted({line for n in free if (line := import_line(n, closed, helpers))}, key=lambda line: (line.startswith("from"), line))
    text = to_source(tree, comments(tree))
    head = "\n".join(imports)
    return (f"{head}\n\n\n{text}" if head else text), helpers


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
    pending = [tree.body]
    while pending:
        body = pending.pop(0)
        for stmt in body:
            place = getattr(stmt, "place", None)
            line = place.text.strip() if place is not None else ""
            if line and line != said and _adds(stmt, line):
                found[stmt] = line
            said = line or said
            pending.extend(blocks(stmt))
    return found


def _adds(stmt: Any, line: str) -> bool:
    """Does the user's line say more than the statement itself?"""
    if isinstance(stmt, (gast.For, gast.While, gast.If)):
        return False
    return to_source([stmt]).strip() != line


__all__ = ["finished_source", "math"]
