"""Names: which ones a function uses, and new ones that collide with none of them.

Scopes are Python's: a def, a lambda and a comprehension have their own; a walrus inside a comprehension binds outside it.
Attributes and the keywords of calls are not names.
"""

from __future__ import annotations

import keyword
from collections.abc import Iterable
from typing import Any

import gast

_DEF = (gast.FunctionDef, gast.AsyncFunctionDef)
_COMPREHENSION = (gast.ListComp, gast.SetComp, gast.DictComp, gast.GeneratorExp)


class Names:
    """Gives out names that are not taken: base, base2, base3 …, always the same ones for the same requests."""

    def __init__(self, taken: Iterable[str] = ()) -> None:
        self._taken = set(taken)
        self._next: dict[str, int] = {}

    def fresh(self, base: str) -> str:
        """`base` if it is free, otherwise the first of base2, base3 … that is. The result is taken from now on."""
        if keyword.iskeyword(base):
            base += "_"
        if base not in self._taken:
            self._taken.add(base)
            return base
        stem = base + "_" if base[-1].isdigit() else base  # log10_2, not log102
        number = self._next.get(base, 2)
        while f"{stem}{number}" in self._taken:
            number += 1
        self._next[base] = number + 1
        self._taken.add(f"{stem}{number}")
        return f"{stem}{number}"

    def take(self, *names: str) -> None:
        """Mark as taken."""
        self._taken.update(names)

    def is_free(self, name: str) -> bool:
        return name not in self._taken and not keyword.iskeyword(name)

    def __contains__(self, name: str) -> bool:
        return name in self._taken

    def copy(self) -> Names:
        """One that knows the same names and goes its own way from here."""
        other = Names(self._taken)
        other._next = dict(self._next)
        return other

    def restore(self, earlier: Names) -> None:
        """Forget what was given out since `earlier` was copied from this."""
        self._taken = set(earlier._taken)
        self._next = dict(earlier._next)


def names_in(tree: Any) -> set[str]:
    """Every identifier that stands for a variable anywhere in a tree (or list of trees, or Function), in any role and scope."""
    found: set[str] = set()
    pending = _roots(tree)
    while pending:
        node = pending.pop()
        if isinstance(node, gast.Name):
            found.add(node.id)
            if getattr(node, "annotation", None) is None:
                continue
        elif type(node) in _DECLARING:
            found.update(_declared(node))
        elif isinstance(node, (gast.Global, gast.Nonlocal)):
            found.update(node.names)
        pending.extend(_children(node))
    return found


def spoken(tree: Any) -> list[str]:
    """The id of each Name in a tree, as often as it stands there."""
    found: list[str] = []
    pending = [tree]
    while pending:
        node = pending.pop()
        if type(node) is gast.Name:
            found.append(node.id)
        elif type(node) is not gast.Constant:
            pending.extend(_children(node))
    return found


def bound_names(fn: Any) -> set[str]:
    """The local variables of a function (a FunctionDef or a Function), parameters among them."""
    return _scope(_def_of(fn))[0]


def free_names(fn: Any) -> set[str]:
    """The names that a function, or a function inside it, uses and that are not its own: globals, cells, builtins."""
    return _scope(_def_of(fn))[1]


def parameter_names(arguments: Any) -> list[str]:
    """The parameters of a gast.arguments in the order of the signature."""
    every = [*arguments.posonlyargs, *arguments.args, arguments.vararg, *arguments.kwonlyargs, arguments.kwarg]
    return [p.id for p in every if p is not None]


def _roots(tree: Any) -> list[Any]:
    return list(tree) if isinstance(tree, (list, tuple)) else [_def_of(tree)]


def _def_of(fn: Any) -> Any:
    return fn if isinstance(fn, gast.AST) else fn.tree


def _children(node: Any) -> list[Any]:
    """The nodes below one, without contexts and operators, which have no fields."""
    if type(node) is gast.BinOp:
        return [node.left, node.right]
    found = []
    for field in node._fields:
        value = getattr(node, field, None)
        if isinstance(value, list):
            found += [item for item in value if isinstance(item, gast.AST)]
        elif isinstance(value, gast.AST) and value._fields:
            found.append(value)
    return found


def _declared(node: Any) -> list[str]:
    """The names that a node other than a Name binds where it stands."""
    if isinstance(node, (*_DEF, gast.ClassDef)):
        return [node.name]
    if isinstance(node, (gast.Import, gast.ImportFrom)):
        return [(a.asname or a.name).partition(".")[0] for a in node.names]
    if isinstance(node, (gast.MatchAs, gast.MatchStar)):
        return [node.name] if node.name else []
    if isinstance(node, gast.MatchMapping):
        return [node.rest] if node.rest else []
    return []


