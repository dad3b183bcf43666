"""CLOSED → DERIVED, forward mode: tangents beside primals.

    y = np.sin(x)                   y = np.sin(x)
    return y * y         →          y_dot = x_dot * np.cos(x)
                                    return y * y, 2 * y_dot * y

Memory is mirrored: what shares memory in the primal shares it among the tangents. Whether a tangent exists is a fact
(activity, for each direction by itself), not arithmetic: what is structurally zero is never written.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from inspect import Parameter
from typing import Any

import gast

from .. import runtime
from ..errors import problem, raise_all
from ..facts import memory as memory_facts
from ..facts.activity import Activity, activity
from ..facts.limits import limits
from ..facts.spaces import spaces
from ..facts.uses import blocks, names_read
from ..python import quote
from ..python.lattice import UNKNOWN, Array, Float, List, is_real_scalar, is_scalar
from ..rules.forms import rule_for
from .adjoint.chain import called, one_by_one, safe_division, same, times, written
from .adjoint.normal import split_own_results
from .adjoint.separate import separate_memory
from .closed import Closed, Operation
from .inlining.values import Atom, Known, Record, Seq, Value, leaves
from .purity import is_fresh, is_pure, keeps_nothing, viewed


@dataclass
class Direction:
    """One tangent for each active name. seeds: names whose tangent is given (a parameter's, or 1.0)."""

    seeds: dict[str, Any]
    suffix: str = ""
    active: Activity = field(default_factory=lambda: Activity(frozenset(), frozenset()))
    dots: dict[str, str] = field(default_factory=dict)


class Forward:
    def __init__(self, closed: Closed, directions: list[Direction], elementwise: bool = False) -> None:
        self.closed, self.directions = closed, directions
        self.elementwise = elementwise  # tangents may be thin: the program has been found elementwise
        split_own_results(closed)
        self.pure, self.fresh = is_pure(closed), is_fresh(closed)
        self.memory = memory_facts.memory(closed, keeps_nothing(closed), self.fresh, viewed(closed))
        self.results = [a.node.id for a in leaves(closed.result) if isinstance(a.node, gast.Name)]
        for direction in directions:
            direction.active = activity(closed, direction.seeds, self.results, lambda n: self.memory.group(n) or n)
        raise_all([p for d in directions[:1] for p in limits(closed, d.active)])
        self.spaces, self.unstable = spaces(closed)
        self.out: list[Any] = []

    # -- names

    def dot(self, direction: Direction, name: str) -> Any:
        found = direction.dots.get(name)
        if found is None:
            found = direction.dots[name] = self.closed.names.fresh(f"{name}_dot{direction.suffix}")
            kind = self.closed.types.get(name, UNKNOWN)
            self.closed.types[found] = Float() if is_real_scalar(kind) else kind
        return quote.name(found)

    def tangent(self, direction: Direction, node: Any) -> Any:
        """The tangent of an operand; None where it is structurally zero."""
        if isinstance(node, gast.Name):
            return self.dot(direction, node.id) if node.id in direction.active else None
        if isinstance(node, (gast.Tuple, gast.List)) and direction.active.is_active(node):
            return quote.rebuilt(node, elts=[self.tangent(direction, e) or self.zero(e) for e in node.elts])
        return None

    def zero(self, node: Any) -> Any:
        kind = self.closed.type_of(node)
        if is_scalar(kind) or not isinstance(node, gast.Name):
            if isinstance(node, (gast.Tuple, gast.List)):
                return quote.rebuilt(node, elts=[self.zero(e) for e in node.elts])
            return quote.constant(0.0)
        if isinstance(kind, Array) and kind.dtype is not None and kind.dtype.kind in "fc":
            return quote.expr("np.zeros_like(x)", np=self.closed.spelling.module("numpy"), x=self.shaped(node))
        return self.helper(runtime.zero_of, self.shaped(node))

    def shaped(self, node: Any) -> Any:
        """The oldest name of the same shape and dtype."""
        space = self.space(node.id)
        return quote.name(space) if space in self.closed.types and node.id not in self.closed.parameters else node

    def helper(self, function: Any, *arguments: Any) -> Any:
        name = self.closed.spelling.helper(function.__name__, function)
        rule = rule_for(function)
        if rule is not None:
            self.closed.calls[name] = rule
        return gast.Call(func=quote.name(name), args=list(arguments), keywords=[])

    # -- statements

    def body(self) -> list[Any]:
        """The program with its tangents, without its return."""
        seeds = tuple(s.id for d in self.directions for s in d.seeds.values() if isinstance(s, gast.Name))
        opening: list[Any] = separate_memory(self.closed, self.memory, seeds)
        for direction in self.directions:
            for name, seed in direction.seeds.items():
                if name in self.closed.parameters and name in direction.active and isinstance(seed, gast.Name):
                    direction.dots[name] = seed.id
                    kind = self.closed.types.get(name, UNKNOWN)
                    self.closed.types[seed.id] = Float() if is_real_scalar(kind) else kind
                    if name in self.memory.lists:
                        opening.append(quote.stmt("d = k", d=seed, k=self.helper(runtime.kept, seed)))
                    elif self.memory.group(name) is not None:
                        opening.append(quote.stmt("d = k", d=seed, k=self.helper(runtime.owned, seed, quote.name(name))))
                elif name in self.closed.parameters and name in direction.active:
                    opening.append(quote.stmt("d = s", d=self.dot(direction, name), s=seed))
            for name in self.closed.parameters:
                if name in direction.active and name not in direction.seeds:  # written into
                    opening.append(quote.stmt("d = z", d=self.dot(direction, name), z=self.zero(quote.name(name))))
        return opening + self.block(self.closed.tree.body[:-1])

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
            for new, first in self.tangents(direction, stmt):
                (before if first else after).append(quote.placed(new, stmt))
        self.out += [*before, stmt, *after]

    def tangents(self, direction: Direction, stmt: Any) -> list[tuple[Any, bool]]:
        """(statement, does it stand before the primal)"""
        active = direction.active
        match stmt:
            case gast.Assign(targets=[gast.Name() as target]):
                if target.id not in active:
                    return []
                if target.id in direction.seeds and target.id not in self.closed.parameters:
                    return [(quote.stmt("d = s", d=self.dot(direction, target.id), s=direction.seeds[target.id]), False)]
                own = target.id in names_read(stmt.value)
                return [(quote.stmt("d = v", d=self.dot(direction, target.id), v=self.value(direction, stmt, target)), own)]
            case gast.Assign(targets=[gast.Tuple() as targets], value=gast.Tuple() as values):
                return self.permuted(direction, targets, values)
            case gast.Assign(targets=[gast.Subscript(value=gast.Name() as base) as slot]):
                if base.id not in active:
                    return []
                value = self.tangent(direction, stmt.value) or quote.constant(0.0)
                return [(quote.stmt("d[i] = v", d=self.dot(direction, base.id), i=slot.slice, v=value), True)]
            case gast.AugAssign(target=target):
                return self.accumulated(direction, stmt, target)
            case gast.Expr(value=gast.Call() as call):
                return self.effect(direction, call)
        return []

    def permuted(self, direction: Direction, targets: Any, values: Any) -> list[tuple[Any, bool]]:
        pairs = [(t, v) for t, v in zip(targets.elts, values.elts, strict=True) if t.id in direction.active or v.id in direction.active]
        if not pairs:
            return []
        left = [self.dot(direction, t.id) for t, _ in pairs]
        right = [self.tangent(direction, v) or self.zero(v) for _, v in pairs]
        if len(pairs) == 1:
            return [(quote.stmt("a = b", a=left[0], b=right[0]), True)]
        sides = [gast.Tuple(elts=side, ctx=gast.Load()) for side in (left, right)]
        return [(gast.Assign(targets=[sides[0]], value=sides[1], type_comment=None), True)]

    def accumulated(self, direction: Direction, stmt: Any, target: Any) -> list[tuple[Any, bool]]:
        base = target if isinstance(target, gast.Name) else target.value
        value = self.tangent(direction, stmt.value)
        if base.id not in direction.active or value is None:
            return []
        bar = self.dot(direction, base.id)
        place = bar if isinstance(target, gast.Name) else quote.expr("d[i]", d=bar, i=target.slice)
        return [(gast.AugAssign(target=place, op=stmt.op, value=value), True)]

    def effect(self, direction: Direction, call: Any) -> list[tuple[Any, bool]]:
        func = call.func
        if not isinstance(func, gast.Attribute) or not call.args:
            return []
        if func.attr == "append" and isinstance(func.value, gast.Name) and func.value.id in direction.active:
            value = self.tangent(direction, call.args[0]) or self.zero(call.args[0])
            return [(quote.stmt("d.append(v)", d=self.dot(direction, func.value.id), v=value), True)]
        if func.attr == "at" and isinstance(call.args[0], gast.Name) and call.args[0].id in direction.active:
            value = self.tangent(direction, call.args[-1])
            if value is not None:
                changed = quote.rebuilt(call, args=[self.dot(direction, call.args[0].id), call.args[1], value])
                return [(gast.Expr(value=changed), True)]
        return []

    # -- values

    def value(self, direction: Direction, stmt: Any, target: Any) -> Any:
        """The tangent of a right-hand side, at the shape of its result, in memory of its own where the result's is."""
        new = self.derived(direction, stmt.value, target)
        if new is None:
            new = self.zero(target)
        elif self.fresh(stmt.value) and not self.fresh(new) and self.shares_written(stmt, target):
            new = self.helper(runtime.owned, new, target)
        return new

    def shares_written(self, stmt: Any, target: Any) -> bool:
        """Is the result, or what it is made from, written in place anywhere? Then a tangent may not be another's memory."""
        if is_scalar(self.closed.type_of(target)):
            return False
        return any(self.memory.group(n) is not None for n in {target.id, *names_read(stmt.value)})

    def derived(self, direction: Direction, value: Any, target: Any) -> Any:
        match value:
            case gast.Name():
                return self.tangent(direction, value)
            case gast.Subscript(value=gast.Name() as base):
                base_dot = self.tangent(direction, base)
                return None if base_dot is None else quote.expr("d[i]", d=base_dot, i=value.slice)
            case gast.List() | gast.Tuple():
                return self.tangent(direction, value) or (quote.expr("[]") if isinstance(value, gast.List) and not value.elts else None)
            case gast.Call(func=gast.Attribute(attr="pop", value=gast.Name() as base)):
                base_dot = self.tangent(direction, base)
                return None if base_dot is None else quote.expr("d.pop()", d=base_dot)
        operation = self.closed.operation(value)
        if operation is None or operation.rule.form in ("constant", "undefined"):
            return self.copied_list(direction, value)
        tangents = {p: self.tangent(direction, operation.bound.get(p)) for p in operation.rule.operands}
        if all(t is None for t in tangents.values()):
            return None
        if operation.rule.form == "elementwise":
            return self.elementwise_tangent(direction, operation, target, tangents)
        if operation.rule.form == "linear":
            return self.linear_tangent(value, operation, tangents)
        if operation.rule.form == "bilinear":
            return self.bilinear_tangent(value, operation, tangents)
        return self.general_tangent(operation, target, tangents)

    def copied_list(self, direction: Direction, value: Any) -> Any:
        """list(xs) copies the list of tangents too."""
        if isinstance(value, gast.Call) and len(value.args) == 1 and isinstance(self.closed.type_of(value.args[0]), List):
            inner = self.tangent(direction, value.args[0])
            return None if inner is None else quote.rebuilt(value, args=[inner])
        return None

    def elementwise_tangent(self, direction: Direction, operation: Operation, target: Any, tangents: dict[str, Any]) -> Any:
        rule, bound = operation.rule, operation.bound
        text = rule.partials
        assert text is not None
        first = text.function.__code__.co_varnames[0]
        partials = written(self.closed, text, {first: target, **bound}) or called(
            self.closed, text, {first: target, **bound}, len(rule.operands)
        )
        total: Any = None
        full = False
        ours = self.space(target.id)
        for node, partial in one_by_one([bound[p] for p in rule.operands], partials):
            dot = self.tangent(direction, node)
            if dot is None or (isinstance(partial, gast.Constant) and partial.value == 0):
                continue
            term = safe_division(self.closed, operation, times(dot, partial))
            if total is not None and same(term, total):
                total = safe_division(self.closed, operation, times(quote.expr("2 * d", d=dot), partial))
                continue
            total = term if total is None else quote.expr("a + b", a=total, b=term)
            full = (
                full
                or (self.space(node.id) == ours and not (node.id == target.id and target.id in self.unstable))
                or any(self.space(n) == ours for n in names_read(partial))
            )
        if total is None or full or self.elementwise or is_scalar(self.closed.type_of(target)):
            return total
        return self.helper(runtime.broadcast_like, total, target)

    def space(self, name: str) -> str:
        return self.spaces.get(name, name)

    def linear_tangent(self, value: Any, operation: Operation, tangents: dict[str, Any]) -> Any:
        """The function itself, of the tangents."""
        table = {p: t if t is not None else self.zero(operation.bound[p]) for p, t in tangents.items()}
        return replaced(value, operation, table)

    def bilinear_tangent(self, value: Any, operation: Operation, tangents: dict[str, Any]) -> Any:
        total: Any = None
        for p, t in tangents.items():
            if t is None:
                continue
            for one in self.one_at_a_time(operation.bound[p], t):
                term = replaced(value, operation, {p: one})
                total = term if total is None else quote.expr("a + b", a=total, b=term)
        return total

    def one_at_a_time(self, node: Any, tangent: Any) -> list[Any]:
        """The operands of `*xs` with one of them at a time replaced by its tangent."""
        if not isinstance(node, (gast.Tuple, gast.List)):
            return [tangent]
        pairs = list(zip(node.elts, tangent.elts, strict=True))
        moving = [k for k, (e, t) in enumerate(pairs) if isinstance(t, gast.Name) and t is not e]
        return [quote.rebuilt(node, elts=[t if j == k else e for j, (e, t) in enumerate(pairs)]) for k in moving]

    def general_tangent(self, operation: Operation, target: Any, tangents: dict[str, Any]) -> Any:
        text = operation.rule.forward
        if text is None:
            raise problem("no_forward_rule", target, function=operation.rule.path)
        code = text.function.__code__
        names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
        none = quote.constant(None)
        bindings = {names[0]: target, **operation.bound, **{f"{p}_dot": t if t is not None else none for p, t in tangents.items()}}
        bindings = {n: bindings[n] for n in names if n in bindings}
        written_text = written(self.closed, text, bindings)
        if written_text is not None and len(written_text) == 1:
            return written_text[0]
        return called(self.closed, text, bindings, 0)[0]

    # -- results

    def result_dots(self, direction: Direction, own: bool = True) -> Any:
        return self._result(direction, self.closed.result, own)

    def _result(self, direction: Direction, value: Value, own: bool) -> Any:
        if isinstance(value, Seq):
            items = [self._result(direction, v, own) for v in value.items]
            return gast.List(elts=items, ctx=gast.Load()) if value.is_list else gast.Tuple(elts=items, ctx=gast.Load())
        if isinstance(value, Record):
            return gast.Dict(
                keys=[quote.constant(k) for k, _ in value.items], values=[self._result(direction, v, own) for _, v in value.items]
            )
        if not isinstance(value, Atom) or isinstance(value, Known):
            return quote.constant(0.0)
        name = getattr(value.node, "id", None)
        if name is None or name not in direction.active:
            return self.zero(value.node) if name in self.closed.types else quote.constant(0.0)
        dot = self.dot(direction, name)
        kind = value.type
        if is_scalar(kind) or not own:
            return dot
        return dot if self.always_fresh(direction, name) and not self.elementwise else self.helper(runtime.owned, dot, value.node)

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


def replaced(value: Any, operation: Operation, table: dict[str, Any]) -> Any:
    """A call or operation with some of its operands, named by parameter, replaced."""
    parameters = operation.rule.parameters
    place = {p.name: k for k, p in enumerate(parameters)}
    match value:
        case gast.Call():
            return replaced_in_call(value, operation, table, place)
        case gast.BinOp():
            left, right = (p.name for p in parameters[:2])
            return quote.rebuilt(value, left=table.get(left, value.left), right=table.get(right, value.right))
        case gast.UnaryOp():
            return quote.rebuilt(value, operand=next(iter(table.values())))
        case gast.Attribute():
            return quote.rebuilt(value, value=next(iter(table.values())))
    raise AssertionError(f"no operand to replace in {type(value).__name__}")


def replaced_in_call(value: Any, operation: Operation, table: dict[str, Any], place: dict[str, int]) -> Any:
    func, args, keywords = value.func, list(value.args), list(value.keywords)
    first = next(iter(operation.bound.values()), None)
    shift = int(isinstance(func, gast.Attribute) and func.value is first)  # a method: the receiver is the first operand
    for name, node in table.items():
        k = place[name] - shift
        if operation.rule.parameters[place[name]].kind is Parameter.VAR_POSITIONAL:
            args[k:] = node.elts
        elif k < 0:
            func = quote.rebuilt(func, value=node)
        elif k < len(args):
            args[k] = node
        else:
            keywords = [quote.rebuilt(w, value=node) if w.arg == name else w for w in keywords]
    return quote.rebuilt(value, func=func, args=args, keywords=keywords)
