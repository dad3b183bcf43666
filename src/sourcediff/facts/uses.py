"""What a statement, with all inside it, reads, binds, and writes in place (what its expressions do is said in `reading`)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import gast

from .reading import (
    RESIZING,
    SHAPE_ATTRIBUTES,
    SHAPE_ONLY,
    Summaries,
    Summary,
    children,
    dotted,
    names_in_order,
    names_read,
    written_by_call,
)

__all__ = [
    "RESIZING",
    "SHAPE_ATTRIBUTES",
    "SHAPE_ONLY",
    "Summaries",
    "Summary",
    "base_name",
    "blocks",
    "captured_names",
    "children",
    "dotted",
    "expressions",
    "free_names",
    "names_read",
    "parameters",
    "reads",
    "simple_statements",
    "stores",
    "target_names",
    "writes",
    "written_by_call",
]


def blocks(stmt: Any) -> list[list[Any]]:
    """The blocks of a compound statement (none of a nested function, which is a value)."""
    if type(stmt) in _WITHOUT_BLOCKS:
        return []
    if type(stmt) in _WITH_TWO_BLOCKS:
        return [block for block in (stmt.body, stmt.orelse) if block]
    found = [getattr(stmt, field, None) for field in ("body", "orelse", "finalbody")]
    handlers = [h.body for h in (*getattr(stmt, "handlers", ()), *getattr(stmt, "cases", ()))]
    return [block for block in (*found, *handlers) if block]


_WITHOUT_BLOCKS = frozenset(
    {gast.Assign, gast.AugAssign, gast.Expr, gast.Return, gast.Pass, gast.Break, gast.FunctionDef, gast.ClassDef, gast.Assert, gast.Raise}
)
_WITH_TWO_BLOCKS = frozenset({gast.If, gast.For, gast.While})


def is_everything(index: Any) -> bool:
    """Is the slot the whole array?"""
    if isinstance(index, gast.Constant):
        return index.value is Ellipsis
    return isinstance(index, gast.Slice) and index.lower is None and index.upper is None and index.step is None


def simple_statements(body: list[Any]) -> Iterator[Any]:
    """The statements without blocks of their own, of a block and all inside it, in the order of the text."""
    for stmt in body:
        inner = blocks(stmt)
        if not inner:
            yield stmt
        for block in inner:
            yield from simple_statements(block)


def loops(body: list[Any]) -> Iterator[Any]:
    """The loops of a block and of all inside it."""
    for stmt in body:
        if isinstance(stmt, (gast.For, gast.While)):
            yield stmt
        for block in blocks(stmt):
            yield from loops(block)


def expressions(stmt: Any) -> list[Any]:
    """What a statement itself evaluates, without its blocks, in Python's order; of targets only bases and indices."""
    kind = type(stmt)
    if kind is gast.Assign:
        found = [stmt.value]
        for target in stmt.targets:
            if type(target) is not gast.Name:
                found += _target_reads(target)
        return found
    if kind is gast.AugAssign:
        return [stmt.target, stmt.value]
    match stmt:
        case gast.AnnAssign():
            return [part for part in (stmt.value, *_target_reads(stmt.target)) if part is not None]
        case gast.If() | gast.While():
            return [stmt.test]
        case gast.For():
            return [stmt.iter, *_target_reads(stmt.target)]
        case gast.Return() | gast.Expr():
            return [] if stmt.value is None else [stmt.value]
        case gast.Delete():
            return [part for target in stmt.targets for part in _target_reads(target)]
        case gast.Raise():
            return [part for part in (stmt.exc, stmt.cause) if part is not None]
        case gast.Assert():
            return [part for part in (stmt.test, stmt.msg) if part is not None]
        case gast.FunctionDef() | gast.ClassDef() | gast.Import() | gast.ImportFrom() | gast.Global() | gast.Nonlocal():
            return []
    return [child for child in children(stmt) if not isinstance(child, (gast.stmt, gast.ExceptHandler, gast.match_case))]


def _target_reads(target: Any) -> list[Any]:
    match target:
        case gast.Name():
            return []
        case gast.Tuple() | gast.List():
            return [part for element in target.elts for part in _target_reads(element)]
        case gast.Starred():
            return _target_reads(target.value)
        case gast.Subscript():
            return [target.value, target.slice]
    return [target.value]


def reads(stmt: Any) -> frozenset[str]:
    """The names that a statement, with all inside it, may read."""
    found: set[str] = set()
    _read(stmt, found)
    return frozenset(found)


