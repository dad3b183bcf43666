"""What the way back reads of a list that has changed by then is kept: its length, an index made of it, what it held.

    for i in range(len(xs)):        n = len(xs)
        xs.append(…)                for i in range(n):
    s = max(xs)              →          xs.append(…)
    xs.pop()                        held = xs[:]
                                    s = max(held)
                                    xs.pop()

On the way back lists are not what they were: only their lists of cotangents are.
"""

from __future__ import annotations

from typing import Any

import gast

from ... import runtime
from ...facts.layout import Layout, layout
from ...facts.memory import Memory
from ...facts.uses import blocks, names_read
from ...python import quote
from ...python.lattice import UNKNOWN, Bool, Int, List, is_scalar
from ...rules.forms import rule_for
from ..closed import Closed


def keep_lists(closed: Closed, memory: Memory) -> None:
    """See the module."""
    names = [n for n, t in closed.types.items() if isinstance(t, List)]
    changed = memory.changing(names, lambda n: closed.types.get(n, UNKNOWN), deep=True)
    if changed:
        table = layout(closed.tree, lambda n: n in closed.types)
        closed.tree = quote.rebuilt(closed.tree, body=_Keeping(closed, table, memory, set(changed)).block(closed.tree.body))


class _Keeping:
    def __init__(self, closed: Closed, table: Layout, memory: Memory, changed: set[str]) -> None:
        self.closed, self.table, self.memory, self.changed = closed, table, memory, changed
        self.out: list[Any] = []

    def block(self, body: list[Any]) -> list[Any]:
        outer, self.out = self.out, []
        for stmt in body:
            self.out.append(self.statement(stmt))
        written, self.out = self.out, outer
        return written

    def statement(self, stmt: Any) -> Any:
        lists = {n for n in self.changed if self.changes_later(n, stmt)}
        old = stmt
        if blocks(stmt):
            stmt = quote.rebuilt(stmt, **{f: self.block(getattr(stmt, f)) for f in ("body", "orelse") if getattr(stmt, f, None)})
            if isinstance(stmt, gast.If) and names_read(stmt.test) & lists:
                stmt = self.hoisted(stmt, stmt.test, Bool(), old)
            if isinstance(stmt, gast.For):
                for call in [n for n in gast.walk(stmt.iter) if _is_length(n, lists)]:
                    stmt = self.hoisted(stmt, call, Int(), old)
            return stmt
        if not names_read(stmt) & lists:
            return stmt
        for part in _index_parts(stmt):
            if names_read(part) & lists:
                stmt = self.hoisted(stmt, part, Int(), old)
        return self.with_held_operands(stmt, lists, old)

    def hoisted(self, stmt: Any, part: Any, kind: Any, like: Any) -> Any:
        """`n = part` before the statement, which reads n."""
        name = self.closed.names.fresh("n")
        self.closed.types[name] = kind
        self.out.append(quote.placed(quote.stmt("n = e", n=name, e=part), like))
        return replaced_node(stmt, part, quote.name(name))

    def with_held_operands(self, stmt: Any, lists: set[str], like: Any) -> Any:
        """The statement, if it is a call whose rule may read what a list holds, with a copy in the list's place."""
        call: Any = getattr(stmt, "value", None)
        operation = self.closed.operation(call) if isinstance(call, gast.Call) else None
        if operation is None or operation.rule.form == "constant":
            return stmt
        for node in (*call.args, *(k.value for k in call.keywords)):
            if isinstance(node, gast.Name) and node.id in lists:
                held = self.closed.names.fresh(node.id)
                self.closed.types[held] = self.closed.types[node.id]
                copy = self.copy(node)
                self.out.append(quote.placed(quote.stmt("h = c", h=held, c=copy), like))
                stmt = quote.fill(stmt, {node.id: quote.name(held)})
        return stmt

    def copy(self, node: Any) -> Any:
        """A copy of a list, and of the lists in it."""
        kind = self.closed.types[node.id]
        if isinstance(kind, List) and is_scalar(kind.element):
            return quote.expr("x[:]", x=node)
        if not self.memory.items_change(node.id):
            return quote.expr("x[:]", x=node)
        name = self.closed.spelling.helper("kept", runtime.kept)
        rule = rule_for(runtime.kept)
        assert rule is not None
        self.closed.calls[name] = rule
        return quote.expr("k(x)", k=name, x=node)

    def changes_later(self, name: str, stmt: Any) -> bool:
        """May the list be changed, under this name or another, between this statement and its adjoint?"""
        here = self.table.spot(stmt)
        for other in self.memory.sharing.family(name):
            made = self.table.definitions.get(name, []) if other == name else []
            for spot in self.table.writes_in_place.get(other, ()):
                if isinstance(self.closed.types.get(other), List) and (spot.start > here.start or self._in_one_loop(here, spot, made)):
                    return True
        return False

    def _in_one_loop(self, one: Any, other: Any, made: list[Any]) -> bool:
        """Are the two in a loop that the list lives longer than an iteration of?"""
        block = other.block
        while block is not None:
            if isinstance(block.owner, (gast.For, gast.While)) and self.table.contains(block, one.block):
                return not made or not all(self.table.contains(block, d.block) for d in made)
            block = block.parent
        return False


def _is_length(node: Any, lists: set[str]) -> bool:
    return isinstance(node, gast.Call) and len(node.args) == 1 and getattr(node.args[0], "id", "") in lists


def _index_parts(stmt: Any) -> list[Any]:
    """The expressions that say where something is read or stored, names aside."""
    found: list[Any] = []
    indices = [n.slice for n in gast.walk(stmt) if isinstance(n, gast.Subscript)]
    call = stmt.value if isinstance(stmt, gast.Expr) and isinstance(stmt.value, gast.Call) else None
    if call is not None and getattr(call.func, "attr", "") == "at":
        indices += call.args[1:-1]
    for index in indices:
        for part in index.elts if isinstance(index, gast.Tuple) else [index]:
            bounds = (part.lower, part.upper, part.step) if isinstance(part, gast.Slice) else (part,)
            found += [b for b in bounds if b is not None and not isinstance(b, gast.Name)]
    return found


def replaced_node(tree: Any, old: Any, new: Any) -> Any:
    """The tree with one node, wherever it stands, replaced."""
    if tree is old:
        return new
    changed: dict[str, Any] = {}
    for field in tree._fields:
        value = getattr(tree, field, None)
        if isinstance(value, gast.AST):
            made: Any = replaced_node(value, old, new)
            if made is not value:
                changed[field] = made
        elif isinstance(value, list):
            made = [replaced_node(v, old, new) if isinstance(v, gast.AST) else v for v in value]
            if any(a is not b for a, b in zip(made, value, strict=True)):
                changed[field] = made
    return quote.rebuilt(tree, **changed) if changed else tree
