"""Where two paths meet: each variable that stands for different things gets one name, assigned on both paths."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ...python import quote
from ...python.lattice import join
from .values import Atom, Closure, Conflict, Known, Value, alike, map_leaves, parts, with_parts

if TYPE_CHECKING:
    from .walk import Frame, Walk


@dataclass(frozen=True)
class State:
    """What every variable stands for at one point."""

    envs: tuple[tuple[Frame, dict[str, Value]], ...]
    shadows: tuple[frozenset[str], ...]
    unreachable: bool


def take(walk: Walk) -> State:
    return State(tuple((f, dict(f.env)) for f in walk.stack), tuple(frozenset(f.shadows) for f in walk.stack), walk.unreachable)


def restore(walk: Walk, state: State) -> None:
    for frame, env in state.envs:
        frame.env = dict(env)
    walk.unreachable = state.unreachable


def merge(walk: Walk, node: Any, one: State, two: State, block_one: list[Any], block_two: list[Any]) -> None:
    """Set the state behind `if`; append to each block what its path must assign."""
    if one.unreachable or two.unreachable:
        restore(walk, two if one.unreachable else one)
        return
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
            elif a is None or b is None:
                if frame is not top or variable in live or variable in frame.code.captured:
                    value, block = (a, block_one) if b is None else (b, block_two)
                    merged[variable] = on_one_path(walk, walk.hint(variable, frame), value, block)  # type: ignore[arg-type]
            elif frame is not top or variable in live or variable in frame.code.captured:
                merged[variable] = merged_value(walk, walk.hint(variable, frame), a, b, block_one, block_two)
        frame.env = merged
    walk.unreachable = False


def in_block(walk: Walk, block: list[Any], frame: Frame, variable: str, value: Value) -> Value:
    """Assign to the shadow of a variable at the end of a block."""
    outer, walk.block = walk.block, block
    try:
        return walk.assign_in_place(frame, variable, frame.shadows[variable], value)
    finally:
        walk.block = outer


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


def merged_value(walk: Walk, hint: str, a: Value, b: Value, block_one: list[Any], block_two: list[Any]) -> Value:
    if isinstance(a, Closure) or isinstance(b, Closure):
        same = isinstance(a, Closure) and isinstance(b, Closure) and a.definition is b.definition and a.frame is b.frame
        return a if same else Conflict()
    if a == b and not isinstance(a, Atom):
        return a
    if alike(a, b):
        merged = [merged_value(walk, hint, p, q, block_one, block_two) for p, q in zip(parts(a), parts(b), strict=True)]
        return Conflict() if any(isinstance(p, Conflict) for p in merged) else with_parts(a, merged)
    a, b = walk.atomic(a), walk.atomic(b)
    if not isinstance(a, Atom) or not isinstance(b, Atom):
        return Conflict()
    if same_name(a, b):
        return Atom(a.node, join(a.type, b.type))
    name = walk.names.fresh(hint)
    kind = join(a.type, b.type)
    walk.types[name] = kind
    if all(getattr(v.node, "id", None) in walk.fresh or getattr(v.node, "id", None) is None for v in (a, b)):
        walk.fresh.add(name)
    block_one.append(quote.stmt("m = a", m=name, a=a.node))
    block_two.append(quote.stmt("m = a", m=name, a=b.node))
    return Atom(quote.name(name), kind)


def same_name(a: Value, b: Value) -> bool:
    return isinstance(a, Atom) and isinstance(b, Atom) and getattr(a.node, "id", 1) == getattr(b.node, "id", 2)


__all__ = ["Known", "State", "merge", "restore", "take"]
