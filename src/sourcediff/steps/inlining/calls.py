"""Calls: which function is meant, and what becomes of the call.

A function that the registry knows stays a call, in its canonical spelling. A function with source is walked into, its
parameters standing for the arguments. What is neither stays as it is, and may not touch an active value (facts/limits).
"""

from __future__ import annotations

import functools
import types
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import gast
import numpy as np

from ...facts import kinds
from ...python import quote
from ...python.lattice import (
    UNKNOWN,
    Array,
    Bool,
    Complex,
    Const,
    Float,
    Int,
    List,
    Number,
    Other,
    Scalar,
    Str,
    Tuple,
    Type,
    is_discrete,
    is_scalar,
)
from ...rules.calls import BindError, bind
from ...rules.forms import Rule, rule_for
from ...rules.writers import writes_argument
from .binding import bind_arguments
from .outside import opaque
from .values import Atom, Bound, Closure, Conflict, Known, Method, Record, Seq, Transformed, Value, literal, type_of

if TYPE_CHECKING:
    from .walk import Frame, Prepared, Walk

DEEPEST = 4  # activations of one function inside each other before it counts as recursion


def call(walk: Walk, node: Any, hint: str = "t") -> Value:
    """The value of a call; what it does is emitted."""
    from .expressions import atom

    function = callee(walk, node.func)
    args: list[Value] = []
    for argument in node.args:
        if isinstance(argument, gast.Starred):
            args.extend(starred(walk, atom(walk, argument.value), node))
        else:
            args.append(atom(walk, argument))
    keywords: dict[str, Value] = {}
    for keyword in node.keywords:
        value = atom(walk, keyword.value)
        if keyword.arg is not None:
            keywords[keyword.arg] = value
        elif isinstance(value, Record):
            keywords.update({str(k): v for k, v in value.items})
        else:
            raise walk.problem("star_of_unknown", node)
    return apply(walk, function, args, keywords, node, hint)


def starred(walk: Walk, value: Value, node: Any) -> Sequence[Value]:
    if isinstance(value, Seq):
        return value.items
    if isinstance(value, Record):
        return [literal(k) for k, _ in value.items]
    if isinstance(value, Atom) and isinstance(value.type, Tuple):
        return [walk.define("t", quote.expr("x[k]", x=value.node, k=k), t) for k, t in enumerate(value.type.elements)]
    raise walk.problem("star_of_unknown", node)


def callee(walk: Walk, node: Any) -> Value:
    """What stands in function position; a method of a run-time value stays a Method."""
    from .expressions import atom, attribute

    if isinstance(node, gast.Attribute):
        owner = callee(walk, node.value) if isinstance(node.value, gast.Attribute) else atom(walk, node.value)
        if isinstance(owner, Method):
            owner = attribute(walk, owner.receiver, owner.name, node.value, owner.name)
        if isinstance(owner, (Atom, Seq, Record)):
            return Method(owner, node.attr)
        return attribute(walk, owner, node.attr, node, node.attr)
    return atom(walk, node)


def apply(walk: Walk, function: Value, args: list[Value], keywords: dict[str, Value], node: Any, hint: str = "t") -> Value:
    match function:
        case Known():
            return apply_known(walk, function, args, keywords, node, hint)
        case Closure():
            code = walk.prepare(function.definition)
            code = with_namespace(code, function.frame.code)
            return inline(walk, code, function.frame, args, keywords, function.defaults, node, hint)
        case Bound():
            return apply(walk, function.function, [*function.args, *args], {**dict(function.keywords), **keywords}, node, hint)
        case Method():
            from .methods import call_method

            return call_method(walk, function, args, keywords, node, hint)
        case Transformed():
            from .nested import apply_transformed

            return apply_transformed(walk, function, args, keywords, node, hint)
        case Conflict() | Atom():
            raise walk.problem("runtime_function", node, name=printed(node))
        case _:
            raise walk.problem("not_callable", node, what=printed(node))


def with_namespace(code: Prepared, outer: Prepared) -> Prepared:
    """A nested definition reads globals as the function around it does."""
    if code.namespace is not outer.namespace:
        code.namespace = outer.namespace
    return code


def apply_known(walk: Walk, function: Known, args: list[Value], keywords: dict[str, Value], node: Any, hint: str) -> Value:
    from .builtin import SPECIAL

    target = function.value
    special = SPECIAL.get(target) if _hashable(target) else None
    if special is not None:
        result = special(walk, args, keywords, node, hint)
        if result is not None:
            return result
    if writes_argument(target) and target not in (np.add.at, np.subtract.at) and any(not discrete(a) for a in args):
        raise walk.problem("not_yet_in_place", node, name=printed(node))
    rule = rule_for(target)
    if rule is not None and rule.form == "composition":
        target = rule.definition
    elif rule is not None:
        return call_rule(walk, rule, args, keywords, node, hint)
    if type(target).__module__.startswith("sourcediff") or getattr(target, "__module__", "") == "sourcediff.transforms":
        from .nested import apply_transformed, is_family, is_standing, is_transform, transform_known

        if is_transform(target) or is_standing(target):
            return transform_known(walk, function, args, keywords, node, hint)
        if is_family(target):
            return apply_transformed(walk, function, args, keywords, node, hint)
    if isinstance(target, functools.partial):
        given = tuple(held(walk, v, "partial") for v in target.args)
        named = tuple((k, held(walk, v, k)) for k, v in target.keywords.items())
        return apply(walk, Bound(Known(target.func), given, named), args, keywords, node, hint)
    if hasattr(target, "py_func"):
        target = target.py_func
    if hasattr(target, "cache_info") and hasattr(target, "__wrapped__"):
        target = target.__wrapped__
    if isinstance(target, types.FunctionType):
        code = walk.prepare(target)
        return inline(walk, code, None, args, keywords, function_defaults(walk, target), node, hint)
    if isinstance(target, types.MethodType) and isinstance(target.__func__, types.FunctionType):
        raise walk.problem("not_yet_objects", node)
    return call_opaque(walk, function, args, keywords, node, hint)


