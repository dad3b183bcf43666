"""What a name can stand for while the walk runs: abstract values.

Only an Atom exists at run time. Tuples, functions, iterators and the like are known to the walk and leave no trace
in the code that it writes, unless they are returned. All are immutable: what can change (a dict, an instance, a list
of known length) is a Ref, and what it holds at the moment stands in the heap (heap.py).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import Any

from ...python import quote
from ...python.lattice import UNKNOWN, Complex, Const, Dict, Float, Int, Items, List, Object, Other, Tuple, Type, join


@dataclass(frozen=True, eq=False)
class Value:
    """The base. Values with an identity (objects, functions) are equal to themselves alone, the others by what they hold."""


@dataclass(frozen=True)
class Atom(Value):
    """A run-time value: a name or a literal in the emitted code."""

    node: Any
    type: Type = UNKNOWN


@dataclass(frozen=True)
class Form:
    """The class of a structure, and how the emitted code makes one of it: by the class itself, or from an object of the class."""

    cls: type
    node: Any = field(compare=False)
    is_class: bool = field(default=False, compare=False)


@dataclass(frozen=True)
class Seq(Value):
    """A tuple (or a list display on its way into a call) of known elements; form: that of a named tuple."""

    items: tuple[Value, ...]
    is_list: bool = False
    form: Form | None = None

    def with_items(self, items: Iterable[Value]) -> Seq:
        return replace(self, items=tuple(items))


@dataclass(frozen=True)
class Record(Value):
    """Values by known constant keys: what a dict holds, or the attributes of an instance."""

    items: tuple[tuple[Any, Value], ...]


@dataclass(frozen=True, eq=False)
class Ref(Value):
    """An object with an identity: the heap says what it holds, a Seq for a list, a Record for all others.

    cls: list, dict, or the class of the instance. hint: how its parts are named where they need names.
    """

    cls: Any
    hint: str


@dataclass(frozen=True)
class Fields(Value):
    """An object by its attributes, which are only read: a dataclass, a SimpleNamespace, an object of a class of the user's."""

    items: tuple[tuple[str, Value], ...]
    form: Form


@dataclass(frozen=True)
class Known(Value):
    """A Python object known when the code is written: a function, a module, None, a bool, a text.

    node: how the emitted code says it, or None if it never needs to.
    """

    value: Any
    node: Any = None

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Known):
            return False
        if isinstance(self.value, (bool, str, type(None))):
            return type(self.value) is type(other.value) and self.value == other.value
        return self.value is other.value

    def __hash__(self) -> int:
        return id(self.value)


@dataclass(frozen=True, eq=False)
class Closure(Value):
    """A function defined in the walked code: its flat definition, where its free names live, its defaults."""

    definition: Any
    frame: Any
    defaults: dict[str, Value] = field(default_factory=dict)


@dataclass(frozen=True)
class Bound(Value):
    """A function with leading arguments (a bound method, a partial) and keywords."""

    function: Value
    args: tuple[Value, ...]
    keywords: tuple[tuple[str, Value], ...] = ()


@dataclass(frozen=True)
class Method(Value):
    """`receiver.name` before it is called."""

    receiver: Value
    name: str


@dataclass(frozen=True, eq=False)
class Native(Value):
    """A function that the walk carries out itself, such as the `__init__` that a dataclass generates."""

    run: Callable[..., Value]  # (walk, args, keywords, node, hint)


@dataclass(frozen=True)
class Super(Value):
    """`super()` in a method of `owner`."""

    owner: type
    receiver: Value


@dataclass(frozen=True)
class Transformed(Value):
    """A transform of sourcediff applied to a function of the walked code: `sd.grad(lambda y: …)`."""

    function: Value
    transform: Any  # the transform function itself
    args: tuple[Value, ...] = ()
    keywords: tuple[tuple[str, Value], ...] = ()


@dataclass(frozen=True)
class Iterator(Value):
    """range, zip, enumerate, reversed … before a loop takes it apart."""

    kind: str
    parts: tuple[Value, ...]


