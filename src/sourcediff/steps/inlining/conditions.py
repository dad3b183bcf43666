"""Control expressions, which carry no derivative and stay whole: conditions and indices, with what is known folded."""

from __future__ import annotations

import ast
import operator as op
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import gast
import numpy as np

from ...python import quote
from ...python.lattice import UNKNOWN, Const, rank_of
from .calls import callee
from .classes import isinstance_verdict
from .expression_types import control_type
from .expressions import atom, attribute, subscript
from .kept_calls import spelled_function
from .values import Atom, Closure, Known, Record, Seq, Value, literal, type_of

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
        case gast.UnaryOp(op=gast.Not()):
            inner = control(walk, node.operand)
            return quote.constant(not inner.value) if isinstance(inner, gast.Constant) else quote.rebuilt(node, operand=inner)
        case gast.Compare():
            return control_compare(walk, node)
        case gast.Attribute():
            return control_attribute(walk, node)
        case gast.Subscript():
            base = node.value
            if isinstance(base, gast.Name) and not isinstance(value := walk.lookup(base.id, base), Atom):
                return walk.as_node(subscript(walk, value, node.slice, node, "t"), node)
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


def control_name(walk: Walk, node: Any) -> Any:
    return walk.as_node(walk.lookup(node.id, node), node)


def control_attribute(walk: Walk, node: Any) -> Any:
    owner = atom(walk, node.value) if isinstance(node.value, (gast.Name, gast.Attribute)) else None
    if isinstance(owner, Atom) and node.attr == "ndim" and (rank := rank_of(owner.type)) is not None:
        return quote.constant(rank)
    if isinstance(owner, Atom):
        return quote.rebuilt(node, value=owner.node)
    if owner is not None:
        return walk.as_node(attribute(walk, owner, node.attr, node, node.attr), node)
    return quote.rebuilt(node, value=control(walk, node.value))


def control_bool(walk: Walk, node: Any) -> Any:
    stops = isinstance(node.op, gast.Or)
    kept: list[Any] = []
    for value in node.values:
        part = control(walk, value)
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
    left, *others = [control(walk, side) for side in (node.left, *node.comparators)]
    if len(others) == 1 and type(node.ops[0]) in COMPARE:
        try:
            a, b = ast.literal_eval(gast.gast_to_ast(left)), ast.literal_eval(gast.gast_to_ast(others[0]))
            return quote.constant(bool(COMPARE[type(node.ops[0])](a, b)))
        except (ValueError, TypeError, SyntaxError):
            pass
    return quote.rebuilt(node, left=left, comparators=others)


def identical(walk: Walk, left: Any, right: Any) -> bool | None:
    """Is `left is right` decided by what is known?"""
    a, b = (atom(walk, side) if isinstance(side, (gast.Name, gast.Constant)) else None for side in (left, right))
    if isinstance(a, Known) and isinstance(b, Known):
        return a.value is b.value
    for known, other in ((a, b), (b, a)):
        if isinstance(known, Known) and other is not None and not isinstance(other, Known):
            kind = type_of(other)
            if isinstance(other, (Seq, Record, Closure)) or (kind is not UNKNOWN and not isinstance(kind, Const)):
                return False
    return None


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
    if isinstance(function, Known) and function.value is len and len(node.args) == 1 and isinstance(node.args[0], gast.Name):
        value = walk.lookup(node.args[0].id, node.args[0])
        if isinstance(value, (Seq, Record)):
            return quote.constant(len(value.items))
    if isinstance(function, Known) and function.value is np.ndim and len(node.args) == 1 and isinstance(node.args[0], gast.Name):
        value = walk.lookup(node.args[0].id, node.args[0])
        if isinstance(value, Atom) and (rank := rank_of(value.type)) is not None:
            return quote.constant(rank)
    arguments = [control(walk, a) for a in node.args]
    keywords = [quote.rebuilt(k, value=control(walk, k.value)) for k in node.keywords]
    return quote.rebuilt(node, func=spelled_function(walk, function, node.func), args=arguments, keywords=keywords)
