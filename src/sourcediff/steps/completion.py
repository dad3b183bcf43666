"""How statements can come to their end: go on, break, continue, return, or none of these."""

from __future__ import annotations

from typing import Any

import gast

ENDS, BREAKS, CONTINUES, RETURNS = 1, 2, 4, 8  # how a statement can come to its end; raising is none of them


class Completion:
    """How statements can come to their end, each looked at once."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[Any, int]] = {}  # by id, with the node itself, so that the id stays its own

    def block(self, stmts: list[Any]) -> int:
        ways = ENDS
        for s in stmts:
            ways = (ways & ~ENDS) | self.statement(s)
            if not ways & ENDS:
                break
        return ways

    def statement(self, s: Any) -> int:
        match s:
            case gast.If() | gast.For() | gast.While():
                return self._remembered(s)
            case gast.Return():
                return RETURNS
            case gast.Break():
                return BREAKS
            case gast.Continue():
                return CONTINUES
            case gast.Raise():
                return 0
        return ENDS

    def _remembered(self, s: Any) -> int:
        found = self._known.get(id(s))
        if found is None:
            found = s, self.block(s.body) | self.block(s.orelse) if isinstance(s, gast.If) else self._loop(s)
            self._known[id(s)] = found
        return found[1]

    def _loop(self, s: Any) -> int:
        body = self.block(s.body)
        ways = body & RETURNS
        if body & BREAKS:
            ways |= ENDS
        return ways if is_endless(s) else ways | self.block(s.orelse)


def is_endless(loop: Any) -> bool:
    """`while True`."""
    return isinstance(loop, gast.While) and isinstance(loop.test, gast.Constant) and bool(loop.test.value)
