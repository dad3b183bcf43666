"""What a function writes into must be memory of its own: the checks of arguments, tangents and seeds at run time."""

from __future__ import annotations

from typing import Any

import gast

from ... import runtime
from ...facts import memory as memory_facts
from ...python import quote
from ...python.lattice import UNKNOWN, is_discrete, is_scalar
from ..closed import Closed


def separate_memory(closed: Closed, memory: memory_facts.Memory, others: tuple[str, ...]) -> list[Any]:
    """A check for each argument that is written: it shares memory with no other argument, tangent or seed."""
    checks = []
    name = ""
    for p in memory.parameters_written:
        kinds = {q: closed.types.get(q, UNKNOWN) for q in (*closed.parameters, *others) if q != p}
        shared = [q for q, kind in kinds.items() if kind is UNKNOWN or not (is_scalar(kind) or is_discrete(kind))]
        if shared and not is_scalar(closed.types.get(p, UNKNOWN)):
            name = closed.spelling.helper("check_separate", runtime.check_separate)
            keywords = [gast.keyword(arg=q, value=quote.name(q)) for q in shared]
            checks.append(gast.Expr(value=gast.Call(func=quote.name(name), args=[quote.constant(p), quote.name(p)], keywords=keywords)))
    return checks
