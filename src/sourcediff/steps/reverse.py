"""CLOSED → DERIVED, reverse mode: the program, saving only what the way back needs; then its adjoints, backwards.

y = np.sin(x)                   y = np.sin(x)
return y * y         →          y_bar = 2 * y          # from y * y
                                x_bar = y_bar * np.cos(x)
                                return x_bar
"""

from __future__ import annotations

from typing import Any

import gast

from .. import runtime
from ..errors import problem, raise_all
from ..facts import memory as memory_facts
from ..facts.activity import activity, names_of
from ..facts.layout import layout
from ..facts.limits import limits
from ..facts.saving import Needs, Plan, Planner, Site
from ..facts.spaces import slot_space, spaces
from ..facts.uses import Summaries, blocks, names_read, stores
from ..python import quote
from ..python.lattice import UNKNOWN, Array, Bool, Int, List, Number, Scalar, is_discrete, is_real_scalar, is_scalar, rank_of
from .adjoint.back import Back, trip_counter
from .adjoint.bars import FULL, THIN, ZERO, Bars
from .adjoint.contributions import Gather, Recipe, recipe
from .adjoint.there import There
from .closed import Closed
from .inlining.loops import is_exit
from .inlining.values import Atom, Known, Record, Seq, Value, leaves
from .purity import is_fresh, is_pure, keeps_nothing, viewed


