"""Indices that name no element twice: what they pick can be added to by `x_bar[i] += ...`.

order = np.argsort(x)        a permutation
x_sorted = x[order]
"""

from __future__ import annotations

from typing import Any

import gast

from ..python.lattice import UNKNOWN, Array, Int, Tuple
from .uses import simple_statements, stores

# Functions that give such an index: an array, or a tuple of arrays that name different elements together.
_ALWAYS = frozenset({"np.flatnonzero", "np.nonzero", "np.diag_indices", "np.diag_indices_from", "np.tril_indices", "np.triu_indices"})
_OF_RANK_ONE = frozenset({"np.arange", "np.argsort", "np.argpartition"})  # of higher rank the rows repeat each other


def distinct_indices(closed: Any) -> frozenset[str]:
    """The names that hold such an index wherever they are assigned, in a function that writes into no array of integers."""
    assignments = [s for s in simple_statements(closed.tree.body) if isinstance(s, gast.Assign) and isinstance(s.targets[0], gast.Name)]
    made = {s.targets[0].id for s in assignments if _makes_distinct(closed, s)}
    if not made or any(_may_hold_indices(closed.types.get(name, UNKNOWN)) for s in closed.tree.body for name in stores(s)):
        return frozenset()
    return frozenset(made - {s.targets[0].id for s in assignments if not _makes_distinct(closed, s)} - set(closed.parameters))


def _makes_distinct(closed: Any, stmt: Any) -> bool:
    operation = closed.operation(stmt.value) if isinstance(stmt.value, gast.Call) else None
    if operation is None:
        return False
    kind = closed.types.get(stmt.targets[0].id, UNKNOWN)
    if operation.rule.path == "flat_index":
        return isinstance(kind, Tuple) and all(isinstance(t, Int) for t in kind.elements)
    path = operation.rule.path
    return path in _ALWAYS or path in _OF_RANK_ONE and isinstance(kind, Array) and kind.rank == 1 and _is_integer(kind)


def _is_integer(kind: Array) -> bool:
    return kind.dtype is not None and kind.dtype.kind in "iu"


def _may_hold_indices(kind: Any) -> bool:
    return not (isinstance(kind, Array) and kind.dtype is not None and kind.dtype.kind in "bfc")
