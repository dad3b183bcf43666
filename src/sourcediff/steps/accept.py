"""What no program may contain is refused here, by syntax alone, all of it together; code that cannot run is dropped first.

    def f(x):                       def f(x):
        return x * 2.0                  return x * 2.0
        x = undefined_name(x)

What only some programs may contain (a set of values that carry derivatives, a function without a rule) is found later,
when types and activity are known.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import gast

from ..errors import DiffError, problem, raise_all
from ..python.function import Function
from ..python.names import bound_names
from ..python.quote import rebuilt
from .completion import ENDS, Completion

_REFUSED = {
    gast.AsyncFunctionDef: "async",
    gast.AsyncFor: "async",
    gast.AsyncWith: "async",
    gast.Await: "async",
    gast.Yield: "yield",
    gast.YieldFrom: "yield",
    gast.Try: "try",
    gast.TryStar: "try",
    gast.With: "with",
    gast.Match: "match",
}
_DYNAMIC = {"exec": "dynamic_code", "eval": "dynamic_code", "compile": "dynamic_code"}
_NAMESPACES = {"locals": "namespace_call", "globals": "namespace_call", "vars": "namespace_call"}
_LAZY = ("next", "iter", "map", "filter", "zip", "enumerate")  # a generator given to these is not consumed on the spot
_FUNCTIONS = (gast.FunctionDef, gast.Lambda)


def accept(fn: Function) -> Function:
    """The function without dead code. Raises UnsupportedError, which shows everything that is refused."""
    completion = Completion()
    body = _reachable(fn.tree.body, completion)
    if body is not fn.tree.body:
        fn = fn.with_tree(rebuilt(fn.tree, body=body))
    raise_all(_Findings(fn).function(fn.tree))
    return fn


def _reachable(body: list[Any], completion: Completion) -> list[Any]:
    """The block up to the first statement behind which nothing runs; the block itself if that is all of it."""
    kept: list[Any] = []
    for s in body:
        kept.append(_reachable_inside(s, completion))
        if not completion.statement(s) & ENDS:
            break
    return body if len(kept) == len(body) and all(a is b for a, b in zip(kept, body, strict=True)) else kept


def _reachable_inside(s: Any, completion: Completion) -> Any:
    blocks = {f: getattr(s, f) for f in ("body", "orelse") if isinstance(getattr(s, f, None), list)}
    if isinstance(s, gast.ClassDef) or not blocks:
        return s
    new = {f: _reachable(block, completion) for f, block in blocks.items()}
    return s if all(new[f] is blocks[f] for f in blocks) else rebuilt(s, **new)


class _Findings:
    """One pass over the tree; the scopes of nested functions are told apart for what `global` and `nonlocal` name."""

    def __init__(self, fn: Function) -> None:
        self.namespace = fn.namespace
        self.local: set[str] = set()

    def function(self, node: Any) -> Iterator[DiffError]:
        outer, self.local = self.local, self.local | bound_names(node)
        body = node.body if isinstance(node.body, list) else [node.body]  # that of a lambda is an expression
        declared = [s for s in _own_statements(body) if isinstance(s, (gast.Global, gast.Nonlocal))]
        if declared:
            yield from self.writes_outside(node, declared)
        for part in body:
            yield from self.visit(part)
        self.local = outer

    def writes_outside(self, node: Any, declared: list[Any]) -> Iterator[DiffError]:
        within = [s for s in node.body if not isinstance(s, (gast.Global, gast.Nonlocal))]
        bound = bound_names(rebuilt(node, body=[_undeclared(s) for s in within]))
        for s in declared:
            kind = "global_write" if isinstance(s, gast.Global) else "nonlocal_write"
            yield from (problem(kind, s, name=n) for n in s.names if n in bound)

    def visit(self, node: Any, consumed: bool = False) -> Iterator[DiffError]:
        kind = type(node)
        if kind is gast.Name or kind is gast.Constant:
            return
        if kind in _REFUSED:
            yield problem(_REFUSED[kind], node)
            if kind is gast.AsyncFunctionDef:
                return
        elif kind in _FUNCTIONS:
            yield from self.definition(node)
            return
        elif kind is gast.ClassDef:
            yield problem("class_statement", node, name=node.name)
            return
        elif kind is gast.Call:
            yield from self.call(node)
            return
        elif kind is gast.GeneratorExp and not consumed:
            yield problem("stored_generator", node)
        elif kind is gast.comprehension and node.is_async:
            yield problem("async", node.iter)
        elif kind is gast.Delete:
            yield from (problem("delete_item", node) for t in node.targets if isinstance(t, (gast.Tuple, gast.List)))
        elif kind is gast.For:
            yield from self.visit(node.iter, consumed=True)
            yield from self.children(node, ("target", "body", "orelse"))
            return
        yield from self.children(node, node._fields)

    def children(self, node: Any, fields: tuple[str, ...]) -> Iterator[DiffError]:
        for field in fields:
            value = getattr(node, field, None)
            for item in value if isinstance(value, list) else [value]:
                if isinstance(item, gast.AST) and item._fields:
                    yield from self.visit(item)

    def definition(self, node: Any) -> Iterator[DiffError]:
        """Decorators and defaults belong to the scope outside; annotations are text."""
        for part in (*getattr(node, "decorator_list", ()), *node.args.defaults, *node.args.kw_defaults):
            if part is not None:
                yield from self.visit(part)
        yield from self.function(node)

    def call(self, node: Any) -> Iterator[DiffError]:
        builtin = node.func.id if isinstance(node.func, gast.Name) and self.is_builtin(node.func.id) else ""
        if builtin in _DYNAMIC:
            yield problem(_DYNAMIC[builtin], node, function=builtin)
        if builtin in _NAMESPACES and not (builtin == "vars" and node.args):
            yield problem(_NAMESPACES[builtin], node, function=builtin)
        yield from self.visit(node.func)
        for argument in (*node.args, *(k.value for k in node.keywords)):
            inner = argument.value if isinstance(argument, gast.Starred) else argument
            yield from self.visit(inner, consumed=builtin not in _LAZY)

    def is_builtin(self, function: str) -> bool:
        return function not in self.local and self.namespace.lookup(function)[0] == "builtin"


def _own_statements(body: list[Any]) -> Iterator[Any]:
    """The statements of a function, those of nested functions and classes left out."""
    for s in body:
        yield s
        if not isinstance(s, (gast.FunctionDef, gast.AsyncFunctionDef, gast.ClassDef)):
            for field in ("body", "orelse"):
                inner = getattr(s, field, None)
                if isinstance(inner, list):
                    yield from _own_statements(inner)


def _undeclared(s: Any) -> Any:
    """The statement without `global` and `nonlocal` in its blocks, so that what it assigns to counts as bound."""
    if isinstance(s, (gast.FunctionDef, gast.AsyncFunctionDef, gast.ClassDef)):
        return s
    fields = {}
    for field in ("body", "orelse"):
        inner = getattr(s, field, None)
        if isinstance(inner, list):
            fields[field] = [_undeclared(i) for i in inner if not isinstance(i, (gast.Global, gast.Nonlocal))]
    return rebuilt(s, **fields) if fields else s
