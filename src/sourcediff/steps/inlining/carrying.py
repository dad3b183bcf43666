"""What a loop hands from one iteration to the next: variables, and parts of objects.

Each gets a name of the loop's own, set before the loop and at the end of its body. What stays the same is not handed on: a flag or a
text that no iteration changes stays known, and so does an object of which only the attributes change. A variable that is another object
after each iteration (`b = replace(b, pos=…)`) stands for an object of the loop's own, whose attributes are handed on.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import gast

from ...python import quote
from ...python.lattice import join
from .heap import at, held, keys_of, part_hint, reachable, roots, with_part
from .values import Atom, Closure, Conflict, Fields, Known, Record, Ref, Seq, Value, alike, with_parts

if TYPE_CHECKING:
    from .walk import Walk

Place = Any  # a variable, or (object, key)
Part = tuple[Place, tuple[Any, ...]]  # a place, and the way to something in the structure that stands there


@dataclass
class Assumptions:
    """What the attempts at a loop have learnt so far; each contradiction adds to it."""

    types: dict[Part, Any] = field(default_factory=dict)  # at the head
    changing: set[Part] = field(default_factory=set)  # known constants that differ between iterations, variables that change their object
    places: dict[Place, None] = field(default_factory=dict)  # parts of objects that the body writes
    ends: set[Ref] = field(default_factory=set)  # objects from before the loop that a changing variable becomes


class Carried:
    """The variables and objects of one attempt."""

    def __init__(self, walk: Walk, node: Any, variables: list[str], assumed: Assumptions) -> None:
        self.walk, self.node, self.variables, self.assumed = walk, node, variables, assumed
        self.heads: dict[Place, Value] = {}
        self.copies: dict[Ref, Value] = {}  # objects of the loop's own, and what they hold at its head
        self.replaced: set[Ref] = set()
        self.back: list[tuple[Any, Any]] = []
        self.before = dict(walk.heap.held)
        walk.frame.at = node
        self.seen = reachable(walk, roots(walk))

    # -- before the body

    def open(self) -> None:
        """Every place stands for the names of the loop."""
        walk = self.walk
        for variable in self.variables:
            self.heads[variable] = self.head((variable, ()), walk.hint(variable), walk.frame.env[variable])
        for place in self.assumed.places:
            ref, key = place
            self.heads[place] = self.head((place, ()), part_hint(ref, key), at(walk.heap.held[ref], key))
        for place in self.assumed.places:
            ref, key = place
            walk.heap.held[ref] = with_part(walk.heap.held[ref], key, self.heads[place])
        if self.copies:
            walk.heap.unite((*self.copies, *self.replaced, *self.assumed.ends))
        walk.frame.env.update({v: self.heads[v] for v in self.variables})
        self.at_head = dict(walk.heap.held)

    def head(self, part: Part, hint: str, value: Value) -> Value:
        """What stands at a place when an iteration begins."""
        place, path = part
        match value:
            case Atom():
                return self.name(part, hint, value)
            case Known() if part in self.assumed.changing:
                value = self.walk.atomic(value)
                return self.name(part, hint, value) if isinstance(value, Atom) else value
            case Seq():
                return value.with_items(self.head((place, (*path, k)), hint, v) for k, v in enumerate(value.items))
            case Record() | Fields():
                return with_parts(value, [self.head((place, (*path, k)), hint, v) for k, v in value.items])
            case Ref() if part in self.assumed.changing:
                return self.copy(part, hint, value)
        return value

    def name(self, part: Part, hint: str, atom: Atom) -> Atom:
        walk = self.walk
        kind = join(atom.type, self.assumed.types.get(part, atom.type))
        name = walk.names.fresh(hint)
        walk.types[name] = kind
        if getattr(atom.node, "id", None) in walk.fresh or not isinstance(atom.node, gast.Name):
            walk.fresh.add(name)
        walk.head_copies.append(walk.emit(quote.stmt("h = a", h=name, a=atom.node)))
        return Atom(quote.name(name), kind)

    def copy(self, part: Part, hint: str, old: Ref) -> Ref:
        """The object that a variable stands for which is another one in each iteration."""
        place, path = part
        structure = held(self.walk, old, self.node)
        ref = self.walk.heap.new(old.cls, hint, structure)
        self.replaced.add(old)
        for key in keys_of(structure):
            structure = with_part(structure, key, self.head((place, (*path, key)), part_hint(ref, key), at(structure, key)))
        self.walk.heap.held[ref] = self.copies[ref] = structure
        return ref

    # -- behind the body

    def close(self) -> bool:
        """Does the end of the body fit its head? Collects the copies that hand the values on."""
        walk = self.walk
        fits = True
        for variable in self.variables:
            end = walk.frame.env.get(variable)
            fits = (end is None or self.compare((variable, ()), variable, self.heads[variable], end)) and fits
        for ref in self.before:
            if ref in self.seen and walk.heap.held[ref] is not self.at_head[ref]:
                fits = self.compare_object(ref) and fits
        return fits

    def compare_object(self, ref: Ref) -> bool:
        start, end = self.at_head[ref], held(self.walk, ref, self.node)
        if isinstance(start, Conflict) or keys_of(start) != keys_of(end):
            raise self.walk.problem("runtime_structure", self.node, name=ref.hint)
        fits = True
        for key in keys_of(start):
            place = (ref, key)
            if place in self.heads:
                fits = self.compare((place, ()), part_hint(ref, key), self.heads[place], at(end, key)) and fits
            elif at(start, key) is not at(end, key):
                self.assumed.places[place] = None
                fits = False
        return fits

    def compare(self, part: Part, label: str, head: Value, end: Value) -> bool:
        if isinstance(head, Ref) and head in self.copies and isinstance(end, Ref) and end.cls is head.cls:
            return self.compare_copy(part, label, head, end)
        if head is end:
            return True
        if isinstance(head, Conflict):
            return True  # nobody may read it
        if isinstance(end, Conflict):
            raise self.walk.problem(end.reason or "runtime_function", None, name=label)
        if isinstance(head, Known) or (isinstance(head, Ref) and isinstance(end, Ref) and head.cls is end.cls):
            return head == end or self.changes(part, label, end)
        if isinstance(head, Closure) and isinstance(end, Closure) and end.definition is head.definition:
            return True
        if isinstance(head, Closure) or isinstance(end, Closure):
            raise self.walk.problem("runtime_function", None, name=label)
        if isinstance(head, Atom):
            return self.compare_atom(part, label, head, self.walk.atomic(end))
        if alike(head, end):
            place, path = part
            pairs = [(k, at(head, k), at(end, k)) for k in keys_of(head)]
            return self.compare_all([((place, (*path, k)), label, a, b) for k, a, b in pairs])
        if head == end:
            return True
        raise self.walk.problem("runtime_structure", None, name=label)

    def compare_atom(self, part: Part, label: str, head: Any, end: Value) -> bool:
        walk = self.walk
        if not isinstance(end, Atom):
            raise walk.problem("runtime_structure", None, name=label)
        if end.node is head.node or getattr(end.node, "id", 0) == head.node.id:
            return True
        kind = join(head.type, end.type)
        if kind != head.type:
            self.assumed.types[part] = kind
        if head.node.id in walk.fresh and isinstance(end.node, gast.Name) and end.node.id not in walk.fresh:
            walk.fresh.discard(head.node.id)
        self.back.append((head.node, end.node))
        return bool(kind == head.type)

    def compare_copy(self, part: Part, label: str, head: Ref, end: Ref) -> bool:
        place, path = part
        ends = self.walk.heap.perhaps_same.get(end, frozenset({end})) & self.before.keys()
        fits = ends <= self.assumed.ends
        self.assumed.ends |= ends
        start, now = self.copies[head], held(self.walk, end, self.node)
        if keys_of(start) != keys_of(now):
            raise self.walk.problem("runtime_structure", None, name=label)
        pairs = [(k, at(start, k), at(now, k)) for k in keys_of(start)]
        return self.compare_all([((place, (*path, k)), part_hint(head, k), a, b) for k, a, b in pairs]) and fits

    def compare_all(self, pairs: list[tuple[Part, str, Value, Value]]) -> bool:
        """Compare each, so that an attempt learns all that it can."""
        fits = [self.compare(*pair) for pair in pairs]
        return all(fits)

    def changes(self, part: Part, label: str, end: Value) -> bool:
        if part in self.assumed.changing:
            raise self.walk.problem("runtime_structure" if isinstance(end, (Ref, Atom)) else "runtime_function", None, name=label)
        self.assumed.changing.add(part)
        return False

    # -- behind the loop

    def leave(self) -> None:
        """Every place stands for the names of the loop again; an object that only the body saw changed is forgotten."""
        walk = self.walk
        for ref in self.before:
            if walk.heap.held[ref] is not self.at_head[ref]:
                walk.heap.held[ref] = self.at_head[ref] if ref in self.seen else Conflict("runtime_structure")
        walk.heap.held.update(self.copies)
