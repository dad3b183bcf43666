"""Temporaries are numbered densely by first appearance: t, t2, t3 …; x_bar, x_bar2 …

Names that the user wrote, parameters, and names from outside keep their spelling.
"""

from __future__ import annotations

import keyword
import re
from typing import Any

import gast

from ...facts.uses import blocks, free_names, parameters, target_names
from ...python.quote import rebuilt

_NUMBERED = re.compile(r"(.*?[^0-9])([2-9]|[1-9][0-9]+)")


def renumber(tree: Any, user_names: frozenset[str]) -> Any:
    """The function with its own names renamed; nested functions follow."""
    order: dict[str, None] = {}
    kept = set(user_names) | set(parameters(tree)) | free_names(tree) | {tree.name}
    _appearances(tree.body, order, kept)
    renames = _plan([n for n in order if n not in kept], kept, set(order))
    return _renamed(tree, renames) if renames else tree


def _appearances(body: list[Any], order: dict[str, None], kept: set[str]) -> None:
    for stmt in body:
        if isinstance(stmt, gast.FunctionDef):
            kept.add(stmt.name)
            kept.update(parameters(stmt))
            _appearances(stmt.body, order, kept)
        elif isinstance(stmt, (gast.Global, gast.Nonlocal)):
            kept.update(stmt.names)
        elif isinstance(stmt, (gast.Assign, gast.AugAssign, gast.For)):
            for target in getattr(stmt, "targets", None) or [stmt.target]:
                order.update(dict.fromkeys(target_names(target)))
        elif not isinstance(stmt, _SIMPLE):
            kept.update(n.id for n in gast.walk(stmt) if isinstance(n, gast.Name))
        for block in blocks(stmt):
            _appearances(block, order, kept)


_SIMPLE = (gast.If, gast.While, gast.Return, gast.Expr, gast.Pass, gast.Break, gast.Continue, gast.Assert, gast.Raise)


def _plan(ours: list[str], kept: set[str], present: set[str]) -> dict[str, str]:
    renames: dict[str, str] = {}
    taken = set(kept)
    last: dict[str, int] = {}  # base -> the number below which every name of it is taken
    known = kept | present
    bases = {n: _base(n, known) for n in ours}
    taken |= {n for n, base in bases.items() if base is None}
    for old in sorted(bases, key=_is_derivative):  # a cotangent follows the name that it belongs to
        base = bases[old]
        if base is not None:
            primal, bar, suffix = base.rpartition("_")
            if bar and primal == old.rpartition("_")[0]:  # its primal is still there, perhaps under another name
                base = renames.get(primal, primal) + bar + suffix
            number = last.get(base, 1)
            new = base if number == 1 else f"{base}{number}"
            while new in taken or keyword.iskeyword(new):
                number += 1
                new = f"{base}{number}"
            taken.add(new)
            last[base] = number
            if new != old:
                renames[old] = new
    return renames


def _is_derivative(spelling: str) -> bool:
    return spelling.rstrip("0123456789").endswith(("_bar", "_dot"))


def _base(spelling: str, known: set[str]) -> str | None:
    """What a name is a numbered form of: `x_bar` of `x_bar3`; None where the digits may be part of the word, as in `log10`."""
    match = _NUMBERED.fullmatch(spelling)
    if match is None:
        return None if spelling[-1].isdigit() else _without_inner_number(spelling, known)
    base = match[1]
    return _without_inner_number(base, known) if base in known or base in ("t", "c") or _is_derivative(base) else None


def _without_inner_number(spelling: str, known: set[str]) -> str:
    """`t_bar` of `t7_bar` where there is no t7 any more."""
    primal, _, suffix = spelling.rpartition("_")
    match = _NUMBERED.fullmatch(primal)
    if suffix in ("bar", "dot") and primal not in known and match is not None and match[1] in ("t", "c"):
        return f"{match[1]}_{suffix}"
    return spelling


def _renamed(node: Any, renames: dict[str, str]) -> Any:
    kind = type(node)
    if kind is gast.Name:
        return rebuilt(node, id=renames[node.id]) if node.id in renames else node
    if kind is gast.Constant:
        return node
    changes: dict[str, Any] = {}
    for field in node._fields:
        old = getattr(node, field, None)
        if isinstance(old, list):
            new = [_renamed(o, renames) if isinstance(o, gast.AST) else o for o in old]
            if any(a is not b for a, b in zip(new, old, strict=True)):
                changes[field] = new
        elif isinstance(old, gast.AST) and old._fields:  # a slice is no gast.expr
            changed = _renamed(old, renames)
            if changed is not old:
                changes[field] = changed
    return rebuilt(node, **changes) if changes else node
