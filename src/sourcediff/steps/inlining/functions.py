"""Functions about objects, and functions that take functions, which the walk understands: `super`, `replace`, `getattr`, `sorted` …"""

from __future__ import annotations

import copy
import dataclasses
import functools
import itertools
import operator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import gast
import numpy as np

from ... import runtime
from ...python.lattice import Array, List, Other, is_scalar, rank_of
from ...rules.forms import rule_for
from . import compositions
from .calls import apply
from .construction import construct
from .containers import NOT_CONSTANT, elements, key_of, new_dict, pairs
from .expressions import attribute
from .heap import deep_view, field_of, held
from .instances import (
    call_dunder,
    class_of_object,
    delete_attribute,
    found_in,
    object_attribute,
    of_class,
    set_attribute,
    super_of,
)
from .iteration import known_elements
from .kept_calls import call_rule, define_call, rule_target
from .operators import defines
from .values import Atom, Bound, Fields, Iterator, Known, Record, Ref, Seq, Value, literal, type_of

if TYPE_CHECKING:
    from .builtin import Special
    from .walk import Walk


def iter_(walk: Walk, args: list[Value], keywords: dict[str, Value], node: Any, hint: str) -> Value:
    """What iterates over it is what it iterates over: `next` is refused."""
    if len(args) != 1 or known_elements(walk, args[0], node) is None:
        raise walk.problem("not_yet_function", node, name="iter")
    return args[0]


def abs_(walk: Walk, args: list[Value], keywords: dict[str, Value], node: Any, hint: str) -> Value | None:
    return call_dunder(walk, args[0], "__abs__", [], node, hint) if defines(args[0], "__abs__") else None


def type_(walk: Walk, args: list[Value], keywords: dict[str, Value], node: Any, hint: str) -> Value | None:
    cls = class_of_object(args[0]) if len(args) == 1 else None
    return None if cls is None else of_class(walk, cls)


def super_(walk: Walk, args: list[Value], keywords: dict[str, Value], node: Any, hint: str) -> Value:
    return super_of(walk, args, node)


def partial_(walk: Walk, args: list[Value], keywords: dict[str, Value], node: Any, hint: str) -> Value:
    function, *given = args
    return Bound(function, tuple(walk.snapshot(a) for a in given), tuple((k, walk.snapshot(v)) for k, v in keywords.items()))


# -- attributes by name


def replace_(walk: Walk, args: list[Value], keywords: dict[str, Value], node: Any, hint: str) -> Value:
    """dataclasses.replace: a new instance, made with the fields of the old one."""
    (old,) = args
    cls = class_of_object(old)
    if cls is None or not hasattr(cls, "__dataclass_fields__"):
        raise walk.problem("not_yet_objects", node)
    taken = [n for n, f in cls.__dataclass_fields__.items() if f.init and f._field_type.name == "_FIELD" and n not in keywords]
    given = {n: object_attribute(walk, old, n, node, n) for n in taken} | keywords
    made = construct(walk, of_class(walk, cls), [], given, node, hint)
    if made is None:
        raise walk.problem("not_yet_objects", node)
    return made


def copy_(walk: Walk, args: list[Value], keywords: dict[str, Value], node: Any, hint: str) -> Value:
    """copy.copy of an object: another one that holds the same."""
    (old,) = args
    if not isinstance(old, Ref) or defines(old, "__copy__"):
        raise walk.problem("not_yet_function", node, name="copy.copy")
    return walk.heap.new(old.cls, hint, held(walk, old, node))


def attribute_name(walk: Walk, value: Value, node: Any) -> str:
    if not isinstance(value, Known) or not isinstance(value.value, str):
        raise walk.problem("unknown_key", node)
    return value.value


def getattr_(walk: Walk, args: list[Value], keywords: dict[str, Value], node: Any, hint: str) -> Value:
    name = attribute_name(walk, args[1], node)
    if len(args) == 3 and not has_attribute(walk, args[0], name, node):
        return args[2]
    return attribute(walk, args[0], name, node, hint)


def hasattr_(walk: Walk, args: list[Value], keywords: dict[str, Value], node: Any, hint: str) -> Value | None:
    if isinstance(args[0], Atom):
        return None
    return literal(has_attribute(walk, args[0], attribute_name(walk, args[1], node), node))


def has_attribute(walk: Walk, value: Value, name: str, node: Any) -> bool:
    cls = class_of_object(value)
    if cls is None or isinstance(value, Known):
        raise walk.problem("not_yet_function", node, name="getattr")
    own = isinstance(value, Ref) and field_of(held(walk, value, node), name) is not None
    return own or found_in(cls, name) is not None


def setattr_(walk: Walk, args: list[Value], keywords: dict[str, Value], node: Any, hint: str) -> Value:
    set_attribute(walk, args[0], attribute_name(walk, args[1], node), args[2], node)
    return literal(None)


def object_setattr_(walk: Walk, args: list[Value], keywords: dict[str, Value], node: Any, hint: str) -> Value:
    set_attribute(walk, args[0], attribute_name(walk, args[1], node), args[2], node, anyway=True)
    return literal(None)


