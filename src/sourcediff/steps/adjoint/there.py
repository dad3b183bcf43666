"""The way there: the CLOSED program as it is, saving what the way back will need."""

from __future__ import annotations

from typing import Any

import gast

from ...facts import kinds
from ...facts.layout import Layout
from ...facts.plan import Plan
from ...facts.uses import expressions, names_read, simple_statements, stores
from ...python import quote
from ...python.lattice import UNKNOWN, Array, List, is_real_scalar, is_scalar
from ..closed import Closed
from .mirrors import Mirrors


class There:
    """`holders`: (statement or block, saved name) -> the list or name that keeps it; "" is the content of a slot."""

    def __init__(self, closed: Closed, layout: Layout, plan: Plan, mirrors: Mirrors) -> None:
        self.closed, self.layout, self.plan, self.mirrors = closed, layout, plan, mirrors
        self.postponed: list[Any] = []  # made before the way back
        self.left_out: set[int] = set()  # not made on the way there
        self.changed_lists = {n for s in closed.tree.body for n in stores(s) if isinstance(closed.types.get(n), List)}
        if mirrors.statements:
            self._sort_mirrors()
        self.holders: dict[tuple[int, str], str] = {}
        self.pending: list[str] = []  # lists to be made before the outermost loop
        self.unbound: list[str] = []  # names that are saved before they may have been assigned

    def program(self, body: list[Any]) -> list[Any]:
        """The way there of the whole body: lists are made before the outermost statement that uses them."""
        out: list[Any] = []
        for stmt in body:
            new = self.statement(stmt)
            out.extend(quote.stmt("h = []", h=h) for h in self.pending)
            self.pending.clear()
            out.extend(new)
        return [*(quote.stmt("n = v", n=n, v=self.nothing(n)) for n in dict.fromkeys(self.unbound)), *out]

    def block(self, body: list[Any]) -> list[Any]:
        return [new for stmt in body for new in self.statement(stmt)]

    def _sort_mirrors(self) -> None:
        """Cotangents that nothing on the way there asks for are made on the way back, or before it if what they need is the same then."""
        here = {id(s) for s in self.closed.tree.body}
        again = {id(d) for definitions in self.plan.again.values() for d in definitions}
        mirrors = [s for s in simple_statements(self.closed.tree.body) if id(s) in self.mirrors.statements]
        late = [
            s
            for s in mirrors
            if self.mirrors.statements[id(s)]
            and (id(s) in again or (id(s) in here and all(self.is_fixed(n) for n in (s.targets[0].id, *names_read(s.value)))))
        ]
        while True:
            asked = {n for s in mirrors if s not in late for e in expressions(s) for n in names_read(e)}
            kept = [s for s in late if s.targets[0].id not in asked]
            if len(kept) == len(late):
                break
            late = kept
        self.left_out = {id(s) for s in late}
        self.postponed = [s for s in late if id(s) not in again]

    def is_fixed(self, name: str) -> bool:
        """Does it mean the same everywhere? A list that changes does not: its items do not."""
        known = self.layout.definitions.get(name, ())
        once = len(known) + (name in self.closed.parameters) == 1
        return (once and name not in self.changed_lists) or name not in self.closed.types

    def statement(self, stmt: Any) -> list[Any]:
        if id(stmt) in self.left_out:
            return []
        out: list[Any] = []
        for save in self.plan.before.get(id(stmt), ()):
            if save.how in ("stack", "name"):
                out.append(self.keep(id(stmt), save.name, quote.name(save.name), save.how == "stack"))
        if id(stmt) in self.plan.slots and id(stmt) not in self.plan.constants:
            out.append(self.keep(id(stmt), "", self.slot(stmt), self.plan.slots[id(stmt)]))
        match stmt:
            case gast.If():
                stmt_out = quote.rebuilt(stmt, body=self.block(stmt.body), orelse=self.block(stmt.orelse))
            case gast.For() | gast.While():
                stmt_out = quote.rebuilt(stmt, body=self.block(stmt.body))
            case _:
                stmt_out = stmt
        out.append(stmt_out)
        for save in self.plan.after.get(id(stmt), ()):
            value = quote.name(save.name)
            scope = self.layout.scopes[save.name]
            out.append(self.keep(id(scope.body), save.name, quote.expr("x.copy()", x=value) if save.copy else value, True))
        return out

    def nothing(self, name: str) -> Any:
        """What stands in for a value that is saved before there is one; nobody reads it."""
        return quote.constant(0.0 if is_real_scalar(self.closed.types.get(name, UNKNOWN)) else None)

    def keep(self, key: int, name: str, value: Any, on_stack: bool) -> Any:
        base = name or _base(value)
        if base[0] == "t" and base[1:].isdigit():
            base = "t"
        holder = self.closed.names.fresh(f"{base}s" if on_stack else base)
        if name in self.closed.shadows and name not in self.closed.parameters:
            self.unbound.append(name)
        self.holders[key, name] = holder
        if on_stack:
            self.pending.append(holder)
            return quote.stmt("h.append(v)", h=holder, v=value)
        return quote.stmt("h = v", h=holder, v=value)

    def slot(self, stmt: Any) -> Any:
        """The content that a store is about to destroy."""
        target = stmt.targets[0] if isinstance(stmt, gast.Assign) else stmt.target if isinstance(stmt, gast.AugAssign) else None
        if target is None:
            target = quote.expr("x[i]", x=stmt.value.args[0], i=stmt.value.args[1])
        if isinstance(target, gast.Name):
            return quote.expr("x.copy()", x=target)
        base = self.closed.types.get(target.value.id, UNKNOWN)
        kind = kinds.index_type(base, target.slice, lambda n: self.closed.types.get(n, UNKNOWN))
        if is_scalar(kind):
            return target
        if isinstance(base, Array) and isinstance(target.slice, gast.Constant) and target.slice.value is Ellipsis:
            return quote.expr("x.copy()", x=target.value)
        if kind is UNKNOWN:
            return quote.expr("np.array(x)", np=self.closed.spelling.module("numpy"), x=target)
        return quote.expr("x.copy()", x=target)


def _base(value: Any) -> str:
    while not isinstance(value, gast.Name):
        value = (
            value.args[0] if isinstance(value, gast.Call) and value.args else value.func if isinstance(value, gast.Call) else value.value
        )
    return str(value.id)
