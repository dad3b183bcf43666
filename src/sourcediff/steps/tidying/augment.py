"""`s = s + t` of a number is written `s += t`, as people write it; and so is that of an array that is ours alone.

a_bar = np.zeros_like(a)                a_bar = np.zeros_like(a)
for i in reversed(range(n)):    →       for i in reversed(range(n)):
    a_bar = a_bar + b[i] * c                a_bar += b[i] * c

Of another array it would be another statement: whoever else holds the array would see it change.
"""

from __future__ import annotations

from typing import Any

import gast

from ...facts.reading import dotted
from ...facts.sharing import Sharing
from ...facts.uses import blocks, names_read, simple_statements, writes
from ...python.lattice import is_scalar
from ...python.quote import placed, rebuilt
from .fold import full_of_ones as folded_call
from .scope import Scope

_OPERATORS = (gast.Add, gast.Sub, gast.Mult, gast.Div)
_NEW = frozenset({"np.zeros_like", "np.ones_like", "np.outer"})


def augment(tree: Any, scope: Scope) -> list[Any]:
    """The body of the function with updates of numbers, and of arrays of ours, written as updates."""
    return _Augmenting(tree, scope).block(tree.body)


class _Augmenting:
    def __init__(self, tree: Any, scope: Scope) -> None:
        self.tree, self.scope = tree, scope
        self.type_of = scope.facts.type_of
        self._own: dict[str, bool] = {}
        self._sharing: Sharing | None = None

    def block(self, body: list[Any]) -> list[Any]:
        return [self.statement(stmt) for stmt in body]

    def statement(self, stmt: Any) -> Any:
        if isinstance(stmt, gast.FunctionDef):
            return stmt
        if blocks(stmt):
            return rebuilt(stmt, **{f: self.block(getattr(stmt, f)) for f in ("body", "orelse") if getattr(stmt, f, None)})
        match stmt:
            case gast.Assign(value=gast.Call() as call) if folded_call(call) is not call:
                return rebuilt(stmt, value=folded_call(call))
            case gast.Assign(targets=[gast.Name() as target], value=gast.BinOp(left=gast.Name() as left, op=op, right=right)):
                updates = left.id == target.id and isinstance(op, _OPERATORS) and target.id not in names_read(right)
                if updates and (is_scalar(self.type_of(target.id)) or (isinstance(op, (gast.Add, gast.Sub)) and self.is_own(target.id))):
                    return placed(gast.AugAssign(target=target, op=op, value=right), stmt)
        return stmt

    def is_own(self, name: str) -> bool:
        """Is every array of this name made for it, of its full shape, and held by nothing else?"""
        if name not in self.scope.facts.whole or not self.scope.generated(name):
            return False
        known = self._own.get(name)
        if known is None:
            known = self._own[name] = self._only_new(name) and self.sharing().family(name) == {name}
        return known

    def sharing(self) -> Sharing:
        if self._sharing is None:
            facts = self.scope.facts
            self._sharing = Sharing(self.tree, self.scope.type_of, facts.is_pure, facts.is_fresh, facts.memory)
        return self._sharing

    def _only_new(self, name: str) -> bool:
        for stmt in simple_statements(self.tree.body):
            if name not in writes(stmt):
                continue
            match stmt:
                case gast.Assign(targets=[gast.Name()], value=gast.Call() as call) if dotted(call.func) in _NEW:
                    continue
                case gast.Assign(targets=[gast.Name()], value=gast.BinOp(left=gast.Name(id=old), op=gast.Add() | gast.Sub())) if (
                    old == name
                ):
                    continue
                case gast.Assign(targets=[gast.Name()], value=gast.BinOp() | gast.UnaryOp() as value) if (
                    self.scope.number(value) == "array"
                ):
                    continue
                case gast.AugAssign():
                    continue
            return False
        return True