@dataclass(frozen=True)
class Conflict(Value):
    """Different things on different paths that no run-time value can stand for."""

    reason: str = ""


def literal(value: object) -> Atom | Known:
    """What a literal in the source stands for."""
    if value is None or value is Ellipsis or isinstance(value, (bool, str, bytes)):
        return Known(value, quote.constant(value))
    kind: Type = (
        Int() if isinstance(value, int) else Float() if isinstance(value, float) else Complex() if isinstance(value, complex) else UNKNOWN
    )
    return Atom(quote.constant(value), kind)


def type_of(value: Value) -> Type:
    if isinstance(value, Atom):
        return value.type
    if isinstance(value, Seq):
        elements = tuple(type_of(v) for v in value.items)
        if value.is_list and all(isinstance(v, Atom) for v in value.items):
            kind: Type = elements[0] if elements else UNKNOWN
            for e in elements[1:]:
                kind = join(kind, e)
            return List(kind)
        if value.is_list:
            return Items(elements)
        return Tuple(elements, value.form.cls if value.form is not None else None)
    if isinstance(value, Record):
        return Dict(tuple((k, type_of(v)) for k, v in value.items))
    if isinstance(value, Fields):
        return Object(value.form.cls, tuple((k, type_of(v)) for k, v in value.items))
    if isinstance(value, Known):
        return Const(value.value)
    if isinstance(value, Ref):
        return List(UNKNOWN) if value.cls is list else Dict(None) if value.cls is dict else Other(value.cls)
    return UNKNOWN


def parts(value: Value) -> tuple[Value, ...]:
    """What a structure consists of, in order."""
    if isinstance(value, Seq):
        return value.items
    return tuple(v for _, v in value.items) if isinstance(value, (Record, Fields)) else ()


def with_parts(value: Value, new: Iterable[Value]) -> Value:
    """The same structure of other parts."""
    if isinstance(value, Seq):
        return replace(value, items=tuple(new))
    assert isinstance(value, (Record, Fields))
    return replace(value, items=tuple((k, v) for (k, _), v in zip(value.items, new, strict=True)))


def alike(a: Value, b: Value) -> bool:
    """Are they structures of the same kind, with parts of the same names?"""
    if isinstance(a, Seq) and isinstance(b, Seq):
        return len(a.items) == len(b.items) and a.is_list == b.is_list and a.form == b.form
    if isinstance(a, (Record, Fields)) and type(a) is type(b):
        same_keys = [k for k, _ in a.items] == [k for k, _ in b.items]
        return same_keys and getattr(a, "form", None) == getattr(b, "form", None)
    return False


def leaves(value: Value) -> list[Atom]:
    """The atoms inside, left to right."""
    return [value] if isinstance(value, Atom) else [a for v in parts(value) for a in leaves(v)]


def map_leaves(value: Value, change: Any) -> Value:
    """The same structure with each atom replaced by `change(atom)`."""
    if isinstance(value, Atom):
        return change(value)
    return with_parts(value, [map_leaves(v, change) for v in parts(value)]) if isinstance(value, STRUCTURES) else value


STRUCTURES = (Seq, Record, Fields)


def inside(value: Value) -> tuple[Value, ...]:
    """What a value leads to, one level down; of a Ref nothing, since the heap holds it."""
    match value:
        case Bound() | Transformed():
            return (value.function, *value.args, *(v for _, v in value.keywords))
        case Method() | Super():
            return (value.receiver,)
        case Iterator():
            return value.parts
        case Closure():
            return tuple(value.defaults.values())
    return parts(value)


def same_shape(a: Value, b: Value) -> bool:
    """Do two values have the same structure of atoms?"""
    if isinstance(a, Atom) or isinstance(b, Atom):
        return isinstance(a, Atom) and isinstance(b, Atom)
    if alike(a, b):
        return all(map(same_shape, parts(a), parts(b)))
    return a == b


def holds_object(value: Value) -> bool:
    return isinstance(value, Ref) or any(map(holds_object, inside(value)))
