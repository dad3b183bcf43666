"""Stores that run ahead of every read, in the direction of a loop: what they destroy nobody reads again, so nothing is saved.

for i in range(1, n):
    y[i] = a * y[i - 1] + b         # the way back reads y[i - 1], which no later trip has overwritten

A slot is read as the last trip left it. So each read must come behind each store to its slot: in a later trip, or in the same
trip further down.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import gast

from .layout import Block, Layout, Spot
from .once import Once, place
from .plan import Needs, Plan
from .uses import names_read


class Reach(NamedTuple):
    """An index on one axis is from `variable + low` to `variable + high`; None: without end."""

    low: int | None
    high: int | None


class Access(NamedTuple):
    """A read of a slot, or a store into it: its index, and where in the loop's body it stands."""

    index: Any
    start: int


def written_ahead(
    loop: Any,
    layout: Layout,
    stores: dict[str, list[Spot]],
    needs: Needs,
    plan: Plan,
    group: Callable[[str], str | None],
    owners: Callable[[str], set[str]],
    once: Once,
) -> frozenset[str]:
    """Classes whose stores in this loop go to slots that are read by later trips alone, or further down in the same.

    stores: class -> where it is written; group: the class of a name whose memory is written; owners: the names that it is written by.
    """
    if not isinstance(loop, gast.For) or once.range_of(loop.target.id) is None:
        return frozenset()
    block = layout.block_of[id(loop.body)]
    found = set()
    for written, spots in stores.items():
        here = [s for s in spots if layout.contains(block, s.block)]
        if not here or any(s.block is not block or not isinstance(s.stmt, gast.Assign) for s in here):
            continue
        (name, *others) = owners(written)
        if others or any(layout.contains(block, d.block) for d in layout.definitions.get(name, ())):
            continue  # an index says nothing where two arrays, or two views, go by it
        reads = _reads(written, name, block, layout, needs, plan, group)
        stored = [Access(s.stmt.targets[0].slice, s.start) for s in here]
        if reads and any(_is_ahead(loop.target.id, axis, stored, reads, once) for axis in range(_axes(stored[0].index))):
            found.add(written)
    return frozenset(found)


def _reads(
    written: str, base: str, block: Block, layout: Layout, needs: Needs, plan: Plan, group: Callable[[str], str | None]
) -> list[Access] | None:
    """What the adjoints of this block read of a class; None if that cannot be told."""
    found: list[tuple[Any, int]] = []
    for name, sites in needs.content.items():
        for site in sites if group(name) == written else ():
            top = layout.within(site.spot, block)
            if site.derived or top is None:
                continue
            definitions = layout.definitions.get(name, [])
            value = getattr(site.spot.stmt, "value", None)
            if len(definitions) == 1 and id(definitions[0].stmt) in plan.views and layout.contains(block, definitions[0].block):
                value = definitions[0].stmt.value  # a view, read here
            found.append((value, top.start))
    for repeated in plan.again.values():
        for stmt in repeated:
            top = layout.within(layout.spot(stmt), block)
            if top is not None and id(stmt) not in plan.views and any(group(n) == written for n in names_read(stmt.value)):
                found.append((stmt.value, top.start))
    if not all(isinstance(value, gast.Subscript) and getattr(value.value, "id", "") == base for value, _ in found):
        return None
    return [Access(value.slice, start) for value, start in found]


def _axes(index: Any) -> int:
    return len(index.elts) if isinstance(index, gast.Tuple) else 1


def _is_ahead(variable: str, axis: int, stored: list[Access], reads: list[Access], once: Once) -> bool:
    bounds = once.range_of(variable)
    assert bounds is not None
    upwards = bounds[2] > 0
    stores = [(_reach(s, axis, variable, once), s.start) for s in stored]
    for read in reads:
        reach = _reach(read, axis, variable, once)
        for store, start in stores:
            if reach is None or store is None or store.low is None or store.low != store.high:
                return False
            nearest = reach.high if upwards else reach.low
            if nearest is None:
                return False
            behind = nearest < store.low if upwards else nearest > store.low
            if not (behind or (nearest == store.low and read.start > start)):
                return False
    return True


def _reach(access: Access, axis: int, variable: str, once: Once) -> Reach | None:
    """Where the index is on this axis, from the loop's variable; None if that cannot be told, or it may be below 0."""
    parts = access.index.elts if isinstance(access.index, gast.Tuple) else [access.index]
    if axis >= len(parts) or not all(isinstance(p, gast.Slice) or once.is_integer(p) for p in parts):
        return None
    part = parts[axis]
    least = None if isinstance(part, gast.Slice) else once.least(part)
    if least is None or least < 0:
        return None  # an index below 0 means the array's end
    where = place(part)
    if where is None or where.name is None:
        return None
    if where.name == variable:
        return Reach(where.shift, where.shift)
    bounds = once.range_of(where.name)
    if bounds is None:
        return None
    start, stop, step = bounds
    first, last = (place(start), place(stop)) if step > 0 else (place(stop), place(start))
    low = first.shift + (0 if step > 0 else 1) if first is not None and first.name == variable else None
    high = last.shift - (1 if step > 0 else 0) if last is not None and last.name == variable else None
    return Reach(None if low is None else low + where.shift, None if high is None else high + where.shift)