class Reverse:
    """One reverse derivation. `run` gives the body of the derivative."""

    def __init__(self, closed: Closed, wrt: tuple[str, ...], others: tuple[str, ...] = ()) -> None:
        self.closed = closed
        self.others = others  # parameters of the derivative beside those of the function
        self.wrt = wrt
        self.pure, self.fresh = is_pure(closed), is_fresh(closed)
        split_own_results(closed)
        keep_lengths(closed)
        self.memory = memory_facts.memory(closed, keeps_nothing(closed), self.fresh, viewed(closed))
        self.variables = [a.node.id for p in wrt for a in leaves(closed.parameters[p]) if not is_discrete(a.type)]
        self.results = [a for a in leaves(closed.result) if isinstance(a.node, gast.Name)]
        self.active = activity(closed, self.variables, [a.node.id for a in self.results], self.class_of)
        raise_all(limits(closed, self.active) + memory_facts.check(closed, self.memory, lambda n: n in self.active))
        self.layout = layout(closed.tree, lambda n: n in closed.types)
        self.spaces, _ = spaces(closed)
        self.summaries = Summaries(self.pure)
        self.recipes: dict[int, Recipe] = {}
        self.bars = Bars(closed, self.spaces, set())
        self._find_recipes(closed.tree.body)
        self.bars.buffers = self.buffers()
        self.plan = self._plan()
        self.there = There(closed, self.layout, self.plan)
        self.back = Back(
            closed,
            self.active,
            self.layout,
            self.plan,
            self.recipes,
            self.bars,
            self.there.holders,
            self.memory.group,
            frozenset(self.variables) - closed.parameters.keys(),
        )

    def class_of(self, name: str) -> str:
        return self.memory.group(name) or name

    def _find_recipes(self, body: list[Any]) -> None:
        for stmt in body:
            if isinstance(stmt, gast.Assign) and isinstance(stmt.targets[0], gast.Name) and stmt.targets[0].id in self.active:
                found = self.recipes[id(stmt)] = self.at_older_shapes(recipe(self.closed, stmt, self.active))
                for part in found.parts:
                    if not isinstance(part, Gather) and part.elementwise:
                        self.bars.relate(part, stmt)
            for block in blocks(stmt):
                self._find_recipes(block)

    def at_older_shapes(self, found: Recipe) -> Recipe:
        """Where only the shape of a name is asked for, ask an older name of the same shape: the other may not be there for it."""
        for part in found.parts:
            if not isinstance(part, Gather):
                shapes = {n: self.shaped(n) for n in self.summaries(part.value).shape}
                part.value = quote.fill(part.value, {n: quote.name(s) for n, s in shapes.items() if n != s})
        return found

    def buffers(self) -> set[str]:
        """Names whose cotangent is memory of its own, added to in place."""
        found = {p.target for r in self.recipes.values() for p in r.parts if isinstance(p, Gather)}
        found |= {n for n in self.closed.types if self.memory.group(n) is not None and self.memory.owner(n)}
        found |= {n for n, t in self.closed.types.items() if isinstance(t, List)}
        return {n for n in found if n in self.active and not is_scalar(self.closed.types.get(n, UNKNOWN))}

    # -- what the way back needs

    def _plan(self) -> Plan:
        needs = Needs()
        self.thin = self._may_be_thin()
        self._needs_of_block(self.closed.tree.body, needs)
        flags = {
            n.id
            for s in self._loops(self.closed.tree.body)
            if is_exit(s.body[-1])
            for n in gast.walk(s.body[-1].test)
            if isinstance(n, gast.Name)
        }
        content = lambda expression: self.summaries(expression).content  # noqa: E731
        planner = Planner(
            self.closed,
            self.layout,
            needs,
            self.memory.group,
            self.recomputable,
            lambda s: self.fresh(s.value),
            flags,
            self.memory.owners,
            content,
        )
        return planner.run()

    def _loops(self, body: list[Any]) -> Any:
        for stmt in body:
            if isinstance(stmt, (gast.For, gast.While)):
                yield stmt
            for block in blocks(stmt):
                yield from self._loops(block)

    def _may_be_thin(self) -> set[str]:
        """Names whose cotangent may come back smaller than they are."""
        found: set[str] = set()
        for _ in range(2):
            for stmt in reversed(list(_simple(self.closed.tree.body))):
                for part in self.recipes[id(stmt)].parts if id(stmt) in self.recipes else ():
                    if not isinstance(part, Gather) and (part.thin or (part.elementwise and stmt.targets[0].id in found)):
                        found.add(part.target)
        return found

    def _needs_of_block(self, body: list[Any], needs: Needs) -> set[str]:
        """Adds the needs of a block's adjoints; the names that it hands cotangents to."""
        handed: set[str] = set()
        for stmt in body:
            spot = self.layout.spot(stmt)
            mine = self._needs_of(stmt, spot, needs)
            for block in blocks(stmt):
                mine |= self._needs_of_block(block, needs)
            if blocks(stmt):
                self._needs_of_control(stmt, spot, needs)
                for name in mine:  # its zero is made before the way back of this statement
                    scope = None if self._zero_is_plain(name) else self.layout.scopes.get(name)
                    if scope is not None and not any(self.layout.contains(self.layout.block_of[id(b)], scope) for b in blocks(stmt)):
                        needs.add(self.shaped(name), Site(spot, True), content=False)
            handed |= mine
        return handed

    def _zero_is_plain(self, name: str) -> bool:
        return is_real_scalar(self.closed.types.get(name, UNKNOWN))

    def _needs_of_control(self, stmt: Any, spot: Any, needs: Needs) -> None:
        if not self._has_adjoint(stmt):
            return
        if isinstance(stmt, gast.If):
            self._add(needs, stmt.test, Site(spot, True))
            return
        trips = trip_counter(stmt)
        if isinstance(stmt, gast.For):
            self._add(needs, stmt.iter, Site(spot, True))
        if trips is not None and (isinstance(stmt, gast.While) or is_exit(stmt.body[-1])):
            needs.add(trips, Site(spot, True))

    def _has_adjoint(self, stmt: Any) -> bool:
        """Does a compound statement hand anything back?"""
        return any(self._target_of(s) in self.active for s in _simple([stmt]))

    def _target_of(self, stmt: Any) -> str:
        match stmt:
            case gast.Assign(targets=[gast.Name() as target]):
                return str(target.id)
            case gast.Assign(targets=[gast.Tuple() as target]):
                return next((t.id for t in target.elts if t.id in self.active), "")
        return next(iter(stores(stmt)), "")

    def _needs_of(self, stmt: Any, spot: Any, needs: Needs) -> set[str]:
        before, after = Site(spot, False), Site(spot, True)
        found = self.recipes.get(id(stmt))
        handed: set[str] = set()
        if found is not None:
            result = stmt.targets[0].id
            for _, expression in found.shared:
                self._add(needs, expression, before, result, after)
            for part in found.parts:
                handed.add(part.target)
                if isinstance(part, Gather):
                    self._add(needs, part.index, before)
                    needs.add(self.shaped(part.target), before, content=False)
                    continue
                self._add(needs, part.value, before, result, after)
                same = part.elementwise and part.same
                plain = is_real_scalar(self.closed.types.get(part.target, UNKNOWN)) and is_scalar(self.closed.types.get(result, UNKNOWN))
                if (not same and not plain) or part.target in self.bars.buffers:
                    needs.add(self.shaped(part.target), before, content=False)
                if result in self.thin and not same:
                    needs.add(self.shaped(result), after, content=False)
        match stmt:
            case (
                gast.Assign(targets=[gast.Subscript(value=gast.Name() as base) as slot])
                | gast.AugAssign(target=gast.Subscript(value=gast.Name() as base) as slot)
            ):
                self._add(needs, slot.slice, before)
                needs.add(base.id, before, content=False)
                if base.id in self.active:
                    handed |= self._needs_of_stored(stmt, slot, base.id, needs, before)
            case gast.AugAssign(target=gast.Name() as target):
                needs.add(target.id, before, content=False)
                handed |= self._needs_of_stored(stmt, None, target.id, needs, before)
            case gast.Expr(value=gast.Call() as call):
                for name in names_of(call.args[-1]) if call.args else ():
                    if name in self.active:
                        handed.add(name)
                        if not is_scalar(self.closed.types.get(name, UNKNOWN)):
                            needs.add(name, before, content=False)
                for argument in call.args[1:-1]:
                    self._add(needs, argument, before)
        return handed

    def shaped(self, name: str) -> str:
        space = self.spaces.get(name, name)
        return space if space in self.closed.types else name

    def _needs_of_stored(self, stmt: Any, slot: Any, base: str, needs: Needs, before: Site) -> set[str]:
        handed = {n for n in names_of(stmt.value) if n in self.active}
        for name in handed:
            kind = self.closed.types.get(name, UNKNOWN)
            whole = self.spaces.get(base, base) if slot is None else slot_space(self.closed, slot, self.spaces, "?")
            if not is_real_scalar(kind) and whole != self.spaces.get(name, name):
                needs.add(name, before, content=False)
        return handed

    def _add(self, needs: Needs, expression: Any, before: Site, result: str = "", after: Site | None = None) -> None:
        summary = self.summaries(expression)
        for names, content in ((summary.content, True), (summary.shape, False)):
            for name in names:
                if name in self.closed.types:
                    needs.add(name, after if name == result and after is not None else before, content)

    def recomputable(self, stmt: Any) -> bool:
        """Is the value cheaper to compute again than to keep?"""
        value = stmt.value
        if names_read(value) & self.memory.lists:
            return False  # the way back does not restore lists
        kind = self.closed.types.get(stmt.targets[0].id, UNKNOWN) if isinstance(stmt.targets[0], gast.Name) else UNKNOWN
        match value:
            case gast.Name() | gast.Constant() | gast.Compare() | gast.BoolOp() | gast.Attribute():
                return not isinstance(kind, Array) or isinstance(value, (gast.Name, gast.Attribute))
            case gast.Subscript(value=gast.Name() as base):
                return base.id not in self.memory.lists
            case gast.UnaryOp(op=gast.Not()):
                return True
        if isinstance(kind, (Int, Bool)):
            return not isinstance(value, gast.Call) or self.pure(value)
        operation = self.closed.operation(value)
        if operation is None:
            return False
        if operation.rule.view and operation.rule.pure:
            return True
        return operation.rule.cheap and not isinstance(kind, Array)

    # -- the parts of the derivative

    def primal(self) -> list[Any]:
        """The way there, without its return."""
        body = self.there.block(self.closed.tree.body[:-1])
        checks = separate_memory(self.closed, self.memory, self.others)
        private: list[Any] = []
        back: list[Any] = []
        for root in sorted(self.plan.restored):
            for p in self.memory.parameters_written:
                if self.memory.sharing.root(p) == root:
                    caller = self.closed.names.fresh(p)
                    private += quote.stmts("c = p\np = p.copy()", c=caller, p=p)
                    back.append(quote.stmt("c[...] = p", c=caller, p=p))
        return [*checks, *private, *body, *back]

    def value(self) -> Any:
        """The result as an expression; what the way back restores is copied."""
        shared = {a.node.id for a in self.results if self.memory.sharing.root(a.node.id) in self.plan.restored}
        node = self.closed.tree.body[-1].value
        return quote.fill(node, {n: quote.expr("x.copy()", x=n) for n in shared}) if shared else node

    def seed(self, value_bar: Any) -> list[Any]:
        """Hand the seed to the result: 1.0, or a cotangent of the value's structure."""
        self.bars.out = []
        self._seed(self.closed.result, value_bar)
        out, self.bars.out = self.bars.out, []
        return out

    def _seed(self, result: Value, bar: Any) -> None:
        if isinstance(result, Atom):
            if isinstance(result.node, gast.Name) and result.node.id in self.active:
                self.bars.contribute(result.node.id, bar, full=True)
        elif isinstance(result, Seq):
            for k, item in enumerate(result.items):
                self._seed(item, quote.expr("b[k]", b=bar, k=k))
        elif isinstance(result, Record):
            for key, item in result.items:
                self._seed(item, quote.expr("b[k]", b=bar, k=quote.constant(key)))

    def adjoints(self) -> list[Any]:
        return self.back.block(self.closed.tree.body[:-1])

    def gradients(self) -> list[Any]:
        """For each chosen variable its gradient, as an expression in the structure of the variable."""
        return [self._gradient(self.closed.parameters[p]) for p in self.wrt]

    def _gradient(self, value: Value) -> Any:
        if isinstance(value, Seq):
            items = [self._gradient(v) for v in value.items]
            return gast.List(elts=items, ctx=gast.Load()) if value.is_list else gast.Tuple(elts=items, ctx=gast.Load())
        if isinstance(value, Record):
            return gast.Dict(keys=[quote.constant(k) for k, _ in value.items], values=[self._gradient(v) for _, v in value.items])
        if isinstance(value, Known) or not isinstance(value, Atom) or is_discrete(value.type):
            return quote.constant(None)
        return self._leaf(value.node.id)

    def _leaf(self, name: str) -> Any:
        bars = self.bars
        kind = self.closed.types.get(name, UNKNOWN)
        state = bars.of(name) if name in self.active else ZERO
        node = quote.name(name)
        narrow = isinstance(kind, Scalar) and kind.dtype.itemsize < 8
        if state == ZERO:
            return bars.helper(runtime.zero_of, node) if narrow or isinstance(kind, Array) and kind.rank == 0 else bars.zero(name)
        bar = quote.name(bars.bar(name))
        if isinstance(kind, Number) or (is_real_scalar(kind) and not narrow):
            return bar if state == FULL else bars.helper(runtime.unbroadcast, bar, node)
        if narrow:
            return bars.helper(runtime.unbroadcast, bar, node)
        if state == THIN and isinstance(kind, Array) and kind.dtype is not None and kind.rank:
            return bars.own(bar, name)
        if isinstance(kind, List) and not is_scalar(kind.element):
            return bars.helper(runtime.owned, bar, node)
        if name in bars.buffers and kind is not UNKNOWN:
            return bar
        if (
            state == FULL
            and name not in bars.buffers
            and name not in self.shared_bars()
            and not (isinstance(kind, Array) and kind.rank == 0)
        ):
            return bar
        return bars.helper(runtime.owned, bar, node)

    def shared_bars(self) -> set[str]:
        """Names whose cotangent may be memory that something else also holds."""
        return bars_not_fresh(self.written_back, self.bars, self.fresh)

    written_back: list[Any] = []


