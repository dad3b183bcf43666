"""What a function writes into must be memory of its own: the checks of arguments, tangents and seeds at run time."""

from __future__ import annotations

from typing import Any

import gast

from ... import runtime
from ...errors import problem
from ...facts import memory as memory_facts
from ...python import quote
from ...python.lattice import UNKNOWN, Array, List, is_discrete, is_scalar
from ..closed import Closed


def separate_memory(closed: Closed, memory: memory_facts.Memory, others: tuple[str, ...]) -> list[Any]:
    """A check for each argument that is written: it shares memory with no other argument, tangent or seed."""
    checks = []
    every = [*(p for p in closed.parameters if p not in closed.structures), *closed.paths, *others]
    given = [p for p in (*closed.parameters, *closed.paths) if p in memory.parameters_written or memory.items_change(p)]
    for p in given:
        kinds = {q: closed.types.get(q, UNKNOWN) for q in every if q != p}
        shared = [q for q, kind in kinds.items() if kind is UNKNOWN or not (is_scalar(kind) or is_discrete(kind))]
        if (shared or _holds_memory(closed, p)) and not is_scalar(closed.types.get(p, UNKNOWN)):
            name = closed.spelling.helper("check_separate", runtime.check_separate)
            read = {q: closed.paths.get(q, quote.name(q)) for q in (p, *shared)}
            keywords = [gast.keyword(arg=q, value=read[q]) for q in shared]
            checks.append(gast.Expr(value=gast.Call(func=quote.name(name), args=[quote.constant(p), read[p]], keywords=keywords)))
    return checks


def _holds_memory(closed: Closed, name: str) -> bool:
    """Is it a list of arrays or of lists?"""
    kind = closed.types.get(name, UNKNOWN)
    return isinstance(kind, List) and isinstance(kind.element, (Array, List))


def working_copy(closed: Closed, memory: memory_facts.Memory, helper: Any, p: str, caller: str) -> tuple[Any, Any]:
    """(a copy of an argument that the way back restores, the statement that gives the caller's own its content)."""
    kind, own, x = closed.types[p], quote.name(caller), quote.name(p)
    if isinstance(kind, Array):
        return quote.expr("p.copy()", p=p), quote.stmt("c[...] = p", c=caller, p=p)
    arrays = isinstance(kind, List) and isinstance(kind.element, Array)
    if arrays and memory.changed_lists([p]):
        raise problem("container_write", closed.tree, name=p)
    copies, put = (runtime.working_copies, runtime.put_back_each) if arrays else (runtime.working_copy, runtime.put_back)
    return helper(copies, x), gast.Expr(value=helper(put, own, x))


def prepared_inputs(closed: Closed, body: list[Any], first: dict[str, list[Any]]) -> list[Any]:
    """The body with what is done to arguments first: at the start, or behind the statement that reads a part into its name."""
    out = [stmt for p, statements in first.items() if p not in closed.paths for stmt in statements]
    for stmt in body:
        out.append(stmt)
        if is_part_read(closed, stmt):
            out += first.get(stmt.targets[0].id, [])
    return out


def is_part_read(closed: Closed, stmt: Any) -> bool:
    """Does the statement read a part of an argument into its name?"""
    target = getattr(stmt.targets[0], "id", "") if isinstance(stmt, gast.Assign) else ""
    return target in closed.paths or target in closed.structures


def copies_of_inputs(closed: Closed, memory: memory_facts.Memory) -> dict[str, list[Any]]:
    """Where the caller's arguments are to stay as they are: each that is written becomes a copy of itself."""
    copies = {}
    written = [*memory.parameters_written, *memory.changed_lists(closed.parameters), *memory.changed_lists(closed.paths)]
    for p in written if closed.copies_inputs else ():
        kept = quote.name(closed.spelling.helper("kept", runtime.kept))
        known = isinstance(closed.types.get(p, UNKNOWN), Array)
        copy = quote.expr("p.copy()", p=p) if known else gast.Call(func=kept, args=[quote.name(p)], keywords=[])
        copies[p] = [quote.stmt("p = c", p=p, c=copy)]
    return copies
