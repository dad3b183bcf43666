"""Paths into structures, as `wrt` takes them: `params.w`, `params['w']`, `layers[0].b`."""

from __future__ import annotations

import ast
import re
from typing import Any

from .lattice import Dict, Items, Object, Tuple, Type


def root_of(choice: str) -> str:
    """The parameter that a choice is of, or leads into."""
    return re.split(r"[.\[]", choice, maxsplit=1)[0]


def steps_of(path: str) -> list[tuple[bool, Any]] | None:
    """(is it an attribute, its name or index) for each step of a path such as `params.w` or `xs[0].b`; None if it is no path."""
    try:
        node: Any = ast.parse(path, mode="eval").body
    except (SyntaxError, ValueError):
        return None
    steps: list[tuple[bool, Any]] = []
    while not isinstance(node, ast.Name):
        match node:
            case ast.Attribute():
                steps.append((True, node.attr))
            case ast.Subscript(slice=ast.Constant(value=str() | int() as key)):
                steps.append((False, key))
            case _:
                return None
        node = node.value
    return steps[::-1]


def type_at(kind: Type, steps: list[tuple[bool, Any]]) -> Type | None:
    """The type of what a path leads to in a value of this type; None if that has no such part, or nothing is known of it."""
    for attribute, key in steps:
        held: dict[tuple[bool, Any], Type] = {}
        match kind:
            case Object():
                held = {(True, k): t for k, t in kind.fields}
            case Dict(items=tuple() as items):
                held = {(False, k): t for k, t in items}
            case Tuple() | Items():
                held = {(False, k): t for k, t in enumerate(kind.elements)}
                if isinstance(kind, Tuple) and kind.cls is not None:
                    held |= {(True, k): t for k, t in zip(kind.cls._fields, kind.elements, strict=True)}  # type: ignore[attr-defined]
        if (attribute, key) not in held:
            return None
        kind = held[attribute, key]
    return kind
