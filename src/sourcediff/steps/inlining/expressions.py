"""Expressions of FLAT code: one operation on atoms, control expressions and indices whole."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import gast

from ...facts import kinds
from ...python import quote
from ...python.lattice import UNKNOWN, Array, Bool, Int, List, Other, Str, is_scalar, rank_of
from ...rules.calls import rule_for_attribute
from ...rules.forms import rule_for_operator
from .expression_types import OPERATORS, attribute_type, expression_type
from .fields import attribute_of_object
from .kept_calls import call_rule
from .outside import attribute_of_known, item_of_known
from .values import Atom, Fields, Known, Method, Record, Seq, Value, literal, type_of

if TYPE_CHECKING:
    from .walk import Walk


def evaluate(walk: Walk, node: Any, hint: str = "t") -> Value:
    """The value of a FLAT right-hand side; `hint` is what its name should be."""
    from .calls import call
    from .conditions import condition, control

    match node:
        case gast.Name():
            return walk.lookup(node.id, node)
        case gast.Constant():
            return literal(node.value)
        case gast.Tuple():
            return Seq(tuple(walk.snapshot(atom(walk, e)) for e in node.elts))
        case gast.List():
            return list_display(walk, node, hint)
        case gast.Dict():
            return record(walk, node)
        case gast.BinOp():
            return binary(walk, node, hint)
        case gast.UnaryOp() if not isinstance(node.op, gast.Not):
            return unary(walk, node, hint)
        case gast.Call():
            return call(walk, node, hint)
        case gast.Attribute():
            return attribute(walk, atom(walk, node.value), node.attr, node, hint)
        case gast.Subscript():
            return subscript(walk, atom(walk, node.value), node.slice, node, hint)
        case gast.Compare() | gast.BoolOp() | gast.UnaryOp():
            return condition(walk, node, hint)
        case gast.JoinedStr():
            return walk.define(hint, control(walk, node), Str(), node)
        case gast.Starred():
            raise walk.problem("star_expression", node)
        case _:
            raise walk.problem("unsupported_expression", node, what=type(node).__name__)


def atom(walk: Walk, node: Any) -> Value:
    """An operand: a name, a literal, a display of these, or a dotted path in function position."""
    match node:
        case gast.Name():
            return walk.lookup(node.id, node)
        case gast.Constant():
            return literal(node.value)
        case gast.UnaryOp(op=gast.USub(), operand=gast.Constant()):
            return Atom(node, type_of(literal(node.operand.value)))
        case gast.BinOp() | gast.UnaryOp() if is_constant(node):
            return Atom(node, expression_type(walk, node))
        case gast.Tuple() | gast.List():
            return Seq(tuple(walk.snapshot(atom(walk, e)) for e in node.elts), isinstance(node, gast.List))
        case gast.Dict():
            return record(walk, node)
        case gast.Attribute():
            return attribute(walk, atom(walk, node.value), node.attr, node, node.attr)
        case _:
            return evaluate(walk, node)


def is_constant(node: Any) -> bool:
    """Is it arithmetic of literals alone?"""
    match node:
        case gast.Constant():
            return isinstance(node.value, (int, float, complex))
        case gast.BinOp():
            return is_constant(node.left) and is_constant(node.right)
        case gast.UnaryOp():
            return is_constant(node.operand)
    return False


def record(walk: Walk, node: Any) -> Value:
    items: list[tuple[Any, Value]] = []
    for key, value in zip(node.keys, node.values, strict=True):
        if key is None:
            inner = atom(walk, value)
            if not isinstance(inner, Record):
                raise walk.problem("not_yet_dict", node)
            items.extend(inner.items)
        elif isinstance(key, gast.Constant):
            items.append((key.value, walk.snapshot(atom(walk, value))))
        else:
            raise walk.problem("not_yet_dict", node)
    return Record(tuple(dict(items).items()))


def list_display(walk: Walk, node: Any, hint: str) -> Value:
    """A list is an object: it exists at run time, unless it holds what cannot."""
    seq = Seq(tuple(atom(walk, e) for e in node.elts), is_list=True)
    if any(not isinstance(v, Atom) for v in seq.items):
        return seq  # nested displays, functions: read only, checked where it is used
    kind = type_of(seq) if seq.items else List(kinds.NOTHING)
    return walk.define(hint, walk.as_node(seq, node), kind, node)


# -- operators


def binary(walk: Walk, node: Any, hint: str) -> Value:
    from .conditions import control

    left, right = (
        walk.atomic(v) if isinstance(v, Known) and v.value is None else v for v in (atom(walk, node.left), atom(walk, node.right))
    )
    symbol = OPERATORS[type(node.op)]
    if isinstance(left, Seq) and isinstance(right, Seq) and symbol == "+":
        return Seq(left.items + right.items, left.is_list)
    if isinstance(left, Known) and isinstance(left.value, str):
        return walk.define(hint, control(walk, node), Str(), node)
    for side in (left, right):
        if not isinstance(side, Atom) and not isinstance(side, Seq) and not (isinstance(side, Known) and isinstance(side.value, bool)):
            raise walk.problem("not_yet_objects", node)
    rule = rule_for_operator(symbol)
    if rule is None:
        kind = kinds.binary_type(symbol, type_of(left), type_of(right))
        return walk.define(hint, quote.rebuilt(node, left=walk.as_node(left), right=walk.as_node(right)), kind, node)
    if symbol in ("+", "*") and any(isinstance(type_of(v), List) for v in (left, right)):
        raise walk.problem("not_yet_list_operator", node)
    kind = kinds.binary_type(symbol, type_of(left), type_of(right))
    return walk.define(hint, quote.rebuilt(node, left=walk.as_node(left, node), right=walk.as_node(right, node)), kind, node)


def unary(walk: Walk, node: Any, hint: str) -> Value:
    operand = atom(walk, node.operand)
    if isinstance(node.operand, gast.Constant) and isinstance(node.op, gast.USub):
        return Atom(node, type_of(operand))
    kind = type_of(operand)
    if isinstance(kind, Bool) or isinstance(node.op, gast.Invert):
        kind = kind if isinstance(kind, Array) else Int() if isinstance(kind, (Bool, Int)) else UNKNOWN
    return walk.define(hint, quote.rebuilt(node, operand=walk.as_node(operand, node)), kind, node)


# -- attributes and items


def attribute(walk: Walk, owner: Value, name: str, node: Any, hint: str) -> Value:
    if isinstance(owner, Known):
        if isinstance(owner.value, str):
            return Method(owner, name)
        return attribute_of_known(walk, owner, name, node)
    if isinstance(owner, Atom):
        if name in ("shape", "ndim", "size", "dtype"):
            if name == "ndim" and (rank := rank_of(owner.type)) is not None:
                return literal(rank)
            return walk.define(hint, quote.expr(f"x.{name}", x=owner.node), attribute_type(owner.type, name), node)
        rule = rule_for_attribute(name) if not isinstance(owner.type, (List, Other, Str)) else None
        if rule is not None:
            return call_rule(walk, rule, [owner], {}, node, hint)
        if isinstance(owner.type, Other):
            return walk.define(hint, quote.expr(f"x.{name}", x=owner.node), UNKNOWN, node, fresh=False)
        return Method(owner, name)
    if isinstance(owner, Fields) or (isinstance(owner, Seq) and owner.form is not None):
        return attribute_of_object(walk, owner, name, node, hint)
    if isinstance(owner, (Seq, Record)):
        return Method(owner, name)
    raise walk.problem("not_yet_objects", node)


def subscript(walk: Walk, base: Value, index: Any, node: Any, hint: str) -> Value:
    from .conditions import control

    constant = constant_index(walk, index)
    if isinstance(base, Seq) and isinstance(constant, (int, slice)):
        try:
            picked = base.items[constant]
        except IndexError:
            raise walk.problem("no_item", node, key=repr(constant)) from None
        return Seq(picked, base.is_list) if isinstance(picked, tuple) else picked
    if isinstance(base, Record):
        for key, value in base.items:
            if constant == key and type(constant) is type(key):
                return value
        raise walk.problem("not_yet_dict" if constant is NOT_CONSTANT else "no_item", node, key=repr(constant))
    if isinstance(base, Known) and constant is not NOT_CONSTANT:
        return item_of_known(walk, base, constant, node)
    if isinstance(base, Seq):
        base = walk.define("t", walk.as_node(base, node), type_of(base), node)
    if not isinstance(base, Atom):
        raise walk.problem("not_yet_objects", node)
    whole = control(walk, index)
    kind = kinds.index_type(base.type, whole, lambda n: walk.types.get(n, UNKNOWN))
    return walk.define(hint, quote.rebuilt(node, value=base.node, slice=whole), kind, node, fresh=is_scalar(kind))


class _NotConstant:
    pass


NOT_CONSTANT = _NotConstant()


def constant_index(walk: Walk, index: Any) -> Any:
    """The value of an index that is written as a literal."""
    match index:
        case gast.Constant():
            return index.value
        case gast.UnaryOp(op=gast.USub(), operand=gast.Constant(value=int())):
            return -index.operand.value
        case gast.Name():
            value = walk.lookup(index.id, index)
            if isinstance(value, Known) and isinstance(value.value, str):
                return value.value
            if isinstance(value, Atom) and not isinstance(value.node, gast.Name):
                return constant_index(walk, value.node)
        case gast.Slice():
            parts = [None if p is None else constant_index(walk, p) for p in (index.lower, index.upper, index.step)]
            if all(p is None or isinstance(p, int) for p in parts):
                return slice(*parts)
    return NOT_CONSTANT
