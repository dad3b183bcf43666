"""Copies and constants are read through, and arithmetic that this makes trivial is folded on the way.

    t_bar = s_bar                          x_bar = s_bar * w
    x_bar = t_bar * w           →
    s_bar = 1.0; x_bar = s_bar * w         x_bar = w
    x_bar = 0.0; …; x_bar += t             x_bar = t

A copy `t = x` means the same object until one of the two names is bound again; what is written into the object in between both see.
Only names that we made are read through, and never into a nested function. Of two names the one that says more is kept.
"""

from __future__ import annotations

from typing import Any

import gast

from ...facts.uses import expressions, target_names, writes
from ...python.quote import rebuilt
from .fold import folded, literal, ours
from .scope import Scope

_ALIASES = (gast.Name, gast.Subscript, gast.Attribute, gast.Call, gast.IfExp, gast.BoolOp)


def propagate(body: list[Any], scope: Scope) -> list[Any]:
    """The block with copies and constants read through; the assignments that made them are left for `dead`."""
    return _Propagation(scope).block(body, _Known())


class _Known:
    """What names are known to equal: `of[t]` is a name or a literal. `here` are the names assigned in the block at hand."""

    def __init__(self, of: dict[str, Any] | None = None, readers: dict[str, set[str]] | None = None) -> None:
        self.of = of if of is not None else {}
        self._readers = readers if readers is not None else {}  # name -> those known to equal it
        self.here: set[str] = set()

    def copy(self) -> _Known:
        return _Known(dict(self.of), {name: set(readers) for name, readers in self._readers.items()})

    def set(self, name: str, value: Any) -> None:
        self.of[name] = value
        if type(value) is gast.Name:
            self._readers.setdefault(value.id, set()).add(name)

    def forget(self, names: Any) -> None:
        for name in names:
            self.of.pop(name, None)
            self.here.discard(name)
            for reader in self._readers.pop(name, ()):
                value: Any = self.of.get(reader)
                if type(value) is gast.Name and value.id == name:
                    del self.of[reader]

    def meet(self, one: _Known, other: _Known) -> None:
        """Only what holds on both ways into a join is known behind it."""
        self.of.clear()
        self._readers.clear()
        for name, value in one.of.items():
            if _same(other.of.get(name), value):
                self.set(name, value)


def _same(one: Any, other: Any) -> bool:
    if one is other:
        return True
    return type(one) is gast.Name and type(other) is gast.Name and one.id == other.id