def _read(stmt: Any, found: set[str]) -> None:
    if type(stmt) is gast.FunctionDef:
        found |= free_names(stmt)
        return
    for expr in expressions(stmt):
        found.update(names_in_order(expr))
    if type(stmt) not in _WITHOUT_BLOCKS:
        for block in blocks(stmt):
            for inner in block:
                _read(inner, found)


def writes(stmt: Any) -> frozenset[str]:
    """The names that a statement, with all inside it, may bind. `x += v` binds x."""
    found: set[str] = set()
    _bound(stmt, found)
    return frozenset(found)


def _bound(stmt: Any, found: set[str]) -> None:
    kind = type(stmt)
    if kind is gast.Assign:
        for target in stmt.targets:
            if type(target) is gast.Name:
                found.add(target.id)
            else:
                found.update(target_names(target))
        return
    match stmt:
        case gast.AugAssign() | gast.AnnAssign() | gast.For():
            found.update(target_names(stmt.target))
        case gast.FunctionDef() | gast.ClassDef():
            found.add(stmt.name)
        case gast.Import() | gast.ImportFrom():
            found.update((alias.asname or alias.name).split(".")[0] for alias in stmt.names)
        case gast.Delete():
            found.update(t.id for t in stmt.targets if type(t) is gast.Name)
        case gast.Expr() | gast.Return() | gast.If() | gast.While() | gast.Raise() | gast.Assert():
            pass
        case _:
            found.update(name for part in expressions(stmt) for name in names_in_order(part))  # with, try, del: more than it binds
    for block in blocks(stmt):
        for inner in block:
            _bound(inner, found)


def target_names(target: Any) -> Iterator[str]:
    """The names that assigning to a target binds."""
    match target:
        case gast.Name():
            yield target.id
        case gast.Tuple() | gast.List():
            for element in target.elts:
                yield from target_names(element)
        case gast.Starred():
            yield from target_names(target.value)


def stores(stmt: Any) -> frozenset[str]:
    """The names through which a statement, with all inside it, writes in place: `x[i] = v`, `x[i] += v`, `xs.append(v)`,
    `np.add.at(x, i, v)`, and x of `x += v`, which updates an array in place (of a number it does not)."""
    found: set[str] = set()
    _stored(stmt, found)
    return frozenset(found)


def _stored(stmt: Any, found: set[str]) -> None:
    kind = type(stmt)
    if kind is gast.Assign:
        found.update(base for target in stmt.targets if type(target) is not gast.Name and (base := base_name(target)))
    elif kind is gast.AugAssign:
        found.update(base for base in [base_name(stmt.target) or getattr(stmt.target, "id", None)] if base)
    for expr in expressions(stmt):
        _written_inside(expr, found)
    if kind not in _WITHOUT_BLOCKS:
        for block in blocks(stmt):
            for inner in block:
                _stored(inner, found)


def _written_inside(node: Any, found: set[str]) -> None:
    kind = type(node)
    if kind is gast.Name or kind is gast.Constant:
        return
    if kind is gast.BinOp:
        _written_inside(node.left, found)
        _written_inside(node.right, found)
        return
    if kind is gast.Call and (written := written_by_call(node)):
        found.add(written)
    for child in children(node):
        _written_inside(child, found)


def base_name(target: Any) -> str | None:
    """x of the targets `x[i]`, `x[i][j]`, `x.attr`; None of a name."""
    node = target
    while type(node) in (gast.Subscript, gast.Attribute):
        node = node.value
    return str(node.id) if node is not target and type(node) is gast.Name else None


def parameters(fn: Any) -> list[str]:
    """The names of all parameters of a function."""
    args = fn.args
    nodes = [*args.posonlyargs, *args.args, args.vararg, *args.kwonlyargs, args.kwarg]
    return [node.id for node in nodes if node is not None]


def free_names(fn: Any) -> frozenset[str]:
    """The names that a nested function reads and does not bind itself, with those of its defaults."""
    bound: set[str] = set(parameters(fn))
    found: set[str] = set()
    for stmt in fn.body:
        _bound(stmt, bound)
        found |= reads(stmt)
    defaults = {name for d in (*fn.args.defaults, *fn.args.kw_defaults) if d is not None for name in names_in_order(d)}
    return frozenset(found - bound) | defaults


def captured_names(fn: Any) -> frozenset[str]:
    """The names that functions nested in `fn` read: they may be read whenever these are called."""
    found: set[str] = set()
    pending = list(fn.body)
    while pending:
        stmt = pending.pop()
        if type(stmt) is gast.FunctionDef:
            found |= free_names(stmt)
        elif type(stmt) not in _WITHOUT_BLOCKS:
            for block in blocks(stmt):
                pending.extend(block)
    return frozenset(found)
