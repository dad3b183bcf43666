"""`x *= v` and `x /= v` of an array as one statement: its old content is saved once, and its cotangent is scaled in place.

t = x * v                       x *= v
x[...] = t              →
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import gast

from ...facts.memory import Memory
from ...facts.reading import names_in_order
from ...facts.uses import blocks, expressions, is_everything
from ...python import quote
from ...python.lattice import UNKNOWN, Array, Scalar, is_real_scalar
from ..closed import Closed


def scale_in_place(closed: Closed, memory: Memory) -> bool:
    """Put these statements into the program, wherever nobody else sees the array. Was there one?"""
    return _Scaling(closed, memory).run()


def is_scaling(stmt: Any) -> bool:
    return isinstance(stmt, gast.AugAssign) and isinstance(stmt.target, gast.Name) and isinstance(stmt.op, (gast.Mult, gast.Div))


class _Scaling:
    def __init__(self, closed: Closed, memory: Memory) -> None:
        self.closed, self.memory = closed, memory
        self.found = False
        self.uses: Counter[str] = Counter()

    def run(self) -> bool:
        self._count(self.closed.tree.body)
        body = self._block(self.closed.tree.body)
        if self.found:
            self.closed.tree = quote.rebuilt(self.closed.tree, body=body)
        return self.found

    def _count(self, body: list[Any]) -> None:
        for stmt in body:
            for expression in expressions(stmt):
                self.uses.update(names_in_order(expression))
            for block in blocks(stmt):
                self._count(block)

    def _block(self, body: list[Any]) -> list[Any]:
        out: list[Any] = []
        for stmt in body:
            if blocks(stmt):
                fields = {f: self._block(getattr(stmt, f)) for f in ("body", "orelse") if getattr(stmt, f, None)}
                stmt = quote.rebuilt(stmt, **fields)
            scaled = self._scaled(out[-1], stmt) if out else None
            if scaled is None:
                out.append(stmt)
            else:
                self.found = True
                out[-1] = quote.placed(scaled, stmt)
        return out

    def _scaled(self, one: Any, other: Any) -> Any:
        match one, other:
            case (
                gast.Assign(targets=[gast.Name(id=held)], value=gast.BinOp(op=gast.Mult() | gast.Div()) as value),
                gast.Assign(targets=[gast.Subscript(value=gast.Name() as base, slice=index)], value=gast.Name(id=stored)),
            ) if held == stored and self.uses[held] == 1 and is_everything(index):
                pass
            case _:
                return None
        by = value.right
        if not (isinstance(value.left, gast.Name) and value.left.id == base.id):
            if isinstance(value.op, gast.Div) or not (isinstance(by, gast.Name) and by.id == base.id):
                return None
            by = value.left
        if isinstance(by, gast.Name) and by.id == base.id:
            return None
        if self.memory.sharing.family(base.id) != {base.id} or not self._keeps_dtype(base.id, by):
            return None
        return gast.AugAssign(target=quote.name(base.id), op=value.op, value=by)

    def _keeps_dtype(self, base: str, by: Any) -> bool:
        """Real arrays of double precision and what leaves them so."""
        kind, factor = self.closed.types.get(base, UNKNOWN), self.closed.type_of(by)
        if not (isinstance(kind, Array) and kind.rank and _is_double(kind)):
            return False
        if isinstance(factor, (Array, Scalar)):
            return _is_double(factor) or (factor.dtype is not None and factor.dtype.kind in "iu")
        return is_real_scalar(factor) or (isinstance(by, gast.Constant) and type(by.value) in (int, float))


def _is_double(kind: Any) -> bool:
    return kind.dtype is not None and kind.dtype.kind == "f" and kind.dtype.itemsize == 8
