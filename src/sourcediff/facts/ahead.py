"""Stores that run ahead of every read, in the direction of a loop: what they destroy nobody reads again, so nothing is saved.

for i in range(1, n):
    y[i] = a * y[i - 1] + b         # the way back reads y[i - 1], which no later trip has overwritten
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast

from .layout import Layout, Spot
from .plan import Needs, Plan
from .uses import names_read


def written_ahead(
    loop: Any, layout: Layout, stores: dict[str, list[Spot]], needs: Needs, plan: Plan, group: Callable[[str], str | None]
) -> frozenset[str]:
    """Classes whose stores in this loop go to slots that no earlier iteration has read (and no read looks ahead).

    stores: class -> where it is written; group: the class of a name whose memory is written.
    """
    if not isinstance(loop, gast.For) or not _ascending(loop.iter):
        return frozenset()
    index = loop.target.id
    block = layout.block_of[id(loop.body)]
    found = set()
    for written, spots in stores.items():
        here = [s for s in spots if layout.contains(block, s.block)]
        if not here or any(s.block is not block for s in here):
            continue
        stored = [_offset(s.stmt.targets[0].slice if isinstance(s.stmt, gast.Assign) else None, index) for s in here]
        reads = [
            _read_offset(site.spot, index)
            for n, sites in needs.content.items()
            if group(n) == written
            for site in sites
            if not site.derived and layout.contains(block, site.spot.block)
        ]
        again = [
            _offset(d.value.slice, index) if isinstance(d.value, gast.Subscript) else None
            for definitions in plan.again.values()
            for d in definitions
            if any(group(n) == written for n in names_read(d.value)) and layout.contains(block, layout.spot(d).block)
        ]
        offsets = again + reads
        if None in stored or None in offsets or not offsets:
            continue
        lowest = min(r for r in offsets if r is not None)
        if lowest < 0 and not _starts_at(loop.iter, -lowest):
            continue  # an index below 0 means the array's end
        if min(s for s in stored if s is not None) > max(r for r in offsets if r is not None):
            found.add(written)
    return frozenset(found)


def _ascending(iterable: Any) -> bool:
    if not (isinstance(iterable, gast.Call) and isinstance(iterable.func, gast.Name) and iterable.func.id.startswith("range")):
        return False
    return len(iterable.args) < 3 or (isinstance(iterable.args[2], gast.Constant) and iterable.args[2].value > 0)


def _starts_at(iterable: Any, least: int) -> bool:
    """Does the range begin at a literal of at least this?"""
    if len(iterable.args) < 2:
        return False
    start = iterable.args[0]
    return isinstance(start, gast.Constant) and isinstance(start.value, int) and start.value >= least


def _offset(index: Any, variable: str) -> int | None:
    """k of the index `variable + k`."""
    match index:
        case gast.Name(id=name) if name == variable:
            return 0
        case gast.BinOp(left=gast.Name(id=name), op=gast.Add(), right=gast.Constant(value=int() as k)) if name == variable:
            return k
        case gast.BinOp(left=gast.Name(id=name), op=gast.Sub(), right=gast.Constant(value=int() as k)) if name == variable:
            return -k
    return None


def _read_offset(spot: Spot, variable: str) -> int | None:
    value = getattr(spot.stmt, "value", None)
    return _offset(value.slice, variable) if isinstance(value, gast.Subscript) else None
