"""np.r_ and np.c_: what is joined by indexing is joined by calls."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import gast
import numpy as np

from ...python.lattice import is_scalar, rank_of
from ...rules.forms import rule_for
from .kept_calls import call_rule
from .values import Atom, Known, Seq, Value, type_of

if TYPE_CHECKING:
    from .walk import Walk


def joined(walk: Walk, known: Any, index: Any, node: Any, hint: str) -> Value | None:
    """`np.r_[x, 1.0, y]` as np.concatenate, `np.c_[x, y]` as np.column_stack; None for what is no such thing."""
    if known is not np.r_ and known is not np.c_:
        return None
    from .expressions import atom

    parts = index.elts if isinstance(index, gast.Tuple) else [index]
    if any(isinstance(p, gast.Slice) for p in parts):
        raise walk.problem("not_yet_function", node, name="np.r_ with a slice")
    values = [atom(walk, p) for p in parts]
    ranks = [rank_of(type_of(v)) if isinstance(v, Atom) else None for v in values]
    if any(isinstance(v, Known) for v in values):
        raise walk.problem("not_yet_function", node, name="np.r_ with a text")
    if known is np.c_:
        if any(r is None or r > 2 for r in ranks):
            raise walk.problem("update_undecided", node, name="what np.c_ joins")
        rule = rule_for(np.column_stack)
    else:
        if any(r is None for r in ranks):
            raise walk.problem("update_undecided", node, name="what np.r_ joins")
        values = [Seq((v,), is_list=True) if is_scalar(type_of(v)) or r == 0 else v for v, r in zip(values, ranks, strict=True)]
        rule = rule_for(np.concatenate)
    assert rule is not None
    return call_rule(walk, rule, [Seq(tuple(values))], {}, node, hint)
