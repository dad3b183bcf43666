"""What expressions and statements read, bind, and write in place.

`reads`, `writes` and `stores` speak about a statement with all inside it; `Summaries` about an expression, and tells apart what
is read: its content, or its shape alone (`np.zeros_like(x)`, `x.shape`). Trees are never changed, so each is looked at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

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
}
SHAPE_ATTRIBUTES = frozenset({"shape", "size", "ndim", "dtype"})
# The methods that change a list or dict in place, by which they are known apart from unknown calls.
RESIZING = frozenset({"append", "pop"})

IsPure = Callable[[Any], bool]


@dataclass(frozen=True, slots=True)
class Summary:
    """What evaluating an expression reads and does."""

    content: frozenset[str]
    shape: frozenset[str]  # the names of which only the shape is read
    resized: frozenset[str]  # lists that something is appended to or popped from
    stored: frozenset[str]  # arrays written in place (np.add.at, out=)
    impure: bool  # calls something with effects that are not known

    @property
    def names(self) -> frozenset[str]:
        return self.content | self.shape

    @property
    def effect(self) -> bool:
        return bool(self.impure or self.resized or self.stored)


class Summaries:
    """`summaries(expr) -> Summary`, each expression looked at once."""

    def __init__(self, is_pure: IsPure) -> None:
        self.is_pure = is_pure
        self._known: dict[int, tuple[Any, Summary]] = {}  # the node is kept, so that its id stays its own

    def __call__(self, node: Any) -> Summary:
        found = self._known.get(id(node))
        if found is not None:
            return found[1]
        walk = _Walk(self.is_pure)
        walk.visit(node)
        summary = walk.summary()
        self._known[id(node)] = node, summary
        return summary


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
        elif kind is gast.Attribute and node.attr in SHAPE_ATTRIBUTES and type(node.value) is gast.Name:
            self.shape.add(node.value.id)
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
            if position in shaped and type(argument) is gast.Name:
                self.shape.add(argument.id)
            else:
                self.visit(argument)
        for keyword in node.keywords:
            self.visit(keyword.value)


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


_FIELDS: dict[type, tuple[str, ...]] = {
    gast.Name: (),
    gast.Constant: (),
    gast.BinOp: ("left", "right"),
    gast.UnaryOp: ("operand",),
    gast.Call: ("func", "args", "keywords"),
    gast.Attribute: ("value",),
    gast.Subscript: ("value", "slice"),
    gast.Compare: ("left", "comparators"),
    gast.BoolOp: ("values",),
    gast.IfExp: ("test", "body", "orelse"),
    gast.Dict: ("keys", "values"),
}


def children(node: Any) -> Iterator[Any]:
    """The nodes directly below an expression, in the order in which Python evaluates them."""
    for field in _FIELDS.get(type(node)) or node._fields:
        value = getattr(node, field, None)
        if isinstance(value, list):
            yield from (v for v in value if isinstance(v, gast.AST))
        elif isinstance(value, gast.AST) and not isinstance(value, (gast.expr_context, gast.operator, gast.unaryop)):
            yield value


def names_read(expr: Any) -> frozenset[str]:
    """Every name that an expression reads, in whichever way."""
    return frozenset(_names(expr))


def _names(node: Any) -> Iterator[str]:
    if type(node) is gast.Name:
        yield node.id
    else:
        for child in children(node):
            yield from _names(child)


def blocks(stmt: Any) -> list[list[Any]]:
    """The blocks of a compound statement (none of a nested function, which is a value)."""
    if isinstance(stmt, (gast.FunctionDef, gast.ClassDef)):
        return []
    found = [getattr(stmt, field, None) for field in ("body", "orelse", "finalbody")]
    handlers = [h.body for h in (*getattr(stmt, "handlers", ()), *getattr(stmt, "cases", ()))]
    return [block for block in (*found, *handlers) if block]


def expressions(stmt: Any) -> list[Any]:
    """What a statement itself evaluates, without its blocks, in Python's order; of targets only bases and indices."""
    match stmt:
        case gast.Assign():
            return [stmt.value, *(part for target in stmt.targets for part in _target_reads(target))]
        case gast.AugAssign():
            target = stmt.target
            return [target, stmt.value]
        case gast.AnnAssign():
            return [part for part in (stmt.value, *_target_reads(stmt.target)) if part is not None]
        case gast.If() | gast.While():
            return [stmt.test]
        case gast.For():
            return [stmt.iter, *_target_reads(stmt.target)]
        case gast.Return() | gast.Expr():
            return [] if stmt.value is None else [stmt.value]
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
    if isinstance(stmt, gast.FunctionDef):
        return free_names(stmt)
    found: set[str] = set()
    for expr in expressions(stmt):
        found.update(_names(expr))
    for block in blocks(stmt):
        for inner in block:
            found |= reads(inner)
    return frozenset(found)


def writes(stmt: Any) -> frozenset[str]:
    """The names that a statement, with all inside it, may bind. `x += v` binds x."""
    found: set[str] = set()
    _bound(stmt, found)
    return frozenset(found)


def _bound(stmt: Any, found: set[str]) -> None:
    match stmt:
        case gast.Assign():
            for target in stmt.targets:
                found.update(target_names(target))
        case gast.AugAssign() | gast.AnnAssign() | gast.For():
            found.update(target_names(stmt.target))
        case gast.FunctionDef() | gast.ClassDef():
            found.add(stmt.name)
        case gast.Import() | gast.ImportFrom():
            found.update((alias.asname or alias.name).split(".")[0] for alias in stmt.names)
        case gast.Expr() | gast.Return() | gast.If() | gast.While() | gast.Raise() | gast.Assert():
            pass
        case _:
            found.update(name for part in expressions(stmt) for name in _names(part))  # with, try, del: more than it binds
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
    match stmt:
        case gast.Assign():
            found.update(base for target in stmt.targets if (base := base_name(target)))
        case gast.AugAssign():
            found.update(base for base in [base_name(stmt.target) or getattr(stmt.target, "id", None)] if base)
    for expr in expressions(stmt):
        _written_inside(expr, found)
    for block in blocks(stmt):
        for inner in block:
            found |= stores(inner)
    return frozenset(found)


def _written_inside(node: Any, found: set[str]) -> None:
    if type(node) is gast.Call and (written := written_by_call(node)):
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
    defaults = {name for d in (*fn.args.defaults, *fn.args.kw_defaults) if d is not None for name in _names(d)}
    return frozenset(found - bound) | defaults


def captured_names(fn: Any) -> frozenset[str]:
    """The names that functions nested in `fn` read: they may be read whenever these are called."""
    found: set[str] = set()
    pending = list(fn.body)
    while pending:
        stmt = pending.pop()
        if isinstance(stmt, gast.FunctionDef):
            found |= free_names(stmt)
        for block in blocks(stmt):
            pending.extend(block)
    return frozenset(found)
