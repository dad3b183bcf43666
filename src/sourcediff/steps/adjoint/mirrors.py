"""Names that see each other's writes have cotangents that share memory in the same way: mirrors.

    x = a * 2.0                 x = a * 2.0
    y = x[1:]                   x_bar = np.zeros_like(x)
    y[0] = 5.0          →       y = x[1:]
    s = x[1] * y[1]             y_bar = x_bar[1:]
                                y[0] = 5.0
                                s = x[1] * y[1]

What moves a pointer moves that of the cotangent likewise, beside it. These statements are part of the program from here on: what
the way back needs of such pointers is planned as for all other names. So a view is made again where it is needed, a pointer that
is moved in a loop is saved, and a list of arrays has a list of cotangents. On the way back pointer statements hand nothing on:
the cotangent is there.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import gast

from ... import runtime
from ...errors import problem, raise_all
from ...facts.memory import Memory, undecided
from ...facts.uses import RESIZING, blocks, stores
from ...python import quote
from ...python.lattice import Array, List, is_real_scalar, is_scalar
from ..closed import Closed
from ..purity import MAY_COPY, is_sure_view
from .zeros import zero_list


@dataclass
class Mirrors:
    """bars: name -> its cotangent, which shares memory as the name does."""

    bars: dict[str, str] = field(default_factory=dict)
    statements: dict[int, str] = field(default_factory=dict)  # id(statement that makes or moves cotangents) -> the cotangent
    allocations: dict[str, Any] = field(default_factory=dict)  # name -> the statement that makes its cotangent
    pointers: dict[int, Any] = field(default_factory=dict)  # id(statement that only moves pointers) -> what to do on the way back
    lists: set[str] = field(default_factory=set)  # cotangents that are lists
    fixed: bool = True  # is each of these names bound once, and in no list?

    def __contains__(self, name: str) -> bool:
        return name in self.bars


class Mirroring:
    def __init__(self, closed: Closed, memory: Memory, fresh: Any, tangled: dict[str, Any]) -> None:
        self.closed, self.memory, self.fresh, self.tangled = closed, memory, fresh, tangled
        self.sharing = memory.sharing
        self.found = Mirrors()
        self.refused: list[Any] = []
        self.counts: dict[str, int] = dict.fromkeys(closed.parameters, 1)
        for target, _ in self.bindings(closed.tree.body):
            self.counts[target] = self.counts.get(target, 0) + 1

    def run(self) -> Mirrors:
        """Puts the cotangents of entangled names, and of what these are made from, into the program."""
        names = self.closure()
        if not names:
            return self.found
        closed = self.closed
        self.found.fixed = all(self.counts.get(n, 0) <= 1 and isinstance(closed.types.get(n), Array) for n in names)
        for name in sorted(names):
            self.declare(name)
        opening = [new for p in closed.parameters if p in names for new in [self.allocation(p)]]
        body = [*opening, *self.block(closed.tree.body)]
        raise_all(self.refused)
        closed.tree = quote.rebuilt(closed.tree, body=body)
        return self.found

    def declare(self, name: str) -> None:
        kind = self.closed.types.get(name)
        if not isinstance(kind, Array) and not _is_list_of_memory(kind):
            self.refused.append(undecided(self.closed, self.memory, self.blame(name), name))
        bar = self.found.bars[name] = self.closed.names.fresh(f"{name}_bar")
        assert kind is not None
        self.closed.types[bar] = kind
        if isinstance(kind, List):
            self.found.lists.add(bar)

    def blame(self, name: str) -> Any:
        return self.tangled.get(name) or next(iter(self.tangled.values()))

    # -- which names

    def bindings(self, body: list[Any]) -> Any:
        """(name, expression) for each assignment to a name; what is put into a list counts as its own."""
        for stmt in body:
            match stmt:
                case gast.Assign(targets=[gast.Name() as target]):
                    yield target.id, stmt.value
                case gast.Assign(targets=[gast.Tuple() as target], value=gast.Tuple() as value):
                    yield from ((t.id, v) for t, v in zip(target.elts, value.elts, strict=True))
            for block in blocks(stmt):
                yield from self.bindings(block)

    def closure(self) -> set[str]:
        """The entangled names, and all whose memory they may have got."""
        names = set(self.tangled)
        edges = [(target, self.sharing.sources(value)) for target, value in self.bindings(self.closed.tree.body)]
        edges += list(self.kept(self.closed.tree.body))
        popped = [(v.func.value.id, t) for t, v in self.bindings(self.closed.tree.body) if _is_pop(v)]
        size = -1
        while size != len(names):
            size = len(names)
            for target, sources in edges:
                if target in names:
                    names |= sources
            names |= {target for container, target in popped if container in names}
        return {n for n in names if n and not self.sharing.plain(n)}

    def kept(self, body: list[Any]) -> Any:
        for stmt in body:
            match stmt:
                case gast.Expr(value=gast.Call(func=gast.Attribute(attr="append", value=gast.Name() as base), args=[value])):
                    yield base.id, self.sharing.sources(value)
                case gast.Assign(targets=[gast.Subscript(value=gast.Name() as base)], value=value) if self.is_list(base.id):
                    yield base.id, self.sharing.sources(value)
            for block in blocks(stmt):
                yield from self.kept(block)

    def is_list(self, name: str) -> bool:
        """Is it a list of arrays or lists? One of numbers is like an array, as long as its length stays."""
        kind = self.closed.types.get(name)
        return isinstance(kind, List) and not is_scalar(kind.element)

    def holds_numbers(self, name: str) -> bool:
        return isinstance(self.closed.types.get(name), List) and not self.is_list(name)

    # -- the program with its mirrors

    def block(self, body: list[Any]) -> list[Any]:
        return [new for stmt in body for new in self.statement(stmt)]

    def statement(self, stmt: Any) -> list[Any]:
        bars = self.found.bars
        resized = next((n for n in stores(stmt) if n in bars and not blocks(stmt) and self.holds_numbers(n) and _resizes(stmt)), None)
        if resized is not None:
            self.refused.append(problem("container_write", stmt, name=resized))
            return [stmt]
        match stmt:
            case gast.If() | gast.For() | gast.While():
                return [quote.rebuilt(stmt, **{f: self.block(getattr(stmt, f)) for f in ("body", "orelse") if getattr(stmt, f, None)})]
            case gast.Assign(targets=[gast.Name() as target]) if target.id in bars:
                return self.bound(stmt, target.id)
            case gast.Assign(targets=[gast.Tuple() as target]) if any(t.id in bars for t in target.elts):
                return self.pointer(stmt, {n.id for n in target.elts})
            case gast.Expr(value=gast.Call(func=gast.Attribute(attr="append", value=gast.Name() as base))) if base.id in bars:
                return self.pointer(stmt, {base.id} | self.sharing.sources(stmt.value.args[0]))
            case gast.Assign(targets=[gast.Subscript(value=gast.Name() as base)]) if base.id in bars and self.is_list(base.id):
                return self.replaced(stmt, base.id)
        return [stmt]

    def replaced(self, stmt: Any, base: str) -> list[Any]:
        """xs[i] = v: so does the list of cotangents get that of v; on the way back the one that was there before comes back."""
        old = self.closed.names.fresh(f"{base}_bar")
        kind = self.closed.types[base]
        assert isinstance(kind, List)
        self.closed.types[old] = kind.element
        slot = quote.expr("b[i]", b=self.found.bars[base], i=stmt.targets[0].slice)
        kept = quote.stmt("o = s", o=old, s=slot)
        self.found.statements[id(kept)] = ""
        moved = self.pointer(stmt, {base} | self.sharing.sources(stmt.value))
        self.found.pointers[id(stmt)] = quote.stmt("s = o", s=slot, o=old)
        return [kept, *moved]

    def bound(self, stmt: Any, name: str) -> list[Any]:
        value = stmt.value
        if name in self.closed.paths:  # a part of an argument: memory of its own, as a parameter
            return [stmt, self.allocation(name)]
        sources = self.sharing.sources(value)
        known = bool(sources) and sources <= self.found.bars.keys()
        if known and (is_sure_view(self.closed, value, self.fresh) or self.from_list(value)):
            return self.pointer(stmt, sources)
        if known and self.may_copy(value):
            return self.viewed(stmt, name, next(iter(sources)))
        if isinstance(value, gast.List):
            return self.pointer(stmt, sources) if value.elts or name in self.found.bars else [stmt]
        if not self.fresh(value) or sources:
            self.refused.append(undecided(self.closed, self.memory, self.blame(name), name))
            return [stmt]
        if self.counts[name] == 1:
            return [stmt, self.allocation(name)]
        made = self.another(name)  # so that the cotangent of this very array has a name that no other array takes
        return [
            quote.placed(quote.stmt("n = e", n=made, e=value), stmt),
            self.allocation(made),
            *self.pointer(quote.placed(quote.stmt("x = n", x=name, n=made), stmt), {made}),
        ]

    def another(self, name: str) -> str:
        made = self.closed.names.fresh(name)
        self.closed.types[made] = self.closed.types[name]
        self.declare(made)
        return made

    def allocation(self, name: str) -> Any:
        """x_bar = np.zeros_like(x)"""
        if isinstance(self.closed.types.get(name), List):
            x = quote.name(name)
            zero = zero_list(self.closed, self.closed.types[name], x) or self.helper(runtime.zero_parts, x)
        else:
            zero = quote.expr("np.zeros_like(x)", np=self.closed.spelling.module("numpy"), x=name)
        new = quote.stmt("b = z", b=self.found.bars[name], z=zero)
        self.found.statements[id(new)] = self.found.bars[name]
        self.found.allocations[name] = new
        return new

    def pointer(self, stmt: Any, sources: set[str]) -> list[Any]:
        """The statement, and the same one on the cotangents."""
        bars = self.found.bars
        names = {n: quote.name(bars[n]) for n in sources}
        new = quote.rebuilt(quote.fill(stmt, names))
        made = ""  # the one cotangent that the statement binds
        if isinstance(stmt, gast.Assign):
            target = stmt.targets[0]
            made = bars.get(getattr(target, "id", ""), "")
            new = quote.rebuilt(new, targets=[quote.fill(target, {n: quote.name(b) for n, b in bars.items()})])
        self.found.statements[id(new)] = made
        self.found.pointers[id(stmt)] = None
        return [stmt, new]

    def from_list(self, value: Any) -> bool:
        """An array that is taken from a list."""
        if isinstance(value, gast.Subscript):
            return isinstance(self.closed.types.get(getattr(value.value, "id", "")), List) and not isinstance(value.slice, gast.Slice)
        return _is_pop(value)

    def may_copy(self, value: Any) -> bool:
        operation = self.closed.operation(value) if isinstance(value, gast.Call) else None
        return operation is not None and operation.rule.path in MAY_COPY and operation.rule.is_view(operation.bound)

    def viewed(self, stmt: Any, name: str, source: str) -> list[Any]:
        """`x.reshape(n)` may be a copy: then its cotangent is memory of its own."""
        if self.counts[name] != 1:
            made = self.another(name)
            renamed = quote.placed(quote.stmt("n = e", n=made, e=stmt.value), stmt)
            return [*self.viewed_once(renamed, made, source), *self.pointer(quote.stmt("x = n", x=name, n=made), {made})]
        return self.viewed_once(stmt, name, source)

    def viewed_once(self, stmt: Any, name: str, source: str) -> list[Any]:
        bars = self.found.bars
        view = quote.fill(stmt.value, {source: quote.name(bars[source])})
        call = self.helper(runtime.shared_as, view, quote.name(name), quote.name(source))
        new = quote.stmt("b = v", b=bars[name], v=call)
        self.found.statements[id(new)] = bars[name]
        self.found.allocations[name] = new
        shape = quote.expr("b.reshape(x.shape)", b=bars[name], x=source)
        self.found.pointers[id(stmt)] = gast.Expr(value=self.helper(runtime.add_unless_shared, quote.name(bars[source]), shape))
        return [stmt, new]

    def helper(self, function: Any, *arguments: Any) -> Any:
        name = self.closed.spelling.helper(function.__name__, function)
        return gast.Call(func=quote.name(name), args=list(arguments), keywords=[])


def _is_list_of_memory(kind: Any) -> bool:
    """Is it a list of numbers, of arrays, or of lists of numbers?"""
    if isinstance(kind, List) and isinstance(kind.element, List):
        return is_real_scalar(kind.element.element)
    return isinstance(kind, List) and (isinstance(kind.element, Array) or is_real_scalar(kind.element))


def _resizes(stmt: Any) -> bool:
    return isinstance(stmt.value, gast.Call) and getattr(stmt.value.func, "attr", "") in RESIZING


def _is_pop(value: Any) -> bool:
    return isinstance(value, gast.Call) and isinstance(value.func, gast.Attribute) and value.func.attr == "pop"