def separate_memory(closed: Closed, memory: memory_facts.Memory, others: tuple[str, ...]) -> list[Any]:
    """A check for each argument that is written: it shares memory with no other argument, tangent or seed."""
    checks = []
    name = ""
    for p in memory.parameters_written:
        kinds = {q: closed.types.get(q, UNKNOWN) for q in (*closed.parameters, *others) if q != p}
        shared = [q for q, kind in kinds.items() if kind is UNKNOWN or not (is_scalar(kind) or is_discrete(kind))]
        if shared and not is_scalar(closed.types.get(p, UNKNOWN)):
            name = closed.spelling.helper("check_separate", runtime.check_separate)
            keywords = [gast.keyword(arg=q, value=quote.name(q)) for q in shared]
            checks.append(gast.Expr(value=gast.Call(func=quote.name(name), args=[quote.constant(p), quote.name(p)], keywords=keywords)))
    return checks


def bars_not_fresh(body: list[Any], bars: Bars, fresh: Any) -> set[str]:
    """Names whose cotangent may be memory that something else also holds."""
    by_bar = {b: n for n, b in bars.names.items()}
    found: set[str] = set()
    for stmt in _simple(body):
        if isinstance(stmt, gast.Assign) and isinstance(stmt.targets[0], gast.Name) and stmt.targets[0].id in by_bar:
            name = by_bar[stmt.targets[0].id]
            if not _is_own(stmt.value, name, bars, fresh):
                found.add(name)
    return found