def delattr_(walk: Walk, args: list[Value], keywords: dict[str, Value], node: Any, hint: str) -> Value:
    delete_attribute(walk, args[0], attribute_name(walk, args[1], node), node)
    return literal(None)


def with_fields_(walk: Walk, args: list[Value], keywords: dict[str, Value], node: Any, hint: str) -> Value | None:
    """runtime.with_fields, which derivatives call: an object of the same class."""
    (like,) = args
    if isinstance(like, Fields):
        return replace(like, items=tuple(keywords.items()))
    cls = like.cls if isinstance(like, Ref) else like.value if isinstance(like, Known) else None
    if not isinstance(cls, type):
        return None
    new = walk.heap.new(cls, hint, Record(tuple(keywords.items())))
    if isinstance(like, Ref) and like in walk.heap.forms:
        walk.heap.forms[new] = walk.heap.forms[like]
    return new


# -- containers


def dict_(walk: Walk, args: list[Value], keywords: dict[str, Value], node: Any, hint: str) -> Value:
    return new_dict(walk, [*(pairs(walk, args[0], node) if args else []), *keywords.items()], hint)


def set_(cls: Any) -> Special:
    """A set is an object of the written code, of values that carry no derivative (facts/limits)."""

    def make(walk: Walk, args: list[Value], keywords: dict[str, Value], node: Any, hint: str) -> Value:
        rule = rule_for(cls)
        assert rule is not None
        name = rule_target(walk, rule)
        return define_call(walk, name, [deep_view(walk, a, node) for a in args], {}, Other(cls), node, hint)

    return make


def any_(positive: bool) -> Special:
    """any and all of elements that are known to be true or false."""

    def decide(walk: Walk, args: list[Value], keywords: dict[str, Value], node: Any, hint: str) -> Value | None:
        keys = [key_of(walk, v) for v in args[0].items] if isinstance(args[0], Seq) else [NOT_CONSTANT]
        return None if any(k is NOT_CONSTANT for k in keys) else literal(any(keys) if positive else all(keys))

    return decide


def sorted_(walk: Walk, args: list[Value], keywords: dict[str, Value], node: Any, hint: str) -> Value | None:
    """Sorted when the code is written where the keys are known; else by the order that the keys have at run time."""
    key, reverse = keywords.get("key"), key_of(walk, keywords.get("reverse", literal(False)))
    if isinstance(args[0], (Seq, Record)):
        items = elements(walk, args[0], node)
        keys = [key_of(walk, v if key is None or is_none(key) else apply(walk, key, [v], {}, node)) for v in items]
        if reverse is not NOT_CONSTANT and not any(k is NOT_CONSTANT for k in keys):
            order = sorted(range(len(items)), key=keys.__getitem__, reverse=bool(reverse))
            return walk.heap.new(list, hint, Seq(tuple(items[k] for k in order), is_list=True))
    if reverse is NOT_CONSTANT or not keywords.keys() <= {"key", "reverse"}:
        raise walk.problem("unknown_option", node, function="sorted", option="reverse")
    values = indexable(walk, args[0], node)
    if key is None or is_none(key):
        if reverse:
            return apply(walk, Known(compositions.reversed_order), [values], {}, node, hint)
        return apply(walk, Known(compositions.ordered), [values, values], {}, node, hint)
    return apply(walk, Known(compositions.reversed_order_by if reverse else compositions.ordered_by), [values, key], {}, node, hint)


def indexable(walk: Walk, value: Value, node: Any) -> Value:
    """What is iterated over, as something with a length and elements."""
    if isinstance(value, Atom) and isinstance(value.type, (Array, List)):
        return value
    return apply(walk, Known(compositions.list_of), [value], {}, node)


def is_none(value: Value) -> bool:
    return isinstance(value, Known) and value.value is None


def composed(*functions: Any) -> Special:
    """A function that is walked into as it stands in `compositions`: the one for as many arguments."""
    table = {f.__code__.co_argcount: f for f in functions}

    def walk_into(walk: Walk, args: list[Value], keywords: dict[str, Value], node: Any, hint: str) -> Value:
        function = table.get(len(args) + len(keywords), functions[-1])
        return apply(walk, Known(function), args, keywords, node, hint)

    return walk_into


def filter_(walk: Walk, args: list[Value], keywords: dict[str, Value], node: Any, hint: str) -> Value:
    return apply(walk, Known(compositions.filter_true if is_none(args[0]) else compositions.filter_), args, keywords, node, hint)


def map_(walk: Walk, args: list[Value], keywords: dict[str, Value], node: Any, hint: str) -> Value:
    function, *given = args
    known = known_elements(walk, given[0] if len(given) == 1 else Iterator("zip", tuple(given)), node)
    if known is None or not all(isinstance(g, Seq) for g in given):
        return apply(walk, Known(compositions.map_ if len(given) == 1 else compositions.map_rows), args, keywords, node, hint)
    results: list[Value] = []
    for row in known:
        arguments = [row] if len(given) == 1 else list(row.items)  # type: ignore[attr-defined]
        results.append(walk.snapshot(apply(walk, function, arguments, {}, node)))
        walk.frame.env["*map"] = Seq(tuple(results))  # they can still be seen
    walk.frame.env.pop("*map", None)
    return Seq(tuple(results))


