"""The way back of branches and loops: the adjoints of the branch that ran, the same iterations backwards.

What a block hands back depends on the path. Where paths meet, each cotangent is brought to one state; before a loop, to
one that an iteration leaves as it finds it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast

from ... import runtime
from ...errors import problem
from ...facts.activity import Activity, names_of
from ...facts.layout import Layout
from ...facts.uses import blocks
from ...python import quote
from ...python.lattice import List
from ..closed import Closed
from ..inlining.leaving import is_exit
from .bars import FULL, THIN, ZERO, Bars
from .contributions import Contribution, Recipe, is_identity


class Control:
    """`block` writes the way back of a block."""

    def __init__(
        self,
        closed: Closed,
        active: Activity,
        layout: Layout,
        recipes: dict[int, Recipe],
        bars: Bars,
        block: Callable[[list[Any]], list[Any]],
    ) -> None:
        self.closed, self.active, self.layout, self.recipes, self.bars, self.block = closed, active, layout, recipes, bars, block

    def emit(self, statement: Any, like: Any = None) -> None:
        self.bars.emit(statement if like is None else quote.placed(statement, like))

    def branch(self, stmt: gast.If) -> None:
        """if c: … else: … → the adjoints of the branch that ran."""
        bars = self.bars
        lists = {bars.list_of(n) for n in bars.loads}
        for name in self.handed_to([*stmt.body, *stmt.orelse]):
            if (name in bars.loads or name in lists) and bars.of(name) == ZERO and self.is_defined(name, stmt):
                bars.materialise(name)  # before it, so that both branches know one list
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
                if isinstance(self.closed.types.get(name), List):
                    raise problem("maybe_unbound", stmt, name=name)
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
                if not (isinstance(part, Contribution) and stmt.targets[0].id == part.target and is_identity(part)):
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
