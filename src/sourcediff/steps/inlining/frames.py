"""What the walk knows of a function that it reads, and of one activation of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import gast

from ...errors import Place
from ...facts.flow import Liveness
from ...facts.uses import simple_statements
from ...python.function import Namespace
from .values import Value


@dataclass(eq=False)
class Prepared:
    """A FLAT function with what the walk asks about it again and again."""

    tree: Any
    namespace: Namespace
    qualname: str
    captured: frozenset[str]  # variables that nested functions read
    local: frozenset[str]
    python: Any = None  # the Python function, where there is one
    _liveness: Liveness | None = None
    _stored_into: dict[str, Any] | None = None
    stand_ins: dict[int, Any] = field(default_factory=dict)  # statements made by the walk -> the one they stand for
    kept: list[Any] = field(default_factory=list)  # these statements, whose ids must stay theirs

    @property
    def liveness(self) -> Liveness:
        if self._liveness is None:
            self._liveness = Liveness(self.tree)
        return self._liveness

    @property
    def stored_into(self) -> dict[str, Any]:
        """temporary -> the attribute or item that it is assigned to"""
        if self._stored_into is None:
            pairs = [(s.value, s.targets[0]) for s in simple_statements(self.tree.body) if isinstance(s, gast.Assign)]
            places = (gast.Attribute, gast.Subscript)
            self._stored_into = {v.id: t for v, t in pairs if isinstance(v, gast.Name) and isinstance(t, places)}
        return self._stored_into

    def live_after(self, node: Any) -> set[str]:
        return self.liveness.live_after(self.stand_ins.get(id(node), node))

    def live_at_head(self, loop: Any) -> set[str]:
        return self.liveness.live_at_head(self.stand_ins.get(id(loop), loop))


@dataclass(eq=False)
class Frame:
    """One activation of a function in the walk."""

    code: Prepared
    env: dict[str, Value]
    parent: Frame | None = None
    prefix: str = ""
    call: Place | None = None
    cells: dict[str, Value] = field(default_factory=dict)  # variables assigned in place -> where they live
    shadows: dict[str, Value | None] = field(default_factory=dict)  # first assigned in a loop: names that always hold the last value
    result: str = ""  # the variable that is returned, and the name that the caller will give it
    result_hint: str = ""
    at: Any = None  # the statement that runs


def is_temporary(variable: str) -> bool:
    """Was the name made by flatten (`t`, `t2`, …)?"""
    return variable[0] == "t" and (len(variable) == 1 or variable[1:].isdigit())
