"""A small shape language over gast nodes, in which the language of each stage is declared and then verified.

    TINY = Grammar(
        "TINY",
        function="FunctionDef(body=[stmt, ..., Return(value=atom)], decorator_list=[])",
        stmt="Assign(targets=[Name], value=value) | Expr(value=Call) | For(target=Name, body=[stmt, stmt, ...], orelse=[])",
        value="atom | BinOp(left=atom, right=atom) | Call(func=Name | Attribute, args=[atom, ...])",
        atom="Name | literal | UnaryOp(op=USub, operand=literal)",
        literal=is_literal,
    )
    LARGER = TINY.but("LARGER", value="| Subscript(value=Name, slice=atom)", literal="Constant")
    TINY.verify(tree, "flatten")            # StageError: the step flatten gave a program outside TINY: …
    TINY.fits(node, "atom")                 # True or False

A rule is alternatives. An alternative is a class of gast, with shapes for those of its fields that matter (others are
free); the name of a rule; a list of shapes, where `a, ...` is any number of `a` and `a, a, ...` at least one; a
constant, such as None or "self"; or `any`. A rule may also be a Python function from a node to bool. The first rule is
where verification starts. `but` gives rules anew; one that begins with `|` adds alternatives to the old.

Shapes are compiled to closures that choose an alternative by the class of the node. A statement that was found to
fit a rule of a grammar is not looked at again: nodes never change.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any, NamedTuple
from weakref import WeakSet

import gast

from ..errors import problem

Predicate = Callable[[Any], bool]


class Misfit(NamedTuple):
    """Where a tree leaves the grammar. `depth` tells which of several alternatives came furthest."""

    found: Any
    expected: str
    depth: int


# A compiled shape: a node and its depth → None if it fits.
Check = Callable[[Any, int], "Misfit | None"]


class Grammar:
    """A language. Rules are compiled when they are first needed."""

    def __init__(self, name: str, **rules: str | Predicate) -> None:
        self.name = name
        self.rules = rules
        self._start = next(iter(rules))
        self._checks: dict[str, Check] = {}

    def but(self, name: str, **rules: str | Predicate) -> Grammar:
        """That language, with these rules changed or added."""
        merged = dict(self.rules)
        for rule, shape in rules.items():
            old = merged.get(rule)
            is_more = isinstance(shape, str) and shape.lstrip().startswith("|")
            if is_more and not isinstance(old, str):
                raise TypeError(f"{name}: the rule {rule} has no alternatives to add to")
            merged[rule] = f"{old} {shape}" if is_more else shape
        return Grammar(name, **merged)

    def verify(self, tree: Any, step: str) -> None:
        """Raise StageError, naming the step and the node, if `tree` (a FunctionDef or a Function) is outside."""
        node = tree if isinstance(tree, gast.AST) else tree.tree
        misfit = self._check(self._start)(node, 0)
        if misfit is not None:
            place = misfit.found if isinstance(misfit.found, gast.AST) else node
            raise problem("grammar", place, step=step, language=self.name, found=shown(misfit.found), expected=misfit.expected)

    def fits(self, node: Any, rule: str) -> bool:
        """Does the node have the shape of this rule?"""
        return self._check(rule)(node, 0) is None

    def _check(self, rule: str) -> Check:
        if rule not in self._checks:
            shape = self.rules[rule]
            check = self._compiled(ast.parse(shape.strip(), mode="eval").body, rule) if isinstance(shape, str) else _predicate(shape, rule)
            self._checks[rule] = _remembering(check)
        return self._checks[rule]

    def _compiled(self, shape: ast.expr, rule: str) -> Check:
        alternatives = _alternatives(shape)
        if len(alternatives) == 1:
            return self._alternative(alternatives[0], rule)
        by_class: dict[str, list[Check]] = {}
        others: list[Check] = []
        for alternative in alternatives:
            cls = _class_of(alternative)
            (by_class.setdefault(cls, []) if cls else others).append(self._alternative(alternative, rule))
        return _choice(by_class, others, rule)

    def _alternative(self, shape: ast.expr, rule: str) -> Check:
        match shape:
            case ast.Name(id="any"):
                return lambda node, depth: None
            case ast.Name(id=name) if name[0].isupper():
                return _of_class(name, [], rule)
            case ast.Name(id=name):
                if name not in self.rules:
                    raise NameError(f"{self.name}: the rule {rule} names {name}, which is no rule")
                return self._reference(name)
            case ast.Call(func=ast.Name(id=name), args=[], keywords=keywords):
                fields = [(str(k.arg), self._compiled(k.value, f"{rule} ({k.arg} of {name})")) for k in keywords]
                return _of_class(name, fields, rule)
            case ast.List(elts=elements):
                return self._list(elements, rule)
            case ast.Constant(value=value):
                return _constant(value, rule)
        raise SyntaxError(f"{self.name}: {ast.unparse(shape)} in the rule {rule} is not a shape")

    def _reference(self, name: str) -> Check:
        """Looked up at the first use, since rules may name each other."""
        found: list[Check] = []

        def check(node: Any, depth: int) -> Misfit | None:
            if not found:
                found.append(self._check(name))
            return found[0](node, depth)

        return check

    def _list(self, elements: list[ast.expr], rule: str) -> Check:
        dots = [i for i, e in enumerate(elements) if isinstance(e, ast.Constant) and e.value is ...]
        if len(dots) > 1 or dots == [0]:
            raise SyntaxError(f"{self.name}: one `...` at most in a list, behind what it repeats, in the rule {rule}")
        checks = [self._compiled(e, rule) for i, e in enumerate(elements) if i not in dots]
        if not dots:
            return _exactly(checks, rule)
        at = dots[0] - 1
        return _repeated(checks[:at], checks[at], checks[at + 1 :], rule)


def shown(node: Any) -> str:
    """A node in a few words."""
    if isinstance(node, list):
        return f"[{', '.join(shown(n) for n in node[:3])}{', ...' if len(node) > 3 else ''}]"
    if not isinstance(node, gast.AST):
        return repr(node)
    fields = [(f, getattr(node, f, None)) for f in node._fields if f not in ("ctx", "annotation", "type_comment", "kind", "body")]
    parts = [
        f"{field}={type(value).__name__ if isinstance(value, gast.AST) else repr(value)}"
        for field, value in fields
        if value is not None and not isinstance(value, list)
    ]
    return f"{type(node).__name__}({', '.join(parts)})"


def _alternatives(shape: ast.expr) -> list[ast.expr]:
    if isinstance(shape, ast.BinOp) and isinstance(shape.op, ast.BitOr):
        return [*_alternatives(shape.left), *_alternatives(shape.right)]
    return [shape]


def _class_of(shape: ast.expr) -> str:
    """The class of node that an alternative is for; "" if it may be any."""
    head = shape.func if isinstance(shape, ast.Call) else shape
    return head.id if isinstance(head, ast.Name) and head.id[0].isupper() else ""


def _choice(by_class: dict[str, list[Check]], others: list[Check], rule: str) -> Check:
    """The alternatives for the class of the node, then those for any class; of several failures the one that came furthest."""
    table: dict[type, list[Check]] = {_class(name): [*checks, *others] for name, checks in by_class.items()}

    def check(node: Any, depth: int) -> Misfit | None:
        furthest = None
        for alternative in table.get(type(node), others):
            misfit = alternative(node, depth)
            if misfit is None:
                return None
            if misfit.depth > (depth if furthest is None else furthest.depth):
                furthest = misfit
        return furthest or Misfit(node, rule, depth)

    return check


def _class(name: str) -> type:
    cls = getattr(gast, name, None)
    if not isinstance(cls, type):
        raise NameError(f"{name} is not a class of gast")
    return cls


def _of_class(name: str, fields: list[tuple[str, Check]], rule: str) -> Check:
    cls = _class(name)
    unknown = [field for field, _ in fields if field not in cls._fields]  # type: ignore[attr-defined]
    if unknown:
        raise NameError(f"{name} has no field {unknown[0]}, in the rule {rule}")

    def check(node: Any, depth: int) -> Misfit | None:
        if type(node) is not cls:
            return Misfit(node, rule, depth)
        for field, shape in fields:
            misfit = shape(getattr(node, field, None), depth + 1)
            if misfit is not None:
                return misfit
        return None

    return check


def _constant(value: Any, rule: str) -> Check:
    return lambda node, depth: None if type(node) is type(value) and node == value else Misfit(node, f"{value!r} in {rule}", depth)


def _predicate(holds: Predicate, rule: str) -> Check:
    return lambda node, depth: None if holds(node) else Misfit(node, rule, depth)


def _exactly(checks: list[Check], rule: str) -> Check:
    def check(nodes: Any, depth: int) -> Misfit | None:
        nodes = [] if nodes is None else nodes
        if not isinstance(nodes, list) or len(nodes) != len(checks):
            return Misfit(nodes, f"a list of {len(checks)} in {rule}", depth)
        return next((m for c, n in zip(checks, nodes, strict=True) if (m := c(n, depth)) is not None), None)

    return check


def _repeated(before: list[Check], many: Check, after: list[Check], rule: str) -> Check:
    least, front, back = len(before) + len(after), len(before), len(after)

    def check(nodes: Any, depth: int) -> Misfit | None:
        nodes = [] if nodes is None else nodes
        if not isinstance(nodes, list) or len(nodes) < least:
            return Misfit(nodes, f"a list of {least} or more in {rule}", depth)
        for i, node in enumerate(nodes):
            of_end = i - (len(nodes) - back)
            shape = before[i] if i < front else after[of_end] if of_end >= 0 else many
            misfit = shape(node, depth)
            if misfit is not None:
                return misfit
        return None

    return check


def _remembering(check: Check) -> Check:
    """A statement that fitted once is not looked at again."""
    fitted: WeakSet[Any] = WeakSet()

    def remembered(node: Any, depth: int) -> Misfit | None:
        if not isinstance(node, gast.stmt):
            return check(node, depth)
        if node in fitted:
            return None
        misfit = check(node, depth)
        if misfit is None:
            fitted.add(node)
        return misfit

    return remembered
