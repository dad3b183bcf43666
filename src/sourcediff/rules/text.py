"""The text of a rule, written into a derivative.

A rule is a Python function, and its text is what the user reads. Between the two lies only this: the parameters become
the operands of the call at hand, and whatever is known before anything runs is decided. An `if` on an option
(`axis is None`), on a literal (`y == 2`) or on a type (`known_rank(a, 2)`) leaves only the branch that holds, and arithmetic of
literals is done: `y * x ** (y - 1)` reads `3 * x ** 2` when y is the literal 3.

Predicates that begin with `known_` (see runtime.py), and `literal`, choose the better of two correct texts: they hold
only where the fact is certain. Any other condition has to be decided; where it cannot be, there is no text, and the machine calls
the rule function itself.
"""

from __future__ import annotations

import inspect
import operator
import textwrap
from collections.abc import Callable
from functools import cached_property
from typing import Any

import gast
import numpy as np

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
    is_scalar,
    rank_of,
)
from sourcediff.python.quote import constant, fill, name, rebuilt

Known = Callable[[Any], Type]


class Text:
    """A rule function, read only when a call first needs its text."""

    def __init__(self, function: Callable[..., Any]):
        self.function = function
        self.cache: dict[Any, list[Any] | None] = {}

    @cached_property
    def body(self) -> list[Any]:
        source = textwrap.dedent(inspect.getsource(self.function))
        statements = gast.parse(source).body[0].body
        return statements[1:] if _is_docstring(statements[0]) else statements

    @cached_property
    def names(self) -> frozenset[str]:
        """Every name that the text mentions, parameters and free names alike."""
        return frozenset(n.id for s in self.body for n in gast.walk(s) if isinstance(n, gast.Name))

    @cached_property
    def free(self) -> dict[str, Any]:
        """What the text takes from its module: np, math, runtime helpers."""
        return {n: self.function.__globals__[n] for n in self.names if n in self.function.__globals__}

    def instantiate(self, bindings: dict[str, Any], known: Known) -> list[Any] | None:
        """The expressions that the rule returns, one for each operand, with its parameters replaced by nodes.

        bindings: parameter -> node; a free name of the text ("np") may be bound too, where the user's program calls it otherwise.
        known(node): the type of a node that is bound to a parameter. None: a condition could not be decided.
        """
        facts = {p: _fact(node, known) for p, node in bindings.items() if p in self.names}
        key = tuple((p, fact.key) for p, fact in facts.items())
        if key not in self.cache:
            self.cache[key] = _Specialisation(facts).run(self.body)
        template = self.cache[key]
        if template is None:
            return None
        for p, fact in facts.items():
            if isinstance(fact, _Display):
                bindings = bindings | {f"{p}[{i}]": node for i, node in enumerate(bindings[p].elts)}
        return [fill(node, bindings) for node in template]


class WrittenText(Text):
    """A text that a function writes, for rules whose form depends on a literal as a whole (the subscripts of einsum)."""

    def __init__(self, function: Callable[..., Any], write: Callable[[dict[str, Any], Known], list[Any] | None]):
        super().__init__(function)
        self.write = write

    def instantiate(self, bindings: dict[str, Any], known: Known) -> list[Any] | None:
        return self.write(bindings, known)


# ---- what is known of a bound node ----


class _Literal:
    """Known by value."""

    def __init__(self, value: Any, literal: bool):
        self.value = value
        self.literal = literal
        self.key = (type(value).__name__, repr(value), literal) if _by_repr(value) else (id(value), literal)


class _Display:
    """A list or tuple whose elements stand in the text."""

    def __init__(self, length: int):
        self.length = length
        self.key = ("display", length)


class _Typed:
    def __init__(self, type_: Type):
        self.type = type_
        self.key = type_


_Fact = Any  # _Literal | _Display | _Typed


def _fact(node: Any, known: Known) -> _Fact:
    try:
        return _Literal(literal_value(node), True)
    except ValueError:
        pass
    if isinstance(node, (gast.Tuple, gast.List)) and not any(isinstance(e, gast.Starred) for e in node.elts):
        return _Display(len(node.elts))
    type_ = known(node)
    return _Literal(type_.value, False) if isinstance(type_, Const) else _Typed(type_)


def literal_value(node: Any) -> Any:
    """The value of a literal (a number, also negative, text, None, a tuple of these); ValueError for any other node."""
    if isinstance(node, gast.Constant):
        return node.value
    if isinstance(node, gast.UnaryOp) and isinstance(node.op, gast.USub):
        value = literal_value(node.operand)
        if isinstance(value, (int, float, complex)):
            return -value
    if isinstance(node, gast.Tuple):
        return tuple(literal_value(e) for e in node.elts)
    raise ValueError("not a literal")


