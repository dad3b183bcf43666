"""Which cotangents may be memory that something else also holds, and must be copied before they are handed out."""

from __future__ import annotations

from typing import Any

import gast

from ...facts.uses import simple_statements
from ...python.lattice import UNKNOWN, Array, rank_of
from .bars import Bars


def bars_not_fresh(body: list[Any], bars: Bars, fresh: Any) -> set[str]:
    """Names whose cotangent may be memory that something else also holds."""
    by_bar = {b: n for n, b in bars.names.items()}
    found: set[str] = set()
    for stmt in simple_statements(body):
        if isinstance(stmt, gast.Assign) and isinstance(stmt.targets[0], gast.Name) and stmt.targets[0].id in by_bar:
            name = by_bar[stmt.targets[0].id]
            if not _is_own(stmt.value, name, bars, fresh):
                found.add(name)
    return found


def whole_bars(bars: Bars) -> frozenset[str]:
    """The cotangents that are values, of the shape and dtype of their real arrays wherever they are."""
    types = bars.closed.types
    if bars.mixed or any(types.get(n, UNKNOWN) is UNKNOWN for n in bars.layout.scopes):
        return frozenset()
    values = {n: b for n, b in bars.names.items() if n not in bars.buffers and n not in bars.mirrors and n not in bars.partly}
    kinds = {b: types.get(n, UNKNOWN) for n, b in values.items()}
    return frozenset(b for b, t in kinds.items() if isinstance(t, Array) and t.rank and t.dtype is not None and t.dtype.kind == "f")


def _is_own(value: Any, name: str, bars: Bars, fresh: Any) -> bool:
    """Is this value memory of the name's own: new, summed to a smaller shape, or a buffer handed over?"""
    if isinstance(value, gast.Call) and getattr(value.func, "id", "").startswith("unbroadcast"):
        ranks = [rank_of(bars.closed.type_of(a)) for a in value.args]
        return (None not in ranks and ranks[0] != ranks[1]) or _is_own(value.args[0], name, bars, fresh)
    return fresh(value) or (isinstance(value, gast.Name) and name in bars.taken_over)
