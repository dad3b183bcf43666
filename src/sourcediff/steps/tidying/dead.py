"""What nobody needs is dropped: by strong liveness, at once, loops and counters included.

    t = x * x          (nobody reads t)                       gone
    xs.append(x)       (nothing is popped from xs)            gone
    v = xs.pop()       (v not read, xs popped again)          xs.pop()
    if c: (empty) else: …                                     if not c: …

Kept are returns, raises, asserts, imports, unknown calls, and all writes that the caller can see.
"""

from __future__ import annotations

from typing import Any

import gast

from ...facts.flow import Liveness
from ...facts.uses import target_names
from ...python.quote import rebuilt
from .scope import Scope


def eliminate(tree: Any, scope: Scope) -> list[Any]:
    """The body of `tree` without what is dead."""
    live = Liveness(tree, scope.summaries, scope.sharing, scope.type_of)
    first = tree.body[:1]
    kept = _block(tree.body, live, scope)
    if first and _is_docstring(first[0]):
        return first + kept
    return kept


def _is_docstring(stmt: Any) -> bool:
    return type(stmt) is gast.Expr and type(stmt.value) is gast.Constant and isinstance(stmt.value.value, str)


def _block(body: list[Any], live: Liveness, scope: Scope) -> list[Any]:
    out = []
    for stmt in body:
        if live.is_live(stmt):
            kept = _statement(stmt, live, scope)
            if kept is not None:
                out.append(kept)
    return out


def _statement(stmt: Any, live: Liveness, scope: Scope) -> Any:
    match stmt:
        case gast.Assign(targets=[gast.Name() as target]) if scope.summaries(stmt.value).effect:
            if not any(live.live_after_bits(stmt) & live.bit(name) for name in target_names(target)):
                return _expr(stmt)
        case gast.If():
            return _conditional(stmt, live, scope)
        case gast.For() | gast.While():
            body = _block(stmt.body, live, scope)
            orelse = _block(stmt.orelse, live, scope)
            return stmt if body == stmt.body and orelse == stmt.orelse else rebuilt(stmt, body=body or [gast.Pass()], orelse=orelse)
    return stmt


def _conditional(stmt: Any, live: Liveness, scope: Scope) -> Any:
    body, orelse = _block(stmt.body, live, scope), _block(stmt.orelse, live, scope)
    if body:
        return stmt if body == stmt.body and orelse == stmt.orelse else rebuilt(stmt, body=body, orelse=orelse)
    if orelse:
        return rebuilt(stmt, test=_negated(stmt.test), body=orelse, orelse=[])
    return _expr(stmt, stmt.test) if scope.summaries(stmt.test).effect else None


def _negated(test: Any) -> Any:
    if type(test) is gast.UnaryOp and type(test.op) is gast.Not:
        return test.operand
    return gast.UnaryOp(op=gast.Not(), operand=test)


def _expr(stmt: Any, value: Any = None) -> Any:
    """The statement reduced to evaluating its value, for its effect."""
    new = gast.Expr(value=value if value is not None else stmt.value)
    if getattr(stmt, "place", None) is not None:
        new.place = stmt.place
    return new