def reduce_(walk: Walk, args: list[Value], keywords: dict[str, Value], node: Any, hint: str) -> Value:
    function, given, *start = args
    if not isinstance(given, Seq):
        return apply(walk, Known(compositions.reduced_from if start else compositions.reduced), args, keywords, node, hint)
    items = [*start, *given.items]
    if not items:
        raise walk.problem("no_item", node, key="0")
    total = items[0]
    for k, each in enumerate(items[1:]):
        total = apply(walk, function, [total, each], {}, node, hint if k == len(items) - 2 else "t")
    return total


def product_(walk: Walk, args: list[Value], keywords: dict[str, Value], node: Any, hint: str) -> Value:
    """itertools.product: of known parts the rows, else what a loop takes apart."""
    repeat = key_of(walk, keywords.get("repeat", literal(1)))
    if type(repeat) is not int:
        raise walk.problem("unknown_key", node)
    args = args * repeat
    if all(isinstance(a, Seq) for a in args):
        return Seq(tuple(Seq(row) for row in itertools.product(*(a.items for a in args if isinstance(a, Seq)))))
    return Iterator("product", tuple(args))


def chain_(walk: Walk, args: list[Value], keywords: dict[str, Value], node: Any, hint: str) -> Value:
    if all(isinstance(a, Seq) for a in args):
        return Seq(tuple(v for a in args if isinstance(a, Seq) for v in a.items))
    return apply(walk, Known(compositions.chained), args, keywords, node, hint)


def accumulate_(walk: Walk, args: list[Value], keywords: dict[str, Value], node: Any, hint: str) -> Value:
    if "initial" in keywords and not is_none(keywords["initial"]):
        function = args[1] if len(args) > 1 else keywords.get("func", Known(operator.add))
        return apply(walk, Known(compositions.accumulated_from), [args[0], function, keywords["initial"]], {}, node, hint)
    function = compositions.accumulated if len(args) > 1 or "func" in keywords else compositions.accumulated_sums  # type: ignore[assignment]
    return apply(walk, Known(function), args, {k: v for k, v in keywords.items() if k != "initial"}, node, hint)


def combinations_(walk: Walk, args: list[Value], keywords: dict[str, Value], node: Any, hint: str) -> Value:
    size = key_of(walk, args[1])
    if not isinstance(args[0], Seq) or type(size) is not int:
        raise walk.problem("cannot_iterate", node)
    return Seq(tuple(Seq(row) for row in itertools.combinations(args[0].items, size)))


# -- np.r_ and np.c_


def joined(walk: Walk, known: Any, index: Any, node: Any, hint: str) -> Value | None:
    """`np.r_[x, 1.0, y]` as np.concatenate, `np.c_[x, y]` as np.column_stack; None for what is no such thing."""
    if known is not np.r_ and known is not np.c_:
        return None
    from .expressions import atom

    parts = index.elts if isinstance(index, gast.Tuple) else [index]
    if any(isinstance(p, gast.Slice) for p in parts):
        raise walk.problem("not_yet_function", node, name="np.r_ with a slice")
    values = [atom(walk, p) for p in parts]
    ranks = [rank_of(type_of(v)) if isinstance(v, Atom) else None for v in values]
    if any(isinstance(v, Known) for v in values):
        raise walk.problem("not_yet_function", node, name="np.r_ with a text")
    if known is np.c_:
        if any(r is None or r > 2 for r in ranks):
            raise walk.problem("update_undecided", node, name="what np.c_ joins")
        rule = rule_for(np.column_stack)
    else:
        if any(r is None for r in ranks):
            raise walk.problem("update_undecided", node, name="what np.r_ joins")
        values = [Seq((v,), is_list=True) if is_scalar(type_of(v)) or r == 0 else v for v, r in zip(values, ranks, strict=True)]
        rule = rule_for(np.concatenate)
    assert rule is not None
    return call_rule(walk, rule, [Seq(tuple(values))], {}, node, hint)


OBJECTS: dict[Any, Special] = {
    abs: abs_,
    all: any_(False),
    any: any_(True),
    copy.copy: copy_,
    dataclasses.replace: replace_,
    delattr: delattr_,
    dict: dict_,
    filter: filter_,
    functools.partial: partial_,
    functools.reduce: reduce_,
    getattr: getattr_,
    hasattr: hasattr_,
    frozenset: set_(frozenset),
    iter: iter_,
    itertools.accumulate: accumulate_,
    itertools.chain: chain_,
    itertools.combinations: combinations_,
    itertools.pairwise: composed(compositions.pairwise),
    itertools.product: product_,
    map: map_,
    object.__setattr__: object_setattr_,
    runtime.with_fields: with_fields_,
    set: set_(set),
    setattr: setattr_,
    sorted: sorted_,
    super: super_,
    type: type_,
}
