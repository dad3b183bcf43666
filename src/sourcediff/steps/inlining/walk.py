"""The walk: runs a FLAT function on abstract values and writes the CLOSED one as it goes.

Typing, resolving and inlining are one abstract interpretation: to know which function `g` in `g(x)` is one needs the
types so far, and to know the types behind the call one has to walk into it. Because the walk knows at each moment
which emitted name every variable stands for, it writes static single assignment on the fly: a plain `y = x` leaves no
trace, an inlined parameter *is* the argument's name, and straight-line reassignment renames (`x`, `x2`).

It has to be read as an interpreter: a statement evaluates expressions, an expression may be a call, and a call runs the
statements of a function. Only where this circle closes do the files of this package import each other inside functions.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast

from ...errors import Place, problem
from ...python import quote
from ...python.lattice import NOTHING, Bool, Const, List, Type, join
from ...python.names import Names
from ...rules.forms import Rule
from .frames import Frame, Prepared, is_temporary
from .heap import Heap, part_hint
from .outside import outside_value
from .spelling import Spelling
from .structures import display
from .values import STRUCTURES, Atom, Conflict, Known, Ref, Value, holds_object, leaves, map_leaves, parts, same_shape, with_parts


class Walk:
    def __init__(self, prepare: Callable[[Any], Prepared], spelling: Spelling, names: Names) -> None:
        self.prepare = prepare
        self.spelling = spelling
        self.names = names
        self.block: list[Any] = []
        self.types: dict[str, Type] = {}
        self.calls: dict[str, Rule] = {}
        self.stack: list[Frame] = []
        self.heap = Heap()
        self.displays: dict[str, Any] = {}  # a list of the written code -> the display or call that makes it
        self.known_displays: frozenset[int] = frozenset()  # those that make a list which is known instead
        self.fresh: set[str] = set()  # names whose value no other name can see
        self.shadow_names: set[str] = set()
        self.partial_names: set[str] = set()  # names that some paths leave without a value
        self.head_copies: list[Any] = []  # the assignments that set a loop's variables before it
        self.chains: dict[Any, tuple[Place, ...]] = {}  # place of an inlined statement -> its callers
        self.opaque: set[str] = set()  # results of calls that nothing is known about
        self.standing: Any = None  # the user's call that a definition of ours, which is walked, stands for
        self.part_updates: dict[str, tuple[str, str]] = {}  # what `z.real += v` updates -> (z, "real"), which has been written by then
        self.outer_lists: set[str] = set()  # names of lists that an object from outside holds
        self.unreachable = False
        self.depth = 0  # of loops
        self.conditional = 0  # inside a condition, behind what may end it early

    # -- frames and variables

    @property
    def frame(self) -> Frame:
        return self.stack[-1]

    def frame_of(self, variable: str) -> Frame | None:
        """The frame whose variable a name means here, from inside out."""
        frame: Frame | None = self.frame
        while frame is not None:
            if variable in frame.code.local:
                return frame
            frame = frame.parent
        return None

    def lookup(self, variable: str, node: Any) -> Value:
        frame = self.frame_of(variable)
        if frame is None:
            return self.global_value(variable, node)
        if variable in frame.cells:
            return frame.cells[variable]
        value = frame.env.get(variable)
        if value is None and variable in frame.shadows:
            value = self.shadow(frame, variable)
        if value is None:
            raise self.problem("maybe_unbound", node, name=variable)
        if isinstance(value, Atom) and isinstance(value.type, List):
            return Atom(value.node, self.types.get(getattr(value.node, "id", ""), value.type))  # it may hold more by now
        if isinstance(value, Conflict):
            raise self.problem(value.reason or "runtime_function", node, name=variable)
        return value

    def global_value(self, variable: str, node: Any) -> Value:
        namespace = self.frame.code.namespace
        where, value = namespace.lookup(variable)
        if not where:
            raise self.problem("undefined_name", node, name=variable)
        return self.outside(
            value, lambda: self.spelling.global_name(variable, namespace), variable, lambda: namespace.lookup(variable)[1], where
        )

    def outside(self, value: Any, spelled: Callable[[], Any], label: str, get: Callable[[], Any], where: str) -> Value:
        """A value that the walked code reads from outside: folded if it is a function or the like, read live if it is data."""
        return outside_value(self, value, spelled, label, get, where)

    def bind(self, variable: str, value: Value, node: Any = None) -> None:
        """variable = value, in this frame."""
        frame = self.frame
        if variable in frame.cells:
            frame.cells[variable] = self.assign_in_place(frame, variable, frame.cells[variable], value)
            return
        frame.env[variable] = self.snapshot(value)
        if variable in frame.shadows:
            frame.shadows[variable] = self.assign_in_place(frame, variable, frame.shadows[variable], value)

    def shadow(self, frame: Frame, variable: str) -> Value:
        """What a variable is that was first assigned inside a loop, read where it may have been assigned in another iteration."""
        value = frame.shadows[variable]
        if value is None:
            name = self.names.fresh(self.hint(variable, frame))
            self.types[name] = NOTHING
            self.shadow_names.add(name)
            value = frame.shadows[variable] = Atom(quote.name(name), NOTHING)
        return value

    def assign_in_place(self, frame: Frame, variable: str, old: Value | None, value: Value) -> Value:
        """Assign to the names that hold a variable for good; a first value makes these names."""
        value = self.atomic(value)
        if holds_object(value) or isinstance(old, Conflict):
            return Conflict("object_from_loop")
        if old is None:
            old = map_leaves(value, lambda a: Atom(quote.name(self.names.fresh(self.hint(variable, frame))), a.type))
            if variable in frame.shadows:
                self.shadow_names.update(a.node.id for a in leaves(old))
        if not same_shape(old, value):
            raise self.problem("runtime_structure", None, name=variable)
        cells = []
        for cell, atom in zip(leaves(old), leaves(value), strict=True):
            if getattr(atom.node, "id", None) != cell.node.id:
                self.set_type(cell.node.id, atom.type)
                self.emit(quote.stmt("cell = value", cell=cell.node, value=atom.node))
            cells.append(Atom(cell.node, self.types.get(cell.node.id, atom.type)))
        rest = iter(cells)
        return map_leaves(value, lambda _: next(rest))

    def snapshot(self, value: Value) -> Value:
        """`value` with the variables that are assigned in place copied, so that it keeps what it is now."""
        mutable = {a.node.id for f in self.stack for v in (*f.cells.values(), *f.shadows.values()) if v is not None for a in leaves(v)}
        if not mutable:
            return value

        def copy(atom: Atom) -> Atom:
            if getattr(atom.node, "id", None) in mutable:
                return self.define(atom.node.id, atom.node, atom.type)
            return atom

        return map_leaves(value, copy)

    def atomic(self, value: Value) -> Value:
        """`value` with known constants as literals, so that each part can live in a name."""
        if isinstance(value, Known) and isinstance(value.value, (bool, str, type(None))):
            kind: Type = Bool() if isinstance(value.value, bool) else Const(value.value)
            return Atom(quote.constant(value.value), kind)
        return with_parts(value, [self.atomic(v) for v in parts(value)]) if isinstance(value, STRUCTURES) else value

    # -- writing code

    def emit(self, statement: Any, like: Any = None) -> Any:
        like = self.standing if self.standing is not None else like
        if like is not None:
            quote.placed(statement, like)
            if len(self.stack) > 1:
                self.chains.setdefault(getattr(like, "place", None), self.chain())
        self.block.append(statement)
        return statement

    def define(self, hint: str, operation: Any, kind: Type, like: Any = None, fresh: bool = True) -> Atom:
        """hint = operation, under a new name."""
        name = self.names.fresh(hint)
        self.types[name] = kind
        if fresh:
            self.fresh.add(name)
        target = quote.name(name)
        self.emit(quote.stmt("x = e", x=target, e=operation), like)
        return Atom(target, kind)

    def unknown(self, value: Value) -> Value:
        """The result of a call that nothing is known about: a number, an array, or an object of any kind."""
        if isinstance(value, Atom) and isinstance(value.node, gast.Name):
            self.opaque.add(value.node.id)
        return value

    def set_type(self, name: str, kind: Type) -> None:
        self.types[name] = join(self.types[name], kind) if name in self.types else kind

    def hint(self, variable: str, frame: Frame | None = None) -> str:
        """The name that a variable gets in the emitted code: its own, with the callee's in front if inlined."""
        frame = frame or self.frame
        prefix = frame.prefix
        if variable == frame.result:
            return frame.result_hint
        if is_temporary(variable):
            return self.place_hint(frame, variable) or "t"
        return f"{prefix}_{variable}" if prefix else variable

    def place_hint(self, frame: Frame, variable: str) -> str:
        """`b_pos` for a temporary that is stored into `b.pos` of an object b; "" for others."""
        place = frame.code.stored_into.get(variable)
        base = frame.env.get(getattr(place.value, "id", "")) if place is not None else None
        if place is None or not isinstance(base, Ref) or base.cls is list:
            return ""
        key = place.attr if isinstance(place, gast.Attribute) else getattr(place.slice, "value", None)
        return part_hint(base, key)

    def collect(self, action: Callable[[], None]) -> list[Any]:
        """What `action` writes, as a block of its own."""
        outer, self.block = self.block, []
        try:
            action()
            return self.block
        finally:
            self.block = outer

    def as_node(self, value: Value, node: Any = None) -> Any:
        """How the emitted code says `value`: a name, a literal, or a display of these."""
        if isinstance(value, Atom):
            return value.node
        if isinstance(value, STRUCTURES):
            return display(value, lambda v: self.as_node(v, node), self.spelling)
        if isinstance(value, Known):
            if value.node is not None:
                return value.node() if callable(value.node) else value.node
            if isinstance(value.value, (bool, str, type(None))):
                return quote.constant(value.value)
        if isinstance(value, Ref):
            raise self.problem("object_as_value", node, name=value.hint)
        if isinstance(value, Conflict):
            raise self.problem("runtime_structure", node, name="this value")
        raise self.problem("function_as_value", node)

    def operation(self, op: Any, left: Value, right: Value) -> Any:
        return gast.BinOp(left=self.as_node(left), op=op, right=self.as_node(right))

    # -- errors

    def problem(self, name: str, node: Any, /, **fields: Any) -> Exception:
        """An error at `node`, with the chain of inlined callers."""
        return problem(name, node if self.standing is None else self.standing, self.chain(), **fields)

    def chain(self) -> tuple[Place, ...]:
        """Where the inlined callers stand, innermost first; one that calls itself is named once."""
        return tuple(dict.fromkeys(f.call for f in reversed(self.stack) if f.call is not None))
