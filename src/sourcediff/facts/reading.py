"""What an expression reads, writes in place, and calls.

What is read is told apart: the content of a name, or its shape alone (`np.zeros_like(x)`, `x.shape`). Trees are never changed,
so that `Summaries` looks at each expression once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import gast

# The parameters that a call reads the shape of and nothing else.
SHAPE_ONLY = {
    "np.zeros_like": (0,),
    "np.ones_like": (0,),
    "np.empty_like": (0,),
    "np.full_like": (0,),
    "np.shape": (0,),
    "np.ndim": (0,),
    "np.size": (0,),
    "len": (0,),
    "zero_of": (0,),
    "broadcast_like": (1,),
    "owned": (1,),
    "unbroadcast": (1,),
    "owned_unbroadcast": (1,),
    "put_back_along_axis": (1,),
    "scattered": (1,),
    "taken_back": (1,),
    "unpadded": (1,),
    "unrepeated": (1,),
    "unresized": (1,),
    "untiled": (1,),
    "unwindowed": (1,),
}
SHAPE_ATTRIBUTES = frozenset({"shape", "size", "ndim", "dtype"})
# The methods that change a list or dict in place, by which they are known apart from unknown calls.
RESIZING = frozenset({"append", "pop"})

IsPure = Callable[[Any], bool]


class Summary(NamedTuple):
    """What evaluating an expression reads and does."""

    content: frozenset[str]
    shape: frozenset[str]  # the names of which only the shape is read
    resized: frozenset[str]  # lists that something is appended to or popped from
    stored: frozenset[str]  # arrays written in place (np.add.at, out=)
    impure: bool  # calls something with effects that are not known

    @property
    def names(self) -> frozenset[str]:
        return self.content | self.shape if self.shape else self.content

    @property
    def effect(self) -> bool:
        return bool(self.impure or self.resized or self.stored)


_NOTHING: frozenset[str] = frozenset()


class Summaries:
    """`summaries(expr) -> Summary`, each expression looked at once."""

    def __init__(self, is_pure: IsPure) -> None:
        self.is_pure = is_pure
        self._known: dict[int, tuple[Any, Summary]] = {}  # the node is kept, so that its id stays its own

    def __call__(self, node: Any) -> Summary:
        found = self._known.get(id(node))
        if found is not None:
            return found[1]
        if type(node) is gast.Name:
            summary = Summary(frozenset((node.id,)), _NOTHING, _NOTHING, _NOTHING, False)
        else:
            walk = _Walk(self.is_pure)
            walk.visit(node)
            summary = walk.summary()
        self._known[id(node)] = node, summary
        return summary

    def effect(self, parts: list[Any]) -> bool:
        """Has evaluating one of the expressions an effect?"""
        for part in parts:
            if type(part) is not gast.Name and type(part) is not gast.Constant:
                _, _, resized, stored, impure = self(part)
                if impure or resized or stored:
                    return True
        return False


class _Walk:
    def __init__(self, is_pure: IsPure) -> None:
        self.is_pure = is_pure
        self.content: set[str] = set()
        self.shape: set[str] = set()
        self.resized: set[str] = set()
        self.stored: set[str] = set()
        self.impure = False

    def summary(self) -> Summary:
        return Summary(
            frozenset(self.content), frozenset(self.shape - self.content), frozenset(self.resized), frozenset(self.stored), self.impure
        )

    def visit(self, node: Any) -> None:
        kind = type(node)
        if kind is gast.Name:
            self.content.add(node.id)
        elif kind is gast.Constant:
            pass
        elif kind is gast.BinOp:
            self.visit(node.left)
            self.visit(node.right)
        elif kind is gast.Call:
            self.call(node)
        elif kind is gast.Attribute and node.attr in SHAPE_ATTRIBUTES:
            self.template(node.value)
        elif kind in (gast.Lambda, gast.NamedExpr, gast.Await, gast.Yield, gast.YieldFrom):
            self.content.update(n.id for n in gast.walk(node) if isinstance(n, gast.Name))
            self.impure = True
        else:
            for child in children(node):
                self.visit(child)

    def call(self, node: Any) -> None:
        func = node.func
        written = written_by_call(node)
        if written is not None:
            (self.resized if func.attr in RESIZING else self.stored).add(written)
        elif not self.is_pure(node):
            self.impure = True
        self.visit(func)
        shaped = SHAPE_ONLY.get(dotted(func) or "", ())
        for position, argument in enumerate(node.args):
            if position in shaped:
                self.template(argument)
            else:
                self.visit(argument)
        for keyword in node.keywords:
            self.visit(keyword.value)

    def template(self, node: Any) -> None:
        """What is read for its shape alone: a name, or a slice of one."""
        if type(node) is gast.Name:
            self.shape.add(node.id)
        elif type(node) is gast.Subscript and is_basic(node.slice):
            self.template(node.value)
            self.visit(node.slice)
        else:
            self.visit(node)


def is_basic(index: Any) -> bool:
    """Is it an index of slices and constants, which reads no array to tell the shape?"""
    parts = index.elts if type(index) is gast.Tuple else [index]
    return all(type(p) is gast.Slice or (type(p) is gast.Constant and p.value is Ellipsis) for p in parts)


def written_by_call(node: Any) -> str | None:
    """The name that a call writes in place: xs of `xs.append(v)` and `xs.pop()`, x of `np.add.at(x, i, v)`, c of `np.add(a, b, out=c)`."""
    func = node.func
    if type(func) is not gast.Attribute:
        return None
    if func.attr in RESIZING and type(func.value) is gast.Name:
        return str(func.value.id)
    if func.attr == "at" and type(func.value) is gast.Attribute and node.args and type(node.args[0]) is gast.Name:
        return str(node.args[0].id)
    for keyword in node.keywords:
        if keyword.arg == "out" and type(keyword.value) is gast.Name:
            return str(keyword.value.id)
    return None


def dotted(node: Any) -> str | None:
    """`np.linalg.norm` of a chain of attributes on a name; NumPy is `np` whatever the user's alias."""
    parts = []
    while type(node) is gast.Attribute:
        parts.append(node.attr)
        node = node.value
    if type(node) is not gast.Name:
        return None
    parts.append("np" if node.id == "numpy" else node.id)
    return ".".join(reversed(parts))


