"""What the way back needs and the way there destroys: recompute it, or save it.

A name that lives inside one iteration is *private*: its value at the end of the iteration is gone when the way back
comes to it, so it is computed again (if that is cheap and its operands are still the same there) or saved after its
definition. A name that a loop carries is saved before it is overwritten, if its old value is still needed (the
to-be-recorded analysis: a forward pass over the program that collects needs). Outside loops a plain name keeps the old value.

Invariant: the way back of a block starts in the needed state of the block's end and ends in that of its start.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast

from .ahead import written_ahead
from .layout import Block, Layout, Spot
from .once import Once
from .overwriting import increment, stored_names, stored_whole
from .plan import Needs, Plan, Save, Site
from .uses import names_read


class Planner:
    def __init__(
        self,
        closed: Any,
        layout: Layout,
        needs: Needs,
        group: Callable[[str], str | None],
        recomputable: Callable[[Any], bool],
        is_fresh: Callable[[Any], bool],
        flags: set[str],
        owners: Callable[[str], set[str]],
        content_read: Callable[[Any], Any],
        is_view: Callable[[Any], bool],
        once: Once,
    ) -> None:
        self.closed, self.layout, self.needs = closed, layout, needs
        self.group = group  # class of a name whose memory is written, else None
        self.recomputable = recomputable
        self.is_fresh = is_fresh
        self.flags = flags
        self.content_read = content_read
        self.once = once
        self.is_view = is_view  # surely: it sees what is in the memory, whenever it is made
        self.views: set[str] = set()  # names that are made again as views
        self.owners = owners  # of a class: its names that are no mere loads
        self.plan = Plan()
        self.again: set[str] = set()
        self.saved: dict[str, Save] = {}
        self.permutations = [s for s in layout.spots.values() if isinstance(getattr(s.stmt, "targets", [0])[0], gast.Tuple)]
        self.permuted = {e.id for s in self.permutations for e in s.stmt.targets[0].elts}
        self.stores: dict[str, list[Spot]] = {}
        for name, spots in layout.writes_in_place.items():
            found = group(name)
            if found is not None:
                self.stores.setdefault(found, []).extend(spots)

    def run(self) -> Plan:
        private = [n for n in self.layout.definitions if self.layout.is_private(n)]
        waiting = sorted(private, key=lambda n: -max(s.start for s in self.layout.definitions[n]))
        self.need_permuted()
        while ready := [n for n in waiting if self.needs.pointer.get(n)]:  # a decision can make new needs, also of later names
            waiting.remove(ready[0])
            self.decide(ready[0])
            self.need_permuted()
        self.points: dict[int, tuple[set[str], set[str], set[str], set[str]]] = {}
        self._collect_points()
        body = self.closed.tree.body
        self._block(body, frozenset(), frozenset(), frozenset())
        for definitions in self.plan.again.values():
            definitions.sort(key=lambda d: self.layout.spot(d).start)
        return self.plan

    # -- private names

    def need_permuted(self) -> None:
        """`a, b = b, a` is undone as a whole: if one of its names is needed, so are those that the end of an iteration loses."""
        size = -1
        while size != len(self.needs.pointer):
            size = len(self.needs.pointer)
            for spot in self.permutations:
                names = [e.id for e in spot.stmt.targets[0].elts]
                for name in names if any(self.needs.pointer.get(n) for n in names) else ():
                    if self.layout.is_private(name) and not self.needs.pointer.get(name):
                        self.needs.add(name, Site(spot, after=True), content=False)

    def decide(self, name: str) -> None:
        definitions = self.layout.definitions[name]
        if isinstance(definitions[0].stmt, gast.For):
            return  # the index of a loop: the way back has it
        if len(definitions) == 1 and self.try_again(name, definitions[0]):
            self.again.add(name)
            if self.is_view(definitions[0].stmt):
                self.views.add(name)
                self.plan.views.add(id(definitions[0].stmt))
            return
        if len(definitions) == 1 and self.read_off_copy(name, definitions[0]):
            return
        scope = self.layout.scopes[name]
        found = self.group(name)
        written = self.stores.get(found, []) if found is not None else []
        tops = [self.layout.within(d, scope) for d in (*definitions, *written)]
        last = max((t for t in tops if t is not None), key=lambda t: t.start)
        # A mere load is kept as it is; of what is written, through whichever name, the very memory is kept, where slots are restored.
        read = bool(self.needs.content.get(name)) and found is not None and name not in self.owners(found)
        copy = read and name not in self.permuted and not all(self.is_fresh(d.stmt) for d in definitions)
        save = Save(name, "stack", copy)
        self.saved[name] = save
        self.plan.after.setdefault(id(last.stmt), []).append(save)
        self.plan.start.setdefault(id(scope.body), []).append(save)

    def try_again(self, name: str, definition: Spot) -> bool:
        """Compute the name again on the way back, if what it is made of is the same there."""
        stmt = definition.stmt
        if not self.recomputable(stmt):
            return False
        tops = []
        for site in self.needs.pointer[name]:
            top = self.layout.within(site.spot, definition.block)
            if top is None or top.start < definition.start:
                return False
            tops.append((top, site.after or top is not site.spot))
        last = max(t.start for t, _ in tops)
        top = next(t for t, _ in tops if t.start == last)
        after = any(a for t, a in tops if t.start == last)
        limit = top.end if after else top.start - 1
        operands = [n for n in names_read(stmt.value) if n in self.closed.types]
        view = self.is_view(stmt)
        content = self.content_read(stmt.value)
        if not view and self.finds_slot(name, {self.group(n) for n in content} - {None}):
            return False
        for operand in operands:
            if any(definition.start < d.start <= limit for d in self.layout.definitions.get(operand, ())):
                return False
            found = self.group(operand) if operand in content and not view else None  # a store changes no shape, and is seen through a view
            if found is not None and any(definition.start < s.start <= limit for s in self.stores.get(found, ())):
                return False
        self.plan.again.setdefault(id(top.stmt), []).append(stmt)
        shape_alone = view and not self.needs.content.get(name)
        for operand in operands:
            self.needs.add(operand, Site(top, after, derived=True), content=operand in content and not shape_alone)
        return True

    def finds_slot(self, name: str, read: set[str | None]) -> bool:
        """Is it asked for by a store into what it was read from? The slot cannot be restored before its index is known."""
        return any(self.group(n) in read for site in self.needs.pointer[name] for n in stored_names(site.spot.stmt))

    def read_off_copy(self, name: str, definition: Spot) -> bool:
        """`h = name` at the end of an iteration: there h is the name's value, until h itself is restored."""
        for stmt in definition.block.body[definition.block.body.index(definition.stmt) + 1 :]:
            if (
                isinstance(stmt, gast.Assign)
                and isinstance(stmt.value, gast.Name)
                and stmt.value.id == name
                and isinstance(stmt.targets[0], gast.Name)
            ):
                copy = self.layout.spot(stmt)
                tops = [self.layout.within(site.spot, definition.block) for site in self.needs.pointer[name]]
                if all(t is not None and t.start < copy.start for t in tops):
                    self.plan.recovered[id(stmt)] = name
                    self.again.add(name)
                    self.needs.add(stmt.targets[0].id, Site(copy, after=True, derived=True))
                    return True
        return False

    # -- what is overwritten

    def _collect_points(self) -> None:
        """id(statement) -> (pointers before, pointers after, contents before, contents after)."""
        for table, offset in ((self.needs.pointer, 0), (self.needs.content, 2)):
            for name, sites in table.items():
                if name in self.again and not (offset == 2 and name in self.views):
                    continue
                what = name if offset == 0 else self.group(name)
                if what is None:
                    continue
                for site in sites:
                    point = self.points.setdefault(id(site.spot.stmt), (set(), set(), set(), set()))
                    point[offset + site.after].add(what)

    def _block(
        self, body: list[Any], need: frozenset[str], content: frozenset[str], safe: frozenset[str]
    ) -> tuple[frozenset[str], frozenset[str]]:
        for stmt in body:
            before, after, content_before, content_after = self.points.get(id(stmt), _NOTHING)
            if not (before <= need and content_before <= content):
                need, content = need | before, content | content_before
            match stmt:
                case gast.If():
                    one, one_content = self._block(stmt.body, need, content, safe)
                    two, two_content = self._block(stmt.orelse, need, content, safe)
                    need, content = one | two, one_content | two_content
                case gast.For() | gast.While():
                    need, content = self._loop(stmt, need, content, safe)
                case _:
                    need, content = self._simple(stmt, need, content, safe)
            if not (after <= need and content_after <= content):
                need, content = need | after, content | content_after
        return need, content

    def _loop(
        self, stmt: Any, need: frozenset[str], content: frozenset[str], safe: frozenset[str]
    ) -> tuple[frozenset[str], frozenset[str]]:
        block = self.layout.block_of[id(stmt.body)]
        ahead = safe | (written_ahead(stmt, self.layout, self.stores, self.needs, self.plan, self.group, self.owners, self.once) - content)
        while True:
            out, out_content = self._block(stmt.body, need, content, ahead)
            kept = frozenset(n for n in out if not self._inside(n, block))
            kept_content = frozenset(c for c in out_content if not all(self._inside(n, block) for n in self.owners(c)))
            if kept <= need and kept_content <= content:
                return need, content
            need, content = need | kept, content | kept_content

    def _inside(self, name: str, block: Block) -> bool:
        scope = self.layout.scopes.get(name)
        return scope is not None and self.layout.contains(block, scope)

    def _simple(
        self, stmt: Any, need: frozenset[str], content: frozenset[str], safe: frozenset[str]
    ) -> tuple[frozenset[str], frozenset[str]]:
        spot = self.layout.spot(stmt)
        if isinstance(stmt, gast.Assign) and isinstance(stmt.targets[0], gast.Tuple):
            return self._permuted(stmt, need), content
        for target in stmt.targets if isinstance(stmt, gast.Assign) else ():
            names = [target.id] if isinstance(target, gast.Name) else []
            for name in names:
                if name in need and self._overwritten(stmt, name, spot) != "undo":  # which gets back to the old value from the new
                    need -= {name}
                found = self.group(name)
                if found is not None and self.is_fresh(stmt) and self.owners(found) == {name}:
                    content -= {found}
        written = {self.group(n) for n in stored_names(stmt)} - {None}
        for found in written:
            if found in content and found not in safe:
                self._store_destroys(stmt, spot, str(found))
            if found not in safe and self.owners(str(found)) == {stored_whole(stmt)}:
                content -= {found}  # what is restored here as a whole may be anything behind
        return need, content

    def _store_destroys(self, stmt: Any, spot: Spot, written: str) -> None:
        if self.once(stmt):
            before = self.once.made_with(stmt)
            if before is None:
                return  # np.empty: nobody can have read what was there
            self.plan.constants[id(stmt)] = before
        self.plan.slots[id(stmt)] = spot.block.in_loop
        self.plan.restored.add(written)

    def _permuted(self, stmt: Any, need: frozenset[str]) -> frozenset[str]:
        """`a, b = b, a`: the way back permutes back what is needed, so all of it is needed behind."""
        names = frozenset(e.id for e in stmt.targets[0].elts)
        if not need & names:
            return need
        self.plan.before[id(stmt)] = [Save("", "permute")]
        return need | names

    def _overwritten(self, stmt: Any, name: str, spot: Spot) -> str:
        """Plan how the old value comes back, and say how."""
        saves = self.plan.before.setdefault(id(stmt), [])
        for known in saves:
            if known.name == name:
                return known.how
        if name in self.flags and spot.block.in_loop and not isinstance(stmt.value, gast.Constant):
            saves.append(Save(name, "flag"))
        elif increment(self.closed, stmt, name):
            saves.append(Save(name, "undo"))
        else:
            saves.append(Save(name, "stack" if spot.block.in_loop else "name"))
        return saves[-1].how


_NOTHING: tuple[set[str], set[str], set[str], set[str]] = (set(), set(), set(), set())
