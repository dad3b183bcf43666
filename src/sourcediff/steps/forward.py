"""CLOSED → DERIVED, forward mode: tangents beside primals.

    y = np.sin(x)                   y = np.sin(x)
    return y * y         →          y_dot = x_dot * np.cos(x)
                                    return y * y, 2 * y_dot * y

Memory is mirrored: what shares memory in the primal shares it among the tangents. Whether a tangent exists is a fact
(activity, for each direction by itself), not arithmetic: what is structurally zero is never written.
"""

from __future__ import annotations

from typing import Any

import gast

from .. import runtime
from ..errors import raise_all
from ..facts import memory as memory_facts
from ..facts.activity import activity
from ..facts.limits import limits
from ..facts.uses import blocks, names_read
from ..python import quote
from ..python.lattice import UNKNOWN, Float, List, is_real_scalar, is_scalar
from .adjoint.normal import split_own_results
from .adjoint.separate import copies_of_inputs, prepared_inputs, separate_memory
from .closed import Closed
from .inlining.structures import display
from .inlining.values import Atom, Value, leaves
from .purity import is_fresh, is_pure, keeps_nothing, viewed
from .tangents import Direction, Tangents


class Forward:
    def __init__(self, closed: Closed, directions: list[Direction], elementwise: bool = False, of_constants: Any = 0.0) -> None:
        self.closed, self.directions = closed, directions
        self.of_constants = of_constants  # the tangent of what is no number
        self.elementwise = elementwise  # tangents may be thin: the program has been found elementwise
        split_own_results(closed)
        self.pure, self.fresh = is_pure(closed), is_fresh(closed)
        self.memory = memory_facts.memory(closed, keeps_nothing(closed), self.fresh, viewed(closed))
        self.results = [a.node.id for a in leaves(closed.result) if isinstance(a.node, gast.Name)]
        for direction in directions:
            direction.active = activity(closed, direction.seeds, self.results, self.class_of)
        raise_all([p for d in directions[:1] for p in limits(closed, d.active)])
        stored = any(self.memory.group(n) is not None for d in directions for n in closed.types if n in d.active)
        self.tangents = Tangents(closed, elementwise and not stored)  # what is stored into is an array
        self.out: list[Any] = []

    def class_of(self, name: str) -> str:
        """The names that may share written memory with a name; among them the lists that a list holds, which are written there."""
        family = self.memory.sharing.family(name)
        if any(isinstance(t, List) and isinstance(t.element, List) for t in (self.closed.types.get(n) for n in family)):
            return self.memory.sharing.root(name) or name
        return self.memory.group(name) or name

    # -- statements

    def body(self) -> list[Any]:
        """The program with its tangents, without its return."""
        seeds = tuple(dict.fromkeys(n for d in self.directions for s in d.seeds.values() for n in sorted(names_read(s))))
        opening: list[Any] = separate_memory(self.closed, self.memory, seeds)
        for direction in self.directions:
            for name, seed in direction.seeds.items():
                if name in self.closed.parameters and name in direction.active and isinstance(seed, gast.Name):
                    direction.dots[name] = seed.id
                    kind = self.closed.types.get(name, UNKNOWN)
                    self.closed.types[seed.id] = Float() if is_real_scalar(kind) else kind
                    if (own := self.own_seed(name, seed)) is not seed:
                        opening.append(quote.stmt("d = k", d=seed, k=own))
                elif name in self.closed.parameters and name in direction.active:
                    if self.memory.group(name) is not None:
                        seed = self.tangents.helper(runtime.owned, seed, quote.name(name))
                    opening.append(quote.stmt("d = s", d=self.tangents.dot(direction, name), s=seed))
            for name in self.closed.parameters:
                if name in direction.active and name not in direction.seeds:  # written into
                    opening.append(quote.stmt("d = z", d=self.tangents.dot(direction, name), z=self.tangents.zero(quote.name(name))))
        body = self.block(self.closed.tree.body[:-1])
        return [*opening, *prepared_inputs(self.closed, body, copies_of_inputs(self.closed, self.memory))]

    def own_seed(self, name: str, seed: Any) -> Any:
        """The tangent of a variable; a copy, if the program writes into it as it does into the variable."""
        if name in self.memory.lists:
            return self.tangents.helper(runtime.kept, seed)
        if self.memory.group(name) is not None:
            return self.tangents.helper(runtime.owned, seed, quote.name(name))
        return seed

    def block(self, body: list[Any]) -> list[Any]:
        outer, self.out = self.out, []
        for stmt in body:
            self.statement(stmt)
        written_here, self.out = self.out, outer
        return written_here

    def statement(self, stmt: Any) -> None:
        if isinstance(stmt, (gast.If, gast.For, gast.While)):
            fields = {f: self.block(getattr(stmt, f)) for f in ("body", "orelse") if getattr(stmt, f, None)}
            self.out.append(quote.rebuilt(stmt, **fields))
            return
        before: list[Any] = []
        after: list[Any] = []
        for direction in self.directions:
            for new, first in self.mirrored(direction, stmt):
                (before if first else after).append(quote.placed(new, stmt))
        self.out += [*before, stmt, *after]

    def mirrored(self, direction: Direction, stmt: Any) -> list[tuple[Any, bool]]:
        """(statement, does it stand before the primal)"""
        active = direction.active
        match stmt:
            case gast.Assign(targets=[gast.Name() as target]):
                if target.id not in active:
                    return self.shortened(direction, stmt.value)
                if target.id in direction.seeds and target.id not in self.closed.parameters and reads_seed(direction, stmt.value):
                    seed = self.own_seed(target.id, direction.seeds[target.id])
                    return [(quote.stmt("d = s", d=self.tangents.dot(direction, target.id), s=seed), False)]
                dot, value = self.tangents.dot(direction, target.id), self.value(direction, stmt, target)
                if target.id not in names_read(stmt.value):
                    return [(quote.stmt("d = v", d=dot, v=value), False)]
                return self.of_itself(dot, value, target.id)
            case gast.Assign(targets=[gast.Tuple() as targets], value=gast.Tuple() as values):
                return self.permuted(direction, targets, values)
            case gast.Assign(targets=[gast.Subscript(value=gast.Name() as base) as slot]):
                if base.id not in active:
                    return []
                value = self.tangents.of(direction, stmt.value) or quote.constant(0.0)
                return [(quote.stmt("d[i] = v", d=self.tangents.dot(direction, base.id), i=slot.slice, v=value), True)]
            case gast.AugAssign(target=target):
                return self.accumulated(direction, stmt, target)
            case gast.Expr(value=gast.Call() as call):
                return self.effect(direction, call)
        return []

    def of_itself(self, dot: Any, value: Any, name: str) -> list[tuple[Any, bool]]:
        """`x = x + y`: the tangent is of the old x, and has the shape of the new one."""
        match value:
            case gast.Call(func=gast.Name(), args=[inner, gast.Name(id=like)]) if like == name and name in self.tangents.unstable:
                shaped = quote.rebuilt(value, args=[dot, value.args[1]])
                return [(quote.stmt("d = v", d=dot, v=inner), True), (quote.stmt("d = v", d=dot, v=shaped), False)]
        return [(quote.stmt("d = v", d=dot, v=value), True)]

    def shortened(self, direction: Direction, value: Any) -> list[tuple[Any, bool]]:
        """The list of tangents is as long as the list, also where nobody asks for what was popped."""
        match value:
            case gast.Call(func=gast.Attribute(attr="pop", value=gast.Name() as base)) if base.id in direction.active:
                return [(gast.Expr(value=quote.expr("d.pop()", d=self.tangents.dot(direction, base.id))), False)]
        return []

    def permuted(self, direction: Direction, targets: Any, values: Any) -> list[tuple[Any, bool]]:
        pairs = [(t, v) for t, v in zip(targets.elts, values.elts, strict=True) if t.id in direction.active or v.id in direction.active]
        if not pairs:
            return []
        left = [self.tangents.dot(direction, t.id) for t, _ in pairs]
        right = [self.tangents.of(direction, v) or self.tangents.zero(v) for _, v in pairs]
        if len(pairs) == 1:
            return [(quote.stmt("a = b", a=left[0], b=right[0]), True)]
        sides = [gast.Tuple(elts=side, ctx=gast.Load()) for side in (left, right)]
        return [(gast.Assign(targets=[sides[0]], value=sides[1], type_comment=None), True)]

    def accumulated(self, direction: Direction, stmt: Any, target: Any) -> list[tuple[Any, bool]]:
        base = target if isinstance(target, gast.Name) else target.value
        value = self.tangents.of(direction, stmt.value)
        if base.id not in direction.active or value is None:
            return []
        bar = self.tangents.dot(direction, base.id)
        place = bar if isinstance(target, gast.Name) else quote.expr("d[i]", d=bar, i=target.slice)
        return [(gast.AugAssign(target=place, op=stmt.op, value=value), True)]

    def effect(self, direction: Direction, call: Any) -> list[tuple[Any, bool]]:
        func = call.func
        if not isinstance(func, gast.Attribute):
            return []
        if func.attr == "pop":
            return self.shortened(direction, call)
        if not call.args:
            return []
        if func.attr == "append" and isinstance(func.value, gast.Name) and func.value.id in direction.active:
            value = self.tangents.of(direction, call.args[0]) or self.tangents.zero(call.args[0])
            return [(quote.stmt("d.append(v)", d=self.tangents.dot(direction, func.value.id), v=value), True)]
        if func.attr == "at" and isinstance(call.args[0], gast.Name) and call.args[0].id in direction.active:
            value = self.tangents.of(direction, call.args[-1])
            if value is not None:
                changed = quote.rebuilt(call, args=[self.tangents.dot(direction, call.args[0].id), call.args[1], value])
                return [(gast.Expr(value=changed), True)]
        return []

    # -- values

    def value(self, direction: Direction, stmt: Any, target: Any) -> Any:
        """The tangent of a right-hand side, at the shape of its result, in memory of its own where the result's is."""
        new = self.tangents.derived(direction, stmt.value, target)
        if new is None:
            new = self.tangents.zero(target)
        elif self.fresh(stmt.value) and not self.fresh(new) and self.shares_written(stmt, target):
            new = self.tangents.helper(runtime.owned, new, target)
        return new

    def shares_written(self, stmt: Any, target: Any) -> bool:
        """Is the result, or what it is made from, written in place anywhere? Then a tangent may not be another's memory."""
        if is_scalar(self.closed.type_of(target)):
            return False
        return any(self.memory.group(n) is not None for n in {target.id, *names_read(stmt.value)})

    # -- results

    def result_dots(self, direction: Direction, own: bool = True) -> Any:
        return self._result(direction, self.closed.result, own)

    def _result(self, direction: Direction, value: Value, own: bool) -> Any:
        return display(value, lambda v: self._result_leaf(direction, v, own), self.closed.spelling)

    def _result_leaf(self, direction: Direction, value: Value, own: bool) -> Any:
        if not isinstance(value, Atom):
            return quote.constant(self.of_constants)
        name = getattr(value.node, "id", None)
        if name is None or name not in direction.active:
            return self.tangents.zero(value.node) if name in self.closed.types else quote.constant(0.0)
        dot = self.tangents.dot(direction, name)
        kind = value.type
        if is_scalar(kind) or not own:
            return dot
        return dot if self.always_fresh(direction, name) and not self.elementwise else self.tangents.helper(runtime.owned, dot, value.node)

    def always_fresh(self, direction: Direction, name: str) -> bool:
        """Is the tangent in memory that no argument, seed or other result shares?"""
        dot = direction.dots[name]
        if name in self.closed.parameters:
            return False
        found = [s.value for s in _assignments(self.written_body) if getattr(s.targets[0], "id", None) == dot]
        return bool(found) and all(self.fresh(v) for v in found) and self.results.count(name) == 1

    written_body: list[Any] = []


def _assignments(body: list[Any]) -> Any:
    for stmt in body:
        if isinstance(stmt, gast.Assign):
            yield stmt
        for block in blocks(stmt):
            yield from _assignments(block)


def reads_seed(direction: Direction, value: Any) -> bool:
    """Is this where a seed comes from? A name that an element is read into may be assigned other things later."""
    if direction.element is None:
        return True
    name, index = direction.element
    match value:
        case gast.Subscript(value=gast.Name(id=base), slice=gast.Constant(value=k)):
            return (base, k) == (name, index)
    return False
