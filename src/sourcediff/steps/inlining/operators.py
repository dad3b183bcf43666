"""Operators of user classes: `u + v` is a call of `__add__`, which is walked into like any other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import gast

from ...python import quote
from ...python.lattice import Bool, is_scalar
from .containers import settled
from .heap import field_of, held
from .instances import call_dunder, class_of_object, found_in, is_generated, object_attribute
from .values import Atom, Known, Record, Ref, Seq, Value, literal, type_of

if TYPE_CHECKING:
    from .walk import Walk

ARITHMETIC = {
    gast.Add: "add",
    gast.Sub: "sub",
    gast.Mult: "mul",
    gast.Div: "truediv",
    gast.FloorDiv: "floordiv",
    gast.Mod: "mod",
    gast.Pow: "pow",
    gast.MatMult: "matmul",
    gast.LShift: "lshift",
    gast.RShift: "rshift",
    gast.BitAnd: "and",
    gast.BitOr: "or",
    gast.BitXor: "xor",
}
UNARY = {gast.USub: "__neg__", gast.UAdd: "__pos__", gast.Invert: "__invert__"}
COMPARISON = {  # and what is asked of the right operand
    gast.Eq: ("__eq__", "__eq__"),
    gast.NotEq: ("__ne__", "__ne__"),
    gast.Lt: ("__lt__", "__gt__"),
    gast.LtE: ("__le__", "__ge__"),
    gast.Gt: ("__gt__", "__lt__"),
    gast.GtE: ("__ge__", "__le__"),
}


def user_binary(walk: Walk, op: Any, left: Value, right: Value, node: Any, hint: str, in_place: bool = False) -> Value | None:
    """`left op right` where a user class decides what it is; None where none does."""
    name = ARITHMETIC[type(op)]
    if in_place and defines(left, f"__i{name}__"):
        return call_dunder(walk, left, f"__i{name}__", [right], node, hint)
    return first_answer(walk, left, right, f"__{name}__", f"__r{name}__", node, hint)


def defines(value: Value, name: str) -> bool:
    cls = class_of_object(value)
    found = found_in(cls, name) if cls is not None else None
    return found is not None and found[0] not in (object, tuple)


def first_answer(walk: Walk, left: Value, right: Value, name: str, reflected: str, node: Any, hint: str) -> Value | None:
    """The method of the left operand, then that of the right one; a subclass on the right comes first, as in Python."""
    if not defines(left, name) and not defines(right, reflected):
        return None
    own, other = class_of_object(left), class_of_object(right)
    calls = [(left, name, right), (right, reflected, left)]
    if own is not None and other is not None:
        if other is not own and issubclass(other, own) and found_in(other, reflected) != found_in(own, reflected):
            calls.reverse()
        elif other is own and name != reflected:
            calls.pop()
    elif own is None and not is_scalar(type_of(left)) and not isinstance(left, (Known, Seq, Ref)):
        raise walk.problem("array_operator", node, name=other.__name__)  # NumPy may apply the operator to each element
    for receiver, method, argument in calls:
        if defines(receiver, method):
            answer = call_dunder(walk, receiver, method, [argument], node, hint)
            if not (isinstance(answer, Known) and answer.value is NotImplemented):
                return answer
    raise walk.problem("no_operator", node, left=described(left), right=described(right))


def described(value: Value) -> str:
    cls = class_of_object(value)
    return cls.__name__ if cls is not None else "a number"


def user_unary(walk: Walk, op: Any, operand: Value, node: Any, hint: str) -> Value | None:
    name = UNARY.get(type(op))
    return call_dunder(walk, operand, name, [], node, hint) if name is not None and defines(operand, name) else None


# -- comparisons


def user_comparison(walk: Walk, op: Any, left: Value, right: Value, node: Any) -> Value | None:
    """A comparison of user objects, of lists or of dicts; None for numbers."""
    if isinstance(op, (gast.In, gast.NotIn)):
        return contained(walk, isinstance(op, gast.In), left, right, node)
    if type(op) not in COMPARISON or (class_of_object(left) is None and class_of_object(right) is None):
        return None
    name, reflected = COMPARISON[type(op)]
    for value in (left, right):
        found = found_in(class_of_object(value), name) if class_of_object(value) is not None else None
        if found is not None and is_generated(*found):
            return fields_compared(walk, op, left, right, node)
    if isinstance(op, gast.NotEq) and not defines(left, "__ne__") and (defines(left, "__eq__") or defines(right, "__eq__")):
        equal = user_comparison(walk, gast.Eq(), left, right, node)
        return None if equal is None else negated(walk, equal, node)
    answer = first_answer(walk, left, right, name, reflected, node, "c")
    if answer is None and isinstance(left, Ref) and isinstance(right, Ref) and isinstance(op, (gast.Eq, gast.NotEq)):
        return literal(same_object(walk, left, right, node) == isinstance(op, gast.Eq))
    return answer


def negated(walk: Walk, value: Value, node: Any) -> Value:
    test = walk.as_node(value, node)
    return literal(not test.value) if isinstance(test, gast.Constant) else Atom(quote.expr("not c", c=test), type_of(value))


def same_object(walk: Walk, left: Ref, right: Ref, node: Any) -> bool:
    if left is not right and right in walk.heap.perhaps_same.get(left, ()):
        raise walk.problem("object_undecided", node, name=left.hint)
    return left is right


def fields_compared(walk: Walk, op: Any, left: Value, right: Value, node: Any) -> Value:
    """What @dataclass writes for `==` and `<`: the tuples of the fields are compared, of one class only."""
    cls = class_of_object(left)
    if cls is not class_of_object(right):
        if isinstance(op, (gast.Eq, gast.NotEq)):
            return literal(isinstance(op, gast.NotEq))
        raise walk.problem("no_operator", node, left=described(left), right=described(right))
    names = [n for n, f in cls.__dataclass_fields__.items() if f.compare and f._field_type.name == "_FIELD"]
    sides = [walk.as_node(Seq(tuple(object_attribute(walk, s, n, node, n) for n in names)), node) for s in (left, right)]
    test = gast.Compare(left=sides[0], ops=[op], comparators=[sides[1]])
    return Atom(test, Bool())


def contained(walk: Walk, positive: bool, left: Value, right: Value, node: Any) -> Value | None:
    """`key in d` of a known dict, `x in obj` of a user class."""
    from .containers import NOT_CONSTANT, key_of, known_key

    if class_of_object(right) is not None and defines(right, "__contains__"):
        answer = call_dunder(walk, right, "__contains__", [left], node, "c")
        return answer if positive else negated(walk, answer, node)
    if isinstance(right, Ref) and right.cls is dict:
        key = known_key(walk, key_of(walk, left), node)
        return literal((field_of(held(walk, right, node), key) is not None) == positive)
    if isinstance(right, Record):
        return literal((field_of(right, known_key(walk, key_of(walk, left), node)) is not None) == positive)
    options = settled(walk, right, node)
    if isinstance(options, Seq):
        keys = [key_of(walk, v) for v in (left, *options.items)]
        if NOT_CONSTANT not in keys and not any(isinstance(v, Ref) for v in options.items):
            return literal((keys[0] in keys[1:]) == positive)
    return None
