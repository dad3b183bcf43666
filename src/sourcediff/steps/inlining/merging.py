"""Where two paths meet: what stands for different things, a variable or a part of an object, gets one name, assigned on both paths."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import gast

from ...python import quote
from ...python.lattice import join
from .heap import at, field_of, keys_of, part_hint, reachable, roots
from .values import Atom, Closure, Conflict, Known, Record, Ref, Value, alike, map_leaves, parts, with_parts

if TYPE_CHECKING:
    from .frames import Frame
    from .walk import Walk


@dataclass(frozen=True)
class State:
    """What every variable stands for at one point, and every object holds."""

    envs: tuple[tuple[Frame, dict[str, Value]], ...]
    shadows: tuple[frozenset[str], ...]
    held: dict[Ref, Value]
    unreachable: bool


def take(walk: Walk) -> State:
    shadows = tuple(frozenset(f.shadows) for f in walk.stack)
    return State(tuple((f, dict(f.env)) for f in walk.stack), shadows, dict(walk.heap.held), walk.unreachable)


def restore(walk: Walk, state: State) -> None:
    for frame, env in state.envs:
        frame.env = dict(env)
    walk.heap.held = dict(state.held)
    walk.unreachable = state.unreachable


def merge(walk: Walk, node: Any, one: State, two: State, block_one: list[Any], block_two: list[Any]) -> None:
    """Set the state behind `if`; append to each block what its path must assign."""
    if one.unreachable or two.unreachable:
        restore(walk, two if one.unreachable else one)
        return
    meeting = Meeting(walk, one, two, block_one, block_two)
    top = walk.frame
    live = top.code.live_after(node)
    for (frame, env_one), (_, env_two), older in zip(one.envs, two.envs, one.shadows, strict=True):
        merged: dict[str, Value] = {}
        for variable in {**env_one, **env_two}:
            a, b = env_one.get(variable), env_two.get(variable)
            if a is b:
                merged[variable] = a  # type: ignore[assignment]
            elif variable in frame.shadows:
                # Its shadow holds what it is on either path, if there was one; the other path may have begun it.
                if variable not in older and a is not None:
                    frame.shadows[variable] = in_block(walk, block_one, frame, variable, a)
            elif frame is not top or variable in live or variable in frame.code.captured:
                merged[variable] = meeting.variable(walk.hint(variable, frame), a, b)
        frame.env = merged
    meeting.objects(node)
    walk.unreachable = False


def in_block(walk: Walk, block: list[Any], frame: Frame, variable: str, value: Value) -> Value:
    """Assign to the shadow of a variable at the end of a block."""
    outer, walk.block = walk.block, block
    try:
        return walk.assign_in_place(frame, variable, frame.shadows[variable], value)
    finally:
        walk.block = outer


class Meeting:
    """Two paths, with the blocks that can still assign at their ends."""

    def __init__(self, walk: Walk, one: State, two: State, block_one: list[Any], block_two: list[Any]) -> None:
        self.walk, self.one, self.two, self.block_one, self.block_two = walk, one, two, block_one, block_two
        self.made: dict[tuple[Ref, Ref], Ref] = {}

    def variable(self, hint: str, a: Value | None, b: Value | None) -> Value:
        if a is None or b is None:
            value, block = (a, self.block_one) if b is None else (b, self.block_two)
            return on_one_path(self.walk, hint, value, block)  # type: ignore[arg-type]
        return self.value(hint, a, b)

    def value(self, hint: str, a: Value, b: Value) -> Value:
        if isinstance(a, Closure) or isinstance(b, Closure):
            same = isinstance(a, Closure) and isinstance(b, Closure) and a.definition is b.definition and a.frame is b.frame
            return a if same else Conflict()
        if isinstance(a, Conflict) or isinstance(b, Conflict):
            return a if isinstance(a, Conflict) else b
        if a == b and not isinstance(a, Atom):
            return a
        if isinstance(a, Ref) and isinstance(b, Ref):
            return self.object(hint, a, b)
        if isinstance(a, Ref) or isinstance(b, Ref):
            return Conflict("runtime_structure")
        if alike(a, b):
            merged = [self.value(hint, p, q) for p, q in zip(parts(a), parts(b), strict=True)]
            conflict = next((p for p in merged if isinstance(p, Conflict)), None)
            return conflict or with_parts(a, merged)
        return self.number(hint, a, b)

    def number(self, hint: str, a: Value, b: Value) -> Value:
        walk = self.walk
        a, b = walk.atomic(a), walk.atomic(b)
        if not isinstance(a, Atom) or not isinstance(b, Atom):
            return Conflict()
        if same_name(a, b) or same_literal(a, b):
            return Atom(a.node, join(a.type, b.type))
        name = walk.names.fresh(hint)
        kind = join(a.type, b.type)
        walk.types[name] = kind
        if all(getattr(v.node, "id", None) in walk.fresh or getattr(v.node, "id", None) is None for v in (a, b)):
            walk.fresh.add(name)
        self.block_one.append(quote.stmt("m = a", m=name, a=a.node))
        self.block_two.append(quote.stmt("m = a", m=name, a=b.node))
        return Atom(quote.name(name), kind)

    # -- objects

    def object(self, hint: str, a: Ref, b: Ref) -> Value:
        """Different objects under one name: an object of its own, which may be either."""
        if (a, b) not in self.made:
            if a.cls is not b.cls:
                return Conflict("runtime_structure")
            ref = self.made[a, b] = self.walk.heap.new(a.cls, hint, Conflict("runtime_structure"))
            self.walk.heap.unite((a, b, ref))
            self.walk.heap.held[ref] = self.held(ref, self.one.held.get(a), self.two.held.get(b))
        return self.made[a, b]

    def objects(self, node: Any) -> None:
        """What each object holds behind the paths: merged if it can still be seen, else of no interest."""
        heap = self.walk.heap
        heap.held = {**self.one.held, **self.two.held, **{r: heap.held[r] for r in self.made.values()}}
        self.walk.frame.at, at_before = node, self.walk.frame.at
        changed = {r for r in {**self.one.held, **self.two.held} if self.one.held.get(r) is not self.two.held.get(r)}
        done: set[Ref] = set()
        while todo := [r for r in sorted_refs(heap.held, reachable(self.walk, roots(self.walk))) if r in changed and r not in done]:
            for ref in todo:
                done.add(ref)
                heap.held[ref] = self.held(ref, self.one.held.get(ref), self.two.held.get(ref))
        for ref in changed - done:
            if ref in self.one.held and ref in self.two.held:
                heap.held[ref] = Conflict("runtime_structure")
        self.walk.frame.at = at_before

    def held(self, ref: Ref, a: Any, b: Any) -> Value:
        if a is None or b is None:
            value, block = (a, self.block_one) if b is None else (b, self.block_two)
            return on_one_path(self.walk, ref.hint, value, block)
        if a is b or isinstance(a, Conflict):
            return a
        if isinstance(b, Conflict):
            return b
        if keys_of(a) == keys_of(b):
            merged = [self.value(part_hint(ref, k), at(a, k), at(b, k)) for k in keys_of(a)]
            return with_parts(a, merged)
        if ref.cls in (list, dict):
            return Conflict("runtime_structure")
        every = dict.fromkeys([*keys_of(a), *keys_of(b)])
        return Record(tuple((k, self.attribute(ref, k, field_of(a, k), field_of(b, k))) for k in every))

    def attribute(self, ref: Ref, name: Any, a: Value | None, b: Value | None) -> Value:
        """An attribute that may be set on one path alone."""
        return Conflict("maybe_unset") if a is None or b is None else self.value(part_hint(ref, name), a, b)


def sorted_refs(order: dict[Ref, Value], chosen: set[Ref]) -> list[Ref]:
    return [r for r in order if r in chosen]


def on_one_path(walk: Walk, hint: str, value: Value, block: list[Any]) -> Value:
    """A variable that one path assigns and the other does not: a name that has no value on the other path either."""
    if isinstance(value, Closure):
        return value

    def assigned(atom: Atom) -> Atom:
        name = walk.names.fresh(hint)
        walk.types[name] = atom.type
        walk.shadow_names.add(name)
        walk.partial_names.add(name)
        block.append(quote.stmt("n = a", n=name, a=atom.node))
        return Atom(quote.name(name), atom.type)

    return map_leaves(walk.atomic(value), assigned)


def same_literal(a: Atom, b: Atom) -> bool:
    if not isinstance(a.node, gast.Constant) or not isinstance(b.node, gast.Constant):
        return False
    return type(a.node.value) is type(b.node.value) and repr(a.node.value) == repr(b.node.value)


def same_name(a: Value, b: Value) -> bool:
    return isinstance(a, Atom) and isinstance(b, Atom) and getattr(a.node, "id", 1) == getattr(b.node, "id", 2)


__all__ = ["Known", "Meeting", "State", "merge", "restore", "take"]
