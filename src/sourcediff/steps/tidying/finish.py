"""The last touches on statements that are complete: as one writes by hand.

    x_bar = x_bar + t                      x_bar += t
    x_bar += -t                            x_bar -= t
    x_bar[i] += a; x_bar[i] += b           x_bar[i] += a + b
    x * 2 * y                              2 * x * y
    -(a * b), a * -b                       -a * b

What the user wrote keeps its form.
"""

from __future__ import annotations

from typing import Any

import gast

from ...facts.uses import expressions
from ...python.quote import constant, rebuilt
from .copies import propagate
from .fold import literal, opposite, ours
from .nest import WIDTH
from .scope import Scope
from .shape import Sizes, key


def finish(body: list[Any], scope: Scope) -> list[Any]:
    return _Finish(scope).block(propagate(body, scope), 4)


class _Finish:
    def __init__(self, scope: Scope) -> None:
        self.scope, self.sizes = scope, Sizes()

    def block(self, body: list[Any], indent: int) -> list[Any]:
        out: list[Any] = []
        for stmt in body:
            new = self.statement(stmt, indent)
            merged = self.merged(out[-1], new, indent) if out else None
            if merged is not None:
                out[-1] = merged
            else:
                out.append(new)
        return out

    def statement(self, stmt: Any, indent: int) -> Any:
        match stmt:
            case gast.If() | gast.For() | gast.While():
                return rebuilt(stmt, body=self.block(stmt.body, indent + 4), orelse=self.block(stmt.orelse, indent + 4))
            case gast.Assign(targets=[gast.Name() as target]):
                return _signed(self.as_update(_valued(stmt, arranged(stmt.value)), target))
            case gast.Assign() | gast.Return() | gast.Expr() if stmt.value is not None:
                return _valued(stmt, arranged(stmt.value))
            case gast.AugAssign():
                return _signed(_valued(stmt, arranged(stmt.value)))
        return stmt

    def as_update(self, stmt: Any, target: Any) -> Any:
        """`x = x + v` of a number of ours as `x += v`."""
        value = stmt.value
        number = self.scope.number(target) in ("int", "float", "complex") and self.scope.generated(target.id)
        if number and type(value) is gast.BinOp and type(value.op) in (gast.Add, gast.Sub):
            same = type(value.left) is gast.Name and value.left.id == target.id
            if same and target.id not in self.scope.summaries(value.right).names:
                return _at(gast.AugAssign(target=target, op=value.op, value=value.right), stmt)
        return stmt

    def merged(self, one: Any, other: Any, indent: int) -> Any:
        """Two additions to one element as one."""
        match one, other:
            case gast.AugAssign(target=gast.Subscript()), gast.AugAssign(target=gast.Subscript()):
                pass
            case _:
                return None
        if type(one.op) is not type(other.op) or key(one.target) != key(other.target) or type(one.target.value) is not gast.Name:
            return None
        summaries = [self.scope.summaries(part) for part in (*expressions(one), *expressions(other))]
        root = self.scope.sharing.root(one.target.value.id)
        inputs = [self.scope.summaries(part).names for part in (one.target.slice, one.value, other.value)]
        read = [name for names in inputs for name in names]
        if any(s.effect for s in summaries) or root in self.scope.sharing.roots(read) or not (ours(one.value) and ours(other.value)):
            return None
        value = gast.BinOp(left=one.value, op=gast.Add(), right=other.value)
        return rebuilt(one, value=value) if indent + self.sizes(value)[0] + self.sizes(one.target)[0] + 4 <= WIDTH else None


def _valued(stmt: Any, value: Any) -> Any:
    return stmt if value is stmt.value else rebuilt(stmt, value=value)


def _at(new: Any, stmt: Any) -> Any:
    if getattr(stmt, "place", None) is not None:
        new.place = stmt.place
    return new


def _signed(stmt: Any) -> Any:
    """`x += -t` as `x -= t`."""
    if type(stmt) is not gast.AugAssign or type(stmt.op) not in (gast.Add, gast.Sub) or not ours(stmt.value):
        return stmt
    positive = opposite(stmt.value)
    if positive is None:
        return stmt
    return rebuilt(stmt, op=gast.Sub() if type(stmt.op) is gast.Add else gast.Add(), value=positive)


def arranged(node: Any) -> Any:
    """The expression with its factors in the order in which one writes them."""
    kind = type(node)
    if kind is gast.BinOp:
        left, right = arranged(node.left), arranged(node.right)
        if left is not node.left or right is not node.right:
            node = rebuilt(node, left=left, right=right)
        return _product(node) if type(node.op) is gast.Mult and ours(node) else node
    if kind is gast.UnaryOp:
        operand = arranged(node.operand)
        if type(node.op) is gast.USub and ours(node) and type(operand) is gast.BinOp and type(operand.op) in (gast.Mult, gast.Div):
            return _minus(operand)
        return node if operand is node.operand else rebuilt(node, operand=operand)
    if kind is gast.Call and node.args:
        arguments = [arranged(a) for a in node.args]
        return node if all(a is b for a, b in zip(arguments, node.args, strict=True)) else rebuilt(node, args=arguments)
    if kind in (gast.Tuple, gast.List):
        elements = [arranged(e) for e in node.elts]
        return node if all(a is b for a, b in zip(elements, node.elts, strict=True)) else rebuilt(node, elts=elements)
    return node


def _product(node: Any) -> Any:
    left, right = node.left, node.right
    if literal(right) is not None and literal(left) is None and (_doubles(right) or not _is_product(left)):
        return _times(right, left)
    if _doubles(left) and _is_product(right):
        return _times(left, right)
    if type(right) is gast.UnaryOp and type(right.op) is gast.USub and literal(right) is None:
        return _minus(rebuilt(node, right=right.operand))
    return node


def _is_product(node: Any) -> bool:
    return type(node) is gast.BinOp and type(node.op) is gast.Mult and ours(node)


def _doubles(node: Any) -> bool:
    """A power of two: the only factor that may be moved within a product, since it rounds nothing."""
    number = literal(node)
    return type(number) is int and number > 0 and number & (number - 1) == 0


def _times(number: Any, factors: Any) -> Any:
    """`2 * x * y` of 2 and `x * y`."""
    if not _is_product(factors):
        return gast.BinOp(left=number, op=gast.Mult(), right=factors)
    if _doubles(factors.left):
        return rebuilt(factors, left=constant(literal(number) * literal(factors.left)))
    return rebuilt(factors, left=_times(number, factors.left))


def _minus(node: Any) -> Any:
    """`-a * b` of `a * b`."""
    if type(node) is gast.BinOp and type(node.op) in (gast.Mult, gast.Div) and ours(node):
        return rebuilt(node, left=_minus(node.left))
    positive = opposite(node) if type(node) is gast.UnaryOp else None
    return positive if positive is not None else gast.UnaryOp(op=gast.USub(), operand=node)
