"""Common subexpressions: what was just computed under a name is not computed again.

    t = y_bar * w                          t = y_bar * w
    a_bar = t * b                          a_bar = t * b
    c_bar = y_bar * w * d         →        c_bar = t * d

Only operations and pure calls (an element, an attribute, a sign cost nothing), only numbers or arrays that nobody writes into and no
result is, only until something that is read is bound or written again. What the user wrote twice under names of their own stays.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import gast

from ...facts.uses import Summary, expressions, stores, writes
from ...python.lattice import is_scalar
from ...python.quote import name, rebuilt
from .scope import Scope
from .shape import Key, key
from .waiting import memory_of

_WORTH = (gast.BinOp, gast.Call)


def share(body: list[Any], scope: Scope) -> list[Any]:
    """The block in which what is known already is read by its name."""
    return _Sharing(scope).block(body, _Available())


class _Available:
    """`named[key]` is the name that holds the value of an expression."""

    def __init__(self) -> None:
        self.named: dict[Key, str] = {}
        self.readers: dict[str, set[Key]] = {}  # name or alias class -> keys that fall when it is bound or written

    def copy(self) -> _Available:
        new = _Available()
        new.named = dict(self.named)
        new.readers = {name: set(keys) for name, keys in self.readers.items()}
        return new

    def add(self, found: Key, holder: str, depends: Iterable[str]) -> None:
        self.named[found] = holder
        for dependence in (holder, *depends):
            self.readers.setdefault(dependence, set()).add(found)

    def forget(self, changed: Iterable[str]) -> None:
        for dependence in changed:
            for found in self.readers.pop(dependence, ()):
                self.named.pop(found, None)


class _Sharing:
    def __init__(self, scope: Scope) -> None:
        self.scope = scope

    def block(self, body: list[Any], known: _Available) -> list[Any]:
        return [self.statement(stmt, known) for stmt in body]

    def statement(self, stmt: Any, known: _Available) -> Any:
        if self.scope.summaries.effect(expressions(stmt)):
            self.changes(stmt, known)
            return stmt
        match stmt:
            case gast.Assign(targets=[gast.Name() as target]):
                return self.assign(stmt, target.id, known)
            case gast.Assign() | gast.AugAssign() | gast.Return() | gast.Expr() if stmt.value is not None:
                new = self.with_value(stmt, self.read(stmt.value, known))
            case gast.If():
                test = self.read(stmt.test, known)
                body, orelse = self.block(stmt.body, known.copy()), self.block(stmt.orelse, known.copy())
                new = rebuilt(stmt, test=test, body=body, orelse=orelse)
            case gast.For() | gast.While():
                self.changes(stmt, known)
                return rebuilt(stmt, body=self.block(stmt.body, known.copy()), orelse=self.block(stmt.orelse, known.copy()))
            case _:
                new = stmt
        self.changes(new, known)
        return new

    def with_value(self, stmt: Any, value: Any) -> Any:
        return stmt if value is stmt.value else rebuilt(stmt, value=value)

    def assign(self, stmt: Any, target: str, known: _Available) -> Any:
        scope = self.scope
        value = stmt.value
        found = key(value) if type(value) in _WORTH else None
        holder = known.named.get(found) if found is not None else None
        if holder is not None and holder != target and scope.generated(target) and self.may_be_one(holder, target):
            new = rebuilt(stmt, value=name(holder))
            self.changes(new, known)
            return new
        new = self.with_value(stmt, self.read(value, known))
        self.changes(new, known)
        summary = scope.summaries(value)
        if found is not None and not summary.effect and target not in summary.names and self.may_hold(target):
            for spelling in {found, key(new.value)}:
                known.add(spelling, target, self.dependences(scope.summaries(new.value)) | self.dependences(summary))
        return new

    def read(self, node: Any, known: _Available) -> Any:
        """The expression with its parts that are available replaced; parts under a condition too, since they cost nothing."""
        if not known.named or type(node) not in (gast.BinOp, gast.UnaryOp, gast.Compare, gast.Call, gast.Tuple):
            return node
        changes: dict[str, Any] = {}
        for field in ("left", "right", "operand"):
            below = getattr(node, field, None)
            if below is not None:
                new = self.part(below, known)
                if new is not below:
                    changes[field] = new
        for field in ("args", "elts", "comparators"):
            below = getattr(node, field, None)
            if below:
                # What a call or a tuple is given is the object itself: only numbers may be one.
                replaced = [self.part(b, known, numbers=type(node) is not gast.Compare) for b in below]
                if any(a is not b for a, b in zip(replaced, below, strict=True)):
                    changes[field] = replaced
        return rebuilt(node, **changes) if changes else node

    def part(self, node: Any, known: _Available, numbers: bool = False) -> Any:
        if type(node) in _WORTH:
            holder = known.named.get(key(node))
            if holder is not None and (not numbers or is_scalar(self.scope.type_of(holder))):
                return name(holder)
        return self.read(node, known)

    def may_hold(self, holder: str) -> bool:
        root = self.scope.sharing.root(holder)
        return holder not in self.scope.captured and (root is None or root not in self.scope.sharing.changing)

    def may_be_one(self, holder: str, target: str) -> bool:
        sharing = self.scope.sharing
        root = sharing.root(target)
        return root is None or root not in sharing.changing | sharing.escaping | sharing.returned

    def dependences(self, summary: Summary) -> frozenset[str]:
        return summary.names | memory_of(summary.names, self.scope)

    def changes(self, stmt: Any, known: _Available) -> None:
        """Forget what the statement, with all inside it, makes untrue."""
        known.forget(writes(stmt))
        written = stores(stmt)
        if written:
            known.forget(memory_of(written, self.scope))
        if known.named and self.impure(stmt):
            known.named.clear()
            known.readers.clear()

    def impure(self, stmt: Any) -> bool:
        """Does the statement, with all inside it, call something with effects that are not known?"""
        if any(self.scope.summaries(part).impure for part in expressions(stmt)):
            return True
        return isinstance(stmt, (gast.If, gast.For, gast.While)) and any(self.impure(inner) for inner in (*stmt.body, *stmt.orelse))
