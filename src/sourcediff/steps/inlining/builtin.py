"""Functions that the walk itself understands: those that make iterators, ask for types, or fold over known elements."""

from __future__ import annotations

import copy
import functools
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import gast
import numpy as np

from ... import runtime
from ...facts import kinds
from ...python import quote
from ...python.lattice import UNKNOWN, Float, Int, List, Real, Str, Tuple, Type, is_scalar, join
from ...rules.forms import rule_for
from ...rules.known import PREDICATES
from . import compositions
from .applied import apply_along_axis_, vectorize_
from .calls import apply
from .classes import isinstance_verdict
from .containers import key_of, must_be_known
from .expressions import new_list
from .folding import indexable
from .functions import OBJECTS
from .instances import call_dunder
from .iteration import known_elements, range_call
from .kept_calls import call_rule, define_call, rule_target
from .operators import defines, user_binary
from .values import Atom, Closure, Iterator, Known, Record, Seq, Value, literal, type_of

if TYPE_CHECKING:
    from .walk import Walk

Special = Callable[["Walk", list[Value], dict[str, Value], Any, str], "Value | None"]


def range_(walk: Walk, args: list[Value], keywords: dict[str, Value], node: Any, hint: str) -> Value:
    return Iterator("range", tuple(args))


def zip_(walk: Walk, args: list[Value], keywords: dict[str, Value], node: Any, hint: str) -> Value:
    return Iterator("zip", tuple(args))


def enumerate_(walk: Walk, args: list[Value], keywords: dict[str, Value], node: Any, hint: str) -> Value:
    start = args[1:] or ([keywords["start"]] if "start" in keywords else [])
    return Iterator("enumerate", (args[0], *start))


def reversed_(walk: Walk, args: list[Value], keywords: dict[str, Value], node: Any, hint: str) -> Value:
    return Iterator("reversed", (args[0],))


def len_(walk: Walk, args: list[Value], keywords: dict[str, Value], node: Any, hint: str) -> Value | None:
    if defines(args[0], "__len__"):
        return call_dunder(walk, args[0], "__len__", [], node, hint)
    return literal(len(args[0].items)) if isinstance(args[0], (Seq, Record)) else None


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
    known = known_elements(walk, args[0], node)
    return None if known is None else Seq(tuple(walk.snapshot(v) for v in known))


def list_(walk: Walk, args: list[Value], keywords: dict[str, Value], node: Any, hint: str) -> Value | None:
    if not args:
        return new_list(walk, Seq((), is_list=True), node, hint)
    (given,) = args
    known = known_elements(walk, given, node)
    if known is not None:
        made = Seq(tuple(known), is_list=True)
        if isinstance(given, Iterator) and given.kind == "keys":
            return walk.heap.new(list, hint, made)
        return new_list(walk, made, node, hint)
    if isinstance(given, Atom) and isinstance(given.type, List):
        must_be_known_too(walk, given, node)
    if isinstance(given, Iterator) and given.kind == "range":
        return walk.define(hint, quote.expr("f(x)", f=walk.spelling.builtin("list"), x=range_call(walk, given)), List(Int()), node)
    return apply(walk, Known(compositions.list_of), args, keywords, node, hint)


def must_be_known_too(walk: Walk, given: Atom, node: Any) -> None:
    """The copy of a list has to be known: so has the list."""
    if id(node) in walk.known_displays:
        must_be_known(walk, given)


def sum_(walk: Walk, args: list[Value], keywords: dict[str, Value], node: Any, hint: str) -> Value | None:
    start = args[1] if len(args) > 1 else keywords.get("start", literal(0))
    if isinstance(args[0], Atom) and isinstance(args[0].type, List) and is_scalar(args[0].type.element):
        return apply(walk, Known(compositions.total_of), [args[0], start], {}, node, hint)
    if not isinstance(args[0], Seq):
        return None
    items = list(args[0].items)
    if items and not defines(items[0], "__radd__") and key_of(walk, start) == 0:
        start = items.pop(0)
    total: Value = start
    for k, each in enumerate(items):
        name = hint if k == len(items) - 1 else "t"
        decided = user_binary(walk, gast.Add(), total, each, node, name)
        kind = kinds.binary_type("+", type_of(total), type_of(each))
        total = walk.define(name, walk.operation(gast.Add(), total, each), kind, node) if decided is None else decided
    return total


def extremum(function: Any) -> Special:
    """max and min of more than two known operands, two at a time: Python keeps the first of equals, and so does this."""

    def fold(walk: Walk, args: list[Value], keywords: dict[str, Value], node: Any, hint: str) -> Value | None:
        if "key" in keywords and keywords.keys() <= {"key"}:
            given = indexable(walk, args[0] if len(args) == 1 else Seq(tuple(args)), node)
            return apply(walk, Known(compositions.greatest if function is max else compositions.least), [given], keywords, node, hint)
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


def predicate(walk: Walk, args: list[Value], keywords: dict[str, Value], node: Any, hint: str) -> Value | None:
    """What a definition of ours asks about its argument."""
    from .conditions import control_call

    return literal(control_call(walk, node).value)


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
    sum: sum_,
    max: extremum(max),
    min: extremum(min),
    float: float_,
    runtime.zero_parts: zero_parts_,
    np.vectorize: vectorize_,
    np.apply_along_axis: apply_along_axis_,
    runtime.known_distinct: predicate,
    **{getattr(runtime, name): predicate for name in PREDICATES},
    np.ndindex: refused("np.ndindex"),
    np.nditer: refused("np.nditer"),
    np.ndenumerate: refused("np.ndenumerate"),
    next: refused("next"),
    **OBJECTS,
}
# Those that look at their arguments later, or change them
RAW = frozenset([zip, enumerate, reversed, iter, copy.copy])
