"""Partial evaluation of a rule's statements: what is known is decided, literals are put in and folded."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import gast

from sourcediff.python.lattice import (
    UNKNOWN,
    Array,
    Bool,
    Complex,
    Const,
    Dict,
    Float,
    Int,
    List,
    Number,
    Other,
    Scalar,
    Str,
    Tuple,
    Type,
    rank_of,
)
from sourcediff.python.quote import constant, fill, name, rebuilt
from sourcediff.rules.known import PREDICATES, Display, Fact, Literal, Typed, literal_value


class _UndecidedError(Exception):
    pass


_COMPARE: dict[type, Callable[[Any, Any], Any]] = {
    gast.Eq: operator.eq,
    gast.NotEq: operator.ne,
    gast.Lt: operator.lt,
    gast.LtE: operator.le,
    gast.Gt: operator.gt,
    gast.GtE: operator.ge,
    gast.Is: operator.is_,
    gast.IsNot: operator.is_not,
    gast.In: lambda a, b: a in b,
    gast.NotIn: lambda a, b: a not in b,
}
_ARITHMETIC: dict[type, Callable[[Any, Any], Any]] = {gast.Add: operator.add, gast.Sub: operator.sub, gast.Mult: operator.mul}
_CLASSES = {"int": Int, "float": Float, "complex": Complex, "tuple": Tuple, "list": List, "str": Str, "bool": Bool}
_ALL_CLASSES = (Int, Float, Complex, Bool, Str, Scalar, Array, List, Tuple, Dict, Number, Other)


class Specialisation:
    """One rule's statements under the facts of one call."""

    def __init__(self, facts: dict[str, Fact]):
        self.facts = facts
        self.locals: dict[str, Any] = {}

    def run(self, statements: list[Any]) -> list[Any] | None:
        try:
            result = self.block(statements)
        except _UndecidedError:
            return None
        return list(result.elts) if isinstance(result, gast.Tuple) else [result]

    def block(self, statements: list[Any]) -> Any:
        """The expression that the statements return."""
        for statement in statements:
            if isinstance(statement, gast.Return):
                return self.reduce(statement.value)
            if isinstance(statement, gast.If):
                result = self.block(statement.body if self.decide(statement.test) else statement.orelse)
                if result is not None:
                    return result
            elif isinstance(statement, gast.Assign) and isinstance(statement.targets[0], gast.Name):
                self.locals[statement.targets[0].id] = self.reduce(statement.value)
            else:
                raise _UndecidedError
        return None

    # -- values --

    def decide(self, node: Any) -> Any:
        """The value of an expression that is known before anything runs."""
        match node:
            case gast.Constant():
                return node.value
            case gast.Name():
                return self.decide_name(node.id)
            case gast.Tuple() | gast.List():
                return tuple(self.decide(e) for e in node.elts)
            case gast.BoolOp():
                return self.decide_junction(node)
            case gast.UnaryOp(op=gast.Not()):
                return not self.decide(node.operand)
            case gast.UnaryOp(op=gast.USub()):
                return -self.decide(node.operand)
            case gast.BinOp() if type(node.op) in _ARITHMETIC:
                return _ARITHMETIC[type(node.op)](self.decide(node.left), self.decide(node.right))
            case gast.Compare():
                return self.decide_comparison(node)
            case gast.Call():
                return self.decide_call(node)
        raise _UndecidedError

    def decide_name(self, identifier: str) -> Any:
        if identifier in self.locals:
            return self.decide(self.locals[identifier])
        fact = self.facts.get(identifier)
        if isinstance(fact, Literal):
            return fact.value
        raise _UndecidedError

    def decide_junction(self, node: Any) -> bool:
        """`and` and `or`: one operand may decide although another cannot be decided."""
        ending = isinstance(node.op, gast.Or)
        undecided = False
        for operand in node.values:
            try:
                if bool(self.decide(operand)) is ending:
                    return ending
            except _UndecidedError:
                undecided = True
        if undecided:
            raise _UndecidedError
        return not ending

    def decide_comparison(self, node: Any) -> Any:
        (op,), (right,) = node.ops, node.comparators
        if isinstance(op, (gast.Is, gast.IsNot)) and isinstance(right, gast.Constant) and self.is_another(node.left, right.value):
            return isinstance(op, gast.IsNot)
        return _COMPARE[type(op)](self.decide(node.left), self.decide(right))

    def is_another(self, node: Any, value: Any) -> bool:
        """Whether a parameter is known not to be `value`, None or a bool, although its own value is not known."""
        if not isinstance(node, gast.Name):
            return False
        fact = self.facts.get(node.id)
        if isinstance(fact, Typed):
            tangent = node.id.endswith("_dot")  # one that is structurally zero would be the literal None
            return tangent or (fact.type != UNKNOWN and (value is None or not isinstance(fact.type, Bool)))
        return isinstance(fact, Display)

    def decide_call(self, node: Any) -> Any:
        function = node.func.attr if isinstance(node.func, gast.Attribute) else node.func.id
        if function == "literal":
            fact = self.facts.get(node.args[0].id)
            return isinstance(fact, Literal) and fact.literal
        if function == "known_equal":
            fact = self.facts.get(node.args[0].id)
            value = self.decide(node.args[1])
            return isinstance(fact, Literal) and type(fact.value) is type(value) and fact.value == value
        if function in PREDICATES:
            return PREDICATES[function](self.type_of(node.args[0]), *(self.decide(a) for a in node.args[1:]))
        if function == "ndim":
            rank = rank_of(self.type_of(node.args[0]))
            if rank is not None:
                return rank
        if function == "len":
            fact = self.facts.get(node.args[0].id) if isinstance(node.args[0], gast.Name) else None
            return fact.length if isinstance(fact, Display) else len(self.decide(node.args[0]))
        if function == "isinstance":
            return self.decide_isinstance(node.args[0], node.args[1].id)
        raise _UndecidedError

    def decide_isinstance(self, node: Any, cls: str) -> bool:
        fact = self.facts.get(node.id)
        if isinstance(fact, Literal):
            return type(fact.value).__name__ == cls
        if isinstance(fact, Typed) and isinstance(fact.type, _ALL_CLASSES):
            return isinstance(fact.type, _CLASSES[cls])
        raise _UndecidedError

    def type_of(self, node: Any) -> Type:
        """The type of a parameter; UNKNOWN for anything else."""
        fact = self.facts.get(node.id) if isinstance(node, gast.Name) else None
        if isinstance(fact, Literal):
            by_class = {bool: Bool(), int: Int(), float: Float(), complex: Complex()}
            return by_class.get(type(fact.value), Const(fact.value))
        return fact.type if isinstance(fact, Typed) else UNKNOWN

    # -- expressions --

    def reduce(self, node: Any) -> Any:
        """The expression with locals and literals put in, and with what is known decided."""
        if isinstance(node, gast.Name):
            return self.reduce_name(node)
        if isinstance(node, gast.IfExp):
            try:
                return self.reduce(node.body if self.decide(node.test) else node.orelse)
            except _UndecidedError:
                pass
        if isinstance(node, gast.ListComp):
            node = self.unrolled(node)
        if isinstance(node, gast.Subscript) and isinstance(node.slice, gast.Constant) and self.is_display(node.value):
            return name(f"{node.value.id}[{node.slice.value}]")
        return _folded(rebuilt(node, **{f: self.reduce_field(getattr(node, f, None)) for f in node._fields}))

    def reduce_field(self, value: Any) -> Any:
        if isinstance(value, list):
            return [self.reduce_field(v) for v in value]
        return self.reduce(value) if isinstance(value, (gast.expr, gast.keyword, gast.comprehension)) else value

    def reduce_name(self, node: Any) -> Any:
        if node.id in self.locals:
            return self.locals[node.id]
        fact = self.facts.get(node.id)
        if isinstance(fact, Literal) and fact.literal:
            return _literal_node(fact.value)
        return node

    def is_display(self, node: Any) -> bool:
        return isinstance(node, gast.Name) and isinstance(self.facts.get(node.id), Display)

    def unrolled(self, node: Any) -> Any:
        """A comprehension over operands that stand in the call one by one, written out. Another would be no text for a person to read."""
        (generator,) = node.generators
        if not self.is_display(generator.iter):
            raise _UndecidedError
        length = self.facts[generator.iter.id].length
        elements = [fill(node.elt, {generator.target.id: name(f"{generator.iter.id}[{i}]")}) for i in range(length)]
        return gast.List(elts=elements, ctx=gast.Load())


