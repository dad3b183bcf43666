"""Instances are made by walking into `__init__`; what @dataclass and namedtuple write is carried out here, since it has no text."""

from __future__ import annotations

import inspect
import types
from typing import TYPE_CHECKING, Any

from .heap import held, set_field, stored, view
from .instances import believe, found_in, is_generated, is_named_tuple, is_plain_class, object_attribute
from .values import STRUCTURES, Fields, Form, Known, Record, Ref, Seq, Value, literal, parts, with_parts

if TYPE_CHECKING:
    from .walk import Walk


def construct(walk: Walk, known: Known, args: list[Value], keywords: dict[str, Value], node: Any, hint: str) -> Value | None:
    """`C(...)`, or None for a class that is not taken apart."""
    cls = known.value
    if is_named_tuple(cls):
        given = dict(zip(cls._fields, args, strict=False))
        if len(args) > len(cls._fields) or not keywords.keys() <= set(cls._fields) - given.keys():
            raise walk.problem("bad_call", node, name=cls.__name__, detail=f"its fields are {', '.join(cls._fields)}")
        defaults = {k: constant(walk, v, k) for k, v in cls._field_defaults.items() if k not in given and k not in keywords}
        every = {**defaults, **given, **keywords}
        missing = [f for f in cls._fields if f not in every]
        if missing:
            raise walk.problem("bad_call", node, name=cls.__name__, detail=f"the argument {missing[0]!r} is missing")
        form = Form(cls, walk.spelling.value(cls.__name__, cls), is_class=True)
        return Seq(tuple(stored(walk, every[f], f) for f in cls._fields), form=form)
    if cls is types.SimpleNamespace and not args:
        return walk.heap.new(cls, hint, Record(tuple((k, stored(walk, v, k)) for k, v in keywords.items())))
    if not is_plain_class(cls):
        return None
    believe(walk, cls, "__init__")
    ref = walk.heap.new(cls, hint, Record(()))
    initialise(walk, ref, found_in(cls, "__init__"), args, keywords, node)
    return ref


def completed(walk: Walk, value: Value, node: Any = None) -> Value:
    """What is returned, with nothing in it that can still change: an instance is what it holds, in an object that is made for it."""
    value = view(walk, value, node)
    if isinstance(value, Ref):
        items = tuple((k, completed(walk, v, node)) for k, v in held(walk, value, node).items)
        return Fields(items, walk.heap.forms.get(value) or form_of(walk, value.cls, [k for k, _ in items]))
    if isinstance(value, STRUCTURES):
        return with_parts(value, [completed(walk, v, node) for v in parts(value)])
    return value


def form_of(walk: Walk, cls: Any, names: list[str]) -> Form:
    """How the written code makes an instance: by its class where that does nothing but set these attributes, else around `__init__`."""
    spelled = walk.spelling.value(cls.__name__, cls)
    init = found_in(cls, "__init__")
    generated = init is not None and is_generated(*init) and found_in(cls, "__post_init__") is None
    if cls is types.SimpleNamespace or (generated and names == list(inspect.signature(cls).parameters)):
        return Form(cls, spelled, is_class=True)
    return Form(cls, spelled)


def constant(walk: Walk, value: Any, label: str) -> Value:
    from .calls import held as held_outside

    return held_outside(walk, value, label)


def initialise(walk: Walk, receiver: Value, found: Any, args: list[Value], keywords: dict[str, Value], node: Any) -> Value:
    """Run the `__init__` that was found on the object."""
    from .calls import apply

    owner, init = found
    if owner is object:
        if args or keywords:
            raise walk.problem("bad_call", node, name="object()", detail="it takes no arguments")
    elif is_generated(owner, init):
        return generated_init(walk, owner, receiver, args, keywords, node)
    elif isinstance(init, types.FunctionType):
        apply(walk, Known(init), [receiver, *args], keywords, node)
    else:
        raise walk.problem("not_yet_objects", node)
    return literal(None)


def generated_init(walk: Walk, owner: Any, receiver: Value, args: list[Value], keywords: dict[str, Value], node: Any) -> Value:
    from .calls import apply

    assert isinstance(receiver, Ref)
    try:
        given = inspect.signature(owner.__init__).bind(receiver, *args, **keywords).arguments
    except TypeError as error:
        raise walk.problem("bad_call", node, name=owner.__name__, detail=str(error)) from None
    late: list[Value] = []
    for name, about in owner.__dict__["__dataclass_fields__"].items():
        kind = about._field_type.name if about._field_type is not None else ""
        if kind == "_FIELD_CLASSVAR":
            continue
        value = given.get(name)
        if value is None and callable(about.default_factory):
            value = apply(walk, Known(about.default_factory), [], {}, node, f"{receiver.hint}_{name}")
        elif value is None and type(about.default).__name__ != "_MISSING_TYPE":
            value = constant(walk, about.default, name)
        if kind == "_FIELD_INITVAR":
            late.append(value if value is not None else literal(None))
        elif value is not None:
            set_field(walk, receiver, name, value, node)
    if found_in(owner, "__post_init__"):
        apply(walk, object_attribute(walk, receiver, "__post_init__", node, "t"), late, {}, node)
    return literal(None)
