"""What the objects of the walked code hold: dicts, instances, lists of known length.

An object (a Ref) holds an immutable structure; a write replaces the structure. So an object is like a variable that several names
share: where two paths meet, what it holds is merged as a variable is (`merging`), a loop carries the parts that it changes under
names of their own (`loops`), and nothing of the object itself reaches the code that is written:

    b.pos = b.pos + dt * b.vel          b_pos = b_pos + dt * b_vel

Where different objects meet under one name (`b = one if c else other`), an object of its own takes their place, and all of them may be
the same one when the program runs. Reading is safe then. A write is refused while another of them can still be seen.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from ...facts.uses import reads
from .frames import is_temporary
from .values import STRUCTURES, Closure, Conflict, Form, Record, Ref, Seq, Value, inside, parts, with_parts

if TYPE_CHECKING:
    from .walk import Walk


class Heap:
    def __init__(self) -> None:
        self.held: dict[Ref, Value] = {}
        self.perhaps_same: dict[Ref, frozenset[Ref]] = {}
        self.given: set[Ref] = set()  # arguments, and what they hold: the caller's objects, which are only read
        self.forms: dict[Ref, Form] = {}  # how another object of the class is made, where an object of it is at hand

    def new(self, cls: Any, hint: str, held: Value) -> Ref:
        ref = Ref(cls, own_hint(cls, hint))
        self.held[ref] = held
        return ref

    def surround(self, outer: Heap) -> None:
        """The objects of the code around are there too, and only read."""
        self.held.update(outer.held)
        self.perhaps_same.update(outer.perhaps_same)
        self.forms.update(outer.forms)
        self.given |= outer.held.keys()

    def unite(self, refs: Iterable[Ref]) -> None:
        """From here on these may be one object."""
        group = frozenset[Ref]().union(*(self.perhaps_same.get(r, frozenset({r})) for r in refs))
        for ref in group:
            self.perhaps_same[ref] = group


def own_hint(cls: Any, hint: str) -> str:
    """The name of what only a temporary holds comes from its class."""
    if not is_temporary(hint):
        return hint
    name = str(cls.__name__).strip("_").lower()
    return name if name not in ("list", "dict", "simplenamespace") else "item"


def held(walk: Walk, ref: Ref, node: Any) -> Any:
    """What the object holds: a Seq or a Record."""
    found = walk.heap.held[ref]
    if isinstance(found, Conflict):
        raise walk.problem("runtime_structure", node, name=ref.hint)
    return found


def view(walk: Walk, value: Value, node: Any = None) -> Value:
    """A list or dict as the structure that it is now; any other value is itself."""
    if isinstance(value, Ref) and value.cls in (list, dict):
        return held(walk, value, node)
    return value


def deep_view(walk: Walk, value: Value, node: Any = None) -> Value:
    """`view`, and of all that it holds: for what is only read, such as an argument of a NumPy function."""
    value = view(walk, value, node)
    return with_parts(value, [deep_view(walk, v, node) for v in parts(value)]) if isinstance(value, STRUCTURES) else value


def field_of(held: Any, key: Any) -> Value | None:
    """What stands under a key of a Record."""
    for own, value in held.items:
        if own == key:
            return value
    return None


def with_field(held: Any, key: Any, value: Value) -> Record:
    """A Record with one value more, or another one."""
    if field_of(held, key) is None:
        return Record((*held.items, (key, value)))
    return Record(tuple((k, value if k == key else v) for k, v in held.items))


def without_field(held: Any, key: Any) -> Record:
    return Record(tuple((k, v) for k, v in held.items if k != key))


def put(walk: Walk, ref: Ref, structure: Value, node: Any) -> None:
    """The object holds something else from here on."""
    if ref in walk.heap.given:
        raise walk.problem("argument_changed", node, name=ref.hint)
    others = walk.heap.perhaps_same.get(ref, frozenset()) - {ref}
    if others and others & visible(walk):
        raise walk.problem("object_undecided", node, name=ref.hint)
    walk.heap.held[ref] = structure


def set_field(walk: Walk, ref: Ref, key: Any, value: Value, node: Any) -> None:
    put(walk, ref, with_field(held(walk, ref, node), key, stored(walk, value, part_hint(ref, key))), node)


def as_object(walk: Walk, value: Value, hint: str) -> Value:
    """A list display that gets a name, or becomes part of something: an object that can be changed."""
    if isinstance(value, Seq):
        items = [as_object(walk, v, hint) for v in value.items]
        return walk.heap.new(list, hint, value.with_items(items)) if value.is_list else value.with_items(items)
    return value


def stored(walk: Walk, value: Value, hint: str) -> Value:
    """A value as an object keeps it."""
    return as_object(walk, walk.snapshot(value), hint)


# -- what can be seen


def visible(walk: Walk) -> set[Ref]:
    """The objects that names which may still be read lead to."""
    return reachable(walk, roots(walk))


def roots(walk: Walk) -> list[Value]:
    found: list[Value] = []
    for frame in walk.stack:
        code, now = frame.code, frame.at
        alive = None if now is None else code.live_after(now) | reads(code.stand_ins.get(id(now), now)) | code.captured
        found += [v for n, v in frame.env.items() if alive is None or n in alive or not n.isidentifier()]
        found += [v for v in (*frame.cells.values(), *frame.shadows.values()) if v is not None]
    return found


def reachable(walk: Walk, values: Iterable[Value]) -> set[Ref]:
    seen: set[Ref] = set()
    functions: set[int] = set()
    pending = list(values)
    while pending:
        value = pending.pop()
        if isinstance(value, Ref):
            if value not in seen:
                seen.add(value)
                pending.append(walk.heap.held[value])
        elif isinstance(value, Closure):
            if id(value) not in functions:
                functions.add(id(value))
                pending += [*inside(value), *value.frame.env.values()]
        else:
            pending += inside(value)
    return seen


def keys_of(structure: Any) -> list[Any]:
    return list(range(len(structure.items))) if isinstance(structure, Seq) else [k for k, _ in structure.items]


def at(structure: Any, key: Any) -> Value:
    found: Value | None = structure.items[key] if isinstance(structure, Seq) else field_of(structure, key)
    assert found is not None
    return found


def with_part(structure: Any, key: Any, value: Value) -> Value:
    if isinstance(structure, Seq):
        return structure.with_items((*structure.items[:key], value, *structure.items[key + 1 :]))
    return with_field(structure, key, value)


def part_hint(ref: Ref, key: Any) -> str:
    """How the name of a part begins: `b_pos` of the attribute pos of b."""
    name = f"{ref.hint}_{key}"
    return name if name.isidentifier() else ref.hint
