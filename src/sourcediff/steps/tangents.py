"""Tangents of values: that of one operation, from those of its operands and its rule.

Whether a name has a tangent is a fact of each direction. Where it has none, None stands for its tangent, and no zero is
written unless a display or a store asks for one.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from inspect import Parameter
from typing import Any

import gast

from .. import runtime
from ..errors import problem
from ..facts.activity import Activity
from ..facts.spaces import spaces
from ..facts.uses import names_read
from ..python import quote
from ..python.lattice import UNKNOWN, Array, Float, List, is_real_scalar, is_scalar
from ..rules.forms import rule_for
from .adjoint.chain import called, one_by_one, safe_division, same, times, written
from .closed import Closed, Operation


@dataclass
class Direction:
    """One tangent for each active name. seeds: names whose tangent is given (a parameter's, or 1.0).

    element: the direction is that of one element of a vector, (name, index), which is read into the names of `seeds`.
    """

    seeds: dict[str, Any]
    suffix: str = ""
    element: tuple[str, int] | None = None
    active: Activity = field(default_factory=lambda: Activity(frozenset(), frozenset()))
    dots: dict[str, str] = field(default_factory=dict)


class Tangents:
    def __init__(self, closed: Closed, thin: bool = False) -> None:
        self.closed = closed
        self.thin = thin  # tangents may be thin: the program has been found elementwise
        self.spaces, self.unstable = spaces(closed)

    # -- names

    def dot(self, direction: Direction, name: str) -> Any:
        found = direction.dots.get(name)
        if found is None:
            found = direction.dots[name] = self.closed.names.fresh(f"{name}_dot{direction.suffix}")
            kind = self.closed.types.get(name, UNKNOWN)
            self.closed.types[found] = Float() if is_real_scalar(kind) else kind
        return quote.name(found)

    def of(self, direction: Direction, node: Any) -> Any:
        """The tangent of an operand; None where it is structurally zero."""
        if isinstance(node, gast.Name):
            return self.dot(direction, node.id) if node.id in direction.active else None
        if isinstance(node, (gast.Tuple, gast.List)) and direction.active.is_active(node):
            return quote.rebuilt(node, elts=[self.of(direction, e) or self.zero(e) for e in node.elts])
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

    def space(self, name: str) -> str:
        return self.spaces.get(name, name)

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

    # -- operations

    def derived(self, direction: Direction, value: Any, target: Any) -> Any:
        match value:
            case gast.Name():
                return self.of(direction, value)
            case gast.Subscript(value=gast.Name() as base):
                base_dot = self.of(direction, base)
                return None if base_dot is None else quote.expr("d[i]", d=base_dot, i=value.slice)
            case gast.List() | gast.Tuple():
                return self.of(direction, value) or (quote.expr("[]") if isinstance(value, gast.List) and not value.elts else None)
            case gast.Call(func=gast.Attribute(attr="pop", value=gast.Name() as base)):
                base_dot = self.of(direction, base)
                return None if base_dot is None else quote.expr("d.pop()", d=base_dot)
        operation = self.closed.operation(value)
        if operation is None or operation.rule.form in ("constant", "undefined"):
            return self.copied_list(direction, value)
        tangents = {p: self.of(direction, operation.bound.get(p)) for p in operation.rule.operands}
        if all(t is None for t in tangents.values()):
            return None
        if operation.rule.form == "elementwise":
            return self.elementwise(direction, operation, target, tangents)
        if operation.rule.form == "linear":
            return self.linear(value, operation, tangents)
        if operation.rule.form == "bilinear":
            return self.bilinear(value, operation, tangents)
        return self.general(operation, target, tangents)

    def copied_list(self, direction: Direction, value: Any) -> Any:
        """list(xs) copies the list of tangents too."""
        if isinstance(value, gast.Call) and len(value.args) == 1 and isinstance(self.closed.type_of(value.args[0]), List):
            inner = self.of(direction, value.args[0])
            return None if inner is None else quote.rebuilt(value, args=[inner])
        return None

    def elementwise(self, direction: Direction, operation: Operation, target: Any, tangents: dict[str, Any]) -> Any:
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
            dot = self.of(direction, node)
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
        if total is None or full or self.thin or is_scalar(self.closed.type_of(target)):
            return total
        return self.helper(runtime.broadcast_like, total, target)

    def linear(self, value: Any, operation: Operation, tangents: dict[str, Any]) -> Any:
        """The function itself, of the tangents."""
        table = {p: t if t is not None else self.zero(operation.bound[p]) for p, t in tangents.items()}
        return replaced(value, operation, table)

    def bilinear(self, value: Any, operation: Operation, tangents: dict[str, Any]) -> Any:
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

    def general(self, operation: Operation, target: Any, tangents: dict[str, Any]) -> Any:
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
