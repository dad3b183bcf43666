"""CLOSED: what inline hands to forward and reverse, with the questions that they ask of it.

In CLOSED every call is one that the registry knows, or opaque. `operation(stmt)` says which operation an assignment is;
it is read off the statement again and again, so statements can be rebuilt freely.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import gast

from ..errors import problem
from ..python.lattice import UNKNOWN, Int, List, Type
from ..python.names import Names
from ..python.paths import root_of, steps_of
from ..rules.calls import BindError, bind, bind_method, rule_for_attribute
from ..rules.forms import Rule, rule_for_operator
from .inlining.expression_types import OPERATORS
from .inlining.kept_calls import dotted
from .inlining.spelling import Spelling
from .inlining.structures import at_path
from .inlining.values import Atom, Value, literal, type_of


@dataclass(frozen=True)
class Operation:
    """`result = rule(bound)`: a call, operator, method or attribute that has a rule."""

    rule: Rule
    bound: dict[str, Any]  # parameter -> node
    is_call: bool = True  # False: written with an operator, and as strict as Python's


@dataclass(eq=False)
class Closed:
    tree: Any  # FunctionDef: the user's parameters, a CLOSED body, `return` of a display of atoms
    result: Value
    parameters: dict[str, Value]  # parameter -> what it stands for
    types: dict[str, Type]
    calls: dict[str, Rule]  # dotted path in the text -> its rule
    spelling: Spelling
    names: Names
    shadows: set[str] = field(default_factory=set)  # names that may not be assigned yet where they are overwritten
    partial: set[str] = field(default_factory=set)  # names that some paths leave without a value
    chains: dict[Any, Any] = field(default_factory=dict)  # place of an inlined statement -> its callers
    head_copies: list[Any] = field(default_factory=list)
    origin: Any = None  # the Function it was made from
    paths: dict[str, Any] = field(default_factory=dict)  # name of a part of an argument -> how it is read from the parameter
    structures: frozenset[str] = frozenset()  # arguments that have parts, and parts that have
    copies_inputs: bool = False  # arguments that are written are copied first
    whole_bars: frozenset[str] = frozenset()  # cotangents of the full shape and the dtype of their arrays, throughout
    operations: dict[int, Any] = field(default_factory=dict)

    def variable(self, path: str) -> Value:
        """What a choice of `wrt` stands for: a parameter, or the part of one that a path leads to."""
        if path in self.parameters:
            return self.parameters[path]
        found = at_path(self.parameters[root_of(path)], steps_of(path) or [])
        if found is None:
            whole = self.parameters[root_of(path)]
            unknown = isinstance(whole, Atom) and whole.type == UNKNOWN
            raise problem("variable_path_types" if unknown else "variable_path", path=path, name=root_of(path))
        return found

    def type_of(self, node: Any) -> Type:
        """The type of an atom."""
        if isinstance(node, gast.Name):
            return self.types.get(node.id, UNKNOWN)
        if isinstance(node, gast.Constant):
            return type_of(literal(node.value))
        if isinstance(node, gast.UnaryOp) and isinstance(node.operand, gast.Constant):
            return type_of(literal(node.operand.value))
        return UNKNOWN

    def operation(self, value: Any) -> Operation | None:
        """What a right-hand side does, if the registry knows it."""
        key = id(value)
        if key not in self.operations:
            self.operations[key] = (self._operation(value), value)
        found: Operation | None = self.operations[key][0]
        return found

    def _operation(self, value: Any) -> Operation | None:
        match value:
            case gast.BinOp() if isinstance(self.type_of(value.left), List) and isinstance(self.type_of(value.right), Int):
                return None  # `[0.0] * n` makes a list: no arithmetic
            case gast.BinOp():
                rule = rule_for_operator(OPERATORS[type(value.op)])
                return None if rule is None else _bound(rule, [value.left, value.right], {}, is_call=False)
            case gast.UnaryOp(op=gast.USub()) if not isinstance(value.operand, gast.Constant):
                rule = rule_for_operator("-", 1)
                return None if rule is None else _bound(rule, [value.operand], {})
            case gast.UnaryOp(op=gast.UAdd()):
                rule = rule_for_operator("+", 1)
                return None if rule is None else _bound(rule, [value.operand], {})
            case gast.Call():
                return self._call(value)
            case gast.Attribute():
                rule = rule_for_attribute(value.attr)
                return None if rule is None or rule.form == "constant" else _bound(rule, [value.value], {})
        return None

    def _call(self, value: Any) -> Operation | None:
        rule = self.calls.get(dotted(value.func))
        keywords = {k.arg: k.value for k in value.keywords}
        if rule is not None:
            if rule.form in ("constant", "undefined"):
                return Operation(rule, {str(k): a for k, a in enumerate(value.args)} | keywords)
            return _bound(rule, value.args, keywords)
        if isinstance(value.func, gast.Attribute) and isinstance(value.func.value, gast.Name) and value.func.value.id in self.types:
            try:
                return Operation(*bind_method(value.func.attr, value.func.value, value.args, keywords))
            except BindError:
                return None
        return None


def _bound(rule: Rule, args: list[Any], keywords: dict[str, Any], is_call: bool = True) -> Operation | None:
    try:
        return Operation(rule, bind(rule, args, keywords), is_call)
    except BindError:
        return None
