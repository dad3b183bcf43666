"""Expressions of FLAT code: one operation on atoms, control expressions and indices whole."""

from __future__ import annotations

import ast
import operator as op
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import gast
import numpy as np

from ...facts import kinds
from ...python import quote
from ...python.lattice import UNKNOWN, Array, Bool, Const, Int, List, Other, Str, Tuple, Type, is_scalar, rank_of
from ...rules.calls import rule_for_attribute
from ...rules.forms import rule_for_operator
from .calls import call
from .kept_calls import call_rule
from .outside import attribute_of_known, item_of_known
from .values import Atom, Closure, Known, Method, Record, Seq, Value, literal, type_of

if TYPE_CHECKING:
    from .walk import Walk

OPERATORS = {
    gast.Add: "+",
    gast.Sub: "-",
    gast.Mult: "*",
    gast.Div: "/",
    gast.FloorDiv: "//",
    gast.Mod: "%",
    gast.Pow: "**",
    gast.MatMult: "@",
    gast.LShift: "<<",
    gast.RShift: ">>",
    gast.BitAnd: "&",
    gast.BitOr: "|",
    gast.BitXor: "^",
}
COMPARE: dict[Any, Callable[[Any, Any], Any]] = {
    gast.Eq: op.eq,
    gast.NotEq: op.ne,
    gast.Lt: op.lt,
    gast.LtE: op.le,
    gast.Gt: op.gt,
    gast.GtE: op.ge,
}


def evaluate(walk: Walk, node: Any, hint: str = "t") -> Value:
    """The value of a FLAT right-hand side; `hint` is what its name should be."""
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
    if isinstance(owner, (Seq, Record)):
        return Method(owner, name)
    raise walk.problem("not_yet_objects", node)


def attribute_type(owner: Type, name: str) -> Type:
    if name == "shape":
        rank = rank_of(owner)
        return Tuple((Int(),) * rank) if rank is not None else Other(tuple)
    return Int() if name in ("ndim", "size") else Other()


def subscript(walk: Walk, base: Value, index: Any, node: Any, hint: str) -> Value:
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


# -- control expressions


def condition(walk: Walk, node: Any, hint: str = "c") -> Value:
    whole = control(walk, node)
    if isinstance(whole, gast.Constant):
        return literal(whole.value)
    return walk.define(hint, whole, control_type(walk, whole), node)


def control_type(walk: Walk, node: Any) -> Type:
    """bool, unless an array is compared."""
    ranks = []
    if isinstance(node, gast.Compare) and not isinstance(node.ops[0], (gast.Is, gast.IsNot, gast.In, gast.NotIn)):
        for side in (node.left, *node.comparators):
            kind = expression_type(walk, side)
            if kind is UNKNOWN:
                return UNKNOWN
            ranks.append(rank_of(kind) if isinstance(kind, Array) else 0)
        if all(r == 0 for r in ranks):
            return Bool()
        import numpy as np

        return Array(np.dtype(bool), None if None in ranks else max(r for r in ranks if r is not None))
    if isinstance(node, gast.BoolOp):
        parts = [control_type(walk, v) for v in node.values]
        return Bool() if all(isinstance(p, Bool) for p in parts) else UNKNOWN
    if isinstance(node, gast.Name):
        return walk.types.get(node.id, UNKNOWN)
    if isinstance(node, (gast.Compare, gast.UnaryOp)):
        return Bool()
    return UNKNOWN


def expression_type(walk: Walk, node: Any) -> Type:
    match node:
        case gast.Name():
            return walk.types.get(node.id, UNKNOWN)
        case gast.Constant():
            return type_of(literal(node.value))
        case gast.UnaryOp():
            return expression_type(walk, node.operand)
        case gast.BinOp():
            return kinds.binary_type(OPERATORS[type(node.op)], expression_type(walk, node.left), expression_type(walk, node.right))
        case gast.Subscript():
            return kinds.index_type(expression_type(walk, node.value), node.slice, lambda n: walk.types.get(n, UNKNOWN))
        case gast.Attribute() if node.attr in ("shape", "ndim", "size"):
            return attribute_type(expression_type(walk, node.value), node.attr)
        case gast.Call() if isinstance(node.func, gast.Name) and node.func.id == "abs" and len(node.args) == 1:
            return expression_type(walk, node.args[0])
        case gast.Call() if isinstance(node.func, gast.Name) and node.func.id in ("len", "int", "round"):
            return Int()
        case gast.Call() if isinstance(node.func, gast.Attribute) and node.func.attr in ("all", "any"):
            return Bool() if len(node.args) == 1 and not node.keywords else UNKNOWN
        case _:
            return UNKNOWN


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
    from .calls import callee
    from .classes import isinstance_verdict
    from .kept_calls import spelled_function

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