def _literal_node(value: Any) -> Any:
    if isinstance(value, tuple):
        return gast.Tuple(elts=[_literal_node(v) for v in value], ctx=gast.Load())
    return constant(value)


def _folded(node: Any) -> Any:
    """Arithmetic of literals done; multiplying by 1, dividing by 1, the exponents 1 and 0, subtracting 0 left out: all exact."""
    if isinstance(node, gast.UnaryOp) and isinstance(node.op, gast.USub):
        inner = node.operand
        return inner.operand if isinstance(inner, gast.UnaryOp) and isinstance(inner.op, gast.USub) else node
    if not isinstance(node, gast.BinOp):
        return node
    left, right = _number(node.left), _number(node.right)
    if left is not None and right is not None:
        return constant(_ARITHMETIC[type(node.op)](left, right)) if type(node.op) in _ARITHMETIC else node
    match node.op:
        case gast.Mult() if left == 1 or left == -1:
            return node.right if left == 1 else _folded(gast.UnaryOp(op=gast.USub(), operand=node.right))
        case gast.Mult() | gast.Div() | gast.Pow() if right == 1:
            return node.left
        case gast.Pow() if right == 0:
            return constant(1)
        case gast.Sub() if right == 0:
            return node.left
    return node


def _number(node: Any) -> int | float | None:
    try:
        value = literal_value(node)
    except ValueError:
        return None
    return value if type(value) in (int, float) else None
