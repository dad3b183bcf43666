"""Control expressions, which carry no derivative and stay whole: conditions and indices, with what is known folded."""

from __future__ import annotations

import ast
import operator as op
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

import gast
import numpy as np

from ... import runtime
from ...python import quote
from ...python.lattice import UNKNOWN, Const, rank_of
from ...rules.known import PREDICATES, literal_value
from .calls import apply, callee
from .classes import isinstance_verdict
from .containers import index_value, settled
from .expression_types import control_type
from .expressions import atom, attribute, subscript
from .heap import deep_view
from .in_place import distinct
from .instances import call_dunder, class_of_object
from .kept_calls import spelled_function
from .operators import defines, same_object, user_binary, user_comparison
from .values import Atom, Bound, Closure, Known, Native, Record, Ref, Seq, Transformed, Value, literal, type_of

if TYPE_CHECKING:
    from .walk import Walk


COMPARE: dict[Any, Callable[[Any, Any], Any]] = {
    gast.Eq: op.eq,
    gast.NotEq: op.ne,
    gast.Lt: op.lt,
    gast.LtE: op.le,
    gast.Gt: op.gt,
    gast.GtE: op.ge,
}


def condition(walk: Walk, node: Any, hint: str = "c") -> Value:
    whole = control(walk, node)
    if isinstance(whole, gast.Constant):
        return literal(whole.value)
    return walk.define(hint, whole, control_type(walk, whole), node)


def control(walk: Walk, node: Any) -> Any:
    """A control expression or an index with variables replaced by what they stand for, and what is known folded."""
    match node:
        case gast.Name():
            return control_name(walk, node)
        case gast.Constant() | None:
            return node
        case gast.Call():
            return control_call(walk, node)
        case gast.BoolOp():
            return control_bool(walk, node)
        case gast.BinOp() if (found := user_operator(walk, node)) is not None:
            return walk.as_node(found, node)
        case gast.BinOp() if type(number := index_value(walk, node)) is int and number >= 0:
            return quote.constant(number)
        case gast.UnaryOp(op=gast.Not()):
            inner = truth(walk, node.operand)
            return quote.constant(not inner.value) if isinstance(inner, gast.Constant) else quote.rebuilt(node, operand=inner)
        case gast.Compare():
            return control_compare(walk, node)
        case gast.Attribute():
            return control_attribute(walk, node)
        case gast.Subscript():
            value = operand(walk, node.value)
            if value is not None and not isinstance(value, Atom):
                return walk.as_node(at_once(walk, node, lambda: subscript(walk, value, node.slice, node, "t")), node)
            return quote.rebuilt(node, value=control(walk, node.value), slice=control(walk, node.slice))
        case gast.AST():
            fields = {}
            for name in node._fields:
                old = getattr(node, name, None)
                if isinstance(old, gast.AST) and not isinstance(old, (gast.expr_context, gast.operator, gast.unaryop)):
                    fields[name] = control(walk, old)
                elif isinstance(old, list):
                    fields[name] = [control(walk, e) if isinstance(e, gast.AST) else e for e in old]
            return quote.rebuilt(node, **fields) if fields else node
        case _:
            return node


def operand(walk: Walk, node: Any) -> Value | None:
    """What a name or dotted path stands for; None for other expressions."""
    return atom(walk, node) if isinstance(node, (gast.Name, gast.Attribute, gast.Constant)) else None


def at_once(walk: Walk, node: Any, evaluated: Callable[[], Value]) -> Value:
    """The value of a part of a condition. What it needs stands in front of the condition: the part must always be evaluated."""
    before = len(walk.block)
    value = evaluated()
    if len(walk.block) > before and walk.conditional:
        raise walk.problem("conditional_operator", node)
    return value


def user_operator(walk: Walk, node: Any) -> Value | None:
    left, right = operand(walk, node.left), operand(walk, node.right)
    if left is None or right is None or (class_of_object(left) is None and class_of_object(right) is None):
        return None
    return at_once(walk, node, lambda: user_binary(walk, node.op, left, right, node, "t") or literal(None))


def truth(walk: Walk, node: Any) -> Any:
    """An expression whose truth is asked for."""
    value = operand(walk, node) if not isinstance(node, gast.Constant) else None
    return control(walk, node) if value is None or isinstance(value, Atom) else truth_of(walk, value, node)


def truth_of(walk: Walk, value: Value, node: Any) -> Any:
    """The test that says whether the value is true."""
    value = settled(walk, value, node)
    if isinstance(value, (Seq, Record)):
        return quote.constant(bool(value.items))
    if class_of_object(value) is not None:
        for name in ("__bool__", "__len__"):
            if defines(value, name):
                return walk.as_node(at_once(walk, node, lambda name=name: call_dunder(walk, value, name, [], node)), node)  # type: ignore[misc]
        return quote.constant(True)
    if isinstance(value, Known):
        return quote.constant(bool(value.value))
    if isinstance(value, (Closure, Bound, Native, Transformed)):
        return quote.constant(True)
    return walk.as_node(value, node)


def control_name(walk: Walk, node: Any) -> Any:
    return walk.as_node(deep_view(walk, walk.lookup(node.id, node), node), node)


def control_attribute(walk: Walk, node: Any) -> Any:
    owner = atom(walk, node.value) if isinstance(node.value, (gast.Name, gast.Attribute)) else None
    if isinstance(owner, Atom) and node.attr == "ndim" and (rank := rank_of(owner.type)) is not None:
        return quote.constant(rank)
    if isinstance(owner, Atom):
        return quote.rebuilt(node, value=owner.node)
    if owner is not None:
        read = partial(attribute, walk, owner, node.attr, node, node.attr)
        return walk.as_node(deep_view(walk, read() if class_of_object(owner) is None else at_once(walk, node, read), node), node)
    return quote.rebuilt(node, value=control(walk, node.value))


