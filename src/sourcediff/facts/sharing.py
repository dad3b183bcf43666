"""Which names may share memory: classes of names, joined by every statement that may make an alias.

Flow-insensitive and one pass: what `y = x[1:]`, `xs.append(x)` or `y = g(x)` may let share stays in one class for the whole function.
Numbers are in no class. The class OUTSIDE is what the function does not own: free names, what unknown calls took or gave, and what a
nested function captured. Parameters are a class each (the generated code checks that written arguments share no memory).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import Any

import gast

from ..python.lattice import Array, Const, Dict, List, Other, Str, Tuple, Type, is_scalar
from .uses import (
    SHAPE_ATTRIBUTES,
    base_name,
    blocks,
    captured_names,
    children,
    expressions,
    parameters,
    reads,
    stores,
    target_names,
    writes,
    written_by_call,
)

OUTSIDE = ""


class Sharing:
    """`root(name)` is the class of a name, None for a number; `written` are the classes written in place, `changing`
    those that in addition unknown calls may write, `escaping` those that
    the caller can see, `returned` those that a result may share memory with."""

    def __init__(
        self,
        tree: Any,
        type_of: Callable[[str], Type],
        is_pure: Callable[[Any], bool],
        is_fresh: Callable[[Any], bool],
        memory: Mapping[str, Hashable] | None = None,
        viewed: Callable[[Any], list[Any] | None] = lambda call: None,
        parts: Iterable[str] = (),
        structures: Iterable[str] = (),
    ) -> None:
        """parts: names of what parameters hold, each a class of its own as parameters are; structures: names of what holds them."""
        self._viewed = viewed  # the arguments that a call's result may share memory with, None where that is not known
        self._type_of, self._is_pure, self._is_fresh = type_of, is_pure, is_fresh
        self._memory = memory
        self._parent: dict[str, str] = {}
        self._plain: dict[str, bool] = {OUTSIDE: False} | dict.fromkeys(structures, True)
        self._stored: set[str] = set()
        self._returned: set[str] = set()
        self._unknown_calls = False
        bound = set(parameters(tree))
        for stmt in tree.body:
            self._stored |= stores(stmt)
            bound |= writes(stmt)
        read = {name for stmt in tree.body for name in reads(stmt)}
        for name in (read | self._stored) - bound | captured_names(tree):
            self._join(OUTSIDE, name)
        first: dict[Hashable, str] = {}
        for name, family in (memory or {}).items():
            self._join(first.setdefault(family, name), name)
        self._block(tree.body)
        self._find_classes([*parameters(tree), *parts])

    def _find_classes(self, params: list[str]) -> None:
        members: dict[str, set[str]] = {}
        for name in list(self._parent):
            members.setdefault(self._find(name), set()).add(name)
        self._roots = {name: root for root, names in members.items() for name in names}
        self.members = {root: frozenset(names) for root, names in members.items()}
        self.returned = self.roots(self._returned)
        self.escaping = self.roots(params) | {self._find(OUTSIDE)}
        self.written = self.roots(self._stored)
        self.changing = self.written | self.escaping if self._unknown_calls else self.written

    def root(self, name: str) -> str | None:
        if self.plain(name):
            return None
        return self._roots.get(name, name)

    def roots(self, names: Any) -> frozenset[str]:
        return frozenset(root for name in names if (root := self.root(name)) is not None)

    def family(self, name: str) -> frozenset[str]:
        """The names that may share memory with `name`, itself among them."""
        root = self.root(name)
        return frozenset((name,)) if root is None else self.members.get(root, frozenset()) | {name}

    def escapes(self, name: str) -> bool:
        """The caller may see what is written through `name`."""
        return self.root(name) in self.escaping

    def plain(self, name: str) -> bool:
        """An immutable value, or one that nobody writes."""
        known = self._plain.get(name)
        if known is None:
            kind = self._type_of(name)
            absent = self._memory is not None and name not in self._memory and name not in self._stored
            known = absent or is_scalar(kind) or isinstance(kind, (Const, Str))
            self._plain[name] = known
        return known

    # Walking -------------------------------------------------------------------------------------------------------------------------

    def _block(self, body: list[Any]) -> None:
        for stmt in body:
            self._statement(stmt)
            for block in blocks(stmt):
                self._block(block)

    def _statement(self, stmt: Any) -> None:
        for expr in expressions(stmt):
            self._calls(expr)
        match stmt:
            case gast.Assign(targets=[gast.Tuple() as target], value=gast.Tuple() as value) if len(target.elts) == len(value.elts):
                for one, source in zip(target.elts, value.elts, strict=True):
                    self._assign(one, source)
            case gast.Assign():
                for target in stmt.targets:
                    self._assign(target, stmt.value)
            case gast.AugAssign():
                # Numbers and arrays are added to what is there; only a list takes the elements themselves.
                if any(self._is_container(name) for name in self.sources(stmt.value)):
                    self._assign(stmt.target, stmt.value)
            case gast.For():
                self._assign(stmt.target, stmt.iter)
            case gast.Return() if stmt.value is not None:
                self._returned.update(self.sources(stmt.value))
            case gast.If() | gast.While() | gast.Expr() | gast.FunctionDef() | gast.Return() | gast.Break() | gast.Pass():
                pass
            case gast.Assert() | gast.Raise() | gast.Import() | gast.ImportFrom() | gast.Continue():
                pass
            case _:
                for name in reads(stmt) | writes(stmt):
                    self._join(OUTSIDE, name)

    def _assign(self, target: Any, value: Any) -> None:
        base = base_name(target)
        if base is not None and isinstance(self._type_of(base), Array):
            return  # its elements are copied
        for name in (base,) if base is not None else target_names(target):
            for source in self.sources(value):
                self._join(name, source)

    def _calls(self, expr: Any) -> None:
        """What a call may do to its arguments: `append` stores them, an unknown function may keep them."""
        if type(expr) is gast.Call and not self._is_pure(expr):
            taken = [*expr.args, *(k.value for k in expr.keywords)]
            method = expr.func.attr if type(expr.func) is gast.Attribute else ""
            keeper = written_by_call(expr) if method == "append" else OUTSIDE
            if keeper == OUTSIDE and method:
                taken.append(expr.func.value)
            if keeper is not None and method not in ("pop", "at"):
                self._unknown_calls = self._unknown_calls or keeper == OUTSIDE
                for name in {name for argument in taken for name in self.sources(argument)}:
                    self._join(keeper, name)
        for child in children(expr):
            if type(child) is not gast.Name and type(child) is not gast.Constant:
                self._calls(child)

    def copies_elements(self, name: str) -> bool:
        """Does a store into it copy what is stored, as into an array?"""
        return isinstance(self._type_of(name), Array)

    def sources(self, node: Any) -> set[str]:
        """The names whose memory the value of an expression may share."""
        match node:
            case gast.Name():
                return set() if self.plain(node.id) else {node.id}
            case gast.Constant() | gast.Compare() | gast.JoinedStr():
                return set()
            case gast.BinOp() | gast.UnaryOp():
                below = [name for child in children(node) for name in self.sources(child)]
                return {name for name in below if self._is_container(name) and not self._holds_numbers(name)}
            case gast.Attribute():
                return set() if node.attr in SHAPE_ATTRIBUTES else self.sources(node.value)
            case gast.Subscript():
                return set() if self._copies(node) else self.sources(node.value)
            case gast.Call():
                return self._of_call(node)
        return {name for child in children(node) for name in self.sources(child)}

    def _copies(self, slot: Any) -> bool:
        """Is `x[i]` a copy, since it picks elements by an array of places or a mask, or is a slice of a list of numbers?"""
        if type(slot.slice) is gast.Slice and type(slot.value) is gast.Name:
            return self._holds_numbers(slot.value.id)
        parts = slot.slice.elts if type(slot.slice) is gast.Tuple else [slot.slice]
        picks = any(type(p) is gast.Name and isinstance(self._type_of(p.id), (Array, List)) for p in parts)
        return picks and type(slot.value) is gast.Name and self.copies_elements(slot.value.id)

    def _of_call(self, node: Any) -> set[str]:
        function = node.func
        if type(function) is gast.Attribute and function.attr == "pop":
            return self.sources(function.value)
        if self._is_fresh(node):
            return set()
        viewed = self._viewed(node)
        if viewed is not None:
            return {name for argument in viewed for name in self.sources(argument)}
        below = [*node.args, *(k.value for k in node.keywords)]
        if type(function) is gast.Attribute:
            below.append(function.value)
        found = {name for child in below for name in self.sources(child)}
        return found if self._is_pure(node) else found | {OUTSIDE}

    def _is_container(self, name: str) -> bool:
        return name == OUTSIDE or isinstance(self._type_of(name), (List, Tuple, Dict, Other))

    def _holds_numbers(self, name: str) -> bool:
        kind = None if name == OUTSIDE else self._type_of(name)
        return isinstance(kind, List) and is_scalar(kind.element)

    def _find(self, name: str) -> str:
        parent = self._parent
        root = name
        while parent.setdefault(root, root) != root:
            root = parent[root]
        while parent[name] != root:
            parent[name], name = root, parent[name]
        return root

    def _join(self, one: str, other: str) -> None:
        if not (self.plain(one) or self.plain(other)):
            self._parent[self._find(one)] = self._find(other)
