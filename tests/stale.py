"""Names in generated code that hold what the last trip of a loop left in them, where the way back reads them as those of its own trip.

On the way there a loop assigns a name anew in each trip, before it reads it. If a later loop reads the name before it assigns it
(pops it, computes it again), each of its trips reads the last one's: a forgotten need. It may be right by accident, as where only
a shape is read that all trips share, but it is not what any plan asks for.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator


def stale(source: str) -> list[str]:
    """The names of the last function of `source` that a loop reads as an earlier loop left them."""
    function = [node for node in ast.parse(source).body if isinstance(node, ast.FunctionDef)][-1]
    return sorted(set(_stale_in(function.body, set())))


def _stale_in(body: list[ast.stmt], carried: set[str]) -> Iterator[str]:
    assigned: set[str] = set(carried)  # before the loop in question, outside of loops
    private: set[str] = set()
    for stmt in body:
        if isinstance(stmt, (ast.For, ast.While)):
            exposed, written = _exposed([stmt])
            yield from exposed & private
            private |= {name for name in written if name not in exposed and name not in assigned}
        else:
            _, written = _exposed([stmt])
            assigned |= written
            private -= written


def _exposed(body: list[ast.stmt]) -> tuple[set[str], set[str]]:
    """(names read before they are assigned, names assigned), as if every block ran once."""
    exposed: set[str] = set()
    written: set[str] = set()
    for stmt in body:
        blocks = [getattr(stmt, field) for field in ("body", "orelse") if getattr(stmt, field, None)]
        inside = {id(node) for block in blocks for inner in block for node in ast.walk(inner)}
        own = [node for node in ast.walk(stmt) if isinstance(node, ast.Name) and id(node) not in inside]
        reads = {node.id for node in own if isinstance(node.ctx, ast.Load)}
        if isinstance(stmt, ast.AugAssign) and isinstance(stmt.target, ast.Name):
            reads.add(stmt.target.id)
        exposed |= reads - written
        written |= {node.id for node in own if isinstance(node.ctx, ast.Store)}
        for block in blocks:
            deeper, more = _exposed(block)
            exposed |= deeper - written
            written |= more
    return exposed, written
