"""Which names carry derivatives: those that vary with the chosen variables *and* matter to the result.

One dependence graph over names (after inline a name has one meaning), followed forwards from the variables and backwards
from the result. Names that may share memory with something written are one node: a store of a constant into one element
never makes a whole array inactive.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

import gast

from ..python.lattice import Array, Const, Dict, List, Tuple, Type, is_discrete
from .uses import blocks


@dataclass(frozen=True)
class Edge:
    """`target` depends on `source` through this statement."""

    source: str
    target: str
    statement: Any


@dataclass
class Activity:
    varied: frozenset[str]
    useful: frozenset[str]
    edges: list[Edge] = field(default_factory=list)

    def __contains__(self, name: str) -> bool:
        return name in self.varied and name in self.useful

    def is_active(self, node: Any) -> bool:
        """Does this operand carry a derivative?"""
        if isinstance(node, gast.Name):
            return node.id in self
        if isinstance(node, (gast.Tuple, gast.List)):
            return any(self.is_active(e) for e in node.elts)
        return isinstance(node, gast.Starred) and self.is_active(node.value)


def carries(kind: Type) -> bool:
    """May a value of this type carry a derivative?"""
    if isinstance(kind, List):
        return carries(kind.element)
    if isinstance(kind, Tuple):
        return any(carries(e) for e in kind.elements)
    if isinstance(kind, Dict):
        return kind.items is None or any(carries(t) for _, t in kind.items)
    if isinstance(kind, Const) and kind.value is None:
        return True  # joined with a number later
    return not is_discrete(kind)


def activity(closed: Any, variables: Iterable[str], results: Iterable[str], group: Callable[[str], str]) -> Activity:
    """closed: a CLOSED function; group: the representative of the names that may share written memory with a name."""
    edges: list[Edge] = []
    _edges_of_block(closed, closed.tree.body, edges)
    forwards: dict[str, set[str]] = {}
    backwards: dict[str, set[str]] = {}
    names: dict[str, set[str]] = {}
    for name in closed.types:
        names.setdefault(group(name), set()).add(name)
    for edge in edges:
        a, b = group(edge.source), group(edge.target)
        forwards.setdefault(a, set()).add(b)
        backwards.setdefault(b, set()).add(a)
    varied = _reached({group(v) for v in variables}, forwards)
    useful = _reached({group(r) for r in results}, backwards)

    def spread(groups: set[str]) -> frozenset[str]:
        return frozenset(n for g in groups for n in names.get(g, {g}) if carries(closed.types.get(n, Type())))

    return Activity(spread(varied), spread(useful), edges)


def _reached(start: set[str], edges: dict[str, set[str]]) -> set[str]:
    found, pending = set(start), list(start)
    while pending:
        for following in edges.get(pending.pop(), ()):
            if following not in found:
                found.add(following)
                pending.append(following)
    return found


def _edges_of_block(closed: Any, body: list[Any], edges: list[Edge]) -> None:
    for stmt in body:
        for source, target in dependences(closed, stmt):
            if carries(closed.types.get(target, Type())) and carries(closed.types.get(source, Type())):
                edges.append(Edge(source, target, stmt))
        for block in blocks(stmt):
            _edges_of_block(closed, block, edges)


def dependences(closed: Any, stmt: Any) -> list[tuple[str, str]]:
    """(source, target) for what a simple statement hands on."""
    match stmt:
        case gast.Assign(targets=[gast.Name() as target]):
            return [(s, target.id) for s in differentiable_operands(closed, stmt.value)]
        case gast.Assign(targets=[gast.Tuple() as target], value=gast.Tuple() as value):
            return [(s.id, t.id) for s, t in zip(value.elts, target.elts, strict=True) if isinstance(s, gast.Name)]
        case gast.Assign(targets=[gast.Subscript(value=gast.Name() as base)]):
            return [(s, base.id) for s in names_of(stmt.value)]
        case gast.AugAssign(target=gast.Subscript(value=gast.Name() as base)):
            return [(s, base.id) for s in names_of(stmt.value)]
        case gast.AugAssign(target=gast.Name() as target):
            return [(s, target.id) for s in names_of(stmt.value)]
        case gast.Expr(value=gast.Call() as call):
            return _effect_dependences(closed, call)
    return []


def _effect_dependences(closed: Any, call: gast.Call) -> list[tuple[str, str]]:
    func = call.func
    if isinstance(func, gast.Attribute) and func.attr == "append" and isinstance(func.value, gast.Name):
        return [(s, func.value.id) for s in names_of(call.args[0])]
    if isinstance(func, gast.Attribute) and func.attr == "at" and isinstance(call.args[0], gast.Name):
        return [(s, call.args[0].id) for a in call.args[2:] for s in names_of(a)]
    return []


def differentiable_operands(closed: Any, value: Any) -> list[str]:
    """The names that derivatives flow from into the value of a right-hand side."""
    match value:
        case gast.Name():
            return [value.id]
        case gast.Subscript(value=gast.Name() as base):
            return [base.id]
        case gast.List() | gast.Tuple():
            return names_of(value)
        case gast.Compare() | gast.BoolOp() | gast.Constant() | gast.JoinedStr():
            return []
        case gast.Call(func=gast.Attribute(attr="pop", value=gast.Name() as base)):
            return [base.id]
    operation = closed.operation(value)
    if operation is not None:
        if operation.rule.form == "constant":
            return []
        if operation.rule.form == "undefined":
            return [n for node in operation.bound.values() for n in names_of(node)]
        return [n for p in operation.rule.operands for n in names_of(operation.bound.get(p))]
    if isinstance(value, gast.Call):
        method = value.func.value if isinstance(value.func, gast.Attribute) and isinstance(value.func.value, gast.Name) else None
        own = [method.id] if method is not None and method.id in closed.types else []
        if isinstance(value.func, gast.Name) and value.func.id in ("len", "range"):
            return []
        return own + [n for a in [*value.args, *(k.value for k in value.keywords)] for n in names_of(a)]
    if isinstance(value, gast.BinOp):
        return names_of(value.left) + names_of(value.right)
    if isinstance(value, gast.UnaryOp) and not isinstance(value.op, gast.Not):
        return names_of(value.operand)
    return []


def names_of(node: Any) -> list[str]:
    """The names in an atom or a display of atoms."""
    match node:
        case gast.Name():
            return [node.id]
        case gast.Tuple() | gast.List():
            return [n for e in node.elts for n in names_of(e)]
        case gast.Starred():
            return names_of(node.value)
        case gast.Dict():
            return [n for e in node.values for n in names_of(e)]
    return []


__all__ = ["Activity", "Array", "activity", "carries", "dependences", "differentiable_operands", "names_of"]