def call_opaque(walk: Walk, function: Known, args: list[Value], keywords: dict[str, Value], node: Any, hint: str) -> Value:
    """A call that nothing is known about: it stays, exactly once, where it is."""
    if (
        isinstance(function.value, type)
        and function.value.__module__ not in ("builtins", "numpy")
        and not issubclass(function.value, BaseException)
    ):
        raise walk.problem("not_yet_objects", node)
    target = spelled_function(walk, function, node.func)
    return walk.unknown(define_call(walk, target, args, keywords, UNKNOWN, node, hint))


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
    return define_call(walk, rule_target(walk, rule), args, keywords, kind, node, hint, fresh=not rule.view or is_scalar(kind))


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


# -- inlining


def inline(
    walk: Walk,
    code: Prepared,
    parent: Frame | None,
    args: list[Value],
    keywords: dict[str, Value],
    defaults: dict[str, Value],
    node: Any,
    hint: str,
) -> Value:
    """Walk into a function: its parameters are the arguments, its result is the value of the call."""
    from .statements import run
    from .walk import Frame

    if sum(f.code.tree is code.tree for f in walk.stack) >= DEEPEST:
        raise walk.problem("recursion", node, name=code.qualname)
    env = bind_arguments(walk, code.tree.args, args, keywords, defaults, code.qualname, node)
    place = getattr(node, "place", None)
    frame = Frame(code, {}, parent, prefix=code.tree.name.strip("_") or "inner", call=place)
    *body, last = code.tree.body
    if isinstance(last, gast.Return) and isinstance(last.value, gast.Name) and hint != "t":
        frame.result, frame.result_hint = last.value.id, hint
    walk.stack.append(frame)
    try:
        for variable, value in env.items():
            walk.bind(variable, value)
        run(walk, body)
        return returned(walk, last)
    finally:
        walk.stack.pop()


def returned(walk: Walk, last: Any) -> Value:
    """The value of the `return` that ends every FLAT function."""
    from .expressions import atom

    if not isinstance(last, gast.Return):
        from .statements import statement

        statement(walk, last)
        return literal(None)
    if last.value is None or walk.unreachable:
        return literal(None)
    return walk.snapshot(atom(walk, last.value))


def function_defaults(walk: Walk, function: types.FunctionType) -> dict[str, Value]:
    code = function.__code__
    positional = code.co_varnames[: code.co_argcount]
    given = function.__defaults__ or ()
    table = dict(zip(positional[len(positional) - len(given) :], given, strict=True))
    table.update(function.__kwdefaults__ or {})
    return {k: held(walk, v, f"{function.__name__}_{k}") for k, v in table.items()}


def held(walk: Walk, value: Any, label: str) -> Value:
    """A value that an object holds: a literal if it is one, else read through a helper."""
    if value is None or isinstance(value, (bool, int, float, str)) and type(value) in (bool, int, float, str):
        return literal(value)
    return walk.outside(value, lambda: quote.name(walk.spelling.helper(label, value)), label, lambda: value, "helper")


# -- what a callee is


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


def isinstance_verdict(walk: Walk, value: Value, classes: Value) -> bool | None:
    """isinstance(value, classes) where the types decide it."""
    kinds_asked = (
        [v.value for v in classes.items if isinstance(v, Known)] if isinstance(classes, Seq) else [getattr(classes, "value", None)]
    )
    if not all(isinstance(k, type) for k in kinds_asked):
        return None
    actual = class_of(value)
    return None if actual is None else issubclass(actual, tuple(k for k in kinds_asked if isinstance(k, type)))


def class_of(value: Value) -> type | None:
    if isinstance(value, Known):
        return type(value.value)
    if isinstance(value, Seq):
        return list if value.is_list else tuple
    if isinstance(value, Record):
        return dict
    kind = type_of(value)
    simple: dict[type[Type], type] = {
        Float: float,
        Int: int,
        Bool: bool,
        Complex: complex,
        Array: np.ndarray,
        List: list,
        Tuple: tuple,
        Str: str,
    }
    if isinstance(kind, Scalar):
        return kind.dtype.type
    if isinstance(kind, Number):
        return kind.cls
    if isinstance(kind, Other):
        return kind.cls
    if isinstance(kind, Const):
        return type(kind.value)
    return simple.get(type(kind))


def discrete(value: Value) -> bool:
    """An argument that carries no derivative, such as an array of indices that is shuffled."""
    return isinstance(value, (Atom, Known)) and is_discrete(type_of(value))


def _hashable(value: Any) -> bool:
    try:
        hash(value)
    except TypeError:
        return False
    return True


__all__ = ["apply", "call", "call_rule", "callee", "dotted", "inline", "isinstance_verdict", "spelled_function"]
