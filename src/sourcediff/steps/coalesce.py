"""Give one name to what a copy only hands on.

The walk writes single assignments, so a loop ends in `x = x2` and a branch in `m = x2`. Where the two names are never
alive at the same time they become one:

    x2 = np.sin(t)          x = np.sin(t)
    x = x2           →

Two kinds of copies stay: before a loop, when the old value has other uses (reverse may want it, and then need not save it), and in a
branch outside loops (both values stay readable: nothing need be saved).
"""

from __future__ import annotations

from typing import Any

import gast

from ..facts.flow import Liveness
from ..facts.uses import expressions, reads, stores, writes
from ..python import quote
from ..python.lattice import is_real_scalar, join
from ..python.names import spoken
from .closed import Closed
from .inlining.values import Atom, leaves, map_leaves


def coalesced(closed: Closed) -> Closed:
    """The same function with copies merged away."""
    merging = Merging(closed)
    merging.scan(closed.tree.body, in_loop=False, in_branch=False)
    for copy, policy in merging.copies:
        merging.consider(copy, policy)
    renames = merging.renames()
    if renames:
        tree = quote.rebuilt(closed.tree, body=cleaned(quote.fill(closed.tree.body, {k: quote.name(v) for k, v in renames.items()})))
        closed.tree = tree
        for old, new in renames.items():
            closed.types[new] = join(closed.types[new], closed.types.pop(old))
        closed.shadows = {renames.get(name, name) for name in closed.shadows}
        closed.result = map_leaves(closed.result, lambda a: renamed_atom(a, renames, closed))
        closed.parameters = {p: map_leaves(v, lambda a: renamed_atom(a, renames, closed)) for p, v in closed.parameters.items()}
    return closed


def renamed_atom(atom: Atom, renames: dict[str, str], closed: Closed) -> Atom:
    name = getattr(atom.node, "id", None)
    if name in renames:
        return Atom(quote.name(renames[name]), closed.types[renames[name]])
    return atom


def cleaned(block: list[Any]) -> list[Any]:
    """Without `x = x` and what became empty by its removal."""
    out = []
    for stmt in block:
        if (
            isinstance(stmt, gast.Assign)
            and isinstance(stmt.targets[0], gast.Name)
            and getattr(stmt.value, "id", None) == stmt.targets[0].id
        ):
            continue
        if isinstance(stmt, gast.If):
            body, orelse = cleaned(stmt.body), cleaned(stmt.orelse)
            if not body and not orelse:
                continue
            if not body:
                stmt = quote.rebuilt(stmt, test=quote.expr("not c", c=stmt.test), body=orelse, orelse=[])
            else:
                stmt = quote.rebuilt(stmt, body=body, orelse=orelse)
        elif isinstance(stmt, (gast.For, gast.While)):
            stmt = quote.rebuilt(stmt, body=cleaned(stmt.body) or [gast.Pass()])
        out.append(stmt)
    return out


