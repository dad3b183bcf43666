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
from ...python.lattice import UNKNOWN, Const, Dict, Float, Int, Items, List, Object, Other, Tuple, Type, join


@dataclass(frozen=True, eq=False)
class Value:
    """The base. Values with an identity (objects, functions) are equal to themselves alone, the others by what they hold."""


@dataclass(frozen=True)
class Atom(Value):
    """A run-time value: a name or a literal in the emitted code."""

    node: Any
    type: Type = UNKNOWN


@dataclass(frozen=True)
class Seq(Value):
    """A tuple (or a list display on its way into a call) of known elements; `cls` is the class of a named tuple."""

    items: tuple[Value, ...]
    is_list: bool = False
    cls: Any = None
    like: Any = field(default=None, compare=False)  # a node that means an object of the class

    def with_items(self, items: Iterable[Value]) -> Seq:
        return replace(self, items=tuple(items))


@dataclass(frozen=True)
class Record(Value):
    """Values by known constant keys: what a dict holds, or the attributes of an instance."""

    items: tuple[tuple[Any, Value], ...]

    def with_values(self, values: Iterable[Value]) -> Record:
        return Record(tuple((k, v) for (k, _), v in zip(self.items, values, strict=True)))


@dataclass(frozen=True)
class Fields(Value):
    """An object as the structure that it is: its class and its attributes. For arguments and results; in the walk it is a Ref."""

    items: tuple[tuple[str, Value], ...]
    cls: Any
    like: Any = field(default=None, compare=False)  # a node that means an object of the class

    def with_values(self, values: Iterable[Value]) -> Fields:
        return replace(self, items=tuple((k, v) for (k, _), v in zip(self.items, values, strict=True)))


@dataclass(frozen=True, eq=False)
class Ref(Value):
    """An object with an identity: the heap says what it holds, a Seq for a list, a Record for all others.

    cls: list, dict, or the class of the instance. hint: how its parts are named where they need names.
    """

    cls: Any
    hint: str


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
    kind: Type = Int() if isinstance(value, int) else Float() if isinstance(value, float) else UNKNOWN
    return Atom(quote.constant(value), kind)


def type_of(value: Value) -> Type:
    if isinstance(value, Atom):
        return value.type
    if isinstance(value, Seq):
        elements = tuple(type_of(v) for v in value.items)
        if value.is_list and not all(isinstance(v, Atom) for v in value.items):
            return Items(elements)
        if value.is_list:
            kind: Type = elements[0] if elements else UNKNOWN
            for e in elements[1:]:
                kind = join(kind, e)
            return List(kind)
        return Tuple(elements, value.cls)
    if isinstance(value, Record):
        return Dict(tuple((k, type_of(v)) for k, v in value.items))
    if isinstance(value, Fields):
        return Object(value.cls, tuple((k, type_of(v)) for k, v in value.items))
    if isinstance(value, Known):
        return Const(value.value)
    if isinstance(value, Ref):
        return List(UNKNOWN) if value.cls is list else Dict(None) if value.cls is dict else Other(value.cls)
    return UNKNOWN


def leaves(value: Value) -> list[Atom]:
    """The atoms inside, left to right."""
    if isinstance(value, Atom):
        return [value]
    if isinstance(value, Seq):
        return [a for v in value.items for a in leaves(v)]
    if isinstance(value, (Record, Fields)):
        return [a for _, v in value.items for a in leaves(v)]
    return []


def map_leaves(value: Value, change: Any) -> Value:
    """The same structure with each atom replaced by `change(atom)`."""
    if isinstance(value, Atom):
        return change(value)
    if isinstance(value, Seq):
        return value.with_items(map_leaves(v, change) for v in value.items)
    if isinstance(value, (Record, Fields)):
        return value.with_values(map_leaves(v, change) for _, v in value.items)
    return value


def parts(value: Value) -> list[Value]:
    """What a value is made of, one level down; of a Ref nothing, since the heap holds it."""
    match value:
        case Seq():
            return list(value.items)
        case Record() | Fields():
            return [v for _, v in value.items]
        case Bound():
            return [value.function, *value.args, *(v for _, v in value.keywords)]
        case Method() | Super():
            return [value.receiver]
        case Iterator():
            return list(value.parts)
        case Transformed():
            return [value.function, *value.args, *(v for _, v in value.keywords)]
        case Closure():
            return list(value.defaults.values())
    return []


def same_shape(a: Value, b: Value) -> bool:
    """Do two values have the same structure of atoms?"""
    if isinstance(a, Atom) or isinstance(b, Atom):
        return isinstance(a, Atom) and isinstance(b, Atom)
    if isinstance(a, Seq) and isinstance(b, Seq):
        return len(a.items) == len(b.items) and a.is_list == b.is_list and a.cls is b.cls and all(map(same_shape, a.items, b.items))
    if isinstance(a, Record) and isinstance(b, Record):
        return [k for k, _ in a.items] == [k for k, _ in b.items] and all(
            same_shape(p, q) for (_, p), (_, q) in zip(a.items, b.items, strict=True)
        )
    return a == b


STRUCTURES = (Seq, Record, Fields)


def holds_object(value: Value) -> bool:
    return isinstance(value, Ref) or any(map(holds_object, parts(value)))