def control_bool(walk: Walk, node: Any) -> Any:
    stops = isinstance(node.op, gast.Or)
    kept: list[Any] = []
    for value in node.values:
        walk.conditional += value is not node.values[0]
        part = truth(walk, value) if value is not node.values[-1] else control(walk, value)
        walk.conditional -= value is not node.values[0]
        if isinstance(part, gast.Constant) and (isinstance(part.value, bool) or part.value is None):
            if bool(part.value) == stops:
                kept.append(part)
                break
            if value is node.values[-1] and not kept:
                kept.append(part)
            continue
        kept.append(part)
    if not kept:
        return quote.constant(not stops)
    return kept[0] if len(kept) == 1 else quote.rebuilt(node, values=kept)


def control_compare(walk: Walk, node: Any) -> Any:
    if len(node.ops) == 1 and isinstance(node.ops[0], (gast.Is, gast.IsNot)):
        verdict = identical(walk, node.left, node.comparators[0])
        if verdict is not None:
            return quote.constant(verdict == isinstance(node.ops[0], gast.Is))
    found = compared(walk, node) if len(node.ops) == 1 else None
    if found is not None:
        return walk.as_node(found, node)
    left, *others = [control(walk, side) for side in (node.left, *node.comparators)]
    if len(others) == 1 and type(node.ops[0]) in COMPARE:
        try:
            a, b = ast.literal_eval(gast.gast_to_ast(left)), ast.literal_eval(gast.gast_to_ast(others[0]))
            return quote.constant(bool(COMPARE[type(node.ops[0])](a, b)))
        except (ValueError, TypeError, SyntaxError):
            pass
    return quote.rebuilt(node, left=left, comparators=others)


def compared(walk: Walk, node: Any) -> Value | None:
    """A comparison that user classes or known containers decide."""
    left, right = operand(walk, node.left), operand(walk, node.comparators[0])
    if left is None or right is None:
        return None
    return at_once(walk, node, lambda: user_comparison(walk, node.ops[0], left, right, node))  # type: ignore[arg-type,return-value]


def identical(walk: Walk, left: Any, right: Any) -> bool | None:
    """Is `left is right` decided by what is known?"""
    a, b = (operand(walk, side) for side in (left, right))
    if isinstance(a, Ref) and isinstance(b, Ref):
        return same_object(walk, a, b, left)
    if isinstance(a, Known) and isinstance(b, Known):
        return a.value is b.value
    for known, other in ((a, b), (b, a)):
        if isinstance(known, Known) and other is not None and not isinstance(other, Known):
            kind = type_of(other)
            if isinstance(other, (Seq, Record, Closure, Ref, Bound, Native)) or (kind is not UNKNOWN and not isinstance(kind, Const)):
                return False
    return None


WALKED = (len, abs, bool, sum, min, max, float, int, type, hasattr, getattr, any, all, sorted)  # of objects and known containers


def predicate_verdict(walk: Walk, function: Value, node: Any) -> bool | None:
    """What a predicate of our own definitions says, such as known_scalar(x): true only where certain."""
    name = PREDICATE_NAMES.get(id(function.value)) if isinstance(function, Known) else None
    if name is None:
        return None
    value, *others = [atom(walk, a) for a in node.args]
    if name == "known_distinct":
        return distinct(value)
    return bool(PREDICATES[name](type_of(value), *(literal_value(walk.as_node(other)) for other in others)))


PREDICATE_NAMES = {id(getattr(runtime, name)): name for name in [*PREDICATES, "known_distinct"]}


def control_call(walk: Walk, node: Any) -> Any:
    function = callee(walk, node.func)
    if isinstance(function, Known) and function.value is isinstance and len(node.args) == 2:
        verdict = isinstance_verdict(walk, atom(walk, node.args[0]), atom(walk, node.args[1]))
        if verdict is not None:
            return quote.constant(verdict)
    if isinstance(function, Known) and function.value is callable and len(node.args) == 1:
        value = atom(walk, node.args[0])
        if not isinstance(value, Atom):
            return quote.constant(isinstance(value, Closure) or callable(getattr(value, "value", None)))
    values = [operand(walk, a) for a in node.args]
    walked = isinstance(function, Known) and any(function.value is f for f in WALKED)
    if walked and any(v is not None and not isinstance(v, Atom) for v in values):
        given = [v if v is not None else atom(walk, a) for v, a in zip(values, node.args, strict=True)]
        return walk.as_node(at_once(walk, node, lambda: apply(walk, function, given, {}, node)), node)
    if isinstance(function, Known) and function.value is np.ndim and len(node.args) == 1 and isinstance(node.args[0], gast.Name):
        value = walk.lookup(node.args[0].id, node.args[0])
        if isinstance(value, Atom) and (rank := rank_of(value.type)) is not None:
            return quote.constant(rank)
    verdict = predicate_verdict(walk, function, node)
    if verdict is not None:
        return quote.constant(verdict)
    arguments = [control(walk, a) for a in node.args]
    keywords = [quote.rebuilt(k, value=control(walk, k.value)) for k in node.keywords]
    return quote.rebuilt(node, func=spelled_function(walk, function, node.func), args=arguments, keywords=keywords)
