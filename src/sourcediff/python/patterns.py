"""Patterns of `match` as text."""

from __future__ import annotations

from typing import Any

import gast

from .expressions import OR, expression


def pattern(node: Any, nested: bool = False) -> str:
    """The text of a pattern; `nested` puts those that bind loosely (`|`, `as`) into parentheses."""
    if isinstance(node, gast.MatchValue):
        return expression(node.value, OR)
    if isinstance(node, gast.MatchSingleton):
        return repr(node.value)
    if isinstance(node, gast.MatchSequence):
        return f"[{', '.join(map(pattern, node.patterns))}]"
    if isinstance(node, gast.MatchStar):
        return f"*{node.name or '_'}"
    if isinstance(node, gast.MatchMapping):
        pairs = zip(node.keys, node.patterns, strict=True)
        rest = [f"**{node.rest}"] if node.rest else []
        return "{" + ", ".join([*(f"{expression(k, OR)}: {pattern(p)}" for k, p in pairs), *rest]) + "}"
    if isinstance(node, gast.MatchClass):
        pairs = zip(node.kwd_attrs, node.kwd_patterns, strict=True)
        return f"{expression(node.cls)}({', '.join([*map(pattern, node.patterns), *(f'{a}={pattern(p)}' for a, p in pairs)])})"
    text = _loose(node)
    is_loose = isinstance(node, gast.MatchOr) or node.pattern is not None
    return f"({text})" if nested and is_loose else text


def _loose(node: Any) -> str:
    if isinstance(node, gast.MatchOr):
        return " | ".join(pattern(p, nested=True) for p in node.patterns)
    if node.pattern is None:
        return node.name or "_"
    inner = _loose(node.pattern) if isinstance(node.pattern, gast.MatchOr) else pattern(node.pattern, nested=True)
    return f"{inner} as {node.name}"
