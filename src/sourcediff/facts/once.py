"""Slots of a new array that are stored to once: before, they hold what the array was made with, and nothing else has their cotangent.

l = np.zeros((n, n))
for i in range(n):
    for j in range(i):
        l[i, j] = …             # no two trips of both loops, and no other store, go to one slot
    l[i, i] = …

A store goes to another slot in each trip of a loop if an axis of its index is `variable of the loop + constant`, never below 0 (an
index below 0 means the array's end). Two stores go to different slots if an axis tells them apart.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import gast

from ..python.lattice import UNKNOWN, Array, Int
from .layout import Block, Layout, Spot
from .memory import Memory

MADE = {"np.zeros": 0.0, "np.zeros_like": 0.0, "np.ones": 1.0, "np.ones_like": 1.0, "np.empty": None, "np.empty_like": None}


class Place(NamedTuple):
    """An index on one axis: `name + shift`, or the number `shift`."""

    name: str | None
    shift: int


class Once:
    def __init__(self, closed: Any, layout: Layout, memory: Memory, apart: Callable[[str], bool]) -> None:
        """apart: is the name's cotangent a memory that no other name's cotangent shares?"""
        self.closed, self.layout, self.memory, self.apart = closed, layout, memory, apart
        self._known: dict[int, bool] = {}

    def __call__(self, stmt: Any) -> bool:
        """Is each slot that this statement stores to written by nothing else, from the making of the array to its end?"""
        known = self._known.get(id(stmt))
        if known is None:
            known = self._known[id(stmt)] = self._decide(stmt)
        return known

    def made_with(self, stmt: Any) -> Any:
        """What the slots of such a store hold before: a number, or None if nobody can know."""
        return MADE[self._path(self._allocation(stmt.targets[0].value.id).stmt)]

    def _decide(self, stmt: Any) -> bool:
        match stmt:
            case gast.Assign(targets=[gast.Subscript(value=gast.Name(id=name))]):
                pass
            case _:
                return False
        made = self._allocation(name)
        if made is None:
            return False
        spots = self.layout.writes_in_place[name]
        places = [(s, p) for s in spots if (p := self._places(s.stmt)) is not None]
        if len(places) < len(spots):
            return False
        spot, own = next((s, p) for s, p in places if s.stmt is stmt)
        return self._moves(spot, own, made) and all(s is spot or self._differ(spot, own, s, p, made) for s, p in places)

    # -- the array

    def _allocation(self, name: str) -> Any:
        """The one statement that makes the array, if it has no other name that it is written by."""
        found = self.layout.definitions.get(name, [])
        if len(found) != 1 or name in self.closed.parameters or name in self.closed.paths or not self.apart(name):
            return None
        if not isinstance(self.closed.types.get(name, UNKNOWN), Array) or self._path(found[0].stmt) not in MADE:
            return None
        others = self.memory.sharing.family(name) - {name}
        if not all(n in self.memory.loads and self.apart(n) for n in others):
            return None
        return found[0]

    def _path(self, stmt: Any) -> str:
        value = getattr(stmt, "value", None)
        operation = self.closed.operation(value) if isinstance(value, gast.Call) else None
        return "" if operation is None else str(operation.rule.path)

    # -- indices

    def _places(self, stmt: Any) -> list[Place | None] | None:
        """Where a store goes on each axis (None: anywhere); None if that cannot be told of any."""
        target = stmt.targets[0] if isinstance(stmt, gast.Assign) else getattr(stmt, "target", None)
        if not isinstance(target, gast.Subscript):
            return None
        parts = target.slice.elts if isinstance(target.slice, gast.Tuple) else [target.slice]
        if not all(isinstance(p, gast.Slice) or self.is_integer(p) for p in parts):
            return None
        return [None if isinstance(p, gast.Slice) else place(p) for p in parts]

    def is_integer(self, node: Any) -> bool:
        match node:
            case gast.Constant(value=value):
                return isinstance(value, int) and not isinstance(value, bool)
            case gast.Name():
                return isinstance(self.closed.types.get(node.id, UNKNOWN), Int)
            case gast.BinOp():
                return self.is_integer(node.left) and self.is_integer(node.right)
            case gast.UnaryOp(op=gast.USub()):
                return self.is_integer(node.operand)
        return False

    def _loops(self, spot: Spot, made: Spot) -> list[Any] | None:
        """The loops around a statement, inside the block where the array is made; None if it is not in that block."""
        found = []
        block: Block | None = spot.block
        while block is not None and block is not made.block:
            if isinstance(block.owner, (gast.For, gast.While)):
                found.append(block.owner)
            block = block.parent
        return None if block is None else found

    def range_of(self, name: str) -> list[Any] | None:
        """[start, stop, step] of the one loop over a range that sets the name; step is 1 or -1 times something."""
        spots = self.layout.definitions.get(name, [])
        if len(spots) != 1 or not isinstance(spots[0].stmt, gast.For) or spots[0].stmt.target.id != name:
            return None
        iterable = spots[0].stmt.iter
        if not (isinstance(iterable, gast.Call) and isinstance(iterable.func, gast.Name) and iterable.func.id == "range"):
            return None
        arguments = list(iterable.args)
        if len(arguments) == 1:
            arguments.insert(0, gast.Constant(value=0, kind=None))
        step = number(arguments[2]) if len(arguments) == 3 else 1
        return [*arguments[:2], step] if step else None

    def least(self, node: Any) -> int | None:
        """A number that the expression is never below."""
        found = place(node)
        if found is None:
            return 0 if _is_length(node) else None
        if found.name is None:
            return found.shift
        bounds = self.range_of(found.name)
        if bounds is None:
            return found.shift if self._is_size(found.name) else None
        start, stop, step = bounds
        least = self.least(start) if step > 0 else self.least(stop)
        return None if least is None else least + found.shift + (0 if step > 0 else 1)

    def _is_size(self, name: str) -> bool:
        spots = self.layout.definitions.get(name, [])
        return len(spots) == 1 and isinstance(spots[0].stmt, gast.Assign) and _is_length(spots[0].stmt.value)

    def _is_counted(self, where: Place | None) -> bool:
        """Is it an index from the array's start?"""
        if where is None:
            return False
        least = where.shift if where.name is None else self.least(gast.Name(where.name, gast.Load(), None, None))
        return least is not None and (least if where.name is None else least + where.shift) >= 0

    # -- stores

    def _moves(self, spot: Spot, places: list[Place | None], made: Spot) -> bool:
        """Does the store go to other slots in each trip of each loop around it?"""
        loops = self._loops(spot, made)
        if loops is None:
            return False
        return all(
            isinstance(loop, gast.For)
            and self.range_of(loop.target.id) is not None
            and any(p is not None and p.name == loop.target.id and self._is_counted(p) for p in places)
            for loop in loops
        )

    def _differ(self, one: Spot, here: list[Place | None], other: Spot, there: list[Place | None], made: Spot) -> bool:
        """Do two stores never go to one slot?"""
        loops, around = self._loops(one, made), self._loops(other, made)
        if loops is None or around is None:
            return False
        common = [loop for loop in loops if any(loop is a for a in around)]
        pairs = [(a, b) for a, b in zip(here, there, strict=False) if a is not None and b is not None]
        same = {a.name for a, b in pairs if a == b and a.name is not None and self._is_counted(a)}
        pinned = {
            loop.target.id for loop in common if isinstance(loop, gast.For) and loop.target.id in same and self.range_of(loop.target.id)
        }
        if len(pinned) == len(common) and self._exclusive(one, other):
            return True
        return any(self._apart(a, b, pinned) for a, b in pairs)

    def _exclusive(self, one: Spot, other: Spot) -> bool:
        """Do they stand in different branches of one `if`?"""
        blocks = [one.block, other.block]
        while blocks[0] is not blocks[1]:
            deeper = 0 if blocks[0].depth >= blocks[1].depth else 1
            above = blocks[deeper].parent
            if above is None:
                return False
            if blocks[0].owner is blocks[1].owner:
                return isinstance(blocks[0].owner, gast.If)
            blocks[deeper] = above
        return False

    def _apart(self, one: Place, other: Place, pinned: set[str]) -> bool:
        """Are the two indices never equal, in the same trip of the pinned loops?"""
        if one.name is None and other.name is None and (one.shift < 0) == (other.shift < 0):
            return one.shift != other.shift
        if not (self._is_counted(one) and self._is_counted(other)):
            return False
        return self._below(one, other, pinned) or self._below(other, one, pinned)

    def _below(self, one: Place, other: Place, pinned: set[str]) -> bool:
        most, least = self._bounds(one, pinned, most=True), self._bounds(other, pinned, most=False)
        return any(m.name == k.name and m.shift < k.shift for m in most for k in least)

    def _bounds(self, where: Place, pinned: set[str], most: bool) -> list[Place]:
        """Numbers, and pinned variables plus a number, that the index is never above, or never below."""
        if where.name is None:
            return [where]
        found = [where] if where.name in pinned else []
        if not most and (least := self.least(gast.Name(where.name, gast.Load(), None, None))) is not None:
            found.append(Place(None, least + where.shift))
        bounds = self.range_of(where.name)
        if bounds is not None:
            start, stop, step = bounds
            inclusive = (step > 0) != most  # is it the start of the range that bounds it?
            edge = place(start if inclusive else stop)
            beyond = 0 if inclusive else -1 if most else 1
            if edge is not None and (edge.name is None or edge.name in pinned):
                found.append(Place(edge.name, edge.shift + where.shift + beyond))
        return found


def place(node: Any) -> Place | None:
    value = number(node)
    if value is not None:
        return Place(None, value)
    match node:
        case gast.Name(id=name):
            return Place(name, 0)
        case gast.BinOp(left=gast.Name(id=name), op=gast.Add(), right=right) if (shift := number(right)) is not None:
            return Place(name, shift)
        case gast.BinOp(left=gast.Name(id=name), op=gast.Sub(), right=right) if (shift := number(right)) is not None:
            return Place(name, -shift)
        case gast.BinOp(left=left, op=gast.Add(), right=gast.Name(id=name)) if (shift := number(left)) is not None:
            return Place(name, shift)
    return None


def number(node: Any) -> int | None:
    match node:
        case gast.Constant(value=int() as value) if not isinstance(value, bool):
            return value
        case gast.UnaryOp(op=gast.USub(), operand=gast.Constant(value=int() as value)) if not isinstance(value, bool):
            return -value
    return None


def _is_length(node: Any) -> bool:
    match node:
        case gast.Call(func=gast.Name(id="len")):
            return True
        case gast.Subscript(value=gast.Attribute(attr="shape")):
            return True
        case gast.Attribute(attr="size" | "ndim"):
            return True
    return False
