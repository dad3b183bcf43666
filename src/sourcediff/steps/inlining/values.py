"""What a name can stand for while the walk runs: abstract values.

Only an Atom exists at run time. Tuples, functions, iterators and the like are known to the walk and leave no trace
in the code that it writes, unless they are returned.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ...python import quote
from ...python.lattice import UNKNOWN, Const, Dict, Float, Int, List, Tuple, Type, join


@dataclass(frozen=True)
class Value:
    pass


@dataclass(frozen=True)
class Atom(Value):
    """A run-time value: a name or a literal in the emitted code."""

    node: Any
    type: Type = UNKNOWN


@dataclass(frozen=True)
class Seq(Value):
    """A tuple (or a list display on its way into a call) of known elements."""

    items: tuple[Value, ...]
    is_list: bool = False


@dataclass(frozen=True)
class Record(Value):
    """A dict of known constant keys, never written after it is made."""

    items: tuple[tuple[Any, Value], ...]


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
        if value.is_list:
            kind: Type = elements[0] if elements else UNKNOWN
            for e in elements[1:]:
                kind = join(kind, e)
            return List(kind)
        return Tuple(elements)
    if isinstance(value, Record):
        return Dict(tuple((k, type_of(v)) for k, v in value.items))
    if isinstance(value, Known):
        return Const(value.value)
    return UNKNOWN


def leaves(value: Value) -> list[Atom]:
    """The atoms inside, left to right."""
    if isinstance(value, Atom):
        return [value]
    if isinstance(value, Seq):
        return [a for v in value.items for a in leaves(v)]
    if isinstance(value, Record):
        return [a for _, v in value.items for a in leaves(v)]
    return []


def map_leaves(value: Value, change: Any) -> Value:
    """The same structure with each atom replaced by `change(atom)`."""
    if isinstance(value, Atom):
        return change(value)
    if isinstance(value, Seq):
        return Seq(tuple(map_leaves(v, change) for v in value.items), value.is_list)
    if isinstance(value, Record):
        return Record(tuple((k, map_leaves(v, change)) for k, v in value.items))
    return value
