"""Functions about objects, and functions that take functions, which the walk understands: `super`, `replace`, `getattr`, `sorted` …"""

from __future__ import annotations

import copy
import dataclasses
import functools
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ... import runtime
from ...python.lattice import Other
from ...rules.forms import rule_for
from .construction import construct
from .containers import new_dict, pairs
from .expressions import attribute
from .folding import FOLDING
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
from .kept_calls import define_call, rule_target
from .operators import defines
from .values import Atom, Bound, Fields, Known, Record, Ref, Value, literal

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


OBJECTS: dict[Any, Special] = {
    abs: abs_,
    copy.copy: copy_,
    dataclasses.replace: replace_,
    delattr: delattr_,
    dict: dict_,
    functools.partial: partial_,
    getattr: getattr_,
    hasattr: hasattr_,
    frozenset: set_(frozenset),
    iter: iter_,
    object.__setattr__: object_setattr_,
    runtime.with_fields: with_fields_,
    set: set_(set),
    setattr: setattr_,
    super: super_,
    type: type_,
    **FOLDING,
}
