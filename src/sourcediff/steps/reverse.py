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
from ..errors import raise_all
from ..facts import memory as memory_facts
from ..facts.activity import Activity, activity
from ..facts.agreement import Agreement
from ..facts.layout import layout
from ..facts.limits import limits
from ..facts.once import Once
from ..facts.plan import Plan
from ..facts.saving import Planner
from ..facts.spaces import spaces
from ..facts.uses import Summaries, blocks, loops, names_read
from ..python import quote
from ..python.lattice import UNKNOWN, Array, List, Number, Scalar, is_discrete, is_real_scalar, is_scalar
from .adjoint.back import Back
from .adjoint.bars import FULL, THIN, ZERO, Bars
from .adjoint.contributions import Gather, Recipe, recipe
from .adjoint.invariant import is_invariant
from .adjoint.lists import keep_lists
from .adjoint.loads import loads
from .adjoint.mirrors import Mirroring, Mirrors
from .adjoint.needs import needs_of, recomputable
from .adjoint.normal import keep_tests, split_own_results
from .adjoint.ownership import bars_not_fresh
from .adjoint.scaling import scale_in_place
from .adjoint.separate import copies_of_inputs, prepared_inputs, separate_memory, working_copy
from .adjoint.there import There
from .adjoint.wide import wide
from .adjoint.zeros import is_exact
from .closed import Closed
from .inlining.leaving import is_exit
from .inlining.structures import display, read_parts
from .inlining.values import Atom, Value, leaves
from .purity import is_fresh, is_pure, is_sure_view, keeps_nothing, viewed


