"""The way back: the adjoints of CLOSED statements, last first.

It starts in the needed state of a block's end and ends in that of its start: what the plan has saved is restored where
the statement that destroyed it is passed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import gast

from ...facts.activity import Activity
from ...facts.layout import Layout
from ...facts.once import Once
from ...facts.plan import Plan, Save
from ...facts.uses import names_read, stores
from ...python import quote
from ...python.lattice import UNKNOWN, is_scalar
from ..closed import Closed
from .bars import FULL, THIN, ZERO, Bars
from .contributions import Contribution, Gather, Recipe, is_identity
from .control import Control
from .scaling import is_scaling
from .stores import Stores


class Back:
    def __init__(
        self,
        closed: Closed,
        active: Activity,
        layout: Layout,
        plan: Plan,
        recipes: dict[int, Recipe],
        bars: Bars,
        holders: dict[tuple[int, str], str],
        group: Callable[[str], str | None],
        variables: frozenset[str],
        once: Once,
    ) -> None:
        self.closed, self.active, self.layout, self.plan = closed, active, layout, plan
        self.recipes, self.bars, self.holders, self.group = recipes, bars, holders, group
        self.mirrors = bars.mirrors
        self.variables = variables  # what the gradient is by: their definitions hand nothing on
        self.stores = Stores(closed, active, recipes, bars, once)
        self.control = Control(closed, active, layout, recipes, bars, self.block)

    def block(self, body: list[Any]) -> list[Any]:
        """The way back of a block; the cotangents' state moves along."""
        outer, self.bars.out = self.bars.out, []
        for save in self.plan.start.get(id(body), ()):
            self.restore(save, id(body))
        for stmt in reversed(body):
            self.statement(stmt)
        written, self.bars.out = self.bars.out, outer
        return written

    def computed_again(self, stmt: Any) -> tuple[list[Any], list[Any]]:
        """Definitions to repeat before an adjoint: those that a slot's index may need, and those that read the slot's array."""
        definitions = self.plan.again.get(id(stmt), [])
        if id(stmt) not in self.plan.slots:
            return [], definitions
        written = {self.group(n) for n in stores(stmt)}
        for k, definition in enumerate(definitions):
            if id(definition) not in self.plan.views and any(self.group(n) in written for n in names_read(definition.value)):
                return definitions[:k], definitions[k:]
        return definitions, []

    def emit(self, statement: Any) -> None:
        self.bars.emit(statement)

    def statement(self, stmt: Any) -> None:
        compound = isinstance(stmt, (gast.If, gast.For, gast.While))
        if id(stmt) in self.plan.recovered:
            self.emit(quote.stmt("n = h", n=self.plan.recovered[id(stmt)], h=stmt.targets[0].id))
        for save in self.plan.before.get(id(stmt), ()):
            self.restore(save, id(stmt), stmt)
        first, then = self.computed_again(stmt)
        for definition in first:
            self.emit(quote.rebuilt(definition))  # a node of its own: liveness goes by the place where a node stands
        if id(stmt) in self.plan.slots:
            self.restore_slot(stmt)
        for definition in then:
            self.emit(quote.rebuilt(definition))
        if compound:
            if isinstance(stmt, gast.If):
                self.control.branch(stmt)
            else:
                self.control.loop(stmt)
            return
        before = len(self.bars.out)
        if id(stmt) in self.mirrors.pointers or id(stmt) in self.mirrors.statements:
            self.mirrored(stmt)
            return
        match stmt:
            case gast.Assign(targets=[gast.Name() as target]):
                self.assigned(stmt, target.id)
            case gast.Assign(targets=[gast.Tuple() as targets], value=gast.Tuple() as values):
                self.permuted([t.id for t in targets.elts], [v.id for v in values.elts])
            case gast.Assign(targets=[gast.Subscript(value=gast.Name() as base) as slot]):
                self.stores.stored(stmt, base.id, slot)
            case gast.AugAssign(target=gast.Subscript(value=gast.Name() as base)):
                self.stores.accumulated(stmt, base.id, stmt.target)
            case gast.AugAssign(target=gast.Name() as target) if is_scaling(stmt):
                self.stores.scaled(stmt, target.id)
            case gast.AugAssign(target=gast.Name() as target):
                self.stores.accumulated(stmt, target.id, None)
            case gast.Expr(value=gast.Call()):
                self.stores.effect(stmt)
        for new in self.bars.out[before:]:
            quote.placed(new, stmt)

    def mirrored(self, stmt: Any) -> None:
        """What moves pointers hands nothing on; lists of cotangents become what they were."""
        undo = self.mirrors.pointers.get(id(stmt))
        if undo is not None:
            self.emit(quote.rebuilt(undo))
        if id(stmt) not in self.mirrors.statements:
            return
        match stmt:
            case gast.Expr(value=gast.Call(func=gast.Attribute(attr="append", value=base))):
                self.emit(gast.Expr(value=quote.expr("b.pop()", b=base)))
            case gast.Assign(targets=[target], value=gast.Call(func=gast.Attribute(attr="pop", value=base))):
                self.emit(gast.Expr(value=quote.expr("b.append(x)", b=base, x=target)))

    # -- restoring

    def restore(self, save: Save, key: int, stmt: Any = None) -> None:
        if save.how == "flag":
            self.emit(quote.stmt("f = False", f=save.name))
        elif save.how == "undo":
            inverse = gast.Sub() if isinstance(stmt.value.op, gast.Add) else gast.Add()
            self.emit(quote.stmt("n = v", n=save.name, v=quote.rebuilt(stmt.value, op=inverse)))
        elif save.how == "permute":
            self.emit(quote.rebuilt(stmt, targets=[stmt.value], value=stmt.targets[0]))
        else:
            holder = self.holders[key, save.name]
            source = quote.expr("h.pop()", h=holder) if save.how == "stack" else quote.name(holder)
            self.emit(quote.stmt("n = v", n=save.name, v=source))

    def restore_slot(self, stmt: Any) -> None:
        target = stmt.targets[0] if isinstance(stmt, gast.Assign) else stmt.target if isinstance(stmt, gast.AugAssign) else None
        if id(stmt) in self.plan.constants:
            value = quote.constant(self.plan.constants[id(stmt)])
        else:
            holder = self.holders[id(stmt), ""]
            value = quote.expr("h.pop()", h=holder) if self.plan.slots[id(stmt)] else quote.name(holder)
        if target is None:
            call = stmt.value
            self.emit(quote.stmt("x[i] = v", x=call.args[0], i=call.args[1], v=value))
        elif isinstance(target, gast.Name):
            self.emit(quote.stmt("x[...] = v", x=target, v=value))
        else:
            self.emit(quote.stmt("x[i] = v", x=target.value, i=target.slice, v=value))

    # -- simple statements

    def assigned(self, stmt: Any, target: str) -> None:
        bars = self.bars
        if isinstance(stmt.value, gast.Call) and isinstance(stmt.value.func, gast.Attribute) and stmt.value.func.attr == "pop":
            self.stores.popped(stmt.value.func.value.id, target)
            return
        if target in self.variables:
            return
        if bars.of(target) == ZERO or target not in self.active:
            bars.kill(target)
            return
        recipe = self.recipes[id(stmt)]
        holes: dict[str, Any] = {}
        for placeholder, expression in recipe.shared:
            name = self.closed.names.fresh("t_bar")
            whole = quote.fill(expression, {"bar ": self.full_bar(target), **holes})
            self.emit(quote.stmt("t = e", t=name, e=whole))
            holes[placeholder] = quote.name(name)
        own = [p for p in recipe.parts if p.target == target]
        others = [p for p in recipe.parts if p.target != target]
        for part in recipe.parts:
            if part.target != target:
                self.hand_on(part, target, holes, last=part is others[-1] and not any(is_identity(p) for p in own))
        if not own:
            bars.kill(target)
        for part in own:
            self.hand_on_to_itself(part, target, holes)

    def full_bar(self, target: str) -> Any:
        bar = quote.name(self.bars.bar(target))
        return self.bars.spread(bar, target) if self.bars.of(target) == THIN else bar

    def hand_on(self, part: Contribution | Gather, result: str, holes: dict[str, Any], last: bool) -> None:
        if isinstance(part, Gather):
            self.stores.gathered(part, result)
            return
        if holes:
            part = replace(part, value=quote.fill(part.value, holes))
        value, full = self.bars.fit(part, result)
        if last and result in self.bars.buffers:
            self.bars.taken_over.add(part.target)
        if (
            isinstance(value, (gast.Name, gast.Subscript))
            and (result in self.bars.buffers)
            and part.target not in self.bars.buffers
            and not last
        ):
            kind = self.closed.types.get(part.target, UNKNOWN)
            if not is_scalar(kind):
                value = self.bars.own(value, part.target, full)
        self.bars.contribute(part.target, value, full)

    def hand_on_to_itself(self, part: Contribution | Gather, target: str, holes: dict[str, Any]) -> None:
        """The old value of `y` in `y = y * w`: its cotangent replaces that of the new one."""
        bars = self.bars
        assert isinstance(part, Contribution)
        if holes:
            part = replace(part, value=quote.fill(part.value, holes))
        value, full = bars.fit(part, target)
        if is_identity(part) and isinstance(value, gast.Name):
            return
        bars.kill(target)
        bars.contribute(target, value, full)

    def permuted(self, targets: list[str], sources: list[str]) -> None:
        """a, b = b, a: the cotangents are permuted back."""
        bars = self.bars
        concerned = [n for n in targets if n in self.active]
        if all(bars.of(n) == ZERO for n in concerned):
            return
        pairs = [(t, s) for t, s in zip(targets, sources, strict=True) if t in self.active or s in self.active]
        for target, _ in pairs:
            if bars.of(target) != FULL:
                bars.materialise(target)
        left = gast.Tuple(elts=[quote.name(bars.bar(s)) for _, s in pairs], ctx=gast.Load())
        right = gast.Tuple(elts=[quote.name(bars.bar(t)) for t, _ in pairs], ctx=gast.Load())
        for _, source in pairs:
            bars.state[source] = FULL
        if len(pairs) == 1:
            self.emit(quote.stmt("s = t", s=left.elts[0], t=right.elts[0]))
        else:
            self.emit(gast.Assign(targets=[left], value=right, type_comment=None))