_DECLARING = frozenset({*_DEF, gast.ClassDef, gast.Import, gast.ImportFrom, gast.MatchAs, gast.MatchStar, gast.MatchMapping})


class _Scope:
    """What one scope binds and what it uses, gathered in one pass over the nodes that run in it."""

    def __init__(self) -> None:
        self.bound: set[str] = set()
        self.used: set[str] = set()
        self.outer: set[str] = set()  # declared global or nonlocal

    def closed(self) -> tuple[set[str], set[str]]:
        bound = self.bound - self.outer
        return bound, (self.used | (self.bound & self.outer)) - bound

    def target(self, node: Any) -> None:
        """A node that is assigned to: its names are bound; what stands in its indices is used."""
        if isinstance(node, gast.Name):
            self.bound.add(node.id)
        elif isinstance(node, (gast.Tuple, gast.List)):
            for element in node.elts:
                self.target(element)
        elif isinstance(node, gast.Starred):
            self.target(node.value)
        elif node is not None:
            self.visit(node)

    def visit(self, node: Any) -> None:
        kind = type(node)
        if kind is gast.Name:
            self.used.add(node.id)
            return
        if kind is gast.Constant:
            return
        if kind is gast.BinOp:
            self.visit(node.left)
            self.visit(node.right)
            return
        if kind in _DECLARING:
            self.bound.update(_declared(node))
        if kind in _PLAIN:
            self.parts(node)
        elif isinstance(node, (*_DEF, gast.Lambda)):
            self.definition(node)
        elif isinstance(node, gast.ClassDef):
            self.class_body(node)
        elif isinstance(node, _COMPREHENSION):
            self.comprehension(node)
        elif isinstance(node, (gast.Global, gast.Nonlocal)):
            self.outer.update(node.names)
        else:
            self.parts(node)

    def parts(self, node: Any) -> None:
        """What stands below a node of no scope of its own."""
        targets = _TARGETS.get(type(node))
        for field in node._fields:
            value = getattr(node, field, None) if field != "annotation" else None  # never evaluated
            visit = self.target if field == targets else self.visit
            if isinstance(value, list):
                for item in value:
                    if isinstance(item, gast.AST):
                        visit(item)
            elif isinstance(value, gast.AST) and value._fields:
                visit(value)

    def definition(self, node: Any) -> None:
        """Decorators and defaults run here, the body in its own scope."""
        for outside in (*getattr(node, "decorator_list", []), *node.args.defaults, *node.args.kw_defaults):
            if outside is not None:
                self.visit(outside)
        self.used |= _scope(node)[1]

    def class_body(self, node: Any) -> None:
        for outside in (*node.decorator_list, *node.bases, *node.keywords):
            self.visit(outside)
        inner = _Scope()
        for part in node.body:
            inner.visit(part)
        self.used |= inner.closed()[1]

    def comprehension(self, node: Any) -> None:
        """The first iterable runs here; a walrus anywhere inside binds here."""
        self.visit(node.generators[0].iter)
        inner = _Scope()
        targets: set[str] = set()
        for i, generator in enumerate(node.generators):
            inner.target(generator.target)
            targets |= inner.bound
            for part in (*([generator.iter] if i else []), *generator.ifs):
                inner.visit(part)
        for part in (node.key, node.value) if isinstance(node, gast.DictComp) else (node.elt,):
            inner.visit(part)
        self.bound |= inner.bound - targets
        self.used |= inner.used - targets


_TARGETS = {
    gast.Assign: "targets",
    gast.AugAssign: "target",
    gast.AnnAssign: "target",
    gast.For: "target",
    gast.AsyncFor: "target",
    gast.NamedExpr: "target",
    gast.Delete: "targets",
    gast.withitem: "optional_vars",
    gast.ExceptHandler: "name",
}
_PLAIN = frozenset({gast.Assign, gast.AugAssign, gast.If, gast.Return, gast.Call, gast.Attribute, gast.Subscript})


def _scope(node: Any) -> tuple[set[str], set[str]]:
    """(bound, free) of a def or lambda."""
    scope = _Scope()
    scope.bound.update(parameter_names(node.args))
    for part in node.body if isinstance(node.body, list) else [node.body]:
        scope.visit(part)
    return scope.closed()
