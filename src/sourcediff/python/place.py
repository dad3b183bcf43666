"""Finish a tree that was just parsed: places, mangled names, annotations as text.

This is the one moment at which nodes are changed; from here on they never are.
"""

from __future__ import annotations

from typing import Any

import gast

from ..errors import Place
from .code import mangled

_LINES = ("lineno", "col_offset", "end_lineno", "end_col_offset")
_NAMES = ("id", "attr", "name", "rest")


def finished(tree: Any, text: str, file: str, function: str, owner: str) -> Any:
    """`tree` with a place on each expr and stmt, and private names as the class `owner` makes them."""
    finisher = _Finisher(text, file, function, owner)
    own_name = tree.name
    finisher.finish(tree)
    tree.name = own_name  # a function's own name is never mangled
    return tree


class _Finisher:
    def __init__(self, text: str, file: str, function: str, owner: str) -> None:
        self.lines = text.split("\n")
        self.file = file
        self.function = function
        self.owner = owner

    def finish(self, node: Any) -> None:
        attributes = node.__dict__
        line = attributes.get("lineno")
        if line is not None:
            if isinstance(node, (gast.expr, gast.stmt)):
                node.place = self.place(node, line)
            for attribute in _LINES:
                attributes.pop(attribute, None)
        if self.owner:
            self.mangle(node)
        for field in node._fields:
            value = getattr(node, field, None)
            if field in ("annotation", "returns") and value is not None:
                setattr(node, field, self.as_text(value))
            elif isinstance(value, gast.AST):
                if value._fields:  # not a context or an operator
                    self.finish(value)
            elif isinstance(value, list):
                for item in value:
                    if isinstance(item, gast.AST):
                        self.finish(item)

    def place(self, node: Any, line: int) -> Place:
        end = node.end_lineno
        text = self.line(line)
        columns = self.column(line, node.col_offset), end, self.column(end, node.end_col_offset)
        return Place(self.file, line, *columns, self.function, text)

    def line(self, line: int) -> str:
        return self.lines[line - 1] if 0 < line <= len(self.lines) else ""

    def column(self, line: int, offset: int) -> int:
        """Characters for the UTF-8 bytes that ast counts in."""
        text = self.line(line)
        return offset if text.isascii() else len(text.encode()[:offset].decode(errors="ignore"))

    def as_text(self, annotation: Any) -> Any:
        """The annotation's text as a string: evaluating it could run anything."""
        if isinstance(annotation, gast.Constant) and isinstance(annotation.value, str):
            self.finish(annotation)
            return annotation
        place = self.place(annotation, annotation.lineno)
        lines = self.lines[place.line - 1 : place.end_line]
        lines[-1] = lines[-1][: place.end_column]
        lines[0] = lines[0][place.column :]
        text = gast.Constant(value=" ".join(part.strip() for part in lines), kind=None)
        text.place = place
        return text

    def mangle(self, node: Any) -> None:
        if isinstance(node, gast.alias):
            bound = mangled(node.asname or node.name, self.owner)
            if bound != (node.asname or node.name):
                node.asname = bound
            return
        for field in _NAMES:
            value = getattr(node, field, None)
            if isinstance(value, str):
                setattr(node, field, mangled(value, self.owner))
        if isinstance(node, (gast.Global, gast.Nonlocal)):
            node.names = [mangled(name, self.owner) for name in node.names]
