"""Objects that are known by their attributes: reading these, and what their class says: methods, properties, class attributes."""

from __future__ import annotations

import inspect
import types
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ...python import quote
from .outside import outside_value
from .values import Bound, Fields, Known, Method, Record, Seq, Value

if TYPE_CHECKING:
    from .walk import Walk

NAMED = ("_replace", "_asdict")  # the methods of named tuples that the walk understands


def attribute_of_object(walk: Walk, owner: Fields | Seq, name: str, node: Any, hint: str) -> Value:
    """`owner.name`, of an object or a named tuple. A property of the class goes before an attribute, as in Python."""
    form = owner.form
    assert form is not None
    held = dict(owner.items) if isinstance(owner, Fields) else dict(zip(form.cls._fields, owner.items, strict=True))  # type: ignore[attr-defined]
    found = inspect.getattr_static(form.cls, name, None)
    if name in held and not isinstance(found, property):
        return held[name]
    if isinstance(owner, Seq) and name in NAMED:
        return Method(owner, name)
    if not says(form.cls, name):
        raise walk.problem("no_attribute", node, name=name, owner=form.cls.__name__)
    if isinstance(found, (property, staticmethod, classmethod, types.FunctionType)):
        walk.spelling.guard(f"{form.cls.__name__}.{name}", lambda: inspect.getattr_static(form.cls, name, None), found)
    match found:
        case property(fget=types.FunctionType() as getter):
            from .calls import apply

            return apply(walk, Known(getter), [owner], {}, node, hint)
        case types.FunctionType():
            return Bound(Known(found), (owner,))
        case staticmethod():
            return Known(found.__func__)
        case classmethod():
            return Bound(Known(found.__func__), (Known(form.cls),))
    if hasattr(type(found), "__get__"):
        raise walk.problem("not_yet_objects", node)
    label = f"{form.cls.__name__}.{name}"
    spelled = lambda: quote.expr(f"x.{name}", x=form.node)  # noqa: E731
    return outside_value(walk, found, spelled, label, lambda: getattr(form.cls, name, None), "attribute")


def says(cls: type, name: str) -> bool:
    """Does the class itself, or one that it inherits from, define the name?"""
    return any(name in vars(c) for c in cls.__mro__)


def named_method(walk: Walk, receiver: Seq, name: str, args: list[Value], keywords: dict[str, Value], node: Any) -> Value:
    """The methods that every named tuple has."""
    assert receiver.form is not None
    names = receiver.form.cls._fields  # type: ignore[attr-defined]
    held = dict(zip(names, receiver.items, strict=True))
    if name == "_replace" and not args and set(keywords) <= set(names):
        return replace(receiver, items=tuple((held | keywords).values()))
    if name == "_asdict" and not args and not keywords:
        return Record(tuple(held.items()))
    raise walk.problem("not_yet_list_method", node, name=name)


def with_fields_(walk: Walk, args: list[Value], keywords: dict[str, Value], node: Any, hint: str) -> Value | None:
    """runtime.with_fields, which derivatives call: an object of the same class."""
    (like,) = args
    return replace(like, items=tuple(keywords.items())) if isinstance(like, Fields) else None


__all__ = ["attribute_of_object", "named_method", "with_fields_"]
