"""Loops under the walk.

A variable that an iteration hands to the next gets one name for the whole loop, assigned at the end of the body (and
before the loop); everything else in the body is private to the iteration. Types and structure of what is handed on must
be stable, so the body is walked again until they are.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast

from ...errors import DiffError
from ...facts.uses import names_read, stores, writes
from ...python import quote
from ...python.lattice import UNKNOWN, Int, List
from .carrying import Assumptions, Carried
from .conditions import control, truth
from .expressions import evaluate
from .iteration import Elements, iterated, taken_apart
from .leaving import counter_of, is_exit, open_exits
from .places import as_array
from .unrolling import STRUCTURAL, constant_range, unrolled, written_out
from .values import Atom, Conflict, Iterator, Value, map_leaves
from .walk import Walk

ROUNDS = 24  # each contradiction teaches something about one place; types settle long before


def for_loop(walk: Walk, node: Any) -> None:
    value = as_array(walk, evaluate(walk, node.iter), node)
    if names_read(node.iter) & set(assigned_in(node)):  # what is iterated over stays what it was before the loop
        value = Iterator(value.kind, tuple(map(walk.snapshot, value.parts))) if isinstance(value, Iterator) else walk.snapshot(value)
    iterable = iterated(walk, value, node)
    if isinstance(iterable, Elements):
        unrolled(walk, node, iterable)
        return
    if isinstance(iterable, Atom) and iterable.type == UNKNOWN and looks_up_itself(node):
        raise walk.problem("cannot_iterate", node)
    counted = constant_range(walk, iterable)
    if counted is None:
        repeated(walk, node, iterable)
        return
    before = Attempt(walk, [], Assumptions())
    stack = list(walk.stack)
    try:
        repeated(walk, node, iterable)
    except DiffError as error:
        if error.name not in STRUCTURAL:
            raise
        walk.stack[:] = stack
        before.undo()
        unrolled(walk, node, counted)


def looks_up_itself(node: Any) -> bool:
    """`for k in x: … x[k] …`: a loop over the keys of a dict, and not over the elements of an array."""
    return any(
        isinstance(n, gast.Subscript)
        and getattr(n.value, "id", "") == getattr(node.iter, "id", None)
        and getattr(n.slice, "id", "") == node.target.id
        for stmt in node.body
        for n in gast.walk(stmt)
    )


def repeated(walk: Walk, node: Any, iterable: Value) -> None:
    """The loop as a loop."""
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
    before = Attempt(walk, [], Assumptions())
    stack = list(walk.stack)
    try:
        repeated_while(walk, node)
    except DiffError as error:
        if error.name not in STRUCTURAL or is_exit(node.body[-1]):
            raise
        walk.stack[:] = stack
        before.undo()
        if not written_out(walk, node):
            raise


def repeated_while(walk: Walk, node: Any) -> None:
    def body(block: list[Any]) -> Callable[[list[Any]], Any]:
        walk.conditional += 1  # what is computed here would stand behind the test
        test = truth(walk, node.test)
        walk.conditional -= 1
        return lambda statements: gast.While(test=test, body=statements, orelse=[])

    looped(walk, node, body)


def looped(walk: Walk, node: Any, open_body: Callable[[list[Any]], Callable[[list[Any]], Any]]) -> None:
    """Walk the body until what it hands on is stable, then write the loop."""
    opened = open_exits(walk, node)
    heads = carried_variables(walk, node)
    assumed = Assumptions()
    for _ in range(ROUNDS):
        attempt = Attempt(walk, heads, assumed)
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

    def __init__(self, walk: Walk, variables: list[str], assumed: Assumptions) -> None:
        self.walk = walk
        self.variables = variables
        self.assumed = assumed
        self.names = walk.names.copy()
        self.types = dict(walk.types)
        self.fresh = set(walk.fresh)
        self.env = dict(walk.frame.env)
        self.cells = dict(walk.frame.cells)
        self.shadows = dict(walk.frame.shadows)
        self.held, self.perhaps_same = dict(walk.heap.held), dict(walk.heap.perhaps_same)
        self.displays, self.outer_lists, self.opaque = dict(walk.displays), set(walk.outer_lists), set(walk.opaque)
        self.depth, self.conditional = walk.depth, walk.conditional
        self.length = len(walk.block)

    def undo(self) -> None:
        walk = self.walk
        walk.names.restore(self.names)
        lists = {n: t for n, t in walk.types.items() if n in self.types and t != self.types[n]}
        walk.types = {**self.types, **lists}
        walk.fresh = self.fresh
        walk.frame.env = self.env
        walk.heap.held, walk.heap.perhaps_same = self.held, self.perhaps_same
        walk.frame.shadows = {
            v: c if c is None else map_leaves(c, lambda a: Atom(a.node, walk.types.get(a.node.id, a.type))) for v, c in self.shadows.items()
        }
        walk.frame.cells = {v: map_leaves(c, lambda a: Atom(a.node, walk.types.get(a.node.id, a.type))) for v, c in self.cells.items()}
        walk.displays, walk.outer_lists, walk.opaque = self.displays, self.outer_lists, self.opaque
        walk.depth, walk.conditional, walk.unreachable = self.depth, self.conditional, False
        del walk.block[self.length :]

    def run(self, node: Any, open_body: Callable[[list[Any]], Callable[[list[Any]], Any]]) -> Any:
        """The loop, or None if an assumption did not hold (and has been widened)."""
        from .statements import run

        walk = self.walk
        carried = Carried(walk, node, self.variables, self.assumed)
        carried.open()
        for variable in assigned_in(node):
            if variable in walk.frame.shadows:
                walk.frame.env.pop(variable, None)
        outer_types = dict(walk.types)
        statements = node.body
        leaves_early = is_exit(statements[-1])
        close: list[Any] = []
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
                return
            stable = carried.close()
            if stable:
                self.hand_on(carried.back, statements[-1])

        walk.depth += 1
        block = walk.collect(inside)
        walk.depth -= 1
        if not stable or any(walk.types.get(name, kind) != kind for name, kind in outer_types.items()):
            return None
        walk.frame.env = {v: x for v, x in walk.frame.env.items() if v in self.env and v not in self.variables}
        walk.frame.env.update({v: carried.heads[v] for v in self.variables})
        carried.leave()
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
            if variable not in self.variables and variable not in self.walk.frame.cells:
                self.walk.frame.env.pop(variable, None)


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
