"""A temporary that is only handed on takes the name it is handed to.

    t_dot = 2 * x_dot * x                  x_dot = 2 * x_dot * x
    x = x * x + 1.0             →          x = x * x + 1.0
    x_dot = t_dot

Where the copy is in the same block as all else that speaks of the temporary, and nothing from its first assignment on
speaks of the name. (Nesting cannot do it: x is bound in between.)
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import gast

from ...python.names import spoken
from ...python.quote import fill, name, rebuilt
from .scope import Scope

FAR = 40  # statements between an assignment and the copy, to stay linear


def unite(body: list[Any], scope: Scope) -> list[Any]:
    """The block in which such copies are gone."""
    return _Union(scope, body).block(body)


class _Union:
    def __init__(self, scope: Scope, body: list[Any]) -> None:
        self.scope = scope
        self._counted: dict[int, tuple[Any, Counter[str]]] = {}
        self.total: Counter[str] = Counter()
        for stmt in body:
            self.total.update(self.spoken(stmt))

    def spoken(self, stmt: Any) -> Counter[str]:
        """How often a statement, with all inside it, speaks of each name."""
        found = self._counted.get(id(stmt))
        if found is None:
            found = self._counted[id(stmt)] = stmt, Counter(spoken(stmt))
        return found[1]

    def block(self, body: list[Any]) -> list[Any]:
        out: list[Any] = []
        for stmt in body:
            if isinstance(stmt, (gast.If, gast.For, gast.While)):
                stmt = rebuilt(stmt, body=self.block(stmt.body), orelse=self.block(stmt.orelse))
            start = self.first(stmt, out)
            if start is None:
                out.append(stmt)
                continue
            temporary, final = stmt.value.id, stmt.targets[0].id
            self.total[final] += self.total.pop(temporary) - 2
            out[start:] = [fill(earlier, {temporary: name(final)}) for earlier in out[start:]]
        return out or [gast.Pass()] if body else []

    def first(self, stmt: Any, before: list[Any]) -> int | None:
        """Where the temporary that `stmt` copies is first assigned, if its name may be the copy's from there on."""
        match stmt:
            case gast.Assign(targets=[gast.Name(id=final)], value=gast.Name(id=temporary)) if temporary != final:
                pass
            case _:
                return None
        if not self.scope.generated(temporary) or final in self.scope.captured:
            return None
        left = self.total[temporary] - 1
        for position in range(len(before) - 1, max(-1, len(before) - FAR), -1):
            earlier = before[position]
            spoken = self.spoken(earlier)
            left -= spoken[temporary]
            if left == 0 and _defines(earlier, temporary, spoken):
                return position
            if spoken[final] or left == 0 or _leaves(earlier):
                return None
        return None


def _defines(stmt: Any, name: str, spoken: Counter[str]) -> bool:
    """A plain assignment of a value to `name`."""
    return isinstance(stmt, gast.Assign) and len(stmt.targets) == 1 and getattr(stmt.targets[0], "id", None) == name and spoken[name] == 1


def _leaves(stmt: Any) -> bool:
    """May leave the block, or call what may look at names."""
    if isinstance(stmt, gast.If):
        return any(_leaves(inner) for inner in (*stmt.body, *stmt.orelse))
    return not isinstance(stmt, (gast.Assign, gast.AugAssign, gast.Expr, gast.For, gast.While, gast.Pass))
