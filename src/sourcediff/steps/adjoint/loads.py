"""Rows of lists of lists, and arrays of lists of arrays: what is taken from a list and never written has its cotangent in the list's.

    row = A[i]                  row_bar = A_bar[i]
    s = s + row[j] * w    →     row_bar[j] += s_bar * w

So nothing is made for a row and added to the list's afterwards.
"""

from __future__ import annotations

from typing import Any

import gast

from ...facts.layout import Layout
from ...facts.memory import Memory
from ...facts.uses import names_read, simple_statements
from ...python.lattice import UNKNOWN, Int, List, is_scalar
from ..closed import Closed
from .contributions import Gather, Recipe


def loads(closed: Closed, layout: Layout, memory: Memory, recipes: dict[int, Recipe], buffers: set[str]) -> dict[str, Any]:
    """name → the item of a list that it is, for those whose cotangent is the item of the list's cotangent."""
    found: dict[str, Any] = {}
    returned = names_read(closed.tree.body[-1].value)
    for name, spots in layout.definitions.items():
        stmt = spots[0].stmt
        if len(spots) > 1 or not isinstance(stmt, gast.Assign) or name not in buffers or name in closed.shadows | returned:
            continue
        match stmt.value:
            case gast.Subscript(value=gast.Name(id=base), slice=index) if base in buffers and _may_hold(closed, base, name):
                lives_here = layout.scopes.get(name) is spots[0].block
                if lives_here and not _changes(memory, name) and _is_fixed(closed, layout, index):
                    found[name] = stmt.value
    return _added_in_place(closed, recipes, found)


def _may_hold(closed: Closed, base: str, name: str) -> bool:
    """Can `base` be a list whose items are memory?"""
    kind, held = closed.types.get(base, UNKNOWN), closed.types.get(name, UNKNOWN)
    return kind is UNKNOWN and held is UNKNOWN or isinstance(kind, List) and kind.element == held


def _changes(memory: Memory, name: str) -> bool:
    """Is the item, or a list that it may be in, written?"""
    return memory.group(name) is not None or bool(memory.changed_lists(memory.sharing.family(name)))


def _is_fixed(closed: Closed, layout: Layout, index: Any) -> bool:
    """Is it an integer, the same wherever the item is read?"""
    if isinstance(index, gast.Name) and isinstance(closed.types.get(index.id), Int):
        return index.id not in closed.shadows and len(layout.definitions.get(index.id, ())) + (index.id in closed.parameters) == 1
    return isinstance(index, gast.Constant) and type(index.value) is int


def _added_in_place(closed: Closed, recipes: dict[int, Recipe], found: dict[str, Any]) -> dict[str, Any]:
    """Those of the names where nothing but numbers and other such names adds to an item of the list, so that it stays the item."""
    parts = [(s.targets[0].id, p) for s in _assignments(closed, recipes) for p in recipes[id(s)].parts]
    handed = _handed_whole(closed)
    while True:
        spoilt = {p.target for result, p in parts if result not in found and not _is_number(closed, result, p)} | handed
        lists = {item.value.id for item in found.values()} & spoilt
        items = {n for n, item in found.items() if item.value.id in lists or (n in spoilt and not _is_flat(closed, n))}
        if not items:
            return found
        found = {n: item for n, item in found.items() if n not in items}


def _assignments(closed: Closed, recipes: dict[int, Recipe]) -> list[Any]:
    return [s for s in simple_statements(closed.tree.body) if id(s) in recipes]


def _is_number(closed: Closed, result: str, part: Any) -> bool:
    """Is what is handed on the cotangent of a number, for one item?"""
    return isinstance(part, Gather) and is_scalar(closed.types.get(result, UNKNOWN)) and not isinstance(part.index, gast.Slice)


def _is_flat(closed: Closed, name: str) -> bool:
    """A list of numbers, whose cotangent is added to number by number."""
    kind = closed.types.get(name, UNKNOWN)
    return isinstance(kind, List) and is_scalar(kind.element)


def _handed_whole(closed: Closed) -> set[str]:
    """Names that stand in statements that are no assignments to names, and in the result."""
    found: set[str] = set()
    for stmt in simple_statements(closed.tree.body):
        if not isinstance(stmt, gast.Assign) or not isinstance(stmt.targets[0], gast.Name):
            found |= {n.id for n in gast.walk(stmt) if isinstance(n, gast.Name)}
    return found
