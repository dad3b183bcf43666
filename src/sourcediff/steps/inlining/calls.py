"""Calls: which function is meant, and what becomes of the call.

A function that the registry knows stays a call, in its canonical spelling. A function with source is walked into, its
parameters standing for the arguments. What is neither stays as it is, and may not touch an active value (facts/limits).
"""

from __future__ import annotations

import functools
import types
from collections.abc import Sequence
from typing import Any

import gast
import numpy as np

from ...python import quote
from ...python.lattice import is_discrete
from ...rules.forms import rule_for
from ...rules.writers import writes_argument
from .binding import bind_arguments
from .construction import construct
from .containers import must_be_known, settled
from .expressions import atom, attribute
from .frames import Frame, Prepared
from .heap import as_object, view
from .in_place import with_out, written_in_place
from .instances import class_of_object, object_attribute
from .iteration import known_elements
from .kept_calls import call_opaque, call_rule, printed
from .methods import call_method
from .operators import defines
from .places import as_array
from .values import Atom, Bound, Closure, Conflict, Fields, Known, Method, Native, Record, Ref, Seq, Transformed, Value, literal, type_of
from .walk import Walk

DEEPEST = 4  # activations of one function inside each other before it counts as recursion


def call(walk: Walk, node: Any, hint: str = "t") -> Value:
    """The value of a call; what it does is emitted."""
    function = callee(walk, node.func)
    args: list[Value] = []
    for argument in node.args:
        if isinstance(argument, gast.Starred):
            args.extend(starred(walk, atom(walk, argument.value), node))
        else:
            args.append(as_array(walk, atom(walk, argument), node))
    keywords: dict[str, Value] = {}
    for keyword in node.keywords:
        value = atom(walk, keyword.value)
        if keyword.arg is not None:
            keywords[keyword.arg] = value
        elif isinstance(value := view(walk, value, node), Record):
            keywords.update({str(k): v for k, v in value.items})
        else:
            raise walk.problem("star_of_unknown", node)
    return apply(walk, function, args, keywords, node, hint)


def starred(walk: Walk, value: Value, node: Any) -> Sequence[Value]:
    found = known_elements(walk, value, node)
    if found is None:
        must_be_known(walk, value)
        raise walk.problem("star_of_unknown", node)
    return list(found)


def callee(walk: Walk, node: Any) -> Value:
    """What stands in function position; a method of a run-time value stays a Method."""
    if isinstance(node, gast.Attribute):
        owner = callee(walk, node.value) if isinstance(node.value, gast.Attribute) else atom(walk, node.value)
        if isinstance(owner, Method):
            owner = attribute(walk, owner.receiver, owner.name, node.value, owner.name)
        if is_container(owner):
            return Method(owner, node.attr)
        return attribute(walk, owner, node.attr, node, node.attr)
    return atom(walk, node)


def is_container(owner: Value) -> bool:
    """Has the value the methods of an array, list or dict?"""
    if isinstance(owner, Known):
        return type(owner.value) is dict
    return isinstance(owner, (Atom, Record)) or (isinstance(owner, (Seq, Ref)) and class_of_object(owner) is None)


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
            return call_method(walk, function, args, keywords, node, hint)
        case Transformed():
            from .nested import apply_transformed

            return apply_transformed(walk, function, args, keywords, node, hint)
        case Native():
            return function.run(walk, args, keywords, node, hint)
        case Ref() | Fields() if defines(function, "__call__"):
            return apply(walk, object_attribute(walk, function, "__call__", node, hint), args, keywords, node, hint)
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
    from .builtin import RAW, SPECIAL

    target = function.value
    special = SPECIAL.get(target) if _hashable(target) else None
    if special is not None:
        given = args if target in RAW else [settled(walk, a, node) for a in args]
        result = special(walk, given, keywords, node, hint)
        if result is not None:
            return result
    written = writing_call(walk, function, args, keywords, node)
    if written is not None:
        return written
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
    return apply_python(walk, function, target, args, keywords, node, hint)


