"""Temporaries go back into the one place that uses them.

    t = x * w
    t2 = np.sin(t)              →        y = np.sin(x * w) + x
    y = t2 + x

A temporary waits, from its assignment on, for its use in the same block. It stays where it is as soon as something between writes
what it reads (a name, a class of memory, a list) or has an effect, if it is used twice or again later (across the back edge of a
loop too), or if the line would become too wide or too deep. Values with an effect of their own (a pop, an unknown call) wait only
as long as nothing else with an effect, and nothing that they could change, is evaluated before their use: Python's order is kept.
Never into a body, the test of a `while`, under a condition, into an f-string or a lambda.
"""

from __future__ import annotations

from typing import Any

import gast

from ...facts.flow import Liveness
from ...facts.uses import RESIZING, blocks, children, expressions, reads
from ...python.quote import fill, rebuilt
from .scope import Scope
from .shape import Sizes
from .waiting import Queue, Waiting, depends_on, impact, memory_of

WIDTH = 92  # columns, of 100 that a line may have
DEPTH = 5  # operations within one another


def nest(tree: Any, scope: Scope) -> list[Any]:
    """The body of `tree` with its temporaries nested."""
    return _Nesting(scope, Liveness(tree, type_of=scope.type_of, reading=scope.summaries)).block(tree.body, 4)


class _Nesting:
    def __init__(self, scope: Scope, live: Liveness) -> None:
        self.scope, self.live, self.sizes = scope, live, Sizes()

    def block(self, body: list[Any], indent: int) -> list[Any]:
        out: list[Any] = []
        queue = Queue()
        for stmt in body:
            new = self.filled(stmt, queue, out, indent)
            if isinstance(new, (gast.If, gast.For, gast.While)):
                inner = self.block(new.body, indent + 4), self.block(new.orelse, indent + 4)
                new = rebuilt(new, body=inner[0], orelse=inner[1])
            if queue.waiting:
                queue.pass_by(impact(new, self.scope))
            out.append(new)
            self.wait(new, queue, len(out) - 1)
        return [stmt for stmt in out if stmt is not None]

    def wait(self, stmt: Any, queue: Queue, slot: int) -> None:
        match stmt:
            case gast.Assign(targets=[gast.Name() as target], value=value) if self.scope.generated(target.id):
                summary = self.scope.summaries(value)
                if target.id not in summary.names and type(value) is not gast.Lambda:
                    queue.add(Waiting(target.id, value, slot, summary, depends_on(summary, self.scope)))

    def filled(self, stmt: Any, queue: Queue, out: list[Any], indent: int) -> Any:
        """The statement with those in place who waited for it; others that it reads stay where they are."""
        if not queue.waiting:
            return stmt
        inside = _inside(stmt)
        read = set(inside)
        for part in expressions(stmt):
            read |= self.scope.summaries(part).names
        if read.isdisjoint(queue.waiting):
            return stmt
        places = _places(stmt)
        times = [name for name, _ in places]
        new = stmt
        for name, allowed in places:
            one = queue.waiting.get(name)
            if one is None or not allowed or times.count(name) > 1 or name in inside or self.needed_later(stmt, name):
                continue
            nested = _substituted(new, name, one.value)
            if self.in_order(new, one) and self.readable(nested, _is_copy_of(stmt, name), indent):
                new = nested
                out[one.slot] = None
                queue.remove(name)
        for name in read:
            queue.remove(name)
        return new

    def needed_later(self, stmt: Any, name: str) -> bool:
        rebound = isinstance(stmt, gast.Assign) and type(stmt.targets[0]) is gast.Name and stmt.targets[0].id == name
        return not rebound and bool(self.live.live_after_bits(stmt) & self.live.bit(name))

    def in_order(self, stmt: Any, one: Waiting) -> bool:
        """Evaluating the value where its name stands gives what evaluating it before the statement gave."""
        summaries = self.scope.summaries
        alone = not one.summary.effect
        if alone and not any(summaries(part).effect for part in expressions(stmt)):
            return True
        for node in _done_before(stmt, one.name):
            done = summaries(node)
            if done.effect and (not alone or done.impure or not one.depends.isdisjoint(memory_of(done.resized | done.stored, self.scope))):
                return False
            if not alone and (one.summary.impure or not one.depends.isdisjoint(memory_of(done.names, self.scope))):
                return False
        return True

    def readable(self, stmt: Any, copy: bool, indent: int) -> bool:
        if copy:
            return True
        width, depth = indent + _KEYWORDS.get(type(stmt), 3), 0
        for part in (*expressions(stmt), *_plain_targets(stmt)):
            columns, inner = self.sizes(part)
            width, depth = width + columns, max(depth, inner)
        return width <= WIDTH and depth <= DEPTH


