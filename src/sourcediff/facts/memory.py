"""Arrays that are written in place: their classes, and whether what happens to them can be decided.

An array that is written has *owners* (names bound to it, and views that are written) and *loads* (views of it that are only read).
Names that see each other's writes are `entangled`: their cotangents share memory as they do (`steps/adjoint/mirrors`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

import gast

from ..errors import problem
from ..python.lattice import UNKNOWN, List, is_scalar
from .aliases import Aliases
from .flow import Liveness
from .sharing import OUTSIDE, Sharing
from .uses import blocks


@dataclass
class Memory:
    """`group(name)`: the class of a name if its memory is written, else None. `parameters_written`: those the caller sees change."""

    sharing: Sharing
    written: frozenset[str]
    loads: dict[str, Any] = field(default_factory=dict)  # view that is only read -> its definition
    parameters_written: tuple[str, ...] = ()
    lists: frozenset[str] = frozenset()  # lists that are changed
    appends: dict[str, list[str]] = field(default_factory=dict)  # list -> what is appended to it
    appended: dict[str, bool] = field(default_factory=dict)  # -> and is it finished by then?
    given: frozenset[str] = frozenset()  # arguments, and what they hold
    lengthened: frozenset[str] = frozenset()  # what is appended to or popped from, whatever its type
    pointers: dict[str, set[str]] = field(default_factory=dict)  # list -> the names that may mean the same list
    displays: set[str] = field(default_factory=set)  # names that were made with something in them

    def group(self, name: str) -> str | None:
        root = self.sharing.root(name)
        return root if root in self.written and name not in self.lists else None

    def changed_lists(self, names: Iterable[str]) -> list[str]:
        """Those of the names that mean lists which are changed, under this name or another."""
        return [n for n in names if self.pointers.get(n, {n}) & (self.lists | self.lengthened)]

    def family_changes(self, name: str) -> bool:
        """Is a list changed that may be this one, or in it, or around it?"""
        return not self.sharing.family(name).isdisjoint(self.lists | self.lengthened)

    def items_change(self, name: str) -> bool:
        """Is something changed that may be a list in this one?"""
        return not (self.sharing.family(name) - self.pointers.get(name, {name})).isdisjoint(self.lists | self.lengthened)

    def changing(self, names: Iterable[str], kind_of: Callable[[str], Any], deep: bool) -> frozenset[str]:
        """Those of the names that mean lists which are changed, under whatever name; deep: or whose items are."""
        found = set()
        for name in names:
            changed = self.sharing.family(name) & (self.lists | self.lengthened)
            if name in changed or (isinstance(kind_of(name), List) and any(deep or _one_depth(kind_of(name), kind_of(m)) for m in changed)):
                found.add(name)
        return frozenset(found)

    def handed_over(self, container: str) -> bool:
        """Is every array that is appended to this list made in the same block before, and not written any more behind?"""
        family = self.sharing.family(container)
        if family & self.given:
            return False  # nobody knows when the arrays were put into an argument
        return not family & self.displays and all(self.appended[n] for c in family for n in self.appends.get(c, ()))

    def owners(self, root: str) -> set[str]:
        return {n for n in self.sharing.members.get(root, {root}) if self.owner(n)}

    def owner(self, name: str) -> bool:
        return name not in self.loads


def _one_depth(one: Any, other: Any) -> bool:
    """May these be types of one list, and not of a list and another in it?"""
    while isinstance(one, List) and isinstance(other, List):
        one, other = one.element, other.element
    return UNKNOWN in (one, other) or not (isinstance(one, List) or isinstance(other, List))


def memory(closed: Any, keeps_nothing: Callable[[Any], bool], is_fresh: Callable[[Any], bool], viewed: Callable[[Any], Any]) -> Memory:
    sharing = Sharing(
        closed.tree, lambda n: closed.types.get(n, UNKNOWN), keeps_nothing, is_fresh, None, viewed, closed.paths, closed.structures
    )
    stores = list(_stores(closed.tree.body))
    lists = frozenset(n for n, t in closed.types.items() if isinstance(t, List))
    written = frozenset(r for s, n in stores if n not in lists and (r := sharing.root(n)) is not None)
    loads: dict[str, Any] = {}
    stored_through = {n for _, n in stores}
    for stmt in _assignments(closed.tree.body):
        target = stmt.targets[0]
        if (
            isinstance(target, gast.Name)
            and target.id not in stored_through
            and target.id not in closed.paths
            and not isinstance(stmt.value, gast.Name)
            and not is_fresh(stmt.value)
            and not is_scalar(closed.types[target.id])
        ):
            loads[target.id] = stmt
    parameters = tuple(p for p in (*closed.parameters, *closed.paths) if sharing.root(p) in written)
    found = Memory(sharing, written, loads, parameters, frozenset(n for s, n in stores if n in lists))
    found.lengthened = frozenset(
        n for s, n in stores if isinstance(s.value, gast.Call) and getattr(s.value.func, "attr", "") in ("append", "pop")
    )
    found.given = frozenset([*closed.parameters, *closed.paths])
    _appends(closed.tree.body, False, found, _made(closed.tree.body, is_fresh))
    _pointers(closed.tree.body, lists, found.pointers)
    return found


def _pointers(body: list[Any], lists: frozenset[str], found: dict[str, set[str]]) -> None:
    """Join the names of lists that are assigned to each other."""
    for stmt in _assignments(body):
        pairs = [(stmt.targets[0], stmt.value)]
        if isinstance(stmt.targets[0], gast.Tuple) and isinstance(stmt.value, gast.Tuple):
            pairs = list(zip(stmt.targets[0].elts, stmt.value.elts, strict=True))
        for target, value in pairs:
            if isinstance(target, gast.Name) and isinstance(value, gast.Name) and target.id in lists:
                joined = found.get(target.id, {target.id}) | found.get(value.id, {value.id})
                found.update(dict.fromkeys(joined, joined))


def _appends(body: list[Any], in_loop: bool, found: Memory, made: dict[str, bool]) -> None:
    """Note what is appended to which list, and whether it is finished by then: not written any more until the name means another array."""
    for k, stmt in enumerate(body):
        match stmt:
            case gast.Assign(targets=[gast.Name(id=name)], value=value) if not (isinstance(value, gast.Name) or _is_empty(value)):
                found.displays.add(name)
            case gast.Expr(value=gast.Call(func=gast.Attribute(attr="append", value=gast.Name(id=container)), args=[gast.Name(id=name)])):
                found.appends.setdefault(container, []).append(name)
                following = [*body[k + 1 :], *(body[:k] if in_loop else [])]
                finished = made.get(name, False) and not _written_before_made(name, following)
                found.appended[name] = found.appended.get(name, True) and finished
        for block in blocks(stmt):
            _appends(block, in_loop or isinstance(stmt, (gast.For, gast.While)), found, made)


def _is_empty(value: Any) -> bool:
    return isinstance(value, gast.List) and not value.elts


def _written_before_made(name: str, statements: list[Any]) -> bool:
    for stmt in statements:
        if isinstance(stmt, gast.Assign) and getattr(stmt.targets[0], "id", "") == name:
            return False
        if any(n == name for _, n in _stores([stmt])):
            return True
    return False


def _made(body: list[Any], is_fresh: Callable[[Any], bool]) -> dict[str, bool]:
    """name → does every definition make a new array, or take one off a list?"""
    table: dict[str, bool] = {}
    for stmt in _assignments(body):
        if isinstance(stmt.targets[0], gast.Name):
            name, value = stmt.targets[0].id, stmt.value
            popped = isinstance(value, gast.Call) and isinstance(value.func, gast.Attribute) and value.func.attr == "pop"
            table[name] = table.get(name, True) and (popped or is_fresh(value))
    return table


def entangled(closed: Any, memory: Memory, active: Callable[[str], bool]) -> tuple[dict[str, Any], list[Exception]]:
    """Names that see each other's writes, with the store where this was found; and what is refused.

    A store through one name changes what another, which is read later, means: their cotangents must be one memory too.
    """
    tangled: dict[str, Any] = {}
    refused: list[Exception] = []
    sharing = memory.sharing
    stores = [(s, n) for s, n in _stores(closed.tree.body) if any(active(m) for m in sharing.family(n))]
    if not stores:
        return tangled, refused
    concerned = frozenset(m for _, n in stores for m in sharing.family(n) if m != OUTSIDE)
    aliases = Aliases(closed.tree, sharing, concerned)
    live: Liveness | None = None  # needed where two names share what is written
    for stmt, name in stores:
        if OUTSIDE in sharing.family(name):
            refused.append(problem("global_array_write", stmt, name=name))
        elif name in closed.shadows and name in memory.lists:
            refused.append(problem("container_write", stmt, name=name))  # what a loop made is one list under two names
        elif others := [n for n in aliases.at(stmt, name) if not _container_only(closed, memory, name, n)]:
            live = live or Liveness(closed.tree)
            alive = live.live_after_bits(stmt)
            others = sorted(n for n in others if alive & live.bit(n))
            for n in (name, *others) if others else ():
                tangled.setdefault(n, stmt)
    return tangled, refused


def _container_only(closed: Any, memory: Memory, written: str, other: str) -> bool:
    """A change of a list's length or slots does not change what its elements are; and what is written before it is handed to a
    list, and never after, is there as it was when it was appended."""
    if written in memory.lists:
        return not isinstance(closed.types.get(other), List)
    return isinstance(closed.types.get(other), List) and memory.handed_over(other)


def undecided(closed: Any, memory: Memory, stmt: Any, name: str) -> Exception:
    """The error about two names that may be one memory; `stmt` writes it, `name` is the one that cannot be followed."""
    made = getattr(memory.loads.get(name), "place", None)
    other = name if made is None else f"{name} (line {made.line})"
    written = next((n for s, n in _stores([stmt])), name)
    place = getattr(stmt, "place", None)
    return problem("undecided_alias", closed.tree if place is None else stmt, closed.chains.get(place, ()), name=written, other=other)


def _stores(body: list[Any]) -> Any:
    """(statement, name) for each write in place."""
    for stmt in body:
        match stmt:
            case (
                gast.Assign(targets=[gast.Subscript(value=gast.Name() as base)])
                | gast.AugAssign(target=gast.Subscript(value=gast.Name() as base))
            ):
                yield stmt, base.id
            case gast.AugAssign(target=gast.Name() as target):
                yield stmt, target.id
            case gast.Expr(value=gast.Call(func=gast.Attribute(attr="append", value=gast.Name() as base))):
                yield stmt, base.id
            case gast.Expr(value=gast.Call(func=gast.Attribute(attr="at"), args=[gast.Name() as base, *_])):
                yield stmt, base.id
            case gast.Assign(value=gast.Call(func=gast.Attribute(attr="pop", value=gast.Name() as base))):
                yield stmt, base.id
        for block in blocks(stmt):
            yield from _stores(block)


def _assignments(body: list[Any]) -> Any:
    for stmt in body:
        if isinstance(stmt, gast.Assign):
            yield stmt
        for block in blocks(stmt):
            yield from _assignments(block)
