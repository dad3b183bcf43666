"""Liveness by name on structured code: which names are needed after each statement.

A name can be needed in three ways. Moving a pointer (`a, b = b, a`, `b = a`) reads nothing, it hands the need on;
`np.zeros_like(a)`, `a.shape` need the *shape*; everything else needs the *content*. So a loop that only fills and swaps buffers
whose shapes alone are asked for afterwards is dead.

    live = Liveness(tree)
    live.live_after(stmt)          {"x", "y_bar"}: the names whose value may still be read when `stmt` is done
    live.live_after_bits(stmt)     the same as an int, in which live.bit("x") is the bit of x

A loop's back edge counts, and the test of a `while` at its body's end. Names that a nested function reads are live everywhere.
With `summaries` and `sharing` liveness is *strong*: what only a dead statement reads is not needed, so that a counter that counts for
nobody is dead although it reads itself; `is_live(stmt)` then says what must stay. Without them every statement is taken to be alive.

At the end of a loop's body is needed what is needed at its head; this is repeated until stable, from below, and an inner loop starts
from what it found the last time, so that the cost is nearly linear.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import gast

from ..python.lattice import UNKNOWN, Array, Type, is_scalar
from .sharing import Sharing
from .uses import Summaries, Summary, base_name, captured_names, dotted, expressions, free_names, reads, stores, target_names, writes

__all__ = ["Liveness", "reads", "stores", "writes"]

Need = tuple[int, int]  # bits of the names needed in any way, and of those whose content is needed


class Liveness:
    """See the module. `at_exit` are names that somebody reads after the function is done; `reading` says what expressions read
    where liveness is not strong, if that was found out before."""

    def __init__(
        self,
        tree: Any,
        summaries: Summaries | None = None,
        sharing: Sharing | None = None,
        type_of: Callable[[str], Type] = lambda name: UNKNOWN,
        at_exit: Iterable[str] = (),
        reading: Summaries | None = None,
    ) -> None:
        self._tree = tree  # keeps the nodes alive, whose ids are our keys
        self._strong = summaries is not None
        self._summaries = summaries or reading or Summaries(lambda call: True)
        self._sharing = sharing
        self._type_of = type_of
        self._bits: dict[str, int] = {}
        self._families: dict[str, int] = {}
        self._list_families: dict[str, int] = {}
        self._uses: dict[int, Need] = {}
        self._after: dict[int, Need] = {}
        self._alive: set[int] = set()
        self._heads: dict[int, Need] = {}
        self._loops: list[tuple[Any, Need]] = []
        outside = self.bit("")  # needed always: what the caller can see
        self._forced = self._mask(captured_names(tree)) | self._mask(at_exit) | outside
        self.before: Need = self._block(tree.body, (self._forced, self._forced))

    def bit(self, name: str) -> int:
        found = self._bits.get(name)
        if found is None:
            found = self._bits[name] = 1 << len(self._bits)
        return found

    def live_after(self, stmt: Any) -> set[str]:
        return self.names(self.live_after_bits(stmt))

    def live_after_bits(self, stmt: Any) -> int:
        return self._after.get(id(stmt), (0, 0))[0]

    def live_at_head(self, loop: Any) -> set[str]:
        """The names whose value from before an iteration of `loop`, or from before the loop, may still be read."""
        return self.names(self._heads.get(id(loop), (0, 0))[0])

    def live_before(self) -> set[str]:
        """The names needed at the start of the function."""
        return self.names(self.before[0])

    def names(self, bits: int) -> set[str]:
        return {name for name, bit in self._bits.items() if bits & bit and name}

    def is_live(self, stmt: Any) -> bool:
        return id(stmt) in self._alive

    # Statements, backwards -----------------------------------------------------------------------------------------------------------

    def _block(self, body: list[Any], need: Need) -> Need:
        for stmt in reversed(body):
            old = self._after.get(id(stmt))
            # One node may stand in several places: what is needed after one of them is needed after it.
            self._after[id(stmt)] = need if old is None else (need[0] | old[0], need[1] | old[1])
            need = self._before(stmt, need)
        return need

    def _before(self, stmt: Any, need: Need) -> Need:
        if type(stmt) is gast.Assign and len(stmt.targets) == 1:
            return self._assign(stmt, stmt.targets[0], need)
        match stmt:
            case gast.AugAssign():
                return self._augmented(stmt, need)
            case gast.Expr():
                return self._keep(stmt, need) if self._changes_what_is_needed(self._summary(stmt.value), need) else need
            case gast.If():
                return self._if(stmt, need)
            case gast.For() | gast.While():
                return self._loop(stmt, need)
            case gast.Break() if self._loops:
                loop, after = self._loops[-1]
                if not self._strong or id(loop) in self._alive:
                    self._alive.add(id(stmt))
                return after
            case gast.Continue() if self._loops:
                self._alive.add(id(stmt))
                return self._heads[id(self._loops[-1][0])]
            case gast.Return() | gast.Raise():
                return self._keep(stmt, (self._forced, self._forced))
            case gast.FunctionDef():
                if self._strong and not need[0] & self.bit(stmt.name):
                    return need
                self._alive.add(id(stmt))
                captured = self._mask(free_names(stmt))
                needed, content = self._killed(need, self.bit(stmt.name))
                return needed | captured, content | captured
            case gast.Pass():
                return need
        return self._opaque(stmt, need)

    def _assign(self, stmt: Any, target: Any, need: Need) -> Need:
        value = stmt.value
        base = base_name(target)
        if base is not None:
            attribute = type(target) is gast.Attribute
            return self._keep(stmt, need) if attribute or self._store_matters(stmt, base, need) else need
        bound = self.bit(target.id) if type(target) is gast.Name else self._mask(target_names(target))
        if self._strong and not need[0] & bound and not self._changes_what_is_needed(self._summary(value), need):
            return need
        self._alive.add(id(stmt))
        moved = _moves(target, value)
        needed, content = self._killed(need, bound)
        if moved is None:
            read, read_content = self._use_of(value)
            return needed | read, content | read_content
        for to, source in moved:
            bit = self.bit(source)
            needed |= bit
            if need[1] & self.bit(to):
                content |= bit
        return needed, content

    def _augmented(self, stmt: Any, need: Need) -> Need:
        target = stmt.target
        base = base_name(target)
        if base is not None:
            return self._keep(stmt, need) if type(target) is gast.Attribute or self._store_matters(stmt, base, need) else need
        kind = self._type_of(target.id)
        bit = self.bit(target.id)
        rebinds = not isinstance(kind, Array) and need[0] & bit
        updates = not is_scalar(kind) and need[1] & self._family(target.id)
        if self._strong and not rebinds and not updates and not self._changes_what_is_needed(self._summary(stmt.value), need):
            return need
        return self._keep(stmt, need)

    def _store_matters(self, stmt: Any, base: str, need: Need) -> bool:
        if not self._strong:
            return True
        wanted = need[1] if isinstance(self._type_of(base), Array) else need[0]  # a store into a dict may make it longer
        return bool(wanted & self._family(base)) or self._changes_what_is_needed(self._summary(stmt.value), need)

    def _changes_what_is_needed(self, summary: Summary, need: Need) -> bool:
        if summary.impure or not self._strong:
            return True
        return any(need[0] & self._lists(n) for n in summary.resized) or any(need[1] & self._family(n) for n in summary.stored)

    def _if(self, stmt: Any, need: Need) -> Need:
        one, other = self._block(stmt.body, need), self._block(stmt.orelse, need)
        joined = one[0] | other[0], one[1] | other[1]
        alive = any(id(inner) in self._alive for inner in (*stmt.body, *stmt.orelse))
        if self._strong and not alive and not self._changes_what_is_needed(self._summary(stmt.test), need):
            return need
        return self._keep(stmt, joined)

    def _loop(self, stmt: Any, need: Need) -> Need:
        counted = isinstance(stmt, gast.For)
        bound = self._mask(target_names(stmt.target)) if counted else 0
        header = stmt.iter if counted else stmt.test
        # A range is read once; a test, or an array that is iterated over, again at each trip.
        again = not (counted and type(header) is gast.Call and dotted(header.func) in ("range", "reversed"))
        if not self._strong or need[0] & bound or self._changes_what_is_needed(self._summary(header), need):
            self._alive.add(id(stmt))
        head = _union(need, self._heads.get(id(stmt), (0, 0)))
        while True:
            alive = id(stmt) in self._alive
            if alive and again:
                head = _union(head, self._use_of(header))
            start = self._loop_body(stmt, head, need)
            new = _union(head, self._killed(start, bound))
            if new == head and alive == (id(stmt) in self._alive):
                break
            head = new
        if stmt.orelse:
            self._alive.add(id(stmt))
            head = _union(head, self._block(stmt.orelse, need))
        return _union(head, self._use_of(header)) if id(stmt) in self._alive else head

    def _loop_body(self, stmt: Any, head: Need, after: Need) -> Need:
        """What is needed at the body's start, if `head` is needed at its end and `after` behind the loop."""
        self._heads[id(stmt)] = head
        self._loops.append((stmt, after))
        start = self._block(stmt.body, head)
        self._loops.pop()
        if any(id(inner) in self._alive for inner in stmt.body):
            self._alive.add(id(stmt))
        return start

    def _opaque(self, stmt: Any, need: Need) -> Need:
        """Any other statement, whole: it stays, and may not have bound anything."""
        self._alive.add(id(stmt))
        read = self._mask(reads(stmt))
        return need[0] | read, need[1] | read

    def _keep(self, stmt: Any, need: Need) -> Need:
        self._alive.add(id(stmt))
        for expr in expressions(stmt):
            need = _union(need, self._use_of(expr))
        return need

    def _killed(self, need: Need, bits: int) -> Need:
        left = ~bits | self._forced
        return need[0] & left, need[1] & left

    # Masks ---------------------------------------------------------------------------------------------------------------------------

    def _summary(self, expr: Any) -> Summary:
        return self._summaries(expr)

    def _use_of(self, expr: Any) -> Need:
        found = self._uses.get(id(expr))
        if found is None:
            summary = self._summaries(expr)
            content = self._mask(summary.content)
            found = self._uses[id(expr)] = (content | self._mask(summary.shape) if summary.shape else content), content
        return found

    def _mask(self, names: Iterable[str]) -> int:
        mask, bits = 0, self._bits
        for name in names:
            mask |= bits.get(name) or self.bit(name)
        return mask

    def _lists(self, name: str) -> int:
        """The names that may be the very list `name`: what is appended to it stays as it was."""
        found = self._list_families.get(name)
        if found is None:
            found = self._family(name)
            for other in self._sharing.family(name) if self._sharing is not None else ():
                if other and isinstance(self._type_of(other), Array):  # what is outside has no type
                    found &= ~self.bit(other)
            self._list_families[name] = found
        return found

    def _family(self, name: str) -> int:
        found = self._families.get(name)
        if found is None:
            sharing = self._sharing
            found = self.bit(name)
            if sharing is not None:
                found = self._mask(sharing.family(name))
                if sharing.escapes(name):
                    found |= self.bit("")
            self._families[name] = found
        return found


def _union(one: Need, other: Need) -> Need:
    return one[0] | other[0], one[1] | other[1]


def _moves(target: Any, value: Any) -> list[tuple[str, str]] | None:
    """The pairs (to, from) of an assignment that only moves pointers: `a = b`, `a, b = b, a`."""
    if type(target) is gast.Name and type(value) is gast.Name:
        return [(target.id, value.id)]
    if type(target) is gast.Tuple and type(value) is gast.Tuple and len(target.elts) == len(value.elts):
        pairs = list(zip(target.elts, value.elts, strict=True))
        if all(type(a) is gast.Name and type(b) is gast.Name for a, b in pairs):
            return [(a.id, b.id) for a, b in pairs]
    return None