_KEYWORDS = {gast.Return: 7, gast.If: 4, gast.For: 9, gast.Expr: 0, gast.AugAssign: 4}


def _plain_targets(stmt: Any) -> list[Any]:
    targets = getattr(stmt, "targets", None) or ([stmt.target] if isinstance(stmt, gast.For) else [])
    return [target for target in targets if isinstance(target, (gast.Name, gast.Tuple))]


def _is_copy_of(stmt: Any, name: str) -> bool:
    return isinstance(stmt, gast.Assign) and type(stmt.value) is gast.Name and stmt.value.id == name


def _inside(stmt: Any) -> frozenset[str]:
    """The names read in the blocks of a statement."""
    if isinstance(stmt, gast.FunctionDef):
        return reads(stmt)
    return frozenset().union(*(reads(inner) for block in blocks(stmt) for inner in block))


def _substituted(stmt: Any, name: str, value: Any) -> Any:
    holes = {name: value}
    changes = {f: fill(getattr(stmt, f), holes) for f in ("value", "test", "iter") if getattr(stmt, f, None) is not None}
    match stmt:
        case gast.Assign(targets=[gast.Subscript() as target]):
            changes["targets"] = [fill(target, holes)]
        case gast.AugAssign(target=gast.Subscript() as target):
            changes["target"] = fill(target, holes)
    return rebuilt(stmt, **changes)


# Where names stand --------------------------------------------------------------------------------------------------------------------


def _places(stmt: Any) -> list[tuple[str, bool]]:
    """The names that a statement's own expressions read, in Python's order, each with whether an expression may stand there."""
    found: list[tuple[str, bool]] = []
    match stmt:
        case gast.Assign(targets=[target]):
            _walk(stmt.value, True, found)
            if type(target) is gast.Subscript:
                _walk(target.value, False, found)
                _walk(target.slice, True, found)
        case gast.AugAssign(target=gast.Subscript() as target):
            _walk(target.value, False, found)
            _walk(target.slice, True, found)
            _walk(stmt.value, True, found)
        case gast.AugAssign(target=gast.Name() as target):
            found.append((target.id, False))
            _walk(stmt.value, True, found)
        case gast.If() | gast.For() | gast.Return() | gast.Expr():
            for part in expressions(stmt):
                _walk(part, True, found)
        case _:
            for part in expressions(stmt):
                _walk(part, False, found)
    return found


def _walk(node: Any, allowed: bool, found: list[tuple[str, bool]]) -> None:
    kind = type(node)
    if kind is gast.Name:
        found.append((node.id, allowed))
    elif kind is gast.Call:
        _walk_function(node.func, allowed, found)
        for child in (*node.args, *node.keywords):
            _walk(child, allowed, found)
    elif kind in _CONDITIONAL:
        always = _CONDITIONAL[kind]
        for position, child in enumerate(children(node)):
            _walk(child, allowed and position < always, found)
    else:
        for child in children(node):
            _walk(child, allowed and kind not in _CLOSED, found)


def _walk_function(func: Any, allowed: bool, found: list[tuple[str, bool]]) -> None:
    """A method's object may be an expression, not that of `append` and `pop`, nor a function itself."""
    if type(func) is gast.Attribute and type(func.value) is gast.Name:
        found.append((func.value.id, allowed and func.attr not in RESIZING))
    else:
        _walk(func, allowed and type(func) is not gast.Name, found)


# How many operands are evaluated whatever the others say.
_CONDITIONAL = {gast.BoolOp: 1, gast.IfExp: 1, gast.Compare: 2}
_CLOSED = (gast.JoinedStr, gast.Lambda, gast.ListComp, gast.SetComp, gast.DictComp, gast.GeneratorExp, gast.NamedExpr)


def _done_before(stmt: Any, name: str) -> list[Any]:
    """The operations that are complete when a statement's evaluation comes to `name`."""
    done: list[Any] = []
    for part in expressions(stmt):
        if _complete(part, name, done):
            break
    return done


def _complete(node: Any, name: str, done: list[Any]) -> bool:
    """Add what evaluating `node` completes; whether `name` was met on the way."""
    if type(node) is gast.Name:
        return bool(node.id == name)
    if any(_complete(child, name, done) for child in children(node)):
        return True
    if type(node) is not gast.Constant:
        done.append(node)
    return False
