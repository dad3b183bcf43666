"""What a loop iterates over, taken apart: a range of indices that is emitted, and the element that belongs to each index."""

from __future__ import annotations

import functools
from collections import abc
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import gast

from ...facts import kinds
from ...python import quote
from ...python.lattice import UNKNOWN, Int, Other, Tuple, is_scalar
from .containers import constant_key, key_of
from .heap import held
from .instances import call_dunder, class_of_object, found_in
from .outside import record_of_known
from .values import Atom, Closure, Conflict, Iterator, Known, Record, Ref, Seq, Value, literal, type_of

if TYPE_CHECKING:
    from .walk import Walk


@dataclass(frozen=True)
class Elements:
    """An iterable whose elements are known one by one. Both are asked anew each time, since the loop may change the iterable."""

    count: Callable[[], int]
    get: Callable[[int], Value]

    def __iter__(self) -> abc.Iterator[Value]:
        k = 0
        while k < self.count():
            yield self.get(k)
            k += 1


def iterated(walk: Walk, value: Value, node: Any) -> Value | Elements:
    """What is iterated over, as Elements where these are known one by one."""
    found = known_elements(walk, value, node)
    if found is not None:
        return found
    if isinstance(value, (Known, Conflict, Closure, Ref)) or (
        isinstance(value, Atom) and (isinstance(value.type, Other) or getattr(value.node, "id", "") in walk.opaque)
    ):
        raise walk.problem("cannot_iterate", node)
    return value


def known_elements(walk: Walk, value: Value, node: Any) -> Elements | None:
    match value:
        case Seq():
            return of_values(value.items)
        case Record():
            return of_values([constant_key(k) for k, _ in value.items])
        case Atom(type=Tuple(elements=kinds_of)):
            return of_values([walk.define("t", quote.expr("x[k]", x=value.node, k=k), t) for k, t in enumerate(kinds_of)])
        case Known(value=dict()):
            return known_elements(walk, record_of_known(walk, value, node), node)
        case Known(value=str()):
            return of_values([literal(c) for c in value.value])
        case Ref(cls=cls) if cls is list:
            return Elements(lambda: len(held(walk, value, node).items), lambda k: held(walk, value, node).items[k])
        case Ref(cls=cls) if cls is dict:
            return of_dict(walk, value, "keys", node)
        case Iterator(kind="keys" | "values" | "items"):
            return of_dict(walk, value.parts[0], value.kind, node)
        case Iterator(kind="reversed"):
            return backwards(known_elements(walk, value.parts[0], node))
        case Iterator(kind="enumerate"):
            return enumerated(walk, value, node)
        case Iterator(kind="zip"):
            return zipped(walk, value, node)
        case Ref() | Known() if (cls := class_of_object(value)) is not None and found_in(cls, "__iter__"):
            return known_elements(walk, call_dunder(walk, value, "__iter__", [], node), node)
    return None


def of_values(values: Sequence[Value]) -> Elements:
    return Elements(lambda: len(values), lambda k: values[k])


def backwards(elements: Elements | None) -> Elements | None:
    if elements is None:
        return None
    last = elements.count() - 1
    return Elements(elements.count, lambda k: elements.get(last - k))


def of_dict(walk: Walk, ref: Any, kind: str, node: Any) -> Elements:
    size = len(held(walk, ref, node).items)

    def count() -> int:
        if len(held(walk, ref, node).items) != size:
            raise walk.problem("changed_while_iterated", node, name=ref.hint)
        return size

    def get(k: int) -> Value:
        key, value = held(walk, ref, node).items[k]
        return constant_key(key) if kind == "keys" else value if kind == "values" else Seq((constant_key(key), value))

    return Elements(count, get)


def enumerated(walk: Walk, value: Iterator, node: Any) -> Elements | None:
    inner = known_elements(walk, value.parts[0], node)
    start = key_of(walk, value.parts[1]) if len(value.parts) > 1 else 0
    if inner is None or not isinstance(start, int):
        return None
    return Elements(inner.count, lambda k: Seq((literal(k + start), inner.get(k))))


def zipped(walk: Walk, value: Iterator, node: Any) -> Elements | None:
    """zip where one part has a known length."""
    known = [known_elements(walk, p, node) for p in value.parts]
    counted = [p for p in known if p is not None]
    if not counted:
        return None

    def row(k: int) -> Value:
        return Seq(
            tuple(
                item(walk, part, literal(k), "t", node) if each is None else each.get(k)
                for each, part in zip(known, value.parts, strict=True)
            )
        )

    return Elements(lambda: min(p.count() for p in counted), row)


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
    if isinstance(iterable, Iterator) and iterable.kind == "product":
        return product_of(walk, iterable.parts, node)
    if isinstance(iterable, Atom):
        count = length_of(walk, iterable, node)
        return quote.expr("r(n)", r=walk.spelling.builtin("range"), n=count), lambda index, hint: item(walk, iterable, index, hint, node)
    raise walk.problem("cannot_iterate", node)


def product_of(walk: Walk, parts: tuple[Value, ...], node: Any) -> tuple[Any, Callable[[Atom, str], Value]]:
    """itertools.product as one loop: its counter says which element of each part is due."""
    lengths = [literal(len(p.items)).node if isinstance(p, Seq) else length_of(walk, p, node) for p in parts]
    names = [n if isinstance(n, gast.Constant) else walk.define("n", n, Int()).node for n in lengths]
    total = functools.reduce(lambda a, b: quote.expr("a * b", a=a, b=b), names)

    def row(index: Atom, hint: str) -> Value:
        rest, found = index, []
        for k in reversed(range(len(parts))):
            place = walk.define("k", quote.expr("i % n", i=rest.node, n=names[k]), Int()) if k else rest
            if k:
                rest = walk.define("i", quote.expr("i // n", i=rest.node, n=names[k]), Int())
            part = parts[k]
            if isinstance(part, Seq):
                part = walk.define("t", walk.as_node(part, node), type_of(Seq(part.items, is_list=True)), node)
            found.append(item(walk, part, place, hint, node))
        return Seq(tuple(reversed(found)))

    return quote.expr("r(n)", r=walk.spelling.builtin("range"), n=total), row


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
        length = walk.define("n", count, Int())
        last = walk.define("k", quote.expr("n - 1", n=length.node), Int())
        mirrored = walk.define("k", quote.expr("n - i", n=last.node, i=walk.as_node(index)), Int())
        return item(walk, part.parts[0], mirrored, hint, node)
    raise walk.problem("cannot_iterate", node)
