"""What a loop iterates over, taken apart: a range of indices that is emitted, and the element that belongs to each index."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import gast

from ...facts import kinds
from ...python import quote
from ...python.lattice import UNKNOWN, Int, Other, Tuple, is_scalar
from .values import Atom, Closure, Conflict, Iterator, Known, Record, Seq, Value, literal

if TYPE_CHECKING:
    from .walk import Walk


def iterated(walk: Walk, value: Value, node: Any) -> Value:
    """What is iterated over, as a Seq where its elements are known one by one."""
    if isinstance(value, Atom) and isinstance(value.type, Tuple):
        return Seq(tuple(walk.define("t", quote.expr("x[k]", x=value.node, k=k), t) for k, t in enumerate(value.type.elements)))
    if isinstance(value, Record):
        return Seq(tuple(literal(k) for k, _ in value.items))
    if isinstance(value, Iterator) and value.kind != "range":
        parts = [p if isinstance(p, Seq) else None for p in value.parts]
        if value.kind == "zip" and any(p is not None for p in parts):
            return zipped(walk, value, node)
        if value.kind == "enumerate" and isinstance(parts[0], Seq):
            return Seq(tuple(Seq((literal(k), v)) for k, v in enumerate(parts[0].items)))
        if value.kind == "reversed" and isinstance(parts[0], Seq):
            return Seq(parts[0].items[::-1])
    if isinstance(value, (Known, Conflict, Closure)) or (
        isinstance(value, Atom) and (isinstance(value.type, Other) or getattr(value.node, "id", "") in walk.opaque)
    ):
        raise walk.problem("cannot_iterate", node)
    return value


def zipped(walk: Walk, value: Iterator, node: Any) -> Value:
    """zip where one part has a known length."""
    length = min(len(p.items) for p in value.parts if isinstance(p, Seq))
    rows = []
    for k in range(length):
        row = [p.items[k] if isinstance(p, Seq) else item(walk, p, literal(k), "t", node) for p in value.parts]
        rows.append(Seq(tuple(row)))
    return Seq(tuple(rows))


def taken_apart(walk: Walk, iterable: Value, node: Any) -> tuple[Any, Callable[[Atom, str], Value]]:
    """(what the emitted loop iterates over, the element that belongs to its index)."""
    if isinstance(iterable, Iterator) and iterable.kind == "range":
        return range_call(walk, iterable), lambda index, hint: index
    if isinstance(iterable, Iterator) and iterable.kind == "reversed":
        (inner,) = iterable.parts
        header, element = taken_apart(walk, inner, node)
        return quote.expr("r(x)", r=walk.spelling.builtin("reversed"), x=header), element
    if isinstance(iterable, Iterator) and iterable.kind == "enumerate":
        inner, *start = iterable.parts
        header, element = taken_apart(walk, inner, node)

        def numbered(index: Atom, hint: str) -> Value:
            number: Value = index
            if (not isinstance(inner, Iterator) or inner.kind != "range") and start:
                number = walk.define("k", quote.expr("i + s", i=index.node, s=walk.as_node(start[0], node)), Int())
            return Seq((number, element(index, hint)))

        return header, numbered
    if isinstance(iterable, Iterator) and iterable.kind == "zip":
        apart = [part if isinstance(part, Iterator) and part.kind == "range" and len(part.parts) > 1 else part for part in iterable.parts]
        lengths = [length_of(walk, p, node) for p in apart]
        count = lengths[0] if len(lengths) == 1 else quote.expr("m()", m=walk.spelling.builtin("min"))
        if len(lengths) > 1:
            count = quote.rebuilt(count, args=lengths)
        return (
            quote.expr("r(n)", r=walk.spelling.builtin("range"), n=count),
            lambda index, hint: Seq(tuple(item(walk, p, index, hint, node) for p in apart)),
        )
    if isinstance(iterable, Atom):
        count = length_of(walk, iterable, node)
        return quote.expr("r(n)", r=walk.spelling.builtin("range"), n=count), lambda index, hint: item(walk, iterable, index, hint, node)
    raise walk.problem("cannot_iterate", node)


def range_call(walk: Walk, iterable: Iterator) -> Any:
    return gast.Call(func=quote.name(walk.spelling.builtin("range")), args=[walk.as_node(p) for p in iterable.parts], keywords=[])


def length_of(walk: Walk, part: Value, node: Any) -> Any:
    if isinstance(part, Atom):
        return quote.expr("n(x)", n=walk.spelling.builtin("len"), x=part.node)
    if isinstance(part, Iterator) and part.kind == "range":
        if len(part.parts) == 1:
            return walk.as_node(part.parts[0])
        return quote.expr("n(x)", n=walk.spelling.builtin("len"), x=range_call(walk, part))
    if isinstance(part, Iterator) and part.kind in ("reversed", "enumerate"):
        return length_of(walk, part.parts[0], node)
    raise walk.problem("cannot_iterate", node)


def item(walk: Walk, part: Value, index: Value, hint: str, node: Any) -> Value:
    """part[index], for a part of a zip or the like."""
    if isinstance(part, Atom):
        kind = kinds.index_type(part.type, walk.as_node(index), lambda n: walk.types.get(n, UNKNOWN))
        return walk.define(hint, quote.expr("x[i]", x=part.node, i=walk.as_node(index)), kind, node, fresh=is_scalar(kind))
    if isinstance(part, Iterator) and part.kind == "range":
        if len(part.parts) == 1:
            return index
        return walk.define(hint, quote.expr("r[i]", r=range_call(walk, part), i=walk.as_node(index)), Int(), node)
    if isinstance(part, Iterator) and part.kind == "enumerate" and len(part.parts) == 1:
        return Seq((index, item(walk, part.parts[0], index, hint, node)))
    if isinstance(part, Iterator) and part.kind == "reversed":
        count = length_of(walk, part.parts[0], node)
        mirrored = walk.define("k", quote.expr("n - 1 - i", n=count, i=walk.as_node(index)), Int())
        return item(walk, part.parts[0], mirrored, hint, node)
    raise walk.problem("cannot_iterate", node)
