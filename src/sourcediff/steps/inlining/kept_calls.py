"""Calls that stay calls: of functions with a rule, in their canonical spelling; of others, exactly once, where they are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import gast
import numpy as np

from ...facts import kinds
from ...python import quote
from ...python.lattice import UNKNOWN, Type, is_scalar
from ...rules.calls import BindError, bind
from ...rules.forms import Rule, rule_for
from .heap import deep_view
from .outside import opaque
from .values import Known, Method, Value, type_of

if TYPE_CHECKING:
    from .walk import Walk


def call_opaque(walk: Walk, function: Known, args: list[Value], keywords: dict[str, Value], node: Any, hint: str) -> Value:
    """A call that nothing is known about: it stays, exactly once, where it is."""
    if (
        isinstance(function.value, type)
        and function.value.__module__ not in ("builtins", "numpy")
        and not issubclass(function.value, BaseException)
    ):
        raise walk.problem("not_yet_objects", node)
    target = spelled_function(walk, function, node.func)
    if any(function.value is f for f in READERS):
        args = [deep_view(walk, a, node) for a in args]
    return walk.unknown(define_call(walk, target, args, keywords, UNKNOWN, node, hint))


READERS = (print, repr, str, len, format, set, frozenset, sorted, any, all, sum, min, max)  # these keep nothing of what they are given


def define_call(
    walk: Walk, target: Any, args: list[Value], keywords: dict[str, Value], kind: Type, node: Any, hint: str, fresh: bool = False
) -> Value:
    arguments = [argument_node(walk, a, node) for a in args]
    named = [gast.keyword(arg=k, value=argument_node(walk, v, node)) for k, v in keywords.items()]
    operation = gast.Call(func=target, args=arguments, keywords=named)
    return walk.define(hint, quote.placed(operation, node), kind, node, fresh=fresh)


def argument_node(walk: Walk, value: Value, node: Any) -> Any:
    if isinstance(value, Known) and not isinstance(value.value, (bool, str, type(None))) and value.node is not None:
        return opaque(walk, value).node
    return walk.as_node(value, node)


def call_rule(walk: Walk, rule: Rule, args: list[Value], keywords: dict[str, Value], node: Any, hint: str) -> Value:
    """A call of a function that has a rule, in its canonical spelling."""
    args = [deep_view(walk, a, node) for a in args]
    keywords = {k: deep_view(walk, v, node) for k, v in keywords.items()}
    arguments = [argument_node(walk, a, node) for a in args]
    named = {k: argument_node(walk, v, node) for k, v in keywords.items()}
    if rule.form in ("constant", "undefined"):
        bound = {str(k): a for k, a in enumerate(arguments)} | named
    else:
        bound = bound_arguments(walk, rule, arguments, named, node)
        displays = array_displays(rule, bound)
        if displays:
            args = [as_array(walk, a, node) if id(n) in displays else a for n, a in zip(arguments, args, strict=True)]
            keywords = {k: as_array(walk, v, node) if id(named[k]) in displays else v for k, v in keywords.items()}
            return call_rule(walk, rule, args, keywords, node, hint)
    known = {id(n): type_of(v) for n, v in zip([*arguments, *named.values()], [*args, *keywords.values()], strict=True)}
    kind = kinds.result_type(rule, [known.get(id(n), UNKNOWN) for n in bound.values()], bound, lambda n: walk.types.get(n, UNKNOWN))
    optional = [] if rule.form in ("constant", "undefined") else [p for p in rule.parameters if p.name not in rule.operands]
    defaults = {p.name: p.default for p in optional}
    keywords = {k: v for k, v in keywords.items() if k not in defaults or not same_literal(named[k], defaults[k])}
    return define_call(walk, rule_target(walk, rule), args, keywords, kind, node, hint, fresh=not rule.is_view(bound) or is_scalar(kind))


def array_displays(rule: Rule, bound: dict[str, Any]) -> set[int]:
    """The lists and tuples with a name in them that are passed where the rule speaks of one array: np.sum([x, y])."""
    variadic = {p.name for p in rule.parameters if p.kind is p.VAR_POSITIONAL}
    nodes = [bound[p] for p in rule.operands if p not in rule.sequences and p not in variadic]
    always = rule.form == "elementwise"  # its text would apply operators to the list
    found = [
        n for n in nodes if isinstance(n, (gast.List, gast.Tuple)) and (always or any(isinstance(part, gast.Name) for part in gast.walk(n)))
    ]
    return {id(n) for n in found}


def as_array(walk: Walk, value: Value, node: Any) -> Value:
    rule = rule_for(np.array)
    assert rule is not None
    return call_rule(walk, rule, [value], {}, node, "t")


def same_literal(node: Any, value: Any) -> bool:
    """Is the node the literal for this value?"""
    return isinstance(node, gast.Constant) and type(node.value) is type(value) and node.value == value


def bound_arguments(walk: Walk, rule: Rule, args: list[Any], keywords: dict[str, Any], node: Any) -> dict[str, Any]:
    try:
        return bind(rule, args, keywords)
    except BindError as error:
        raise walk.problem("call_not_covered", node, reason=str(error)) from None


def rule_target(walk: Walk, rule: Rule) -> Any:
    """The function of a rule as the emitted code says it."""
    target = walk.spelling.function(rule)
    walk.calls[dotted(target)] = rule
    return target


def spelled_function(walk: Walk, function: Value, node: Any) -> Any:
    """How the emitted code says the function."""
    if isinstance(function, Known):
        rule = rule_for(function.value)
        if rule is not None:
            return rule_target(walk, rule)
        if function.node is not None:
            return function.node() if callable(function.node) else function.node
    if isinstance(function, Method):
        return quote.rebuilt(node, value=walk.as_node(function.receiver, node))
    raise walk.problem("function_as_value", node)


def dotted(node: Any) -> str:
    """`np.linalg.inv` as text, "" for what is no path."""
    if isinstance(node, gast.Name):
        return str(node.id)
    if isinstance(node, gast.Attribute):
        owner = dotted(node.value)
        return f"{owner}.{node.attr}" if owner else ""
    return ""


def printed(node: Any) -> str:
    return dotted(getattr(node, "func", node)) or "the function"
