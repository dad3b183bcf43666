"""Functions that go through what they are given: sorted, map, filter, reduce, any, all, and those of itertools."""

from __future__ import annotations

import functools
import itertools
import operator
from typing import TYPE_CHECKING, Any

from ...python.lattice import Array, List
from . import compositions
from .calls import apply
from .containers import NOT_CONSTANT, elements, key_of
from .iteration import known_elements
from .values import Atom, Iterator, Known, Record, Seq, Value, literal

if TYPE_CHECKING:
    from .builtin import Special
    from .walk import Walk


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


FOLDING: dict[Any, Special] = {
    all: any_(False),
    any: any_(True),
    filter: filter_,
    functools.reduce: reduce_,
    itertools.accumulate: accumulate_,
    itertools.chain: chain_,
    itertools.combinations: combinations_,
    itertools.pairwise: composed(compositions.pairwise),
    itertools.product: product_,
    map: map_,
    sorted: sorted_,
}
