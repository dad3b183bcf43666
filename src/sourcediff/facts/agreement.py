"""Which shapes must agree because the program runs: what is stored into a slot cannot be larger than the slot.

u[1:-1] += w            # w is broadcast to u[1:-1] ...
w = u[2:] - v[2:]       # ... and is what u[2:] and v[2:] are broadcast to: it is of the shape of u[1:-1]

"x fits y" (each length of x is that of y, or 1) is an order on shapes of one rank: what fits both ways is the same. It holds in the
block of the statements that show it, for whoever reads on has passed them all.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast

from ..python.lattice import Array, Type, is_scalar
from .layout import Block, Layout
from .slices import axes_of, part_type
from .spaces import mentioned, slot_space
from .steady import Steady


class Agreement:
    """`agreed.of(space, block)`: the name that the spaces which must agree with this one have in common there."""

    def __init__(self, closed: Any, table: dict[str, str], unstable: set[str], layout: Layout) -> None:
        self.closed, self.table, self.layout = closed, table, layout
        self.unstable = unstable
        self.steady = Steady(closed)
        self.kinds: dict[str, Any] = {}  # space -> its dtype and rank
        self.known: dict[int, dict[str, str]] = {}
        self.table = table | {n: self.of(s, layout.scopes[n]) for n, s in table.items() if n in layout.scopes}

    def same(self, one: str, other: str, block: Block) -> bool:
        return one == other or self.of(one, block) == self.of(other, block)

    def of(self, space: str, block: Block) -> str:
        return self.classes(block).get(space, space)

    def classes(self, block: Block) -> dict[str, str]:
        found = self.known.get(id(block))
        if found is None:
            fits: dict[str, set[str]] = {}
            made: list[tuple[str, set[str]]] = []
            around: Block | None = block
            while around is not None:
                for stmt in around.body:
                    self._statement(stmt, fits, made)
                around = around.parent
            found = self.known[id(block)] = _classes(fits, made, self._age) if fits else {}
        return found

    def _age(self, space: str) -> tuple[int, bool, int, str]:
        """Older spaces come first: what they are made of is there for whoever is of the younger one."""
        starts = [
            self.layout.definitions[n][0].start
            for n in mentioned(space)
            if n not in self.closed.parameters and n in self.layout.definitions
        ]
        return max(starts, default=0), "[" in space or "<" in space, len(space), space

    def _statement(self, stmt: Any, fits: dict[str, set[str]], made: list[tuple[str, set[str]]]) -> None:
        match stmt:
            case gast.Assign(targets=[gast.Name() as target]):
                self._made(target.id, stmt.value, fits, made)
            case gast.Assign(targets=[gast.Subscript() as slot], value=gast.Name() as value):
                self._stored(slot, value.id, fits)
            case gast.AugAssign(target=gast.Subscript() as slot, value=gast.Name() as value):
                self._stored(slot, value.id, fits)
            case gast.AugAssign(target=gast.Name() as target, value=gast.Name() as value):
                self._fit(self.node(value.id), self.node(target.id), fits)

    def node(self, name: str) -> str | None:
        """The space of an array whose dtype and rank are known; None if it does not last as long as the iteration."""
        kind, space = self.closed.types.get(name, Type()), self.table.get(name, name)
        if not isinstance(kind, Array) or not kind.rank or kind.dtype is None or name in self.unstable or mentioned(space) & self.unstable:
            return None
        if space == name and not self.steady.holds(name, {name}):
            return None
        return space if self._consistent(space, kind) else None

    def _consistent(self, space: str, kind: Any) -> bool:
        known = self.kinds.setdefault(space, kind)
        return known == kind

    def _fit(self, small: str | None, large: str | None, fits: dict[str, set[str]]) -> None:
        if small is not None and large is not None and small != large and self.kinds[small] == self.kinds[large]:
            fits.setdefault(small, set()).add(large)

    def _stored(self, slot: Any, value: str, fits: dict[str, set[str]]) -> None:
        if not isinstance(slot.value, gast.Name):
            return
        base, axes = self.node(slot.value.id), axes_of(slot.slice, self.closed.type_of)
        if base is None or axes is None:
            return
        space = slot_space(self.closed, slot, self.table, "?")
        kind = part_type(self.closed.types[slot.value.id], axes)
        bounds = mentioned(space) - mentioned(base)
        moving = [n for n in bounds if not self.steady.is_fixed(n)]
        if (
            kind is not None
            and all(self.steady.is_renewed(n) and self.steady.is_set_once(n) for n in moving)
            and self._consistent(space, kind)
        ):
            self._fit(self.node(value), space, fits)

    def _made(self, target: str, value: Any, fits: dict[str, set[str]], made: list[tuple[str, set[str]]]) -> None:
        """target = f(a, b), element by element: a and b fit it, and it fits what a and b fit."""
        result, operation = self.node(target), self.closed.operation(value)
        if result is None or operation is None or not operation.rule.pointwise:
            return
        operands = [n for n in operation.bound.values() if not is_scalar(self.closed.type_of(n))]
        if not all(isinstance(n, gast.Name) for n in operands):
            return
        nodes = {self.node(n.id) for n in operands}
        for node in nodes:
            self._fit(node, result, fits)
        if result not in nodes and nodes and all(n is not None and self.kinds[n] == self.kinds[result] for n in nodes):
            made.append((result, {n for n in nodes if n is not None}))


def _classes(fits: dict[str, set[str]], made: list[tuple[str, set[str]]], age: Callable[[str], Any]) -> dict[str, str]:
    """The classes of the order: each space -> the first of those that are the same."""
    changed = True
    while changed:
        changed = False
        for small, large in fits.items():
            further = set().union(*(fits.get(n, set()) for n in large)) - large - {small}
            if further:
                large |= further
                changed = True
        for result, operands in made:
            bounds = set.intersection(*(fits.get(n, set()) | {n} for n in operands)) - {result}
            if not bounds <= fits.setdefault(result, set()):
                fits[result] |= bounds
                changed = True
    found: dict[str, str] = {}
    for space, large in fits.items():
        same = sorted((n for n in large if space in fits.get(n, ())), key=age)
        if same:
            found[space] = min(space, same[0], key=age)
    return found