class _Propagation:
    def __init__(self, scope: Scope) -> None:
        self.scope = scope
        self.effect = False  # the statement at hand has one

    def block(self, body: list[Any], known: _Known) -> list[Any]:
        out: list[Any] = []
        for stmt in body:
            out.extend(self.statement(stmt, known))
        return out

    def statement(self, stmt: Any, known: _Known) -> list[Any]:
        self.effect = self.scope.summaries.effect(expressions(stmt))
        match stmt:
            case gast.Assign(targets=[gast.Name() as target]):
                return self.assign(stmt, target, known)
            case gast.Assign(targets=[gast.Subscript() as target]):
                new = rebuilt(stmt, value=self.owned(stmt.value, known), targets=[self.operand(target, known)])
                return [new]
            case gast.Assign(targets=[gast.Tuple()]):
                new = _changed(stmt, value=self.owned(stmt.value, known))
                known.forget(target_names(stmt.targets[0]))
                return [new]
            case gast.AugAssign(target=gast.Name()):
                return self.augmented(stmt, known)
            case gast.AugAssign(target=gast.Subscript()):
                return [_changed(stmt, target=self.operand(stmt.target, known), value=self.operand(stmt.value, known))]
            case gast.Return() | gast.Expr():
                return [stmt if stmt.value is None else _changed(stmt, value=self.owned(stmt.value, known))]
            case gast.If():
                return self.conditional(stmt, known)
            case gast.For() | gast.While():
                return self.loop(stmt, known)
        known.forget(writes(stmt))
        return [stmt]

    def assign(self, stmt: Any, target: Any, known: _Known) -> list[Any]:
        name = target.id
        value = self.owned(stmt.value, known, name)
        if type(value) is gast.Name and value.id == name:
            return []
        known.forget((name,))
        self.learn(name, value, known)
        known.here.add(name)
        return [stmt if value is stmt.value else rebuilt(stmt, value=value)]

    def learn(self, name: str, value: Any, known: _Known) -> None:
        scope = self.scope
        if type(value) is not gast.Name:
            if scope.generated(name) and (literal(value) is not None or _is_flag(value)):
                known.set(name, value)
            return
        source = value.id
        if source not in scope.bound or {source, name} & scope.captured:
            return
        if source in known.here and scope.generated(source) and scope.rank(name) > scope.rank(source):
            known.forget((source,))
            known.set(source, gast.Name(id=name, ctx=value.ctx, annotation=None, type_comment=None))
        elif scope.generated(name):
            known.set(name, value)

    def augmented(self, stmt: Any, known: _Known) -> list[Any]:
        """`x += v`. A number of ours is taken as `x = x + v`, which can be folded, nested, and is written back in the end."""
        scope, name = self.scope, stmt.target.id
        starts_at = known.of.get(name)
        number = scope.number(stmt.target) in ("int", "float", "complex") or literal(starts_at) is not None
        if scope.generated(name) and number:
            sum_ = gast.BinOp(left=stmt.target, op=stmt.op, right=stmt.value)
            value = self.operand(sum_, known)
            if scope.number(stmt.target) or type(value) is not gast.BinOp or value.op is not stmt.op:
                return self.assign(_placed_assign(stmt, sum_), stmt.target, known)
        value = self.operand(stmt.value, known)
        known.forget((name,))
        return [_changed(stmt, value=value)]

    def conditional(self, stmt: Any, known: _Known) -> list[Any]:
        test = self.operand(stmt.test, known)
        if type(test) is gast.Constant and isinstance(test.value, bool):
            return self.block(stmt.body if test.value else stmt.orelse, known)
        one, other = known.copy(), known.copy()
        body, orelse = self.block(stmt.body, one), self.block(stmt.orelse, other)
        known.meet(one, other)
        return [_changed(stmt, test=test, body=body or [gast.Pass()], orelse=orelse)]

    def loop(self, stmt: Any, known: _Known) -> list[Any]:
        header = {"iter": self.owned(stmt.iter, known)} if isinstance(stmt, gast.For) else {}
        known.forget(writes(stmt))
        if not header:
            header = {"test": self.operand(stmt.test, known)}
        body = self.block(stmt.body, known.copy())
        orelse = self.block(stmt.orelse, known.copy())
        return [_changed(stmt, **header, body=body or [gast.Pass()], orelse=orelse)]

    # Expressions ---------------------------------------------------------------------------------------------------------------------

    def owned(self, node: Any, known: _Known, target: str | None = None) -> Any:
        """Where the object itself is kept: folding must not make two names of one array where there were two arrays."""
        kind = type(node)
        if kind is gast.Name:
            return known.of.get(node.id, node)
        if kind is gast.Constant:
            return node
        if kind is gast.Tuple or kind is gast.List:
            elements = [self.owned(element, known) for element in node.elts]
            return node if all(a is b for a, b in zip(elements, node.elts, strict=True)) else rebuilt(node, elts=elements)
        new = self.operand(node, known)
        if type(new) not in _ALIASES or type(node) in _ALIASES or self.is_number(new):
            return new
        if target is not None and self.scope.unshared(target, new):
            return new
        return self.below(node, known)

    def operand(self, node: Any, known: _Known) -> Any:
        """The expression with known names replaced, folded from its leaves up."""
        kind = type(node)
        if kind is gast.Name:
            return known.of.get(node.id, node)
        if kind is gast.Constant:
            return node
        new = self.below(node, known)
        if kind is not gast.BinOp and kind is not gast.UnaryOp:
            return new
        result = folded(new, self.scope)
        # An array that was multiplied by one was read at that moment, not when an effect later in the line is done.
        return new if self.effect and type(result) in _ALIASES and not self.is_number(result) else result

    def is_number(self, node: Any) -> bool:
        return self.scope.number(node) in ("int", "float", "complex")

    def below(self, node: Any, known: _Known) -> Any:
        kind = type(node)
        if kind is gast.BinOp:
            left, right = self.operand(node.left, known), self.operand(node.right, known)
            return node if left is node.left and right is node.right else rebuilt(node, left=left, right=right)
        if kind is gast.UnaryOp:
            operand = self.operand(node.operand, known)
            return node if operand is node.operand else rebuilt(node, operand=operand)
        if kind is gast.Call:
            return self.call(node, known)
        if kind in (gast.Attribute, gast.Subscript):
            value = self.base(node.value, known)
            return _changed(node, value=value, **({"slice": self.operand(node.slice, known)} if kind is gast.Subscript else {}))
        if kind in (gast.JoinedStr, gast.Lambda, gast.ListComp, gast.GeneratorExp, gast.DictComp, gast.SetComp, gast.NamedExpr):
            return node
        return self.fields(node, known)

    def call(self, node: Any, known: _Known) -> Any:
        arguments = [self.owned(a, known) for a in node.args]
        keywords = [_changed(k, value=self.owned(k.value, known)) for k in node.keywords]
        return _changed(node, func=self.base(node.func, known), args=arguments, keywords=keywords)

    def base(self, node: Any, known: _Known) -> Any:
        """Where a literal has no place: what is indexed, called, or asked for an attribute."""
        new = self.owned(node, known)
        return node if literal(new) is not None or type(new) is gast.Constant else new

    def fields(self, node: Any, known: _Known) -> Any:
        part = self.operand if type(node) is gast.Compare else self.owned
        changes: dict[str, Any] = {}
        for field in node._fields:
            value = getattr(node, field, None)
            if isinstance(value, gast.expr):
                changes[field] = part(value, known)
            elif isinstance(value, list) and value and isinstance(value[0], gast.expr):
                changes[field] = [part(v, known) if v is not None else None for v in value]
        return _changed(node, **changes)


def _changed(node: Any, **fields: Any) -> Any:
    """`rebuilt`, but the node itself where nothing differs, so that what is known about it stays known."""
    for field, new in fields.items():
        old = getattr(node, field)
        if new is not old and not (isinstance(new, list) and len(new) == len(old) and all(a is b for a, b in zip(new, old, strict=True))):
            return rebuilt(node, **fields)
    return node


def _placed_assign(stmt: Any, value: Any) -> Any:
    new = gast.Assign(targets=[stmt.target], value=value, type_comment=None)
    if not ours(stmt):
        new.place = stmt.place
    return new


def _is_flag(node: Any) -> bool:
    return type(node) is gast.Constant and (node.value is None or isinstance(node.value, bool))
