"""Which names may share memory at each statement: a relation that follows the pointers through the program.

    a, b = np.zeros(n), np.ones(n)      a and b share nothing
    a, b = b, a                         the relation is permuted: still nothing
    y = x[1:]                           y shares with x, and with all that x shares with
    x = np.zeros(n)                     x shares with nothing; y keeps what it has

Where paths meet the relations are united, and a loop is followed until nothing is added. What an expression may share is told by
`facts/sharing`, whose classes (which know no order of statements) say which names have to be looked at.
"""

from __future__ import annotations

from typing import Any

import gast

from .sharing import Sharing
from .uses import expressions, target_names, written_by_call

Relation = dict[str, frozenset[str]]
_NOTHING: frozenset[str] = frozenset()


class Aliases:
    """`at(stmt, name)`: the other names that may share memory with `name` when `stmt` begins."""

    def __init__(self, tree: Any, sharing: Sharing, concerned: frozenset[str]) -> None:
        self._sharing, self._concerned = sharing, concerned
        self._before: dict[int, Relation] = {}
        self._block(tree.body, {})

    def at(self, stmt: Any, name: str) -> frozenset[str]:
        return self._before.get(id(stmt), {}).get(name, _NOTHING)

    def _block(self, body: list[Any], now: Relation) -> Relation:
        for stmt in body:
            known = self._before.get(id(stmt))
            self._before[id(stmt)] = now if known is None else _united(known, now)
            now = self._statement(stmt, now)
        return now

    def _statement(self, stmt: Any, now: Relation) -> Relation:
        match stmt:
            case gast.If():
                return _united(self._block(stmt.body, now), self._block(stmt.orelse, now))
            case gast.For() | gast.While():
                return self._loop(stmt, now)
            case gast.Assign(targets=[gast.Tuple() as target], value=gast.Tuple() as value) if len(target.elts) == len(value.elts):
                return self._at_once(target.elts, value.elts, now)
            case gast.Assign(targets=[gast.Name() as target]):
                now = self._bound(target.id, self.sources(stmt.value), now)
            case gast.Assign(targets=[gast.Subscript(value=gast.Name() as base)]) if not self._sharing.copies_elements(base.id):
                now = self._put_into(base.id, self.sources(stmt.value), now)
            case gast.AugAssign(target=gast.Name() as target) if not self._sharing.copies_elements(target.id):
                now = self._put_into(target.id, self.sources(stmt.value), now)
        for expr in expressions(stmt):
            if type(expr) is gast.Call and (container := written_by_call(expr)) and expr.func.attr == "append":
                now = self._put_into(container, self.sources(expr.args[0]), now)
        return now

    def _loop(self, stmt: Any, now: Relation) -> Relation:
        while True:
            new = _united(now, self._block(stmt.body, now))
            if new == now:
                return now
            now = new

    def sources(self, value: Any) -> list[str]:
        """The concerned names whose memory the value may share."""
        return sorted(self._sharing.sources(value) & self._concerned)

    def _bound(self, name: str, sources: list[str], now: Relation) -> Relation:
        if self._sharing.plain(name):
            return now
        shares = frozenset().union(*(now.get(s, _NOTHING) | {s} for s in sources)) - {name} if sources else _NOTHING
        if name not in now and not shares:
            return now
        new = {n: s - {name} for n, s in now.items() if n != name}
        return _with(new, name, shares)

    def _at_once(self, targets: list[Any], values: list[Any], now: Relation) -> Relation:
        """a, b = b, a: by way of names that no program has."""
        if not any(self.sources(v) for v in values):
            return now
        held = [f"{k} " for k in range(len(values))]
        for name, value in zip(held, values, strict=True):
            now = self._bound(name, self.sources(value), now)
        for target, name in zip(targets, held, strict=True):
            for bound in target_names(target):
                now = self._bound(bound, [name], now)
        for name in held:
            now = self._bound(name, [], now)
        return now

    def _put_into(self, container: str, sources: list[str], now: Relation) -> Relation:
        shares = frozenset().union(*(now.get(s, _NOTHING) | {s} for s in sources)) - {container} if sources else _NOTHING
        return _with(dict(now), container, now.get(container, _NOTHING) | shares)


def _with(relation: Relation, name: str, shares: frozenset[str]) -> Relation:
    """The relation in which `name` shares with these as well; the table is ours to change."""
    relation[name] = shares
    for other in shares:
        relation[other] = relation.get(other, _NOTHING) | {name}
    return relation


def _united(one: Relation, two: Relation) -> Relation:
    if one is two:
        return one
    return {n: one.get(n, _NOTHING) | two.get(n, _NOTHING) for n in {**one, **two}}