def apply_python(walk: Walk, function: Known, target: Any, args: list[Value], keywords: dict[str, Value], node: Any, hint: str) -> Value:
    """Functions that Python itself makes callable: partials, compiled and cached functions, functions, methods, classes, their objects."""
    if isinstance(target, functools.partial):
        leading = tuple(held(walk, v, "partial") for v in target.args)
        named = tuple((k, held(walk, v, k)) for k, v in target.keywords.items())
        return apply(walk, Bound(Known(target.func), leading, named), args, keywords, node, hint)
    if hasattr(target, "py_func"):
        target = target.py_func
    if hasattr(target, "cache_info") and hasattr(target, "__wrapped__"):
        target = target.__wrapped__
    if isinstance(target, types.FunctionType):
        code = walk.prepare(target)
        return inline(walk, code, None, args, keywords, function_defaults(walk, target), node, hint)
    if isinstance(target, types.MethodType) and isinstance(target.__func__, types.FunctionType):
        owner = held(walk, target.__self__, f"{target.__name__}_self")
        return apply(walk, Bound(Known(target.__func__), (owner,)), args, keywords, node, hint)
    made = construct(walk, function, args, keywords, node, hint) if isinstance(target, type) else None
    if made is not None:
        return made
    if class_of_object(function) is not None and defines(function, "__call__"):
        return apply(walk, object_attribute(walk, function, "__call__", node, hint), args, keywords, node, hint)
    return call_opaque(walk, function, args, keywords, node, hint)


def writing_call(walk: Walk, function: Known, args: list[Value], keywords: dict[str, Value], node: Any) -> Value | None:
    """What a call gives that writes into one of its arguments, which becomes stores; None of any other call."""
    target = function.value
    if written_in_place(walk, target, args, keywords, node):
        return literal(None)
    put_out = with_out(walk, target, 0, args, keywords, node, lambda a, k: apply_known(walk, function, a, k, node, "t"))
    if put_out is None and writes_argument(target) and target not in (np.add.at, np.subtract.at) and not all(map(discrete, args)):
        raise walk.problem("not_yet_in_place", node, name=printed(node))
    return put_out


# -- inlining


def prefix_of(code: Prepared) -> str:
    """What the names of an inlined function begin with; those of a composition of ours stand in for what the user wrote in one word."""
    ours = code.namespace.globals.get("__name__", "").endswith(".compositions")
    return "" if ours else code.tree.name.strip("_") or "inner"


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

    if sum(f.code.tree is code.tree for f in walk.stack) >= DEEPEST:
        raise walk.problem("recursion", node, name=code.qualname)
    env = bind_arguments(walk, code.tree.args, args, keywords, defaults, code.qualname, node)
    standing = walk.standing
    ours = str(getattr(code.python, "__module__", "")).startswith("sourcediff.rules.")  # the user wrote the call, and never saw this
    place = None if ours else getattr(node if standing is None else standing, "place", None)
    frame = Frame(code, {}, parent, prefix=prefix_of(code), call=place)
    *body, last = code.tree.body
    if isinstance(last, gast.Return) and isinstance(last.value, gast.Name) and hint != "t":
        frame.result, frame.result_hint = last.value.id, hint
    walk.stack.append(frame)
    walk.standing = (node if standing is None else standing) if ours else None
    try:
        for variable, value in env.items():
            walk.bind(variable, as_object(walk, value, walk.hint(variable)))
        run(walk, body)
        return returned(walk, last)
    finally:
        walk.stack.pop()
        walk.standing = standing


def returned(walk: Walk, last: Any) -> Value:
    """The value of the `return` that ends every FLAT function."""
    if not isinstance(last, gast.Return):
        from .statements import statement

        statement(walk, last)
        return literal(None)
    if last.value is None or walk.unreachable:
        return literal(None)
    value = walk.snapshot(atom(walk, last.value))
    return value if len(walk.stack) == 1 else as_object(walk, value, walk.hint("t"))


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


def discrete(value: Value) -> bool:
    """An argument that carries no derivative, such as an array of indices that is shuffled."""
    return isinstance(value, (Atom, Known)) and is_discrete(type_of(value))


def _hashable(value: Any) -> bool:
    try:
        hash(value)
    except TypeError:
        return False
    return True