def _is_own(value: Any, name: str, bars: Bars, fresh: Any) -> bool:
    """Is this value memory of the name's own: new, summed to a smaller shape, or a buffer handed over?"""
    if isinstance(value, gast.Call) and getattr(value.func, "id", "").startswith("unbroadcast"):
        ranks = [rank_of(bars.closed.type_of(a)) for a in value.args]
        return (None not in ranks and ranks[0] != ranks[1]) or _is_own(value.args[0], name, bars, fresh)
    return fresh(value) or (isinstance(value, gast.Name) and name in bars.taken_over)


def _simple(body: list[Any]) -> Any:
    for stmt in body:
        inner = blocks(stmt)
        if not inner:
            yield stmt
        for block in inner:
            yield from _simple(block)


def split_own_results(closed: Closed) -> None:
    """`y = exp(y)` → `y2 = exp(y); y = y2` wherever a name that is assigned more than once has a rule that may read its result."""
    counts: dict[str, int] = dict.fromkeys(closed.parameters, 1)
    for stmt in _simple(closed.tree.body):
        if isinstance(stmt, gast.Assign) and isinstance(stmt.targets[0], gast.Name):
            counts[stmt.targets[0].id] = counts.get(stmt.targets[0].id, 0) + 1

    def assigned_again(name: str, stmt: Any, in_loop: bool) -> bool:
        return counts[name] > 1 and (in_loop or name in names_read(stmt.value))

    def split(body: list[Any], in_loop: bool = False) -> list[Any]:
        out: list[Any] = []
        for stmt in body:
            if blocks(stmt):
                inside = in_loop or not isinstance(stmt, gast.If)
                fields = {f: split(getattr(stmt, f), inside) for f in ("body", "orelse") if getattr(stmt, f, None)}
                out.append(quote.rebuilt(stmt, **fields))
                continue
            target = stmt.targets[0] if isinstance(stmt, gast.Assign) else None
            if isinstance(target, gast.Name) and reads_result(closed, stmt.value) and assigned_again(target.id, stmt, in_loop):
                name = closed.names.fresh(target.id)
                closed.types[name] = closed.types[target.id]
                out.append(quote.placed(quote.stmt("n = e", n=name, e=stmt.value), stmt))
                out.append(quote.placed(quote.stmt("y = n", y=target, n=name), stmt))
            else:
                out.append(stmt)
        return out

    body = split(closed.tree.body)
    closed.tree = quote.rebuilt(closed.tree, body=body)


