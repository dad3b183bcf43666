"""Arithmetic that disappears: one times something, a sum of something negative, a double negation.

    1.0 * a      a          a + -b        a - b         a * (1 / b)    a / b
    a / 1        a          -a + b        b - a         (1 / a) * b    b / a
    a.copy() * b a * b
    --a          a          0.0 + a       a             t + t          2 * t

Each only where the operands are known to be numbers for which it is exact (a zero's sign, and the rounding of a reciprocal, aside),
and never `0 * x`, which may be nan or have a shape. What the user wrote (a node with a place) keeps its form where the
gain is only one of looks. The rules look at one node, whose operands are folded already.
"""

from __future__ import annotations

from typing import Any

import gast

from ...python.lattice import Array
from ...python.quote import constant, expr, rebuilt
from .scope import Scope
from .shape import key


def folded(node: Any, scope: Scope) -> Any:
    """The node, or what it amounts to."""
    if type(node) is gast.UnaryOp:
        return _negation(node, scope) if type(node.op) is gast.USub else node
    if type(node) is not gast.BinOp:
        return node
    left, right = _uncopied(node.left, scope), _uncopied(node.right, scope)
    if left is not node.left or right is not node.right:
        node = rebuilt(node, left=left, right=right)
    rule = _RULES.get(type(node.op))
    return node if rule is None else rule(node, scope)


def full_of_ones(node: Any) -> Any:
    """np.full_like(x, 1.0) is np.ones_like(x)."""
    if type(node.func) is gast.Attribute and node.func.attr == "full_like" and len(node.args) == 2 and literal(node.args[1]) == 1:
        return rebuilt(node, func=rebuilt(node.func, attr="ones_like"), args=node.args[:1])
    return node


def _uncopied(operand: Any, scope: Scope) -> Any:
    """The array itself of `x.copy()`: an operator only reads it."""
    if type(operand) is gast.Call and ours(operand) and type(operand.func) is gast.Attribute and operand.func.attr == "copy":
        copied = operand.args[0] if operand.args else operand.func.value
        base = copied.value if type(copied) is gast.Subscript else copied
        if type(base) is gast.Name and isinstance(scope.type_of(base.id), Array):
            return copied
    return operand


def _negation(node: Any, scope: Scope) -> Any:
    inner = node.operand
    if type(inner) is gast.UnaryOp and type(inner.op) is gast.USub and type(inner.operand) is not gast.Constant:
        return inner.operand
    if type(inner) is gast.UnaryOp and type(inner.op) is gast.USub and ours(node):
        return inner.operand
    return node


def _product(node: Any, scope: Scope) -> Any:
    left, right = node.left, node.right
    for one, other in ((left, right), (right, left)):
        if literal(one) == 1 and _unit_folds(node, one, other, scope):
            return other
        if literal(one) == -1 and type(one.operand.value) is int and scope.inexact(other):
            return gast.UnaryOp(op=gast.USub(), operand=other)
    if not ours(node):
        return node
    numbers = literal(left), literal(right)
    if None not in numbers:
        product = numbers[0] * numbers[1]  # what Python would compute, at each call
        short = len(repr(product)) <= 6
        return constant(product) if type(numbers[0]) is type(numbers[1]) is int or 1 in numbers or short else node
    for one, other in ((left, right), (right, left)):
        if type(literal(one)) is float and literal(one) in (2.0, 3.0, 4.0) and scope.inexact(other):
            return rebuilt(node, left=constant(int(literal(one))), right=other)
    for one, other in ((left, right), (right, left)):
        if type(one) is gast.BinOp and type(one.op) is gast.Div and literal(one.left) == 1 and _calm(one.right, other, scope):
            return rebuilt(one, left=other)
    return node


def _unit_folds(node: Any, one: Any, other: Any, scope: Scope) -> bool:
    """Multiplying by one changes neither the value nor the type: not so for `1.0 * 2`, nor for 1 times a bool."""
    kind = scope.number(other)
    if kind in ("float", "complex", "array"):
        return True
    if type(one.value) is not int:
        return False
    # A derivative is never a bool, of which 1 times would make a number.
    return kind == "int" or (ours(node) and type(other) is gast.Name and scope.is_derivative(other.id))


def _quotient(node: Any, scope: Scope) -> Any:
    return node.left if literal(node.right) == 1 and scope.inexact(node.left) else node


def _sum(node: Any, scope: Scope) -> Any:
    if not ours(node):
        return node
    left, right = node.left, node.right
    numbers = literal(left), literal(right)
    if type(numbers[0]) is int and type(numbers[1]) is int:
        return constant(numbers[0] + numbers[1])
    for one, other in ((left, right), (right, left)):
        if literal(one) == 0 and scope.inexact(other):
            return other
    if (positive := opposite(right)) is not None:
        return gast.BinOp(left=left, op=gast.Sub(), right=positive)
    if (positive := opposite(left)) is not None and _calm(positive, right, scope) and literal(left) is None:
        return folded(gast.BinOp(left=right, op=gast.Sub(), right=positive), scope)
    if scope.inexact(left) and key(left) == key(right) and _calm(left, right, scope):
        return _twice(left)
    return node


def _twice(node: Any) -> Any:
    """`2 * a * b` of `a * b`."""
    if type(node) is gast.BinOp and type(node.op) is gast.Mult:
        return rebuilt(node, left=_twice(node.left))
    number = literal(node)
    return constant(2 * number) if type(number) is int else expr("2 * once", once=node)


def _difference(node: Any, scope: Scope) -> Any:
    if not ours(node):
        return node
    left, right = node.left, node.right
    numbers = literal(left), literal(right)
    if type(numbers[0]) is int and type(numbers[1]) is int:
        return constant(numbers[0] - numbers[1])
    if literal(right) == 0 and scope.inexact(left):
        return left
    if literal(left) == 0 and scope.inexact(right):
        return gast.UnaryOp(op=gast.USub(), operand=right)
    if (positive := opposite(right)) is not None:
        return gast.BinOp(left=left, op=gast.Add(), right=positive)
    return node


_RULES = {gast.Mult: _product, gast.Div: _quotient, gast.Add: _sum, gast.Sub: _difference}


def opposite(node: Any) -> Any:
    """a of `-a`, `a * b` of `-a * b`, None of what does not begin with a minus."""
    if type(node) is gast.UnaryOp and type(node.op) is gast.USub:
        return node.operand
    if type(node) is gast.BinOp and type(node.op) in (gast.Mult, gast.Div):
        inner = opposite(node.left)
        return None if inner is None else rebuilt(node, left=inner)
    return None


def literal(node: Any) -> Any:
    """The number that a literal denotes, None of anything else."""
    kind = type(node)
    if kind is gast.Name or kind is gast.BinOp:
        return None
    if kind is gast.Constant:
        return node.value if type(node.value) in (int, float) else None
    if kind is gast.UnaryOp and type(node.op) is gast.USub and type(node.operand) is gast.Constant:
        number = literal(node.operand)
        return None if number is None else -number
    return None


def ours(node: Any) -> bool:
    """Not a piece of the user's text."""
    return getattr(node, "place", None) is None


def _calm(one: Any, other: Any, scope: Scope) -> bool:
    """Two operands that may be evaluated in either order, or one of them for both."""
    return not (scope.summaries(one).effect or scope.summaries(other).effect)
