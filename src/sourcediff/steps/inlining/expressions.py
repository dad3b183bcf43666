"""Expressions of FLAT code: one operation on atoms, control expressions and indices whole."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import gast

from ...facts import kinds
from ...python import quote
from ...python.lattice import UNKNOWN, Array, Bool, Int, List, Other, Str, is_scalar, rank_of
from ...rules.calls import rule_for_attribute
from ...rules.forms import rule_for_operator
from .containers import (
    FOLDED,
    NOT_CONSTANT,
    get_item,
    has_run_time_form,
    index_value,
    key_of,
    known_key,
    must_be_known,
    new_dict,
    pairs,
)
from .expression_types import OPERATORS, attribute_type, expression_type
from .heap import as_object, field_of, held, stored, view
from .instances import call_dunder, class_attribute, class_of_object, object_attribute, super_attribute
from .kept_calls import call_rule
from .operators import defines, user_binary, user_unary
from .outside import attribute_of_known, item_of_known
from .values import Atom, Known, Method, Record, Ref, Seq, Super, Value, literal, type_of

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
            return as_object(walk, Seq(tuple(walk.snapshot(atom(walk, e)) for e in node.elts)), hint)
        case gast.List():
            return list_display(walk, node, hint)
        case gast.Dict():
            return dict_display(walk, node, hint)
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
        case gast.Set():
            return walk.define(hint, control(walk, node), Other(set), node)
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
            return dict_display(walk, node, "t")
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


def dict_display(walk: Walk, node: Any, hint: str) -> Value:
    items: list[tuple[Any, Value]] = []
    for key, value in zip(node.keys, node.values, strict=True):
        if key is None:
            items += pairs(walk, atom(walk, value), node)
        else:
            items.append((known_key(walk, index_value(walk, key), key), atom(walk, value)))
    return new_dict(walk, items, hint)


def list_display(walk: Walk, node: Any, hint: str) -> Value:
    """A list of numbers and arrays is an object of the written code, unless it has to be known; one of other things is known."""
    seq = Seq(tuple(atom(walk, e) for e in node.elts), is_list=True)
    return new_list(walk, seq, node, hint)


def new_list(walk: Walk, seq: Seq, node: Any, hint: str) -> Value:
    """The list that a display or call makes."""
    of_lists = walk.depth == 0 and any(isinstance(type_of(v), List) for v in seq.items)
    if id(node) in walk.known_displays or of_lists or any(not isinstance(v, Atom) for v in seq.items):
        return walk.heap.new(list, hint, seq.with_items(stored(walk, v, hint) for v in seq.items))
    kind = type_of(seq) if seq.items else List(kinds.NOTHING)
    made = walk.define(hint, walk.as_node(seq, node), kind, node)
    walk.displays[made.node.id] = node
    return made


# -- operators


def binary(walk: Walk, node: Any, hint: str) -> Value:
    from .conditions import control

    left, right = (
        walk.atomic(v) if isinstance(v, Known) and v.value is None else v for v in (atom(walk, node.left), atom(walk, node.right))
    )
    symbol = OPERATORS[type(node.op)]
    folded = integer_of(left, right, node.op, walk)
    if folded is not None:
        return literal(folded)
    decided = user_binary(walk, node.op, left, right, node, hint)
    if decided is not None:
        return decided
    if isinstance(left, Ref) or isinstance(right, Ref):
        return list_operator(walk, node.op, left, right, node, hint)
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
        return run_time_list(walk, symbol, left, right, node, hint)
    kind = kinds.binary_type(symbol, type_of(left), type_of(right))
    return walk.define(hint, quote.rebuilt(node, left=walk.as_node(left, node), right=walk.as_node(right, node)), kind, node)


def integer_of(left: Value, right: Value, op: Any, walk: Walk) -> int | None:
    """Arithmetic of integers that are known, such as keys and positions."""
    a, b = key_of(walk, left), key_of(walk, right)
    if type(a) is not int or type(b) is not int or type(op) not in FOLDED or (b == 0 and isinstance(op, (gast.Mod, gast.FloorDiv))):
        return None
    result = int(FOLDED[type(op)](a, b))
    return result if 0 <= result < 2**31 else None


def list_operator(walk: Walk, op: Any, left: Value, right: Value, node: Any, hint: str) -> Value:
    """`+` of known lists, `*` of one with a number, `|` of dicts: new ones."""
    one, other = view(walk, left, node), view(walk, right, node)
    if isinstance(op, gast.BitOr) and isinstance(one, Record) and isinstance(other, Record):
        return new_dict(walk, [*one.items, *other.items], hint)
    if isinstance(op, gast.Add):
        for side in (left, right):
            must_be_known(walk, side)
        if isinstance(one, Seq) and isinstance(other, Seq) and one.is_list and other.is_list:
            return walk.heap.new(list, hint, Seq(one.items + other.items, is_list=True))
    if isinstance(op, gast.Mult):
        sequence, count = (one, key_of(walk, right)) if isinstance(one, Seq) else (other, key_of(walk, left))
        if isinstance(sequence, Seq) and type(count) is int:
            return walk.heap.new(list, hint, Seq(sequence.items * count, is_list=True))
    raise walk.problem("not_yet_list_operator", node)


def run_time_list(walk: Walk, symbol: str, left: Value, right: Value, node: Any, hint: str) -> Value:
    """`+` of lists and `*` of one with a number, of lengths that only the run knows."""
    from . import compositions
    from .calls import apply

    one, other = type_of(left), type_of(right)
    if symbol == "+" and isinstance(one, List) and isinstance(other, List):
        return apply(walk, Known(compositions.joined), [left, right], {}, node, hint)
    if symbol == "*" and isinstance(one, Int):
        left, right, one, other = right, left, other, one
    if symbol != "*" or not isinstance(other, Int):
        raise walk.problem("not_yet_list_operator", node)
    display = walk.displays.get(getattr(walk.as_node(left, node), "id", ""))
    if display is not None and all(isinstance(e, gast.Constant) for e in display.elts):  # `[0.0] * n` is how zeros are written
        return walk.define(hint, quote.expr("x * n", x=walk.as_node(left, node), n=walk.as_node(right, node)), one, node)
    return apply(walk, Known(compositions.repeated), [left, right], {}, node, hint)


def unary(walk: Walk, node: Any, hint: str) -> Value:
    operand = atom(walk, node.operand)
    decided = user_unary(walk, node.op, operand, node, hint)
    if decided is not None:
        return decided
    if isinstance(node.operand, gast.Constant) and isinstance(node.op, gast.USub):
        return Atom(node, type_of(operand))
    kind = type_of(operand)
    if isinstance(kind, Bool) or isinstance(node.op, gast.Invert):
        kind = kind if isinstance(kind, Array) else Int() if isinstance(kind, (Bool, Int)) else UNKNOWN
    return walk.define(hint, quote.rebuilt(node, operand=walk.as_node(operand, node)), kind, node)


# -- attributes and items

TUPLE_METHODS = ("_replace", "_asdict", "index", "count")


def attribute(walk: Walk, owner: Value, name: str, node: Any, hint: str) -> Value:
    if class_of_object(owner) is not None and not (isinstance(owner, Seq) and name in TUPLE_METHODS):
        return object_attribute(walk, owner, name, node, hint)
    if isinstance(owner, Known):
        if isinstance(owner.value, str):
            return Method(owner, name)
        method = class_attribute(walk, owner, name, node) if isinstance(owner.value, type) else None
        return attribute_of_known(walk, owner, name, node) if method is None else method
    if isinstance(owner, Super):
        return super_attribute(walk, owner, name, node, hint)
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
        return Method(walk.snapshot(owner) if name == "flat" else owner, name)
    if isinstance(owner, (Seq, Record, Ref)):
        return Method(owner, name)
    raise walk.problem("not_yet_objects", node)


def subscript(walk: Walk, base: Value, index: Any, node: Any, hint: str) -> Value:
    from .conditions import control
    from .joining import joined as join_by_index
    from .places import flat_item

    if defines(base, "__getitem__"):
        return call_dunder(walk, base, "__getitem__", [index_operand(walk, index, node)], node, hint)
    if isinstance(base, Known) and (joined := join_by_index(walk, base.value, index, node, hint)) is not None:
        return joined
    constant = index_value(walk, index)
    if isinstance(base, Ref) and base.cls is list and constant is NOT_CONSTANT and has_run_time_form(held(walk, base, node)):
        base = held(walk, base, node)  # read at run time from a list that is made for this
    if isinstance(base, Ref) and base.cls in (list, dict):
        return get_item(walk, base, constant, node)
    if isinstance(base, Seq) and isinstance(constant, (int, slice)):
        try:
            picked = base.items[constant]
        except IndexError:
            raise walk.problem("no_item", node, key=repr(constant)) from None
        return Seq(picked, base.is_list) if isinstance(picked, tuple) else picked
    if isinstance(base, Record):
        found = field_of(base, known_key(walk, constant, node))
        if found is None:
            raise walk.problem("no_item", node, key=repr(constant))
        return found
    if isinstance(base, Known) and constant is not NOT_CONSTANT:
        return item_of_known(walk, base, constant, node)
    if isinstance(base, Seq):
        base = walk.define("t", walk.as_node(base, node), type_of(base), node)
    if isinstance(base, Method) and base.name == "flat":
        return flat_item(walk, base, control(walk, index), node, hint)
    if not isinstance(base, Atom):
        raise walk.problem("not_yet_objects", node)
    whole = control(walk, index)
    kind = kinds.index_type(base.type, whole, lambda n: walk.types.get(n, UNKNOWN))
    return walk.define(hint, quote.rebuilt(node, value=base.node, slice=whole), kind, node, fresh=is_scalar(kind))


def index_operand(walk: Walk, index: Any, node: Any) -> Value:
    """An index as the argument of `__getitem__`."""
    if isinstance(index, gast.Slice):
        raise walk.problem("not_yet_objects", node)
    if isinstance(index, gast.Tuple):
        return Seq(tuple(index_operand(walk, e, node) for e in index.elts))
    return atom(walk, index)