def keep_lengths(closed: Closed) -> None:
    """`for i in range(len(xs))` over a list that changes → `n = len(xs); for i in range(n)`: on the way back xs is longer."""
    changed = {n for stmt in closed.tree.body for n in stores(stmt) if isinstance(closed.types.get(n), List)}

    def kept(body: list[Any]) -> list[Any]:
        out: list[Any] = []
        for stmt in body:
            if blocks(stmt):
                stmt = quote.rebuilt(stmt, **{f: kept(getattr(stmt, f)) for f in ("body", "orelse") if getattr(stmt, f, None)})
            if isinstance(stmt, gast.For) and names_read(stmt.iter) & changed:
                holes: dict[str, Any] = {}
                for call in lengths(stmt.iter, changed):
                    name = closed.names.fresh("n")
                    closed.types[name] = Int()
                    out.append(quote.stmt("n = c", n=name, c=call))
                    holes[gast.dump(call)] = quote.name(name)
                stmt = quote.rebuilt(stmt, iter=with_lengths(stmt.iter, holes))
            out.append(stmt)
        return out

    if changed:
        closed.tree = quote.rebuilt(closed.tree, body=kept(closed.tree.body))


def lengths(node: Any, lists: set[str]) -> list[Any]:
    """The calls `len(xs)` in the header of a loop."""
    return [n for n in gast.walk(node) if isinstance(n, gast.Call) and len(n.args) == 1 and getattr(n.args[0], "id", "") in lists]


def with_lengths(node: Any, holes: dict[str, Any]) -> Any:
    if not isinstance(node, gast.Call):
        return node
    found = holes.get(gast.dump(node))
    return found if found is not None else quote.rebuilt(node, args=[with_lengths(a, holes) for a in node.args])


def reads_result(closed: Closed, value: Any) -> bool:
    operation = closed.operation(value)
    if operation is None:
        return False
    text = operation.rule.partials or operation.rule.reverse
    if text is None:
        return False
    first = text.function.__code__.co_varnames[0]
    result = first if operation.rule.partials is not None else first.removesuffix("_bar")
    return result in text.names


__all__ = ["Reverse", "problem"]
