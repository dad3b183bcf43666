"""Expressions of PLAIN, one operation at a time: operands become names or literals, what carries no derivative stays whole."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

import gast

from ..python.function import Function
from ..python.names import Names, bound_names, free_names
from ..python.quote import rebuilt
from ..python.resolve import dotted, resolve
from .comprehensions import survey
from .ordered import Ordered, assign, if_, is_atom, negation, parts_of, root_of, with_parts

_DISPLAYS = (gast.Tuple, gast.List)
_SIZES = ("shape", "ndim", "size")  # attributes that no code of the user's makes up: they may stay in a condition or index
_INDEX_ARITHMETIC = (gast.Add, gast.Sub, gast.Mult, gast.FloorDiv, gast.Mod)


class Operations(Ordered):
    def __init__(self, fn: Function, names: Names, is_pure: Callable[[object], bool]) -> None:
        super().__init__(names)
        self.namespace = fn.namespace
        self.is_pure = is_pure
        functions = survey(fn.tree)[1]
        self.captured = set().union(*map(free_names, functions))
        self.local = bound_names(fn.tree).union(*map(bound_names, functions))
        self.pure: dict[str, bool] = {}  # by the path that is called

    def impure_calls(self, statements: list[Any]) -> list[Any]:
        return [n for s in statements for n in gast.walk(s) if isinstance(n, gast.Call) and not self.is_pure_call(n)]

    def keep(self, value: Any, base: str = "t") -> Any:
        return super().keep(self.operation(value), base)

    def put(self, target: Any, value: Any) -> None:
        self.out.append(assign(target, self.operation(value)))

    def when(self, condition: Any, negated: bool, body: list[Any]) -> None:
        test = self.keep(negation(condition, simplified=False), "c") if negated else condition
        self.out.append(if_(test, body))

    def atom(self, node: Any) -> Any:
        return node if is_atom(node) or _is_literal(node) else self.keep(node)

    def argument(self, node: Any) -> Any:
        """An atom, or a display of atoms and displays."""
        if isinstance(node, _DISPLAYS):
            return self.parts(node, self.argument)
        if isinstance(node, gast.Starred):
            return self.parts(node, self.atom)
        return self.atom(node)

    def operation(self, node: Any) -> Any:
        """One operation on atoms."""
        match node:
            case gast.Name() | gast.Constant():
                return node
            case gast.Compare() | gast.BoolOp() | gast.UnaryOp(op=gast.Not()):
                return self.control(node)
            case gast.Call():
                return self.call(node)
            case gast.Subscript():
                return self.item(node)
            case gast.Tuple() | gast.List():
                return self.argument(node)
            case gast.Attribute() if self.is_outside(node):
                return node
        return node if _is_literal(node) else self.each(node, self.atom)

    def each(self, node: Any, lower: Callable[[Any], Any]) -> Any:
        """The node with its operands made atoms, in order; then none of them can be overtaken."""
        old = parts_of(node)
        new = [lower(part) for part in old]
        return node if all(map(_same, old, new)) else with_parts(node, iter(new))

    def call(self, node: Any) -> Any:
        old = parts_of(node)
        new = [self.called(node.func), *map(self.argument, old[1:])]
        return node if all(map(_same, old, new)) else with_parts(node, iter(new))

    def called(self, func: Any) -> Any:
        if isinstance(func, gast.Name) or self.is_outside(func):
            return func
        return self.parts(func, self.atom) if isinstance(func, gast.Attribute) else self.atom(func)

    def is_outside(self, node: Any) -> bool:
        """A dotted path that starts at a name from outside the function."""
        return isinstance(node, gast.Attribute) and root_of(node) not in self.local | {""}

    def item(self, node: Any) -> Any:
        base = self.atom(node.value)
        if base is not node.value:
            node = rebuilt(node, value=base)
        return self.parts(node, self.index)

    def index(self, node: Any) -> Any:
        """An expression of an index, whole as far as it is arithmetic on names and numbers."""
        match node:
            case gast.Name() | gast.Constant():
                return node
            case gast.BinOp() if isinstance(node.op, _INDEX_ARITHMETIC):
                return self.parts(node, self.index)
            case gast.UnaryOp(op=gast.USub()):
                return self.parts(node, self.index)
            case gast.Call(func=gast.Name(id="len"), args=[gast.Name()], keywords=[]) if self.is_builtin("len"):
                return node
            case gast.Attribute(attr=attribute, value=gast.Name()) if attribute in _SIZES:
                return node
            case gast.Subscript(value=gast.Attribute(attr="shape", value=gast.Name())):
                return self.parts(node, self.index)
        return self.atom(node)

    def condition(self, node: Any) -> Any:
        """The name of a condition."""
        value = self.operation(node)
        return value if isinstance(value, gast.Name) else self.keep(value, "c")

    def control(self, node: Any) -> Any:
        """An expression without derivative: whole but for the calls in it that are not known to be pure."""
        match node:
            case gast.Name() | gast.Constant():
                return node
            case gast.BoolOp():
                return self.short_circuit(node, self.control)
            case gast.Compare():
                return self.comparison(node, self.control)
            case gast.UnaryOp() | gast.BinOp() | gast.Subscript() | gast.Tuple() | gast.List() | gast.Set():
                return self.parts(node, self.control)
            case gast.Attribute() if node.attr in _SIZES:
                return self.parts(node, self.control)
            case gast.Attribute() if self.is_module_path(node):
                return node
            case gast.Call() if self.is_pure_call(node):
                func, *arguments = parts_of(node)
                new = [func, *self.operands(arguments, self.control)]
                return node if all(map(_same, new[1:], arguments)) else with_parts(node, iter(new))
        return self.atom(node)

    def _settle(self, done: list[Any], mark: int, rebound: list[str], called: bool) -> None:
        """Only a call that is not pure can change what the operands before it would give."""
        if self.impure_calls(self.out[mark:]):
            super()._settle(done, mark, rebound, called)

    # What names mean

    def is_builtin(self, function: str) -> bool:
        return function not in self.local and self.namespace.lookup(function)[0] == "builtin"

    def is_pure_call(self, node: Any) -> bool:
        if any(isinstance(a, gast.Starred) for a in node.args) or any(k.arg is None for k in node.keywords):
            return False
        path = dotted(node.func)
        if path is None or root_of(node.func) in self.local:
            return False
        if path not in self.pure:
            found = resolve(node.func, self.namespace)
            self.pure[path] = found is not None and self.is_pure(found.value)
        return self.pure[path]

    def is_module_path(self, node: Any) -> bool:
        """`np.pi`, `np.linalg`: read from a module."""
        if root_of(node) in self.local | {""}:
            return False
        owner = resolve(node.value, self.namespace)
        return owner is not None and isinstance(owner.value, ModuleType)


def _is_literal(node: Any) -> bool:
    """A number or text, also as arithmetic on such: `-1.0`, `2 * 3`, `1.0 + 2.0j`."""
    match node:
        case gast.Constant():
            return True
        case gast.UnaryOp():
            return not isinstance(node.op, gast.Not) and _is_literal(node.operand)
        case gast.BinOp():
            return _is_literal(node.left) and _is_literal(node.right)
    return False


def _same(a: Any, b: Any) -> bool:
    return a is b
