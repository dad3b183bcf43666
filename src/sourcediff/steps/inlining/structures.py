"""Structures in the emitted code: how they are put together, how their parts are read, and what a path into them means."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import gast

from ... import runtime
from ...python import quote
from .values import STRUCTURES, Fields, Record, Seq, Value, parts, with_parts

if TYPE_CHECKING:
    from .spelling import Spelling
    from .walk import Walk


def display(value: Value, leaf: Callable[[Value], Any], spelling: Spelling) -> Any:
    """The expression that makes a structure like `value`, of `leaf(part)` in the place of each part that is none."""

    def build(part: Value) -> Any:
        return display(part, leaf, spelling)

    if isinstance(value, Seq):
        items = [build(v) for v in value.items]
        if value.form is not None:
            names = value.form.cls._fields  # type: ignore[attr-defined]
            if value.form.is_class:
                return gast.Call(func=value.form.node, args=items, keywords=[])
            return _call(quote.expr("x._replace", x=value.form.node), [], dict(zip(names, items, strict=True)))
        return gast.List(elts=items, ctx=gast.Load()) if value.is_list else gast.Tuple(elts=items, ctx=gast.Load())
    if isinstance(value, Record):
        return gast.Dict(keys=[quote.constant(k) for k, _ in value.items], values=[build(v) for _, v in value.items])
    if isinstance(value, Fields) and value.form.is_class:
        return _call(value.form.node, [], {name: build(v) for name, v in value.items})
    if isinstance(value, Fields):
        made = quote.name(spelling.helper("with_fields", runtime.with_fields))
        return _call(made, [value.form.node], {name: build(v) for name, v in value.items})
    return leaf(value)


def _call(function: Any, args: list[Any], named: dict[str, Any]) -> Any:
    return gast.Call(func=function, args=args, keywords=[gast.keyword(arg=k, value=v) for k, v in named.items()])


def as_argument(walk: Walk, value: Value, hint: str) -> Value:
    """The structure of an argument as objects of the caller's."""
    if not isinstance(value, STRUCTURES):
        return value
    inner = [as_argument(walk, v, f"{hint}_{k}") for (_, k), v in zip(keys(value), parts(value), strict=True)]
    value = with_parts(value, inner)
    if isinstance(value, Seq) and not value.is_list:
        return value
    if isinstance(value, Fields):
        ref = walk.heap.new(value.form.cls, hint, Record(value.items))
        walk.heap.forms[ref] = value.form
    else:
        ref = walk.heap.new(list if isinstance(value, Seq) else dict, hint, value)
    walk.heap.given.add(ref)
    walk.heap.unite(r for r in walk.heap.given if r.cls is ref.cls)  # the caller may pass one object twice
    return ref


def keys(value: Value) -> list[tuple[bool, Any]]:
    """(is it an attribute, its name or index) of each part of a structure."""
    if isinstance(value, Seq):
        names = value.form.cls._fields if value.form is not None else None  # type: ignore[attr-defined]
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