class Merging:
    """Classes of names that become one."""

    def __init__(self, closed: Closed) -> None:
        self.closed = closed
        self.live = Liveness(closed.tree)
        self.leader: dict[str, str] = {}
        self.members: dict[str, list[str]] = {}
        self.definitions: dict[str, list[Any]] = {}
        self.uses: dict[str, int] = {}
        self.home: dict[str, list[int]] = {}  # name -> path of the block that holds all its definitions
        self.copies: list[tuple[Any, str]] = []
        self.loop_targets: set[str] = set()
        self.read_in_loop: set[str] = set()
        self.stored: set[str] = set()
        self.parts = {a.node.id for v in closed.parameters.values() for a in leaves(v)}
        self.order: dict[str, int] = {p: k for k, p in enumerate(closed.types)}
        self.path: list[int] = []
        self.where: list[tuple[Any, tuple[int, ...], bool, bool]] = []

    def scan(self, block: list[Any], in_loop: bool, in_branch: bool) -> None:
        self._collect(block, in_loop, in_branch)
        heads = {id(c) for c in self.closed.head_copies}
        for copy, path, loop, branch in self.where:
            source = copy.value.id
            home = self.home.get(source)
            inside = home is not None and tuple(home[: len(path)]) == path
            if {copy.targets[0].id, source} & self.closed.partial and not inside:
                continue  # the one may have no value where the other has one
            if id(copy) in heads:
                self.copies.append((copy, "sole use"))
            elif inside or (branch and (loop or source in self.stored)):
                self.copies.append((copy, "free"))
            elif not branch:
                self.copies.append((copy, "sole use"))

    def _collect(self, block: list[Any], in_loop: bool, in_branch: bool) -> None:
        self.path.append(id(block))
        for stmt in block:
            if isinstance(stmt, gast.If):
                self._use(stmt.test)
                self._collect(stmt.body, in_loop, True)
                self._collect(stmt.orelse, in_loop, True)
            elif isinstance(stmt, gast.For):
                self._use(stmt.iter)
                self.loop_targets.add(stmt.target.id)
                self._collect(stmt.body, True, False)
            elif isinstance(stmt, gast.While):
                self._use(stmt.test)
                self._collect(stmt.body, True, False)
            else:
                self._simple(stmt, in_loop, in_branch)
        self.path.pop()

    def _simple(self, stmt: Any, in_loop: bool, in_branch: bool) -> None:
        for name in writes(stmt):
            self.definitions.setdefault(name, []).append(stmt)
            home = self.home.get(name)
            if home is None:
                self.home[name] = list(self.path)
            else:
                common = [a for a, b in zip(home, self.path, strict=False) if a == b]
                self.home[name] = common
        self.stored.update(stores(stmt))
        for name in reads(stmt):
            self.uses[name] = self.uses.get(name, 0) + 1
            if in_loop:
                self.read_in_loop.add(name)
        is_copy = isinstance(stmt, gast.Assign) and isinstance(stmt.targets[0], gast.Name) and isinstance(stmt.value, gast.Name)
        if is_copy and stmt.value.id in self.closed.types:
            self.where.append((stmt, tuple(self.path), in_loop, in_branch))

    def _use(self, node: Any) -> None:
        for name in spoken(node):
            self.uses[name] = self.uses.get(name, 0) + 1

    # -- merging

    def find(self, name: str) -> str:
        while name in self.leader:
            name = self.leader[name]
        return name

    def consider(self, copy: Any, policy: str) -> None:
        a, b = self.find(copy.targets[0].id), self.find(copy.value.id)
        if (
            a == b
            or {a, b} & self.loop_targets
            or self._outside(copy.value.id)
            or copy.targets[0].id in self.parts - self.closed.parameters.keys()
        ):
            return
        if {a, b} & self.closed.shadows & self.read_in_loop:
            return  # it would have to be saved before its first assignment
        if policy == "sole use" and self.uses.get(copy.value.id, 0) > 1:
            return
        ours, theirs = self.members.get(a, [a]), self.members.get(b, [b])
        parameters = self.closed.parameters
        if self.stored and {*ours, *theirs} & parameters.keys() and not is_real_scalar(self.closed.types[a]):
            return  # the caller sees what is written into an argument: its name keeps its memory
        if any(m in parameters for m in ours) and any(m in parameters for m in theirs):
            return
        if self._interfere(ours, theirs) or self._interfere(theirs, ours):
            return
        self.leader[b] = a
        self.members[a] = ours + theirs

    def _outside(self, name: str) -> bool:
        """A global, a helper, or a part of a parameter: nothing may be merged with it."""
        return name not in self.closed.parameters and (name not in self.definitions or name in self.parts)

    def _interfere(self, defined: list[str], alive: list[str]) -> bool:
        mask = 0
        for name in alive:
            mask |= self.live.bit(name)
        others = set(alive)
        for name in defined:
            for stmt in self.definitions.get(name, ()):
                copies_other = isinstance(stmt, gast.Assign) and isinstance(stmt.value, gast.Name) and stmt.value.id in others
                if not copies_other and self.live.live_after_bits(stmt) & mask:
                    return True
        return False

    def renames(self) -> dict[str, str]:
        table: dict[str, str] = {}
        for leader, members in self.members.items():
            if self.find(leader) != leader:
                continue
            best = min(members, key=self._preference)
            table.update({m: best for m in members if m != best})
        return table

    def _preference(self, name: str) -> tuple[bool, bool, int, int]:
        temporary = name[0] == "t" and (len(name) == 1 or name[1:].isdigit())
        return name not in self.closed.parameters, temporary, len(name), self.order.get(name, 0)


__all__ = ["coalesced", "expressions"]