class Reverse:
    """One reverse derivation. `run` gives the body of the derivative."""

    def __init__(self, closed: Closed, wrt: tuple[str, ...], others: tuple[str, ...] = ()) -> None:
        self.closed = closed
        self.callers: dict[str, str] = {}  # argument that the way back restores in a copy -> the name of the caller's own
        self.entries: dict[str, str] = {}  # list that is changed -> what it held on entry, which its gradient is of
        self.others = others  # parameters of the derivative beside those of the function
        self.wrt = wrt
        self.pure, self.fresh = is_pure(closed), is_fresh(closed)
        split_own_results(closed)
        keep_lists(closed, self._memory())
        keep_tests(closed)
        self.memory = self._memory()
        if scale_in_place(closed, self.memory):
            self.memory = self._memory()
        self.variables = [a.node.id for p in wrt for a in leaves(closed.variable(p)) if not is_discrete(a.type)]
        self.results = [a for a in leaves(closed.result) if isinstance(a.node, gast.Name)]
        self.active = self._active()
        self.mirrors = self._mirrors()
        self.layout = layout(closed.tree, lambda n: n in closed.types, closed.shadows - closed.partial)
        self.agreement = Agreement(closed, *spaces(closed), self.layout)
        self.once = Once(closed, self.layout, self.memory, lambda n: n not in self.mirrors)
        self.summaries = Summaries(self.pure)
        self.recipes: dict[int, Recipe] = {}
        self.bars = Bars(closed, self.agreement, self.layout, self.mirrors)
        self._find_recipes(closed.tree.body)
        self.bars.buffers = self.buffers()
        self.bars.loads = loads(closed, self.layout, self.memory, self.recipes, self.bars.buffers - self.mirrors.bars.keys())
        self.bars.wide = wide(closed, self.bars, self.layout, self.recipes)
        self.plan = self._plan()
        self.there = There(closed, self.layout, self.plan, self.mirrors)
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
            self.once,
        )

    def _memory(self) -> memory_facts.Memory:
        return memory_facts.memory(self.closed, keeps_nothing(self.closed), self.fresh, viewed(self.closed))

    def _active(self) -> Activity:
        return activity(self.closed, self.variables, [a.node.id for a in self.results], self.class_of)

    def _mirrors(self) -> Mirrors:
        """The cotangents of names that see each other's writes are put into the program; then its facts are found anew."""
        tangled, refused = memory_facts.entangled(self.closed, self.memory, lambda n: n in self.active)
        raise_all(limits(self.closed, self.active) + refused)
        mirrors = Mirroring(self.closed, self.memory, self.fresh, tangled).run()
        if mirrors.bars:
            self.memory = self._memory()
            for name in mirrors.bars:
                self.memory.loads.pop(name, None)
            self.active = self._active()
        return mirrors

    def class_of(self, name: str) -> str:
        """Names that what is written through one of may be read through another."""
        memory = self.memory
        if isinstance(self.closed.types.get(name), List) and memory.family_changes(name):
            return memory.sharing.root(name) or name
        return memory.group(name) or name

    def _find_recipes(self, body: list[Any]) -> None:
        for stmt in body:
            moves = id(stmt) in self.mirrors.pointers
            if isinstance(stmt, gast.Assign) and isinstance(stmt.targets[0], gast.Name) and stmt.targets[0].id in self.active and not moves:
                found = self.recipes[id(stmt)] = self.at_older_shapes(recipe(self.closed, stmt, self.active))
                for part in found.parts:
                    if not isinstance(part, Gather) and part.elementwise:
                        self.bars.templates.relate(part, stmt)
            for block in blocks(stmt):
                self._find_recipes(block)

    def at_older_shapes(self, found: Recipe) -> Recipe:
        """Where only the shape of a name is asked for, ask an older name of the same shape: the other may not be there for it."""
        for part in found.parts:
            if not isinstance(part, Gather):
                part.value = quote.fill(part.value, {n: self.bars.shaped(n) for n in self.summaries(part.value).shape})
        return found

    def buffers(self) -> set[str]:
        """Names whose cotangent is memory of its own, added to in place."""
        found = {p.target for r in self.recipes.values() for p in r.parts if isinstance(p, Gather)}
        found |= {n for n in self.closed.types if self.memory.group(n) is not None and self.memory.owner(n)}
        found |= {n for n, t in self.closed.types.items() if isinstance(t, List)} | self.mirrors.bars.keys()
        return {n for n in found if n in self.active and not is_scalar(self.closed.types.get(n, UNKNOWN))}

    # -- what the way back needs

    def _plan(self) -> Plan:
        """What is saved inside a branch or loop is restored under the same control: then that is needed too, and all is planned anew."""
        controlled: set[int] = set()
        while True:
            plan = self._planned(controlled)
            around = self._around_saves(plan) - controlled
            if not around:
                return plan
            controlled |= around

    def _around_saves(self, plan: Plan) -> set[int]:
        """The compound statements that something is restored, undone or computed again in."""
        found: set[int] = set()
        for key in (*plan.before, *plan.after, *plan.slots, *plan.again):
            block = self.layout.spots[key].block
            while block.owner is not None and id(block.owner) not in found:
                found.add(id(block.owner))
                assert block.parent is not None
                block = block.parent
        return found

    def _planned(self, controlled: set[int]) -> Plan:
        needs = needs_of(self.closed, self.active, self.layout, self.recipes, self.bars, self.summaries, controlled)
        flags = {
            n.id
            for s in loops(self.closed.tree.body)
            if is_exit(s.body[-1])
            for n in gast.walk(s.body[-1].test)
            if isinstance(n, gast.Name)
        }
        planner = Planner(
            self.closed,
            self.layout,
            needs,
            self.memory.group,
            self._recomputable,
            lambda s: self.fresh(s.value),
            flags,
            self.memory.owners,
            lambda expression: self.summaries(expression).content,
            lambda s: is_sure_view(self.closed, s.value, self.fresh),
            self.once,
        )
        return planner.run()

    def _recomputable(self, stmt: Any) -> bool:
        if any(stmt is s for s in self.mirrors.allocations.values()):
            return self.mirrors.fixed
        deep = not isinstance(stmt.value, gast.Subscript)
        lists = self.memory.changing(names_read(stmt.value), lambda n: self.closed.types.get(n, UNKNOWN), deep)
        again = recomputable(self.closed, stmt, lists, self.pure)
        return again or is_invariant(self.closed, self.layout, self.memory.group, stmt)

    # -- the parts of the derivative

    def primal(self) -> list[Any]:
        """The way there, without its return."""
        body = self.there.program(self.closed.tree.body[:-1])
        checks = separate_memory(self.closed, self.memory, self.others)
        first = copies_of_inputs(self.closed, self.memory)
        for p in self.memory.changed_lists(self.variables):
            entry = self.entries[p] = self.closed.names.fresh(p)
            self.closed.types[entry] = self.closed.types[p]
            first.setdefault(p, []).append(quote.stmt("e = k", e=entry, k=self.bars.helper(runtime.kept, quote.name(p))))
        back: list[Any] = []
        if not self.closed.copies_inputs:
            for p in self.memory.parameters_written:
                if self.memory.sharing.root(p) in self.plan.restored:
                    caller = self.callers[p] = self.closed.names.fresh(p)
                    self.closed.types[caller] = self.closed.types[p]
                    copy, put = working_copy(self.closed, self.memory, self.bars.helper, p, caller)
                    first.setdefault(p, []).extend(quote.stmts("c = p\np = w", c=caller, p=p, w=copy))
                    back.append(put)
        return [*checks, *prepared_inputs(self.closed, body, first), *back]

    def value(self) -> Any:
        """The result as an expression; of what the way back restores it is the caller's own array, or else a copy."""
        shared = {a.node.id for a in self.results if self.memory.sharing.root(a.node.id) in self.plan.restored}
        node = self.closed.tree.body[-1].value
        kept = {n: quote.name(self.callers[n]) if n in self.callers else quote.expr("x.copy()", x=n) for n in shared}
        return quote.fill(node, kept) if shared else node

    def seed(self, value_bar: Any) -> list[Any]:
        """Hand the seed to the result: 1.0, or a cotangent of the value's structure."""
        self.bars.out = []
        self._seed(self.closed.result, value_bar)
        out, self.bars.out = self.bars.out, []
        return [*self.there.postponed, *out]

    def _seed(self, result: Value, bar: Any) -> None:
        if isinstance(result, Atom):
            if isinstance(result.node, gast.Name) and result.node.id in self.active:
                self.bars.contribute(result.node.id, bar, full=True)
        else:
            for part_bar, part in read_parts(result, bar):
                self._seed(part, part_bar)

    def adjoints(self) -> list[Any]:
        return self.back.block(self.closed.tree.body[:-1])

    def gradients(self) -> list[Any]:
        """For each chosen variable its gradient, as an expression in the structure of the variable."""
        return [display(self.closed.variable(p), self._gradient, self.closed.spelling) for p in self.wrt]

    def _gradient(self, value: Value) -> Any:
        if not isinstance(value, Atom) or is_discrete(value.type):
            return quote.constant(None)
        return self._leaf(value.node.id)

    def _leaf(self, name: str) -> Any:
        bars = self.bars
        kind = self.closed.types.get(name, UNKNOWN)
        state = bars.of(name) if name in self.active else ZERO
        if name in self.entries:
            entry = quote.name(self.entries[name])
            return (
                bars.helper(runtime.zero_gradient, entry)
                if state == ZERO
                else bars.helper(runtime.owned, quote.name(bars.bar(name)), entry)
            )
        node = quote.name(name)
        narrow = isinstance(kind, Scalar) and kind.dtype.itemsize < 8
        if state == ZERO and (kind == UNKNOWN or (isinstance(kind, List) and not is_real_scalar(kind.element))):
            return bars.helper(runtime.zero_gradient, node)
        if state == ZERO:
            return bars.helper(runtime.zero_of, node) if narrow or isinstance(kind, Array) and kind.rank == 0 else bars.zero(name)
        bar = quote.name(bars.bar(name))
        if name in self.mirrors:
            return bar
        if isinstance(kind, Number) or (is_real_scalar(kind) and not narrow):
            return bar if state == FULL else bars.helper(runtime.unbroadcast, bar, node)
        if narrow:
            return bars.helper(runtime.unbroadcast, bar, node)
        if state == THIN and isinstance(kind, Array) and kind.dtype is not None and kind.rank:
            return bars.own(bar, name)
        if isinstance(kind, List) and not is_scalar(kind.element) and (bars.mixed or not is_exact(kind)):
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
