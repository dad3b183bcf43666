"""Functions that the walk itself understands: those that make iterators, ask for types, or fold over known elements."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import gast
import numpy as np

from ... import runtime
from ...facts import kinds
from ...python import quote
from ...python.lattice import UNKNOWN, Float, Int, List, Real, Str, Tuple, Type, join
from ...rules.forms import rule_for
from .calls import apply
from .classes import isinstance_verdict
from .fields import with_fields_
from .iteration import range_call
from .kept_calls import call_rule, define_call, rule_target
from .values import Atom, Closure, Iterator, Known, Record, Seq, Value, literal, type_of

if TYPE_CHECKING:
    from .walk import Walk

Special = Callable[["Walk", list[Value], dict[str, Value], Any, str], "Value | None"]


def range_(walk: Walk, args: list[Value], keywords: dict[str, Value], node: Any, hint: str) -> Value:
    return Iterator("range", tuple(args))


def zip_(walk: Walk, args: list[Value], keywords: dict[str, Value], node: Any, hint: str) -> Value:
    if args and all(isinstance(a, Seq) for a in args):
        return Seq(tuple(Seq(row) for row in zip(*(a.items for a in args if isinstance(a, Seq)), strict=False)))
    return Iterator("zip", tuple(args))


def enumerate_(walk: Walk, args: list[Value], keywords: dict[str, Value], node: Any, hint: str) -> Value:
    start = args[1:] or ([keywords["start"]] if "start" in keywords else [])
    if isinstance(args[0], Seq) and not start:
        return Seq(tuple(Seq((literal(k), v)) for k, v in enumerate(args[0].items)))
    return Iterator("enumerate", (args[0], *start))


def reversed_(walk: Walk, args: list[Value], keywords: dict[str, Value], node: Any, hint: str) -> Value:
    if isinstance(args[0], Seq):
        return Seq(args[0].items[::-1])
    return Iterator("reversed", (args[0],))


def len_(walk: Walk, args: list[Value], keywords: dict[str, Value], node: Any, hint: str) -> Value | None:
    if isinstance(args[0], (Seq, Record)):
        return literal(len(args[0].items))
    return None


def isinstance_(walk: Walk, args: list[Value], keywords: dict[str, Value], node: Any, hint: str) -> Value | None:
    verdict = isinstance_verdict(walk, args[0], args[1])
    return None if verdict is None else literal(verdict)


def callable_(walk: Walk, args: list[Value], keywords: dict[str, Value], node: Any, hint: str) -> Value | None:
    if isinstance(args[0], Atom):
        return None
    return literal(isinstance(args[0], Closure) or callable(getattr(args[0], "value", None)))


def tuple_(walk: Walk, args: list[Value], keywords: dict[str, Value], node: Any, hint: str) -> Value | None:
    if not args:
        return Seq(())
    return Seq(args[0].items) if isinstance(args[0], Seq) else None


def list_(walk: Walk, args: list[Value], keywords: dict[str, Value], node: Any, hint: str) -> Value | None:
    if not args:
        return walk.define(hint, quote.expr("[]"), List(kinds.NOTHING), node)
    (given,) = args
    if isinstance(given, Seq):
        display = Seq(given.items, is_list=True)
        if all(isinstance(v, Atom) for v in display.items):
            return walk.define(hint, walk.as_node(display, node), type_of(display), node)
        return display
    if isinstance(given, Atom) and isinstance(given.type, List):
        return walk.define(hint, quote.expr("f(x)", f=walk.spelling.builtin("list"), x=given.node), given.type, node)
    if isinstance(given, Iterator) and given.kind == "range":
        return walk.define(hint, quote.expr("f(x)", f=walk.spelling.builtin("list"), x=range_call(walk, given)), List(Int()), node)
    raise walk.problem("not_yet_list_of", node)


def dict_(walk: Walk, args: list[Value], keywords: dict[str, Value], node: Any, hint: str) -> Value | None:
    if not args:
        return Record(tuple(keywords.items()))
    if isinstance(args[0], Record):
        return Record(tuple({**dict(args[0].items), **keywords}.items()))
    raise walk.problem("not_yet_dict", node)


def sum_(walk: Walk, args: list[Value], keywords: dict[str, Value], node: Any, hint: str) -> Value | None:
    if not isinstance(args[0], Seq):
        return None
    start = args[1] if len(args) > 1 else keywords.get("start", literal(0))
    items = list(args[0].items)
    if items and isinstance(start, Atom) and isinstance(start.node, gast.Constant) and start.node.value == 0:
        start = items.pop(0)
    total: Value = start
    for k, each in enumerate(items):
        kind = kinds.binary_type("+", type_of(total), type_of(each))
        total = walk.define(hint if k == len(items) - 1 else "t", walk.operation(gast.Add(), total, each), kind, node)
    return total


def extremum(function: Any) -> Special:
    """max and min of more than two known operands, two at a time: Python keeps the first of equals, and so does this."""

    def fold(walk: Walk, args: list[Value], keywords: dict[str, Value], node: Any, hint: str) -> Value | None:
        if keywords:
            raise walk.problem("unknown_option", node, function=function.__name__, option=next(iter(keywords)))
        items = list(args[0].items) if len(args) == 1 and isinstance(args[0], Seq) else list(args) if len(args) > 2 else None
        rule = rule_for(function)
        if items is None or rule is None:
            return None
        best = items[0]
        for k, each in enumerate(items[1:]):
            best = call_rule(walk, rule, [best, each], {}, node, hint if k == len(items) - 2 else "t")
        return best

    return fold


def reduce_(walk: Walk, args: list[Value], keywords: dict[str, Value], node: Any, hint: str) -> Value | None:
    function, given, *start = args
    if not isinstance(given, Seq):
        raise walk.problem("cannot_iterate", node)
    items = [*start, *given.items]
    total = items[0]
    for k, each in enumerate(items[1:]):
        total = apply(walk, function, [total, each], {}, node, hint if k == len(items) - 2 else "t")
    return total


def map_(walk: Walk, args: list[Value], keywords: dict[str, Value], node: Any, hint: str) -> Value | None:
    function, *given = args
    if not all(isinstance(g, Seq) for g in given):
        raise walk.problem("cannot_iterate", node)
    rows = zip(*(g.items for g in given if isinstance(g, Seq)), strict=False)
    return Seq(tuple(apply(walk, function, list(row), {}, node) for row in rows))


def float_(walk: Walk, args: list[Value], keywords: dict[str, Value], node: Any, hint: str) -> Value | None:
    if args and isinstance(type_of(args[0]), Str):
        raise walk.problem("active_text", node, name="a number")
    if args and isinstance(args[0], Known):
        return literal(float(args[0].value)) if isinstance(args[0].value, (str, bool)) else None
    return None


def zero_parts_(walk: Walk, args: list[Value], keywords: dict[str, Value], node: Any, hint: str) -> Value | None:
    """The list of zero cotangents of a list holds what belongs to its elements."""
    kind = type_of(args[0])
    if isinstance(kind, Tuple):
        element: Type = functools.reduce(join, kind.elements, UNKNOWN if not kind.elements else kind.elements[0])
    elif isinstance(kind, List):
        element = kind.element
    else:
        return None
    element = Real() if isinstance(element, (Int, Float, Real)) else element
    rule = rule_for(runtime.zero_parts)
    assert rule is not None
    return define_call(walk, rule_target(walk, rule), args, keywords, List(element), node, hint, fresh=True)


def refused(name: str) -> Special:
    def refuse(walk: Walk, args: list[Value], keywords: dict[str, Value], node: Any, hint: str) -> Value | None:
        raise walk.problem("not_yet_function", node, name=name)

    return refuse


SPECIAL: dict[Any, Special] = {
    range: range_,
    zip: zip_,
    enumerate: enumerate_,
    reversed: reversed_,
    len: len_,
    isinstance: isinstance_,
    callable: callable_,
    tuple: tuple_,
    list: list_,
    dict: dict_,
    sum: sum_,
    max: extremum(max),
    min: extremum(min),
    functools.reduce: reduce_,
    map: map_,
    float: float_,
    runtime.zero_parts: zero_parts_,
    runtime.with_fields: with_fields_,
    sorted: refused("sorted"),
    filter: refused("filter"),
    set: refused("set"),
    frozenset: refused("frozenset"),
    np.ndindex: refused("np.ndindex"),
    np.nditer: refused("np.nditer"),
    np.ndenumerate: refused("np.ndenumerate"),
    next: refused("next"),
    iter: refused("iter"),
    setattr: refused("setattr"),
    getattr: refused("getattr"),
}
