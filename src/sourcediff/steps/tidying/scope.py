"""What the passes of tidy know about one function: the facts handed in, and what follows from the text."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from typing import Any

import gast

from ...facts.sharing import Sharing
from ...facts.uses import Summaries, blocks, captured_names, parameters, target_names, writes
from ...python.lattice import UNKNOWN, Array, Complex, Float, Int, Scalar, Type


def _unknown(name: str) -> Type:
    return UNKNOWN


@dataclass(frozen=True)
class TidyFacts:
    """What tidy is told. Knowing less keeps more code: `TidyFacts()` drops and moves next to nothing.

    user_names: names that the user wrote; never renamed, never nested away.
    is_pure(call): a call without effects, whose result depends on its arguments alone.
    is_fresh(call): a call whose result shares memory with nothing.
    is_elementwise(call): a call of a NumPy or math function whose result is a float where its arguments are.
    memory: the alias class of each name that may denote memory written in place; names not in it are values. None: unknown,
    every alias that the text could make is assumed.
    whole: cotangents of real arrays that are never smaller than these, and of their dtype.
    """

    user_names: frozenset[str] = frozenset()
    type_of: Callable[[str], Type] = _unknown
    is_pure: Callable[[Any], bool] = field(default=lambda call: False)
    is_fresh: Callable[[Any], bool] = field(default=lambda call: False)
    is_elementwise: Callable[[Any], bool] = field(default=lambda call: False)
    memory: Mapping[str, Hashable] | None = None
    whole: frozenset[str] = frozenset()


class Scope:
    """One function under tidy. Passes only remove aliases, so that `sharing` stays right through all of them."""

    def __init__(self, tree: Any, facts: TidyFacts, summaries: Summaries) -> None:
        self.facts = facts
        counters = _counters(tree.body) - set(parameters(tree))
        self.type_of: Callable[[str], Type] = lambda name: (
            Int() if name in counters and facts.type_of(name) == UNKNOWN else facts.type_of(name)
        )
        self.summaries = summaries
        self.sharing = Sharing(tree, self.type_of, facts.is_pure, facts.is_fresh, facts.memory)
        self.memory_of: dict[frozenset[str], frozenset[str]] = {}  # see `waiting.memory_of`
        self.captured = captured_names(tree)
        self.bound = frozenset(parameters(tree)).union(*(writes(stmt) for stmt in tree.body))
        self.parameters = frozenset(parameters(tree))

    def generated(self, name: str) -> bool:
        """A name that we made and nobody else can see."""
        return name not in self.facts.user_names and name in self.bound and name not in self.captured and name not in self.parameters

    def rank(self, name: str) -> int:
        """How much a name says to the user: their own, one derived from it (`x_bar`), a temporary."""
        if name in self.facts.user_names:
            return 2
        return int(self.is_derivative(name) and name.rstrip("0123456789").rpartition("_")[0] in self.facts.user_names)

    def is_derivative(self, name: str) -> bool:
        """A tangent or cotangent of ours, by its name."""
        return name.rstrip("0123456789").endswith(("_bar", "_dot")) and name not in self.facts.user_names

    def number(self, node: Any) -> str:
        """ "float" or "complex" for one known number of that kind, "int", "array" for a known array of either, "" for not known."""
        match node:
            case gast.Name():
                return _number_of_type(self.type_of(node.id))
            case gast.Constant():
                return {float: "float", int: "int", complex: "complex"}.get(type(node.value), "")
            case gast.UnaryOp(op=gast.USub() | gast.UAdd()):
                return self.number(node.operand)
            case gast.BinOp(op=gast.Add() | gast.Sub() | gast.Mult() | gast.Div()):
                return _combined(self.number(node.left), self.number(node.right), isinstance(node.op, gast.Div))
            case gast.Call() if node.args and self.facts.is_elementwise(node):
                kinds = {self.number(a) for a in node.args}
                return "float" if kinds == {"float"} else "array" if "array" in kinds and kinds <= {"float", "array"} else ""
        return ""

    def inexact(self, node: Any) -> bool:
        """Known to be a float or complex number, or an array of these."""
        return self.number(node) in ("float", "complex", "array")

    def unshared(self, target: str, value: Any) -> bool:
        """`target` may be bound to the very object that `value` denotes: nobody writes into either, and no result is `target`."""
        sharing = self.sharing
        root = sharing.root(target)
        seen = sharing.changing | sharing.returned | sharing.escaping
        return root not in seen and not sharing.roots(self.summaries(value).names) & sharing.changing


def _counters(body: list[Any]) -> set[str]:
    """Names that are only set to literal ints and counted up or down by them, like `trips`."""
    counts: dict[str, bool] = {}
    pending = list(body)
    while pending:
        stmt = pending.pop()
        match stmt:
            case gast.Assign(targets=[gast.Name(id=name)], value=gast.Constant(value=int(number))) if not isinstance(number, bool):
                counts.setdefault(name, True)
            case gast.Assign(
                targets=[gast.Name(id=name)],
                value=gast.BinOp(left=gast.Name(id=old), op=gast.Add() | gast.Sub(), right=gast.Constant(value=int())),
            ) if name == old:
                pass
            case gast.AugAssign(target=gast.Name(), op=gast.Add() | gast.Sub(), value=gast.Constant(value=int())):
                pass
            case gast.FunctionDef():
                counts[stmt.name] = False
            case gast.Assign() | gast.AugAssign() | gast.For():
                for target in getattr(stmt, "targets", None) or [stmt.target]:
                    counts.update(dict.fromkeys(target_names(target), False))
            case gast.If() | gast.While() | gast.Expr() | gast.Return() | gast.Pass() | gast.Break():
                pass
            case _:
                counts.update(dict.fromkeys(writes(stmt), False))
        pending += [inner for block in blocks(stmt) for inner in block]
    return {name for name, only in counts.items() if only}


def _number_of_type(kind: Type) -> str:
    if isinstance(kind, Float):
        return "float"
    if isinstance(kind, Int):
        return "int"
    if isinstance(kind, Complex):
        return "complex"
    if isinstance(kind, Scalar):
        return {"f": "float", "c": "complex"}.get(kind.dtype.kind, "")
    if isinstance(kind, Array) and kind.dtype is not None and kind.dtype.kind in "fc" and kind.rank != 0:
        return "array"
    return ""


def _combined(one: str, other: str, divided: bool) -> str:
    if not one or not other:
        return ""
    for kind in ("array", "complex", "float"):
        if kind in (one, other):
            return kind
    return "float" if divided else "int"
