"""Cotangents that may stay larger than their names: the sum over what was broadcast is taken where they are handed on.

t = a[1:] * b[1:]           # of which shape, only running the program tells
x[1:] += t                  t_bar = x_bar[1:], whatever t's shape is
                            a_bar[1:] += unbroadcast(t_bar * b[1:], a[1:])

So nothing of t is kept for its shape alone. It holds of a name that is handed one cotangent (the sum of a larger one and one that
is not would be wrong), and hands it on element by element.
"""

from __future__ import annotations

from typing import Any

import gast

from ...facts import kinds
from ...facts.layout import Layout
from ...facts.uses import simple_statements
from ...python.lattice import UNKNOWN, Array
from ..closed import Closed
from .bars import Bars
from .contributions import Contribution, Recipe


def wide(closed: Closed, bars: Bars, layout: Layout, recipes: dict[int, Recipe]) -> set[str]:
    """The names whose shape is not known outside their iteration, and need not be."""
    found: set[str] = set()
    if bars.mixed:
        return found
    statements = list(simple_statements(closed.tree.body))
    uses = _uses(statements, recipes)
    for stmt in reversed(statements):
        if not isinstance(stmt, gast.Assign) or not isinstance(stmt.targets[0], gast.Name) or id(stmt) not in recipes:
            continue
        name = stmt.targets[0].id
        if len(uses.get(name, ())) != 1 or len(layout.definitions[name]) != 1 or name in bars.buffers or name in bars.mirrors:
            continue
        if not layout.is_private(name) or not _is_float_array(closed, name) or not isinstance(bars.shaped(name), gast.Name):
            continue
        parts = recipes[id(stmt)].parts
        if not parts or not all(isinstance(p, Contribution) and p.elementwise and p.target != name for p in parts):
            continue
        user, part = uses[name][0]
        if layout.spot(user).block is layout.spot(stmt).block and _arrives_larger(closed, bars, name, user, part, found):
            found.add(name)
    return found


def _uses(statements: list[Any], recipes: dict[int, Recipe]) -> dict[str, list[tuple[Any, Any]]]:
    """name -> the statements that hand a cotangent to it, each with its contribution (None for a store)."""
    found: dict[str, list[tuple[Any, Any]]] = {}
    for stmt in statements:
        if id(stmt) in recipes:
            for part in recipes[id(stmt)].parts:
                found.setdefault(part.target, []).append((stmt, part))
        else:
            for name in {n.id for n in gast.walk(stmt.value) if isinstance(n, gast.Name)} if getattr(stmt, "value", None) else ():
                found.setdefault(name, []).append((stmt, None))
    return found


def _arrives_larger(closed: Closed, bars: Bars, name: str, user: Any, part: Any, found: set[str]) -> bool:
    kind = closed.types[name]
    match user:
        case (
            gast.Assign(targets=[gast.Subscript(value=gast.Name() as base) as slot], value=gast.Name())
            | gast.AugAssign(target=gast.Subscript(value=gast.Name() as base) as slot, value=gast.Name())
        ):
            whole = kinds.index_type(closed.types.get(base.id, UNKNOWN), slot.slice, lambda n: closed.types.get(n, UNKNOWN))
            return base.id != name and whole == kind and not bars.templates.fits_slot(user, base.id, slot, name)
        case gast.AugAssign(target=gast.Name() as base, value=gast.Name()):
            return closed.types.get(base.id) == kind and not bars.templates.fits_slot(user, base.id, None, name)
        case gast.Assign(targets=[gast.Name() as result]) if isinstance(part, Contribution) and part.elementwise:
            return result.id != name and closed.types.get(result.id) == kind and (not part.same or result.id in found)
    return False


def _is_float_array(closed: Closed, name: str) -> bool:
    kind = closed.types.get(name)
    return isinstance(kind, Array) and bool(kind.rank) and kind.dtype is not None and kind.dtype.kind == "f"
