"""A slot that is set to zero and then added to is set to what is added.

t_bar = a_bar[i, k]                     t_bar = a_bar[i, k]
a_bar[i, k] = 0.0                       a_bar[i, k] = t_bar / d
a_bar[k, k] -= t_bar * q        →       a_bar[k, k] -= t_bar * q
a_bar[i, k] += t_bar / d

Between the two nothing may read the array or store to it; other additions may stand there, since sums can be taken in any order,
if what is added to the slot is known before them.
"""

from __future__ import annotations

from typing import Any

import gast

from ...facts.uses import blocks, expressions, names_read, stores, writes
from ...python.lattice import Array
from ...python.quote import placed, rebuilt
from .finish import arranged
from .scope import Scope
from .shape import key


def merge_zeros(body: list[Any], scope: Scope) -> list[Any]:
    return _Zeros(scope).block(body)


class _Zeros:
    def __init__(self, scope: Scope) -> None:
        self.scope = scope

    def block(self, body: list[Any]) -> list[Any]:
        out = [self.statement(stmt) for stmt in body]
        k = 0
        while k < len(out):
            found = self.addition(out, k) if self.is_zero(out[k]) else None
            if found is not None:
                later, stays = found
                added = out[later]
                value = added.value if isinstance(added.op, gast.Add) else arranged(gast.UnaryOp(op=gast.USub(), operand=added.value))
                out[later if stays else k] = placed(rebuilt(out[k], targets=[added.target], value=value), added)
                del out[k if stays else later]
            k += 1
        return out

    def statement(self, stmt: Any) -> Any:
        if isinstance(stmt, gast.FunctionDef) or not blocks(stmt):
            return stmt
        return rebuilt(stmt, **{f: self.block(getattr(stmt, f)) for f in ("body", "orelse") if getattr(stmt, f, None)})

    def is_zero(self, stmt: Any) -> bool:
        match stmt:
            case gast.Assign(targets=[gast.Subscript(value=gast.Name(id=name))], value=gast.Constant(value=float() as value)) if (
                value == 0.0
            ):
                return self.scope.generated(name) and isinstance(self.scope.type_of(name), Array)
        return False

    def addition(self, body: list[Any], k: int) -> tuple[int, bool] | None:
        """(where the slot is added to, does its statement stay there or move up to the zero)."""
        slot = body[k].targets[0]
        root = self.scope.sharing.root(slot.value.id)
        others = False
        written: set[str] = set()
        stored: set[str] = set()
        for later in range(k + 1, len(body)):
            stmt = body[later]
            if blocks(stmt) or isinstance(stmt, gast.FunctionDef):
                return None
            if self.adds(stmt, slot.value.id, root):
                if key(stmt.target) == key(slot):
                    if written & names_read(slot.slice) or any(self.shares(names_read(slot.slice), n) for n in stored):
                        return None  # the same index, and another slot
                    fixed = not self.scope.summaries.effect(expressions(stmt)) and not names_read(stmt.value) & written
                    fixed = fixed and not any(self.shares(names_read(stmt.value), n) for n in stored)
                    return (later, False) if others and fixed else None if others else (later, True)
                others = True
            elif self.shares(frozenset(n for e in expressions(stmt) for n in names_read(e)) | writes(stmt), slot.value.id):
                return None
            else:
                stored |= stores(stmt)
            written |= writes(stmt) - ({slot.value.id} if self.adds(stmt, slot.value.id, root) else set())
        return None

    def adds(self, stmt: Any, name: str, root: Any) -> bool:
        """Does the statement add to a slot of the array what does not depend on it?"""
        match stmt:
            case gast.AugAssign(target=gast.Subscript(value=gast.Name(id=base), slice=index), op=gast.Add() | gast.Sub(), value=value):
                return base == name and not self.shares(names_read(index) | names_read(value), name)
        return False

    def shares(self, names: Any, name: str) -> bool:
        """May one of the names mean memory of this array?"""
        root = self.scope.sharing.root(name)
        return name in names or (root is not None and root in self.scope.sharing.roots(names))