_BELOW: dict[type, Callable[[Any], Sequence[Any]]] = {
    gast.Name: lambda node: (),
    gast.Constant: lambda node: (),
    gast.BinOp: lambda node: (node.left, node.right),
    gast.UnaryOp: lambda node: (node.operand,),
    gast.Call: lambda node: [node.func, *node.args, *node.keywords],
    gast.keyword: lambda node: (node.value,),
    gast.Attribute: lambda node: (node.value,),
    gast.Subscript: lambda node: (node.value, node.slice),
    gast.Compare: lambda node: [node.left, *node.comparators],
    gast.BoolOp: lambda node: node.values,
    gast.Tuple: lambda node: node.elts,
    gast.List: lambda node: node.elts,
}


def children(node: Any) -> Sequence[Any]:
    """The nodes directly below an expression, in the order in which Python evaluates them."""
    below = _BELOW.get(type(node))
    return below(node) if below is not None else _children_in_fields(node)


def _children_in_fields(node: Any) -> list[Any]:
    found: list[Any] = []
    for field in node._fields:
        value = getattr(node, field, None)
        if isinstance(value, list):
            found += [v for v in value if isinstance(v, gast.AST)]
        elif isinstance(value, gast.AST) and not isinstance(value, (gast.expr_context, gast.operator, gast.unaryop)):
            found.append(value)
    return found


def names_read(expr: Any) -> frozenset[str]:
    """Every name that an expression reads, in whichever way."""
    return frozenset(names_in_order(expr))


def names_in_order(node: Any) -> list[str]:
    found: list[str] = []
    _add_names(node, found)
    return found


def _add_names(node: Any, found: list[str]) -> None:
    kind = type(node)
    if kind is gast.Name:
        found.append(node.id)
    elif kind is gast.BinOp:
        _add_names(node.left, found)
        _add_names(node.right, found)
    elif kind is not gast.Constant:
        for child in children(node):
            _add_names(child, found)
