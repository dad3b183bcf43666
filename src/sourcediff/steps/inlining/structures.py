"""Structures in the emitted code: how they are put together, how their parts are read, and what a path into them means."""

from __future__ import annotations

import types
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import gast

from ... import runtime
from ...python import quote
from .values import STRUCTURES, Fields, Record, Ref, Seq, Value, parts

if TYPE_CHECKING:
    from .spelling import Spelling
    from .walk import Walk


def display(value: Value, leaf: Callable[[Value], Any], spelling: Spelling) -> Any:
    """The expression that makes a structure like `value`, of `leaf(part)` in the place of each part that is none."""

    def build(part: Value) -> Any:
        return display(part, leaf, spelling)

    if isinstance(value, Seq):
        items = [build(v) for v in value.items]
        if value.cls is not None and value.like is not None:
            return _call(quote.expr("x._replace", x=value.like), [], dict(zip(value.cls._fields, items, strict=True)))
        if value.cls is not None:
            return _call(spelling.value(value.cls.__name__, value.cls), items, {})
        return gast.List(elts=items, ctx=gast.Load()) if value.is_list else gast.Tuple(elts=items, ctx=gast.Load())
    if isinstance(value, Record):
        return gast.Dict(keys=[quote.constant(k) for k, _ in value.items], values=[build(v) for _, v in value.items])
    if isinstance(value, Fields):
        named = {name: build(v) for name, v in value.items}
        if value.like is None and value.cls is types.SimpleNamespace:
            return _call(spelling.value("SimpleNamespace", value.cls), [], named)
        made = quote.name(spelling.helper("with_fields", runtime.with_fields))
        return _call(made, [value.like or spelling.value(value.cls.__name__, value.cls)], named)
    return leaf(value)


def _call(function: Any, args: list[Any], named: dict[str, Any]) -> Any:
    return gast.Call(func=function, args=args, keywords=[gast.keyword(arg=k, value=v) for k, v in named.items()])


def structure(walk: Walk, value: Value) -> Value:
    """A value with all objects that it holds as the structures that they are now."""
    if isinstance(value, Ref):
        held = walk.heap.held[value]
        if value.cls not in (list, dict) and isinstance(held, Record):
            return Fields(tuple((str(k), structure(walk, v)) for k, v in held.items), value.cls, walk.heap.likes.get(value))
        return structure(walk, held)
    if isinstance(value, Seq):
        return value.with_items(structure(walk, v) for v in value.items)
    if isinstance(value, (Record, Fields)):
        return value.with_values(structure(walk, v) for _, v in value.items)
    return value


def as_argument(walk: Walk, value: Value, hint: str) -> Value:
    """The structure of an argument as objects of the caller's."""
    if isinstance(value, Seq) and not value.is_list:
        return value.with_items(as_argument(walk, v, f"{hint}_{k}") for (_, k), v in zip(keys(value), value.items, strict=True))
    if not isinstance(value, STRUCTURES):
        return value
    inner = [as_argument(walk, v, f"{hint}_{k}") for (_, k), v in zip(keys(value), parts(value), strict=True)]
    if isinstance(value, Seq):
        ref = walk.heap.new(list, hint, value.with_items(inner))
    else:
        held = Record(tuple(zip((k for k, _ in value.items), inner, strict=True)))
        ref = walk.heap.new(getattr(value, "cls", dict), hint, held)
        if isinstance(value, Fields):
            walk.heap.likes[ref] = value.like
    walk.heap.given.add(ref)
    walk.heap.unite(r for r in walk.heap.given if r.cls is ref.cls)  # the caller may pass one object twice
    return ref


def keys(value: Value) -> list[tuple[bool, Any]]:
    """(is it an attribute, its name or index) of each part of a structure."""
    if isinstance(value, Seq):
        names = value.cls._fields if value.cls is not None else None
        return [(names is not None, k) for k in names or range(len(value.items))]
    return [(isinstance(value, Fields), k) for k, _ in value.items] if isinstance(value, (Record, Fields)) else []


def labels(value: Value) -> list[str]:
    """What stands behind the name of a structure where a part of it is read."""
    return [f".{k}" if attribute else f"[{k!r}]" for attribute, k in keys(value)]


def read_parts(value: Value, node: Any) -> Iterator[tuple[Any, Value]]:
    """(how the part of the object at `node`, which has the structure of `value`, is read; the part)"""
    for (attribute, k), part in zip(keys(value), parts(value), strict=True):
        yield (quote.expr(f"x.{k}", x=node) if attribute else quote.expr("x[k]", x=node, k=quote.constant(k))), part


def at_path(value: Value, steps: list[tuple[bool, Any]]) -> Value | None:
    """The part that a path leads to; None if there is none."""
    for attribute, key in steps:
        found = dict(zip(keys(value), parts(value), strict=True))
        if isinstance(value, Seq) and not attribute:
            found |= {(False, k): part for k, part in enumerate(value.items)}
        if (attribute, key) not in found:
            return None
        value = found[attribute, key]
    return value
