"""How expressions look: equality of text, and how wide and deep they print."""

from __future__ import annotations

from typing import Any

import gast

from ...facts.uses import children

Key = Any  # a nested tuple


def key(node: Any) -> Key:
    """Equal for expressions of the same text. `1`, `1.0` and `True` differ, so do 0.0 and -0.0."""
    kind = type(node)
    if kind is gast.Name:
        return node.id
    if kind is gast.Constant:
        return type(node.value), repr(node.value)
    if kind is gast.BinOp:
        return type(node.op), key(node.left), key(node.right)
    if kind is gast.UnaryOp:
        return type(node.op), key(node.operand)
    if kind is gast.Attribute:
        return key(node.value), "." + node.attr
    if kind is gast.Subscript:
        return "[]", key(node.value), key(node.slice)
    if kind is gast.Call:
        named = tuple((k.arg, key(k.value)) for k in node.keywords)
        return "()", key(node.func), tuple(key(a) for a in node.args), named
    if kind in (gast.Tuple, gast.List):
        return kind, tuple(key(e) for e in node.elts)
    return kind, gast.dump(node)


class Sizes:
    """`sizes(expr) -> (width, depth)`: the columns that it takes, about, and how many operations stand within one another."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[Any, int, int]] = {}

    def __call__(self, node: Any) -> tuple[int, int]:
        kind = type(node)
        if kind is gast.Name:
            return len(node.id), 0
        if kind is gast.Constant:
            return len(repr(node.value)), 0
        found = self._known.get(id(node))
        if found is None:
            width, depth = self._measure(node, kind)
            found = self._known[id(node)] = node, width, depth
        return found[1], found[2]

    def _measure(self, node: Any, kind: type) -> tuple[int, int]:
        width, depth = _EXTRA.get(kind, 2), 0
        if kind is gast.Attribute:
            inner, depth = self(node.value)
            return inner + 1 + len(node.attr), depth
        if kind is gast.Call:
            width += sum(len(k.arg) + 1 for k in node.keywords if k.arg)
        if kind is gast.Compare:
            width += 4 * len(node.comparators)
        if kind is gast.BinOp:
            return self._of_operation(node)
        for child in children(node):
            columns, inner = self(child)
            width += columns + (2 if kind in _LISTS else 0)
            depth = max(depth, inner)
        return width, depth + (kind in _OPERATIONS)

    def _of_operation(self, node: Any) -> tuple[int, int]:
        """A chain `a + b - c` reads as one operation."""
        (left, left_depth), (right, right_depth) = self(node.left), self(node.right)
        chain = type(node.left) is gast.BinOp and _CHAINS.get(type(node.op)) == _CHAINS.get(type(node.left.op))
        return left + right + 3, max(left_depth + (not chain), right_depth + 1)


_CHAINS = {gast.Add: 1, gast.Sub: 1, gast.Mult: 2, gast.Div: 2, gast.MatMult: 2, gast.FloorDiv: 2, gast.Mod: 2}
_LISTS = (gast.Call, gast.Tuple, gast.List)
_EXTRA = {gast.UnaryOp: 1, gast.Subscript: 2, gast.Call: 0, gast.Tuple: 0, gast.List: 0, gast.Compare: 0, gast.keyword: 0}
_OPERATIONS = (gast.Call, gast.Compare, gast.BoolOp)
