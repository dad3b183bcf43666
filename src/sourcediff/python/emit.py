"""From trees to text: statements, with comments and line breaks, checked by reading them back.

    to_source(tree)                                       a def, a list of statements, or one expression
    to_source(tree, {node: ["a line above", "another"]})  comment lines above a statement
    to_source(tree, {node: "at its end"})                 a comment at the end of its (first) line

What is printed is parsed and compared with the tree, always: a difference is a StageError, never a wrong program.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import Any

import gast

from ..errors import problem
from .expressions import TEST, expression
from .statements import Comments, Printer

__all__ = ["to_ast", "to_source", "unchecked"]


def to_source(tree: Any, comments: Comments | None = None) -> str:
    """The text of a statement, a list of statements, a Function, or an expression; statements end in a new line."""
    return _printed(tree, comments or {})[0]


def unchecked(stmt: Any) -> str:
    """The text of one statement, to be looked at and not to be run: nobody reads it back."""
    printer = Printer({})
    printer.block([stmt])
    return printer.text()


def to_ast(tree: Any) -> ast.Module:
    """The statement(s) as an `ast.Module` that compiles; its lines are those of `to_source(tree)`."""
    return _printed(tree, {})[1]


def _printed(tree: Any, comments: Mapping[Any, str | list[str]]) -> tuple[str, ast.Module]:
    if isinstance(tree, gast.expr):
        text = expression(tree, TEST)
        ours: list[Any] = [gast.Expr(value=tree)]
    else:
        ours = tree if isinstance(tree, list) else [tree if isinstance(tree, gast.AST) else tree.tree]
        printer = Printer(comments)
        printer.block(ours)
        text = printer.text()
    try:
        module = ast.parse(text)
    except SyntaxError as error:
        raise problem("printed_wrong", ours[0], found=f"{error.msg}: {(error.text or text).strip()}") from None
    found = _difference(ours, module.body)
    if found:
        raise problem("printed_wrong", ours[0], found=found)
    return text, module


_IGNORED = frozenset({"ctx", "kind", "type_comment", "type_ignores"})


def _difference(ours: Any, parsed: Any) -> str:
    """What differs, apart from contexts and places; "" if nothing does."""
    if type(ours) is gast.Name and type(parsed) is ast.Name and ours.id == parsed.id:
        return ""
    if isinstance(parsed, list):
        ours = ours or []
        if not isinstance(ours, list) or len(ours) != len(parsed):
            return f"{_short(parsed)} in place of {_short(ours)}"
        return next(filter(None, map(_difference, ours, parsed)), "") if parsed else ""
    if not isinstance(parsed, ast.AST):
        if isinstance(ours, gast.Name):  # of an except clause: text in ast, a node in gast
            ours = ours.id
        same = type(ours) is type(parsed) and (ours == parsed or repr(ours) == repr(parsed))
        return "" if same or (ours is None and not parsed) else f"{parsed!r} in place of {_short(ours)}"
    if isinstance(parsed, ast.arg) and isinstance(ours, gast.Name):
        return _difference(ours.id, parsed.arg) or _difference(ours.annotation, parsed.annotation)
    if type(ours).__name__ != type(parsed).__name__:
        return f"{_short(parsed)} in place of {_short(ours)}"
    for field in parsed._fields:
        if field not in _IGNORED:
            one, other = getattr(ours, field, None), getattr(parsed, field, None)
            if type(one) is str and one == other:
                continue
            found = _difference(one, other)
            if found:
                return found
    return ""


def _short(node: Any) -> str:
    text = ast.dump(node) if isinstance(node, ast.AST) else repr(node)
    return text if len(text) <= 80 else text[:77] + "..."
