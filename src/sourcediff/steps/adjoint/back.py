"""The way back: the adjoints of CLOSED statements, last first.

It starts in the needed state of a block's end and ends in that of its start: what the plan has saved is restored where
the statement that destroyed it is passed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import gast

from ... import runtime
from ...facts.activity import Activity, names_of
from ...facts.layout import Layout
from ...facts.saving import Plan, Save
from ...facts.uses import blocks, names_read, stores
from ...python import quote
from ...python.lattice import UNKNOWN, Array, Int, List, Tuple, is_scalar
from ..closed import Closed
from ..inlining.loops import is_exit
from .bars import FULL, THIN, ZERO, Bars
from .contributions import Contribution, Gather, Recipe


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
    ) -> None:
        self.closed, self.active, self.layout, self.plan = closed, active, layout, plan
        self._numeric: set[str] | None = None
        self.recipes, self.bars, self.holders, self.group = recipes, bars, holders, group
        self.variables = variables  # what the gradient is by: their definitions hand nothing on

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
            if any(self.group(n) in written for n in names_read(definition.value)):
                return definitions[:k], definitions[k:]
        return definitions, []

    def emit(self, statement: Any, like: Any = None) -> None:
        if like is not None:
            quote.placed(statement, like)
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
                self.branch(stmt)
            else:
                self.loop(stmt)
            return
        before = len(self.bars.out)
        match stmt:
            case gast.Assign(targets=[gast.Name() as target]):
                self.assigned(stmt, target.id)
            case gast.Assign(targets=[gast.Tuple() as targets], value=gast.Tuple() as values):
                self.permuted([t.id for t in targets.elts], [v.id for v in values.elts])
            case gast.Assign(targets=[gast.Subscript(value=gast.Name() as base) as slot]):
                self.stored(stmt, base.id, slot)
            case gast.AugAssign(target=gast.Subscript(value=gast.Name() as base)):
                self.accumulated(stmt, base.id, stmt.target)
            case gast.AugAssign(target=gast.Name() as target):
                self.accumulated(stmt, target.id, None)
            case gast.Expr(value=gast.Call() as call):
                self.effect(call)
        for new in self.bars.out[before:]:
            quote.placed(new, stmt)

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
            self.popped(stmt.value.func.value.id, target)
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
                self.hand_on(part, target, holes, last=part is others[-1] and not any(self.is_identity(p) for p in own))
        if not own:
            bars.kill(target)
        for part in own:
            self.hand_on_to_itself(part, target, holes)

    def full_bar(self, target: str) -> Any:
        bar = quote.name(self.bars.bar(target))
        return self.bars.spread(bar, target) if self.bars.of(target) == THIN else bar

    def hand_on(self, part: Contribution | Gather, result: str, holes: dict[str, Any], last: bool) -> None:
        if isinstance(part, Gather):
            self.gathered(part, result)
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
        if self.is_identity(part) and isinstance(value, gast.Name):
            return
        bars.kill(target)
        bars.contribute(target, value, full)

    def gathered(self, part: Gather, result: str) -> None:
        """result = target[index]"""
        bars = self.bars
        if bars.of(part.target) != FULL:
            bars.materialise(part.target)
        bar, value = quote.name(bars.bar(part.target)), quote.name(bars.bar(result))
        base = self.closed.types.get(part.target, UNKNOWN)
        if self.may_repeat(part.index, base):
            if isinstance(base, Array):
                self.emit(quote.stmt("np.add.at(b, i, v)", np=bars.numpy(), b=bar, i=as_argument(part.index), v=value))
            else:
                self.emit(gast.Expr(value=bars.helper(runtime.add_at, bar, as_argument(part.index), value)))
        elif isinstance(base, Tuple) and is_scalar(self.closed.types.get(result, UNKNOWN)):
            self.emit(quote.stmt("b[i] += v", b=bar, i=part.index, v=value))
        elif not isinstance(base, Array) and not is_scalar(self.closed.types.get(result, UNKNOWN)) and result not in self.numeric():
            self.emit(gast.Expr(value=bars.helper(runtime.add_at, bar, as_argument(part.index), value)))
        else:
            self.emit(quote.stmt("b[i] += v", b=bar, i=part.index, v=value))

    def numeric(self) -> set[str]:
        """Names that arithmetic hands cotangents to: numbers or arrays, whatever else is known of them."""
        if self._numeric is None:
            parts = [p for r in self.recipes.values() for p in r.parts]
            self._numeric = {p.target for p in parts if isinstance(p, Contribution) and not isinstance(p.value, gast.Name)}
        return self._numeric

    def may_repeat(self, index: Any, base: Any) -> bool:
        """Can an index name one element twice? Then what comes back must add up."""
        parts = index.elts if isinstance(index, gast.Tuple) else [index]
        for part in parts:
            if isinstance(part, gast.Slice):
                if not isinstance(base, Array):
                    return True
                continue
            if isinstance(part, gast.Constant) or self.is_integer(part):
                continue
            kind = self.closed.type_of(part)
            if isinstance(kind, Array) and kind.dtype is not None and kind.dtype.kind == "b" and isinstance(base, Array):
                continue
            return True
        return False

    def is_integer(self, node: Any) -> bool:
        match node:
            case gast.Name():
                kind = self.closed.types.get(node.id, UNKNOWN)
                return isinstance(kind, Int) or (is_scalar(kind) and getattr(getattr(kind, "dtype", None), "kind", "") in "iu")
            case gast.Constant():
                return isinstance(node.value, int) or node.value is None or node.value is Ellipsis
            case gast.BinOp():
                return self.is_integer(node.left) and self.is_integer(node.right)
            case gast.UnaryOp():
                return self.is_integer(node.operand)
            case gast.Call(func=gast.Name(id=name)):
                return name.startswith("len")
            case gast.Subscript(value=gast.Attribute(attr="shape")):
                return True
            case gast.Attribute(attr="size" | "ndim"):
                return True
        return False

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

    # -- memory

    def stored(self, stmt: Any, base: str, slot: Any) -> None:
        """x[i] = v: the cotangent of the slot goes to v, and the old content has none."""
        bars = self.bars
        if base not in self.active or bars.of(base) == ZERO:
            return
        if bars.of(base) == THIN:
            bars.materialise(base)
        bar = quote.expr("b[i]", b=bars.bar(base), i=slot.slice)
        zero = quote.stmt("b[i] = z", b=bars.bar(base), i=slot.slice, z=0.0)
        if getattr(stmt.value, "id", "") == base:  # x[::-1] = x: what goes back to x must not be wiped out
            held = self.closed.names.fresh(bars.bar(base))
            self.closed.types[held] = UNKNOWN
            self.emit(quote.stmt("h = v", h=held, v=bars.helper(runtime.owned_unbroadcast, bar, quote.name(base))))
            self.emit(zero)
            bars.contribute(base, quote.name(held))
            return
        self.to_value(stmt.value, bar, base, slot, overwrites=True)
        self.emit(zero)

    def accumulated(self, stmt: Any, base: str, slot: Any) -> None:
        """x[i] += v: v gets the cotangent of the slot, which stays."""
        bars = self.bars
        if base not in self.active or bars.of(base) == ZERO:
            return
        if bars.of(base) == THIN:
            bars.materialise(base)
        bar = quote.name(bars.bar(base)) if slot is None else quote.expr("b[i]", b=bars.bar(base), i=slot.slice)
        if isinstance(stmt.op, gast.Sub):
            bar = gast.UnaryOp(op=gast.USub(), operand=bar)
        self.to_value(stmt.value, bar, base, slot, overwrites=True)

    def to_value(self, value: Any, bar: Any, base: str, slot: Any, overwrites: bool) -> None:
        if not isinstance(value, gast.Name) or value.id not in self.active:
            return
        bars = self.bars
        kind = self.closed.types.get(value.id, UNKNOWN)
        base_kind = self.closed.types.get(base, UNKNOWN)
        if slot is not None and overwrites and self.may_repeat(slot.slice, base_kind) and not isinstance(base_kind, List):
            inner = bar.operand if isinstance(bar, gast.UnaryOp) else bar
            last = quote.expr(
                "np.where(w, b, 0)",
                np=bars.numpy(),
                b=inner,
                w=bars.helper(runtime.last_writes, as_argument(slot.slice), quote.expr("b.shape", b=bars.bar(base))),
            )
            bar = last if inner is bar else gast.UnaryOp(op=gast.USub(), operand=last)
        elementwise = is_scalar(kind) and slot is not None and self.reads_scalar(slot, base_kind)
        if elementwise:
            bars.contribute(value.id, bar)
            return
        from ...facts.spaces import slot_space

        whole = bars.space(base) if slot is None else slot_space(self.closed, slot, bars.spaces, "?")
        if whole == bars.space(value.id):
            fitted = bar if isinstance(bar, (gast.UnaryOp, gast.Call)) else quote.expr("b.copy()", b=bar)
        else:
            fitted = bars.helper(runtime.owned_unbroadcast, bar, quote.name(value.id))
        bars.contribute(value.id, fitted)

    def reads_scalar(self, slot: Any, base: Any) -> bool:
        from ...facts import kinds

        return is_scalar(kinds.index_type(base, slot.slice, lambda n: self.closed.types.get(n, UNKNOWN))) or isinstance(base, List)

    def effect(self, call: Any) -> None:
        func = call.func
        if isinstance(func, gast.Attribute) and func.attr == "append" and isinstance(func.value, gast.Name):
            self.appended(func.value.id, call.args[0])
        elif isinstance(func, gast.Attribute) and func.attr == "at" and isinstance(call.args[0], gast.Name):
            base, index, value = call.args
            negative = isinstance(func.value, gast.Attribute) and func.value.attr == "subtract"
            if base.id in self.active and self.bars.of(base.id) != ZERO:
                bar = quote.expr("b[i]", b=self.bars.bar(base.id), i=index)
                bar = gast.UnaryOp(op=gast.USub(), operand=bar) if negative else bar
                self.to_value(value, bar, base.id, quote.expr("b[i]", b=base, i=index), overwrites=False)

    def appended(self, base: str, value: Any) -> None:
        """xs.append(v): the last cotangent of the list is v's."""
        bars = self.bars
        if base not in self.active:
            return
        if bars.of(base) == ZERO:
            bars.materialise(base)
        last = quote.expr("b.pop()", b=bars.bar(base))
        if not isinstance(value, gast.Name) or value.id not in self.active:
            self.emit(gast.Expr(value=last))
            return
        kind = self.closed.types.get(value.id, UNKNOWN)
        if is_scalar(kind):
            bars.contribute(value.id, last)
        else:
            bars.contribute(value.id, bars.helper(runtime.owned_unbroadcast, last, quote.name(value.id)))

    def popped(self, base: str, target: str) -> None:
        """v = xs.pop(): v's cotangent is appended to the list of cotangents."""
        bars = self.bars
        if base not in self.active:
            bars.kill(target)
            return
        if bars.of(base) == ZERO:
            bars.materialise(base)
        if bars.of(target) != FULL and target in self.active:
            bars.materialise(target)
        value = quote.name(bars.bar(target)) if target in self.active else quote.constant(0.0)
        self.emit(quote.stmt("b.append(v)", b=bars.bar(base), v=value))
        bars.kill(target)

    # -- control

    def branch(self, stmt: gast.If) -> None:
        """if c: … else: … → the adjoints of the branch that ran."""
        bars = self.bars
        entry = dict(bars.state)
        body = self.block(stmt.body)
        after_body = self.outside(bars.state, stmt)
        bars.state = dict(entry)
        orelse = self.block(stmt.orelse)
        after_else = self.outside(bars.state, stmt)
        joined: dict[str, str] = {}
        for name in {**after_body, **after_else}:
            one, two = after_body.get(name, ZERO), after_else.get(name, ZERO)
            if one == two:
                joined[name] = one
                continue
            here = self.is_defined(name, stmt)
            for state, block in ((one, body), (two, orelse)):
                if here:
                    self.complete(name, state, entry.get(name, ZERO), block)
                elif state == ZERO:
                    zero = quote.stmt("b = z", b=bars.bar(name), z=0.0)
                    self.emit(zero) if name not in entry else block.append(zero)
            joined[name] = FULL if here else THIN
        bars.state = joined
        if body or orelse:
            test = stmt.test
            if not body:
                test, body, orelse = quote.expr("not c", c=test), orelse, []
            self.emit(gast.If(test=test, body=body, orelse=orelse), stmt)

    def is_defined(self, name: str, stmt: Any) -> bool:
        """Has the name a value wherever this statement is reached? Otherwise its zero cotangent cannot ask for its shape."""
        spot = self.layout.spot(stmt)
        if name in self.closed.parameters:
            return True
        return any(d.start < spot.start and self.layout.contains(d.block, spot.block) for d in self.layout.definitions.get(name, ()))

    def complete(self, name: str, state: str, entry: str, block: list[Any]) -> None:
        """Bring a cotangent to FULL at the end of a branch that leaves it in another state."""
        bars = self.bars
        if state == FULL:
            return
        if state == ZERO and entry == ZERO:
            self.emit(quote.stmt("b = z", b=bars.bar(name), z=bars.zero(name)))
            return
        value = bars.zero(name) if state == ZERO else bars.spread(quote.name(bars.bar(name)), name)
        if name in bars.buffers and state == THIN:
            value = bars.helper(runtime.owned, quote.name(bars.bar(name)), quote.name(name))
        block.append(quote.stmt("b = z", b=bars.bar(name), z=value))

    def outside(self, state: dict[str, str], stmt: Any) -> dict[str, str]:
        """The states of names that live outside a compound statement."""
        own = [self.layout.block_of[id(b)] for b in blocks(stmt)]
        return {
            n: s
            for n, s in state.items()
            if not any(self.layout.contains(b, self.layout.scopes[n]) for b in own if n in self.layout.scopes)
        }

    def loop(self, stmt: Any) -> None:
        """The same iterations, backwards."""
        bars = self.bars
        block = self.layout.block_of[id(stmt.body)]
        touched = [n for n in self.handed_to(stmt.body) if not self._inside(n, block)]
        for name in touched:
            if bars.of(name) == ZERO and not self.is_defined(name, stmt):
                self.emit(quote.stmt("b = z", b=bars.bar(name), z=0.0))
                bars.state[name] = THIN
            elif bars.of(name) != FULL and self.is_defined(name, stmt):
                bars.materialise(name)
        for name in list(bars.state):
            if bars.state[name] == THIN and self.changed_in(name, stmt.body):
                bars.materialise(name)
        entry = dict(bars.state)
        body = self.block(stmt.body)
        for name, state in entry.items():
            end = bars.of(name)
            if state == FULL and end != FULL:
                self.complete(name, end, FULL, body)
        bars.state = dict(entry.items())
        if body:
            self.emit(self.backwards(stmt, body), stmt)

    def _inside(self, name: str, block: Any) -> bool:
        scope = self.layout.scopes.get(name)
        return scope is not None and self.layout.contains(block, scope)

    def changed_in(self, name: str, body: list[Any]) -> bool:
        return any(self._changes(name, s) for s in body)

    def _changes(self, name: str, stmt: Any) -> bool:
        if any(self._changes(name, s) for b in blocks(stmt) for s in b):
            return True
        target = stmt.targets[0] if isinstance(stmt, gast.Assign) else getattr(stmt, "target", None)
        if isinstance(target, gast.Tuple):
            return any(getattr(e, "id", "") == name for e in target.elts)
        return not isinstance(stmt, gast.For) and getattr(target, "id", "") == name

    def handed_to(self, body: list[Any]) -> list[str]:
        """The names whose cotangents a block may add to, in the order of the text."""
        found: dict[str, None] = {}
        for stmt in body:
            for part in self.recipes[id(stmt)].parts if id(stmt) in self.recipes else ():
                if not (isinstance(part, Contribution) and stmt.targets[0].id == part.target and self.is_identity(part)):
                    found[part.target] = None
            match stmt:
                case gast.Assign(targets=[gast.Subscript()]) | gast.AugAssign():
                    for name in names_of(stmt.value):
                        found[name] = None
                case gast.Expr(value=gast.Call(func=gast.Attribute(attr="append", value=gast.Name() as base)) as call):
                    for name in [*names_of(call.args[0]), base.id]:
                        found[name] = None
                case gast.Expr(value=gast.Call(func=gast.Attribute(attr="at")) as call):
                    for name in names_of(call.args[-1]):
                        found[name] = None
                case gast.Assign(value=gast.Call(func=gast.Attribute(attr="pop", value=gast.Name() as base))):
                    found[base.id] = None
                case gast.Assign(targets=[gast.Tuple() as targets]):
                    for element in targets.elts:
                        found[element.id] = None
            for inner in blocks(stmt):
                found.update(dict.fromkeys(self.handed_to(inner)))
        return [n for n in found if n in self.active]

    def is_identity(self, part: Contribution | Gather) -> bool:
        """Does the operand get the very cotangent of the result?"""
        return isinstance(part, Contribution) and isinstance(part.value, gast.Name) and part.same

    def backwards(self, stmt: Any, body: list[Any]) -> Any:
        spelling = self.closed.spelling
        trips = trip_counter(stmt)
        if isinstance(stmt, gast.While):
            assert trips is not None
            count = quote.expr("r(n)", r=spelling.builtin("range"), n=trips)
            return gast.For(target=quote.name("_"), iter=count, body=body, orelse=[], type_comment=None)
        header = stmt.iter
        if trips is not None and is_exit(stmt.body[-1]):
            header = shortened(header, trips)
        return quote.rebuilt(stmt, iter=turned_round(header, spelling), body=body)


