"""Which names are what they are for a whole iteration, so that what is known of them at one place holds at another."""

from __future__ import annotations

from typing import Any

import gast

from ..python.lattice import UNKNOWN, is_scalar
from .layout import layout
from .uses import blocks, expressions, names_read, target_names


class Steady:
    """`y[:k]` has one length while y and k stay: for good outside loops, else until the next iteration sets them anew."""

    def __init__(self, closed: Any) -> None:
        self.closed = closed
        self.layout = layout(closed.tree, lambda n: n in closed.types, closed.shadows - closed.partial)
        self.first: dict[str, int] = {}  # name -> block that it is set in before anything reads it, 0 if it is read first
        self._visit(closed.tree.body)

    def holds(self, name: str, mentioned: set[str]) -> bool:
        """Has the name, wherever it is read, the shape that these names stand for there?"""
        moving = [n for n in mentioned if not self.is_fixed(n)]
        if not moving:
            return True
        if not self.is_renewed(name) or not all(self.is_renewed(n) and self.is_set_once(n) for n in moving):
            return False
        scope = self.layout.scopes[name]
        return all(self.layout.contains(self.layout.scopes[n], scope) for n in moving)  # else it lives on when they have changed

    def is_fixed(self, name: str) -> bool:
        """Is it never set in here, or once and in no loop? (The arrays among the parameters keep their shapes, or are unstable.)"""
        definitions = self.layout.definitions.get(name, [])
        if name in self.closed.parameters and not is_scalar(self.closed.types.get(name, UNKNOWN)):
            return True
        if not definitions:
            return True
        first = definitions[0]
        in_loop = first.block.in_loop or isinstance(first.stmt, gast.For)
        return self.is_set_once(name) and name not in self.closed.parameters and not in_loop

    def is_set_once(self, name: str) -> bool:
        return len(self.layout.definitions.get(name, ())) == 1

    def is_renewed(self, name: str) -> bool:
        """Is it set in each iteration that reads it, before that?"""
        scope = self.layout.scopes.get(name)
        return scope is not None and self.first.get(name) == id(scope.body)

    def _visit(self, body: list[Any]) -> None:
        for stmt in body:
            targets = stmt.targets if isinstance(stmt, gast.Assign) else [stmt.target] if isinstance(stmt, gast.AugAssign) else []
            read = [*expressions(stmt), *(t for t in targets if isinstance(t, gast.Subscript) or isinstance(stmt, gast.AugAssign))]
            for name in (n for e in read for n in names_read(e)):
                self.first.setdefault(name, 0)
            for name in (n for t in targets for n in target_names(t)):
                self.first.setdefault(name, id(body))
            if isinstance(stmt, gast.For):
                self.first.setdefault(stmt.target.id, id(stmt.body))
            for block in blocks(stmt):
                self._visit(block)
