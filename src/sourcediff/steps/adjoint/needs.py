"""What the way back asks of the way there: for each adjoint the names whose value or shape it reads, and where.

Of these needs `facts/saving` makes the plan; whether a value is computed again rather than kept is said here too, as
it is the rules that know the cost.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast

from ...facts.activity import Activity, names_of
from ...facts.layout import Layout
from ...facts.plan import Needs, Site
from ...facts.uses import Summaries, blocks, names_read, simple_statements, stores, target_names
from ...python.lattice import UNKNOWN, Array, Bool, Int, is_real_scalar, is_scalar
from ..closed import Closed
from ..inlining.leaving import is_exit
from .bars import Bars
from .contributions import Gather, Recipe
from .control import trip_counter
from .numbers import is_summed
from .scaling import is_scaling


def needs_of(
    closed: Closed,
    active: Activity,
    layout: Layout,
    recipes: dict[int, Recipe],
    bars: Bars,
    summaries: Summaries,
    controlled: set[int],
) -> Needs:
    """The needs of all adjoints of the program, and of the control of these compound statements."""
    collector = Collector(closed, active, layout, recipes, bars, summaries)
    collector.controlled = controlled
    collector.block(closed.tree.body)
    return collector.needs


class Collector:
    def __init__(
        self, closed: Closed, active: Activity, layout: Layout, recipes: dict[int, Recipe], bars: Bars, summaries: Summaries
    ) -> None:
        self.closed, self.active, self.layout, self.recipes = closed, active, layout, recipes
        self.bars, self.summaries = bars, summaries
        self.thin = may_be_thin(closed, recipes)
        self.needs = Needs()
        self.controlled: set[int] = set()

    def block(self, body: list[Any]) -> set[str]:
        """Adds the needs of a block's adjoints; the names that it hands cotangents to."""
        handed: set[str] = set()
        for stmt in body:
            spot = self.layout.spot(stmt)
            mine = self.statement(stmt, spot)
            for block in blocks(stmt):
                mine |= self.block(block)
            if blocks(stmt):
                self.control(stmt, spot)
                if isinstance(stmt, gast.If):
                    self.zeros_of_branches(stmt, spot)
                for name in mine:  # its zero is made before the way back of this statement
                    if not self.zero_is_plain(name) and name in self.layout.scopes and not self.within(name, stmt):
                        self.zero(name, Site(spot, True))
            handed |= mine
        return handed

    def zeros_of_branches(self, stmt: Any, spot: Any) -> None:
        """A name that one branch assigns has a zero cotangent before it, of the shape that it had there."""
        one, two = (
            {n for s in simple_statements(body) if isinstance(s, gast.Assign) for n in target_names(s.targets[0])}
            for body in (stmt.body, stmt.orelse)
        )
        for name in sorted(n for n in one ^ two if n in self.active and not self.within(n, stmt)):
            if self.oldest(name) == name and not self.zero_is_plain(name) and len(self.layout.definitions.get(name, ())) > 1:
                self.needs.add(name, Site(spot, False), content=False)

    def within(self, name: str, stmt: Any) -> bool:
        """Does a name live in a block of this statement alone?"""
        scope = self.layout.scopes.get(name)
        return scope is not None and any(self.layout.contains(self.layout.block_of[id(b)], scope) for b in blocks(stmt))

    def zero_is_plain(self, name: str) -> bool:
        return is_real_scalar(self.closed.types.get(name, UNKNOWN))

    def control(self, stmt: Any, spot: Any) -> None:
        if id(stmt) not in self.controlled and not self.has_adjoint(stmt):
            return
        if isinstance(stmt, gast.If):
            self.add(stmt.test, Site(spot, True))
            return
        trips = trip_counter(stmt)
        if isinstance(stmt, gast.For):
            self.add(stmt.iter, Site(spot, True))
        if trips is not None and (isinstance(stmt, gast.While) or is_exit(stmt.body[-1])):
            self.needs.add(trips, Site(spot, True))

    def has_adjoint(self, stmt: Any) -> bool:
        """Does a compound statement hand anything back?"""
        return any(self.target_of(s) in self.active for s in simple_statements([stmt]))

    def target_of(self, stmt: Any) -> str:
        match stmt:
            case gast.Assign(targets=[gast.Name() as target]):
                return str(target.id)
            case gast.Assign(targets=[gast.Tuple() as target]):
                return next((t.id for t in target.elts if t.id in self.active), "")
        return next(iter(stores(stmt)), "")

    def statement(self, stmt: Any, spot: Any) -> set[str]:
        before, after = Site(spot, False), Site(spot, True)
        found = self.recipes.get(id(stmt))
        if found is not None and stmt.targets[0].id in names_read(stmt.value):
            after = before  # `x = x * y`: the x that its adjoint reads is the operand
        handed = set() if found is None else self.recipe(stmt.targets[0].id, found, before, after)
        match stmt:
            case (
                gast.Assign(targets=[gast.Subscript(value=gast.Name() as base) as slot])
                | gast.AugAssign(target=gast.Subscript(value=gast.Name() as base) as slot)
            ):
                self.add(slot.slice, before)
                self.needs.add(base.id, before, content=False)
                if base.id in self.active:
                    handed |= self.stored(stmt, slot, base.id, before)
            case gast.AugAssign(target=gast.Name() as target):
                base = target
                scaling = is_scaling(stmt)
                self.needs.add(target.id, before, content=scaling and bool(self.active_names(stmt.value)))
                if scaling:
                    self.add(stmt.value, before)
                handed |= self.stored(stmt, None, target.id, before)
            case gast.Expr(value=gast.Call() as call):
                for name in names_of(call.args[-1]) if call.args else ():
                    if name in self.active:
                        handed.add(name)
                        if not is_scalar(self.closed.types.get(name, UNKNOWN)):
                            self.needs.add(name, before, content=False)
                for argument in call.args[1:-1]:
                    self.add(argument, before)
        for name in handed & self.bars.buffers:  # a first contribution is given the shape of the oldest name that has it
            self.zero(name, before)
        self.mirrored(stmt, handed, before)
        return handed

    def mirrored(self, stmt: Any, handed: set[str], before: Site) -> None:
        """Cotangents that are in the program as pointers of their own must be what they were at this statement."""
        mirrors = self.bars.mirrors
        bars = mirrors.bars
        match stmt:
            case gast.Assign(targets=[target], value=gast.Call(func=gast.Attribute(attr="pop"))) if id(stmt) in mirrors.statements:
                self.needs.add(target.id, Site(self.layout.spot(stmt), True), content=False)  # it is put back
        if not bars or id(stmt) in mirrors.statements or blocks(stmt):
            return
        for name in handed | stores(stmt):
            if name in bars:
                self.needs.add(bars[name], before, content=False)
        undo = mirrors.pointers.get(id(stmt))
        if isinstance(undo, gast.Assign):
            self.add(undo.value, before)
            self.add(undo.targets[0].slice, before)
            self.needs.add(undo.targets[0].value.id, before, content=False)
        if isinstance(stmt, gast.Assign):
            for name in target_names(stmt.targets[0]):
                if name in mirrors.allocations:  # made behind this statement, once
                    self.needs.add(bars[name], Site(self.layout.spot(mirrors.allocations[name]), True), content=False)

    def recipe(self, result: str, found: Recipe, before: Site, after: Site) -> set[str]:
        handed: set[str] = set()
        for _, expression in found.shared:
            self.add(expression, before, result, after)
        for part in found.parts:
            handed.add(part.target)
            if isinstance(part, Gather):
                if result not in self.bars.loads:
                    self.add(part.index, before)
                    self.zero(part.target, before)
                continue
            self.add(part.value, before, result, after)
            wide = self.bars.wide
            same = part.elementwise and part.same and not self.bars.recasts(part.target, result)
            fits = part.target in wide or (same and result not in wide)
            plain = is_real_scalar(self.closed.types.get(part.target, UNKNOWN)) and is_scalar(self.closed.types.get(result, UNKNOWN))
            plain = plain or (part.elementwise and is_summed(self.closed, part.target, result))
            if part.target in self.bars.loads:
                self.zero(part.target, before)
            elif (not fits and not plain) or part.target in self.bars.buffers:
                self.shape(part.target, before)
            if result in self.thin and not same:
                self.shape(result, after)
        return handed

    def stored(self, stmt: Any, slot: Any, base: str, before: Site) -> set[str]:
        handed = self.active_names(stmt.value)
        for name in handed:
            kind = self.closed.types.get(name, UNKNOWN)
            if slot is not None and not isinstance(self.closed.types.get(base), Array) and not is_scalar(kind):
                self.shape(name, before)
            if not is_real_scalar(kind) and name not in self.bars.wide and not self.bars.templates.fits_slot(stmt, base, slot, name):
                self.shape(name, before)
        return handed

    def active_names(self, value: Any) -> set[str]:
        return {n for n in names_of(value) if n in self.active}

    def add(self, expression: Any, before: Site, result: str = "", after: Site | None = None) -> None:
        summary = self.summaries(expression)
        for names, content in ((summary.content, True), (summary.shape, False)):
            for name in names:
                if name in self.closed.types:
                    self.needs.add(name, after if name == result and after is not None else before, content)

    def shape(self, name: str, site: Site) -> None:
        """What the shape of a name is read off is needed."""
        for each in names_read(self.bars.shaped(name)):
            self.needs.add(each, site, content=False)

    def zero(self, name: str, site: Site) -> None:
        """What the zero cotangent of a name asks for: its shape, or the place of the list that it is an item of."""
        while name in self.bars.loads:
            item = self.bars.loads[name]
            self.add(item.slice, site)
            name = self.bars.list_of(name)
        self.shape(name, site)

    def oldest(self, name: str) -> str:
        return self.bars.oldest(name)


