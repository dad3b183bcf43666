"""Loops under the walk.

A variable that an iteration hands to the next gets one name for the whole loop, assigned at the end of the body (and
before the loop); everything else in the body is private to the iteration. Types and structure of what is handed on must
be stable, so the body is walked again until they are.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast

from ...facts.uses import names_read, stores, writes
from ...python import quote
from ...python.lattice import Int, List, join
from .conditions import control
from .expressions import evaluate
from .iteration import iterated, taken_apart
from .leaving import counter_of, is_exit, open_exits
from .unrolling import unrolled
from .values import Atom, Closure, Conflict, Iterator, Known, Seq, Value, leaves, map_leaves
from .walk import Walk, same_shape

ROUNDS = 12  # the lattice is flat: types settle long before


def for_loop(walk: Walk, node: Any) -> None:
    value = evaluate(walk, node.iter)
    if names_read(node.iter) & set(assigned_in(node)):  # what is iterated over stays what it was before the loop
        value = Iterator(value.kind, tuple(map(walk.snapshot, value.parts))) if isinstance(value, Iterator) else walk.snapshot(value)
    iterable = iterated(walk, value, node)
    if isinstance(iterable, Seq):
        unrolled(walk, node, list(iterable.items))
        return
    index_hint = walk.hint(node.target.id)
    plain = isinstance(iterable, Iterator) and iterable.kind in ("range", "reversed range")
    if not plain:
        index_hint = "i"
    header, element = taken_apart(walk, iterable, node)

    def body(block: list[Any]) -> Callable[[list[Any]], Any]:
        index = walk.names.fresh(index_hint)
        walk.types[index] = Int()
        walk.fresh.add(index)
        value = element(Atom(quote.name(index), Int()), walk.hint(node.target.id))
        walk.bind(node.target.id, value)
        return lambda statements: gast.For(target=quote.name(index), iter=header, body=statements, orelse=[], type_comment=None)

    looped(walk, node, body)
    changed = set().union(*(stores(s) for s in walk.block[-1].body)) if isinstance(walk.block[-1], gast.For) else set()
    if isinstance(iterable, Atom) and isinstance(iterable.type, List) and getattr(iterable.node, "id", "") in changed:
        raise walk.problem("changed_while_iterated", node, name=node.iter.id if isinstance(node.iter, gast.Name) else "the list")


def while_loop(walk: Walk, node: Any) -> None:
    def body(block: list[Any]) -> Callable[[list[Any]], Any]:
        test = control(walk, node.test)
        return lambda statements: gast.While(test=test, body=statements, orelse=[])

    looped(walk, node, body)


def looped(walk: Walk, node: Any, open_body: Callable[[list[Any]], Callable[[list[Any]], Any]]) -> None:
    """Walk the body until what it hands on is stable, then write the loop."""
    opened = open_exits(walk, node)
    heads = carried_variables(walk, node)
    widened: dict[str, Any] = {}
    generalised: set[str] = set()
    for _ in range(ROUNDS):
        attempt = Attempt(walk, heads, widened, generalised)
        loop = attempt.run(node, open_body)
        if loop is not None:
            walk.emit(loop, node)
            for variable in opened:
                walk.frame.env[variable] = walk.frame.cells.pop(variable)
            return
        attempt.undo()
    raise walk.problem("unstable_loop", node)


def carried_variables(walk: Walk, node: Any) -> list[str]:
    """Variables of this frame that the loop assigns and whose value from before an iteration may be read."""
    frame = walk.frame
    assigned = assigned_in(node)
    live = frame.code.live_at_head(node)
    carried = []
    for variable in assigned:
        if variable not in live and variable not in frame.code.captured:
            continue
        if variable in frame.cells or variable in frame.shadows:
            continue
        value = frame.env.get(variable)
        if value is None or isinstance(value, Conflict):
            frame.shadows[variable] = None
        else:
            carried.append(variable)
    return carried


def in_order(stmt: Any) -> list[str]:
    """The names that a simple statement assigns, in the order of its text."""
    if isinstance(stmt, gast.Assign) and isinstance(stmt.targets[0], gast.Tuple):
        return [t.id for t in stmt.targets[0].elts]
    return sorted(writes(stmt))


def assigned_in(node: Any) -> list[str]:
    """Names assigned anywhere in a loop, in the order of the text."""
    found: dict[str, None] = {}
    if isinstance(node, gast.For):
        found[node.target.id] = None

    def look(statements: list[Any]) -> None:
        for s in statements:
            for name in in_order(s) if not isinstance(s, (gast.If, gast.For, gast.While)) else ():
                found[name] = None
            if isinstance(s, gast.For):
                found[s.target.id] = None
            for block in (getattr(s, "body", []), getattr(s, "orelse", [])):
                if not isinstance(s, gast.FunctionDef):
                    look(block)

    look(node.body)
    return list(found)


class Attempt:
    """One walk through a loop's body under assumptions about what it hands on."""

    def __init__(self, walk: Walk, carried: list[str], widened: dict[str, Any], generalised: set[str]) -> None:
        self.walk = walk
        self.carried = carried
        self.widened = widened  # "variable.leaf" -> type at the head
        self.generalised = generalised  # variables that were taken for known constants, and are not
        self.names = walk.names.copy()
        self.types = dict(walk.types)
        self.fresh = set(walk.fresh)
        self.env = dict(walk.frame.env)
        self.cells = dict(walk.frame.cells)
        self.shadows = dict(walk.frame.shadows)
        self.length = len(walk.block)

    def undo(self) -> None:
        walk = self.walk
        walk.names.restore(self.names)
        lists = {n: t for n, t in walk.types.items() if n in self.types and t != self.types[n]}
        walk.types = {**self.types, **lists}
        walk.fresh = self.fresh
        walk.frame.env = self.env
        walk.frame.shadows = {
            v: c if c is None else map_leaves(c, lambda a: Atom(a.node, walk.types.get(a.node.id, a.type))) for v, c in self.shadows.items()
        }
        walk.frame.cells = {v: map_leaves(c, lambda a: Atom(a.node, walk.types.get(a.node.id, a.type))) for v, c in self.cells.items()}
        del walk.block[self.length :]

    def run(self, node: Any, open_body: Callable[[list[Any]], Callable[[list[Any]], Any]]) -> Any:
        """The loop, or None if an assumption did not hold (and has been widened)."""
        from .statements import run

        walk = self.walk
        heads = {v: self.head(v) for v in self.carried}
        walk.frame.env.update(heads)
        for variable in assigned_in(node):
            if variable in walk.frame.shadows:
                walk.frame.env.pop(variable, None)
        outer_types = dict(walk.types)
        statements = node.body
        leaves_early = is_exit(statements[-1])
        close: list[Any] = []
        back: list[tuple[Any, Any]] = []
        stable = True

        counter = counter_of(walk, statements[0])

        def inside() -> None:
            nonlocal stable
            if counter is not None:
                walk.emit(quote.stmt("n = n + 1", n=counter), statements[0])
            close.append(open_body(walk.block))
            run(walk, statements[int(counter is not None) : -1 if leaves_early else len(statements)])
            if walk.unreachable:
                walk.unreachable = False
                back.clear()
                return
            for variable, head in heads.items():
                stable = self.compare(variable, head, walk.frame.env.get(variable), back) and stable
            if stable:
                self.hand_on(back, statements[-1])

        walk.depth += 1
        block = walk.collect(inside)
        walk.depth -= 1
        if not stable or any(walk.types.get(name, kind) != kind for name, kind in outer_types.items()):
            return None
        walk.frame.env = {v: x for v, x in walk.frame.env.items() if v in self.env and v not in heads} | heads
        self.forget_body(node)
        return close[0](block or [gast.Pass()])

    def hand_on(self, copies: list[tuple[Any, Any]], last: Any) -> None:
        """The end of the body: its variables move on to the next iteration, unless the loop is left."""
        walk = self.walk
        for copy in sequential(walk, copies):
            walk.emit(copy)
        if is_exit(last):
            flag = control(walk, last.test)
            if not (isinstance(flag, gast.Constant) and not flag.value):
                walk.emit(gast.If(test=flag, body=[gast.Break()], orelse=[]), last)

    def forget_body(self, node: Any) -> None:
        """What the body assigned and did not hand on has no meaning behind the loop."""
        for variable in assigned_in(node):
            if variable not in self.carried and variable not in self.walk.frame.cells:
                self.walk.frame.env.pop(variable, None)

    def head(self, variable: str) -> Value:
        """What the variable is at the start of an iteration: a name of the loop's own, set before it."""
        walk = self.walk
        value = walk.frame.env[variable]
        if isinstance(value, Known) and variable not in self.generalised:
            return value
        value = walk.atomic(value)
        count = 0

        def name_for(atom: Atom) -> Atom:
            nonlocal count
            key = f"{variable}.{count}"
            count += 1
            kind = join(atom.type, self.widened.get(key, atom.type))
            name = walk.names.fresh(walk.hint(variable))
            walk.types[name] = kind
            if getattr(atom.node, "id", None) in walk.fresh or not isinstance(atom.node, gast.Name):
                walk.fresh.add(name)
            walk.head_copies.append(walk.emit(quote.stmt("h = a", h=name, a=atom.node)))
            return Atom(quote.name(name), kind)

        return map_leaves(value, name_for)

    def compare(self, variable: str, head: Value, end: Value | None, back: list[tuple[Any, Any]]) -> bool:
        """Does the end of the body fit the head? Adds the copies that hand the value on."""
        walk = self.walk
        if end is None or head is end:
            return True
        if isinstance(head, Known):
            if head == end:
                return True
            self.generalised.add(variable)
            return False
        if isinstance(head, (Closure, Conflict)) or isinstance(end, (Closure, Conflict)):
            same = isinstance(end, Closure) and isinstance(head, Closure) and end.definition is head.definition
            if not same:
                walk.frame.env[variable] = Conflict()
            return same or self._conflict(variable)
        end = walk.atomic(end)
        if not same_shape(head, end):
            raise walk.problem("runtime_structure", None, name=variable)
        fits = True
        for k, (h, e) in enumerate(zip(leaves(head), leaves(end), strict=True)):
            if e.node is h.node or getattr(e.node, "id", 0) == h.node.id:
                continue
            kind = join(h.type, e.type)
            if kind != h.type:
                self.widened[f"{variable}.{k}"] = kind
                fits = False
            if h.node.id in walk.fresh and isinstance(e.node, gast.Name) and e.node.id not in walk.fresh:
                walk.fresh.discard(h.node.id)
            back.append((h.node, e.node))
        return fits

    def _conflict(self, variable: str) -> bool:
        raise self.walk.problem("runtime_function", None, name=variable)


def sequential(walk: Walk, copies: list[tuple[Any, Any]]) -> list[Any]:
    """Copies that happen at once, as statements: a cycle becomes one permutation `a, b = b, a`."""
    waiting = {t.id: s for t, s in copies}
    out: list[Any] = []
    while waiting:
        sources = {s.id for s in waiting.values() if isinstance(s, gast.Name)}
        ready = [t for t in waiting if t not in sources]
        if ready:
            for target in ready:
                out.append(quote.stmt("t = s", t=target, s=waiting.pop(target)))
            continue
        start = next(iter(waiting))
        cycle = [start]
        while (following := waiting[cycle[-1]].id) != start:
            cycle.append(following)
        targets = [quote.name(t) for t in cycle]
        values = [waiting.pop(t) for t in cycle]
        out.append(
            gast.Assign(
                targets=[gast.Tuple(elts=targets, ctx=gast.Load())], value=gast.Tuple(elts=values, ctx=gast.Load()), type_comment=None
            )
        )
    return out
