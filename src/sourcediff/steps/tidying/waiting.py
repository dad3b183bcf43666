"""The temporaries that wait for their use, and what makes them stay where they are."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import gast

from ...facts.uses import Summary, blocks, expressions, stores, writes
from .scope import Scope


@dataclass(slots=True)
class Waiting:
    """A temporary whose assignment stands at `slot` of its block's output."""

    name: str
    value: Any
    slot: int
    summary: Summary
    depends: frozenset[str]  # the names and classes of memory that its value reads or changes


@dataclass(slots=True)
class Impact:
    """What a statement, with all inside it, does."""

    names: set[str] = field(default_factory=set)  # bound
    written: set[str] = field(default_factory=set)  # classes of memory
    read: set[str] = field(default_factory=set)
    effect: bool = False  # something that nobody may be moved across
    ordered: bool = False  # an effect, if only a pop: no other effect may be moved across


def impact(stmt: Any, scope: Scope) -> Impact:
    written = stores(stmt)
    found = Impact(set(writes(stmt)), set(memory_of(written, scope)) if written else set())
    _look(stmt, scope, found)
    return found


def _look(stmt: Any, scope: Scope, found: Impact) -> None:
    found.effect = found.effect or not isinstance(stmt, _QUIET)
    for part in expressions(stmt):
        summary = scope.summaries(part)
        if summary.effect:
            found.effect = found.effect or summary.impure
            found.ordered = True
        found.read |= memory_of(summary.names, scope)
    for block in blocks(stmt):
        for inner in block:
            _look(inner, scope, found)


_QUIET = (gast.Assign, gast.AugAssign, gast.If, gast.For, gast.While, gast.Return, gast.Expr, gast.Pass, gast.Break, gast.FunctionDef)


def memory_of(names: frozenset[str], scope: Scope) -> frozenset[str]:
    """The classes of memory of names, spelled so that no name is like them."""
    found = scope.memory_of.get(names)
    if found is None:
        found = scope.memory_of[names] = frozenset("memory " + root for root in scope.sharing.roots(names))
    return found


def depends_on(summary: Summary, scope: Scope) -> frozenset[str]:
    return summary.names | memory_of(summary.names | summary.resized | summary.stored, scope)


class Queue:
    """Those who wait, and by what each would be disturbed."""

    def __init__(self) -> None:
        self.waiting: dict[str, Waiting] = {}
        self._by_dependence: dict[str, set[str]] = {}
        self._effectful: set[str] = set()

    def add(self, one: Waiting) -> None:
        self.waiting[one.name] = one
        for dependence in one.depends:
            self._by_dependence.setdefault(dependence, set()).add(one.name)
        if one.summary.effect:
            self._effectful.add(one.name)

    def remove(self, name: str) -> None:
        one = self.waiting.pop(name, None)
        if one is not None:
            for dependence in one.depends:
                self._by_dependence[dependence].discard(name)
            self._effectful.discard(name)

    def pass_by(self, done: Impact) -> None:
        """A statement is going to run before those who still wait."""
        if done.effect:
            for name in list(self.waiting):
                self.remove(name)
            return
        for changed in done.names | done.written:
            for name in list(self._by_dependence.get(changed, ())):
                self.remove(name)
        for name in done.names:
            self.remove(name)
        for name in list(self._effectful):
            one = self.waiting[name]
            if done.ordered or one.summary.impure or not one.depends.isdisjoint(done.read):
                self.remove(name)