def may_be_thin(closed: Closed, recipes: dict[int, Recipe]) -> set[str]:
    """Names whose cotangent may come back smaller than they are."""
    found: set[str] = set()
    for _ in range(2):
        for stmt in reversed(list(simple_statements(closed.tree.body))):
            for part in recipes[id(stmt)].parts if id(stmt) in recipes else ():
                if not isinstance(part, Gather) and (part.thin or (part.elementwise and stmt.targets[0].id in found)):
                    found.add(part.target)
    return found


def recomputable(closed: Closed, stmt: Any, lists: frozenset[str], pure: Callable[[Any], bool]) -> bool:
    """Is the value cheaper to compute again than to keep?"""
    value = stmt.value
    if names_read(value) & lists:
        return False  # the way back does not restore lists
    kind = closed.types.get(stmt.targets[0].id, UNKNOWN) if isinstance(stmt.targets[0], gast.Name) else UNKNOWN
    match value:
        case gast.Name() | gast.Constant() | gast.Compare() | gast.BoolOp() | gast.Attribute():
            return not isinstance(kind, Array) or isinstance(value, (gast.Name, gast.Attribute))
        case gast.Subscript(value=gast.Name() as base):
            return base.id not in lists
        case gast.UnaryOp(op=gast.Not()):
            return True
    if isinstance(kind, (Int, Bool)):
        return not isinstance(value, gast.Call) or pure(value)
    operation = closed.operation(value)
    if operation is None:
        return False
    if operation.rule.is_view(operation.bound) and operation.rule.pure:
        return True
    return operation.rule.cheap and not isinstance(kind, Array)