def as_argument(index: Any) -> Any:
    """An index as the argument of a call: slices are written as slice(…)."""
    if isinstance(index, gast.Tuple):
        return quote.rebuilt(index, elts=[as_argument(e) for e in index.elts])
    if isinstance(index, gast.Slice):
        bounds = [quote.constant(None) if b is None else b for b in (index.lower, index.upper, index.step)]
        return gast.Call(func=quote.name("slice"), args=bounds if index.step is not None else bounds[:2], keywords=[])
    return index


def turned_round(header: Any, spelling: Any) -> Any:
    if isinstance(header, gast.Call) and getattr(header.func, "id", "").startswith("reversed"):
        return header.args[0]
    return quote.expr("r(x)", r=spelling.builtin("reversed"), x=header)


def shortened(header: Any, trips: str) -> Any:
    """The iterations of a range that ran before it was left."""
    if getattr(header.func, "id", "").startswith("reversed"):
        return quote.expr("list(h)[:t]", list=quote.name("list"), h=header, t=trips)
    match header.args:
        case [_]:
            return quote.rebuilt(header, args=[quote.name(trips)])
        case [start, _]:
            return quote.rebuilt(header, args=[start, quote.expr("a + t", a=start, t=trips)])
        case [start, _, step]:
            return quote.rebuilt(header, args=[start, quote.expr("a + t * s", a=start, t=trips, s=step), step])
    raise AssertionError("a range has one to three arguments")


def trip_counter(loop: Any) -> str | None:
    """The variable that counts the trips: `n = n + 1` first in the body."""
    first = loop.body[0]
    match first:
        case gast.Assign(
            targets=[gast.Name(id=name)], value=gast.BinOp(left=gast.Name(id=left), op=gast.Add(), right=gast.Constant(value=1))
        ) if left == name:
            return str(name)
    return None