def _by_repr(value: Any) -> bool:
    return value is None or isinstance(value, (bool, int, float, complex, str, bytes, tuple))


def _is_docstring(statement: Any) -> bool:
    return isinstance(statement, gast.Expr) and isinstance(statement.value, gast.Constant)


# ---- partial evaluation ----


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


class _Specialisation:
    """One rule's statements under the facts of one call."""

    def __init__(self, facts: dict[str, _Fact]):
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
        if isinstance(fact, _Literal):
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
        return isinstance(fact, _Display) or (fact is not None and node.id.endswith("_dot")) or (
            isinstance(fact, _Typed) and fact.type != UNKNOWN and (value is None or not isinstance(fact.type, Bool))
        )

    def decide_call(self, node: Any) -> Any:
        function = node.func.attr if isinstance(node.func, gast.Attribute) else node.func.id
        if function == "literal":
            fact = self.facts.get(node.args[0].id)
            return isinstance(fact, _Literal) and fact.literal
        if function == "known_equal":
            fact = self.facts.get(node.args[0].id)
            value = self.decide(node.args[1])
            return isinstance(fact, _Literal) and type(fact.value) is type(value) and fact.value == value
        if function in _PREDICATES:
            return _PREDICATES[function](self.type_of(node.args[0]), *(self.decide(a) for a in node.args[1:]))
        if function == "ndim":
            rank = rank_of(self.type_of(node.args[0]))
            if rank is not None:
                return rank
        if function == "len":
            fact = self.facts.get(node.args[0].id) if isinstance(node.args[0], gast.Name) else None
            return fact.length if isinstance(fact, _Display) else len(self.decide(node.args[0]))
        if function == "isinstance":
            return self.decide_isinstance(node.args[0], node.args[1].id)
        raise _UndecidedError

    def decide_isinstance(self, node: Any, cls: str) -> bool:
        fact = self.facts.get(node.id)
        if isinstance(fact, _Literal):
            return type(fact.value).__name__ == cls
        if isinstance(fact, _Typed) and isinstance(fact.type, _ALL_CLASSES):
            return isinstance(fact.type, _CLASSES[cls])
        raise _UndecidedError

    def type_of(self, node: Any) -> Type:
        """The type of a parameter; UNKNOWN for anything else."""
        fact = self.facts.get(node.id) if isinstance(node, gast.Name) else None
        if isinstance(fact, _Literal):
            by_class = {bool: Bool(), int: Int(), float: Float(), complex: Complex()}
            return by_class.get(type(fact.value), Const(fact.value))
        return fact.type if isinstance(fact, _Typed) else UNKNOWN

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
        if isinstance(node, gast.Subscript) and isinstance(node.value, gast.Name) and isinstance(node.slice, gast.Constant):
            if isinstance(self.facts.get(node.value.id), _Display):
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
        if isinstance(fact, _Literal) and fact.literal:
            return _literal_node(fact.value)
        return node

    def unrolled(self, node: Any) -> Any:
        """A comprehension over operands that stand in the call one by one, written out."""
        (generator,) = node.generators
        fact = self.facts.get(generator.iter.id) if isinstance(generator.iter, gast.Name) else None
        if not isinstance(fact, _Display):
            return node
        elements = [fill(node.elt, {generator.target.id: name(f"{generator.iter.id}[{i}]")}) for i in range(fact.length)]
        return gast.List(elts=elements, ctx=gast.Load())


def _literal_node(value: Any) -> Any:
    if isinstance(value, tuple):
        return gast.Tuple(elts=[_literal_node(v) for v in value], ctx=gast.Load())
    return constant(value)


def _is_inexact(dtype: Any) -> bool:
    try:
        return dtype is not None and np.dtype(dtype).kind in "fc"
    except TypeError:
        return False


_PREDICATES: dict[str, Callable[..., bool]] = {
    "known_none": lambda t: t == Const(None),
    "known_scalar": is_scalar,
    "known_float": lambda t: isinstance(t, Float),
    "known_array": lambda t: isinstance(t, Array),
    "known_rank": lambda t, rank: rank_of(t) == rank,
    "known_inexact": lambda t: isinstance(t, Const) and _is_inexact(t.value),
    "known_real": lambda t: isinstance(t, (Float, Int, Bool))
    or (isinstance(t, (Scalar, Array)) and t.dtype is not None and t.dtype.kind in "fiub"),
}


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
