"""Expressions of ACCEPTED: what decides, binds or builds becomes statements in front.

    z = g(x) + (h(x) if v else x)       t2 = g(x)
                                        if v:
                                            t = h(x)
                                        else:
                                            t = x
                                        z = t2 + t

A value that comes about in statements is built under the name that it is assigned to, where nothing can see that name
meanwhile, and under a temporary otherwise. Loops made of comprehensions are ordinary Python: they go back to `statements`.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

import gast

from ..errors import problem
from ..python.function import Function
from ..python.names import Names, bound_names, free_names
from ..python.quote import expr, name, placed, rebuilt, stmt
from . import comprehensions
from .exits import is_truth
from .ordered import Ordered, assign, if_, is_atom

_DEF = stmt("def f():\n    return value")
_BUILT = (gast.IfExp, gast.BoolOp, *comprehensions.KINDS)


class Expressions(Ordered):
    def __init__(self, fn: Function, names: Names) -> None:
        super().__init__(names)
        self.namespace = fn.namespace
        self.uses, inner = comprehensions.survey(fn.tree)
        self.captured = set().union(*map(free_names, inner))  # what a call may read behind our back
        self.local = bound_names(fn.tree).union(*map(bound_names, inner))
        self.isolated: set[int] = set()

    @abstractmethod
    def statements(self, body: list[Any]) -> None:
        """Desugar these statements."""

    @abstractmethod
    def assignment(self, s: Any) -> None:
        """Desugar an assignment."""

    @abstractmethod
    def function(self, s: Any, args: Any, body: list[Any]) -> Any:
        """A nested definition like `s` with these arguments and this body, desugared."""

    def test(self, node: Any) -> Any:
        """An expression of which only the truth matters."""
        match node:
            case gast.BoolOp():
                return self.short_circuit(node, self.test)
            case gast.UnaryOp(op=gast.Not()):
                operand = self.test(node.operand)
                return node if operand is node.operand else rebuilt(node, operand=operand)
        return self.lower(node)

    def lower(self, node: Any) -> Any:
        match node:
            case gast.Name() | gast.Constant():
                return node
            case gast.Compare():
                return self.comparison(node, self.lower)
            case gast.BoolOp() if is_truth(node):
                return self.short_circuit(node, self.test)
            case gast.UnaryOp(op=gast.Not()):
                return self.test(node)
            case gast.IfExp() | gast.BoolOp():
                return self.chosen(node)
            case gast.NamedExpr():
                self.assignment(assign(node.target, node.value, node))
                self.bound.append(node.target.id)
                return name(node.target.id)
            case gast.Lambda():
                return self.lambda_(node)
            case gast.SetComp():
                if not self.is_builtin("set"):
                    raise problem("syntax", node, what="a set comprehension where the name set means something else")
                return self.lower(placed(expr("set(items)", items=gast.ListComp(elt=node.elt, generators=node.generators)), node))
            case gast.ListComp() | gast.GeneratorExp() | gast.DictComp() if not self.is_loop(node):
                return self.isolated_comprehension(node)
            case gast.Call() | gast.ListComp() | gast.GeneratorExp() | gast.DictComp() if self.is_loop(node):
                result = self.names.fresh("s" if isinstance(node, gast.Call) and node.func.id == "sum" else "t")
                self.loop_into(result, node)
                return name(result)
            case gast.Tuple() | gast.List() if is_starred(node.elts):
                return self.starred_display(node)
            case gast.Subscript() if isinstance(node.slice, gast.Tuple) and is_starred(node.slice.elts):
                return rebuilt(node, value=self.lower(node.value), slice=self.lower(node.slice))
        return self.parts(node, self.lower)

    def chosen(self, node: Any) -> Any:
        target = self.names.fresh("t")
        self.into(target, node)
        return name(target)

    def into(self, target: str, node: Any) -> None:
        """Assign the value of `node`, one of several that a condition chooses, to the name `target`."""
        match node:
            case gast.IfExp():
                test = self.test(node.test)
                body = self.emitted(lambda: self.into(target, node.body))
                orelse = self.emitted(lambda: self.into(target, node.orelse))
                if body or orelse or not is_atom(test):
                    self.out.append(placed(if_(test, body, orelse), node))
            case gast.BoolOp() if not is_truth(node) and self.is_unseen(target, node):
                first, *rest = node.values
                self.into(target, first)
                tail = rest[0] if len(rest) == 1 else rebuilt(node, values=rest)
                self.when(name(target), isinstance(node.op, gast.Or), self.emitted(lambda: self.into(target, tail)))
            case gast.Call() | gast.ListComp() | gast.DictComp() if self.is_loop(node) and self.is_unseen(target, node):
                self.loop_into(target, node)
            case _:
                value = self.lower(node)
                if not (isinstance(value, gast.Name) and value.id == target):
                    self.out.append(assign(name(target), value, node))

    def is_unseen(self, target: str, node: Any) -> bool:
        """Whether nothing in `node` can ask for the old value of the name `target`."""
        return target not in self.captured and target not in comprehensions.survey(node)[0]

    def is_built(self, value: Any) -> bool:
        """Whether the value comes about in statements, which may assign to the target themselves."""
        if isinstance(value, gast.Call):
            return self.is_loop(value)
        return isinstance(value, _BUILT) and not is_truth(value)

    def is_loop(self, node: Any) -> bool:
        """A comprehension, or `sum`, `any` or `all` of one."""
        if not isinstance(node, gast.Call):
            return id(node) in self.isolated or not comprehensions.captures(node)
        if not (isinstance(node.func, gast.Name) and node.args and isinstance(node.args[0], gast.GeneratorExp)):
            return False
        function, more = node.func.id, [*node.args[1:], *(k.value for k in node.keywords)]
        if function == "sum":
            if len(more) > 1 or is_starred(more) or any(k.arg != "start" for k in node.keywords):
                return False
        elif function not in ("any", "all") or more:
            return False
        return self.is_builtin(function) and not comprehensions.captures(node.args[0])

    def loop_into(self, target: str, node: Any) -> None:
        """Write the loop after which the name `target` holds the value of `node`."""
        match node:
            case gast.DictComp():
                made = comprehensions.as_dict(node, target, self.names, self.uses)
            case gast.Call(func=gast.Name(id="sum")):
                start = next(iter([*node.args[1:], *(k.value for k in node.keywords)]), None)
                made = comprehensions.as_sum(node.args[0], start, target, self.names, self.uses)
            case gast.Call():
                made = comprehensions.as_search(node.args[0], node.func.id == "any", target, self.names, self.uses)
            case _:
                made = comprehensions.as_list(node, target, self.names, self.uses)
        self.statements(made)

    def is_builtin(self, function: str) -> bool:
        return function not in self.local and self.namespace.lookup(function)[0] == "builtin"

    def lambda_(self, node: Any) -> Any:
        made = rebuilt(_DEF, name=self.names.fresh("lambda_"), args=node.args, body=[placed(stmt("return value", value=node.body), node)])
        self.out.append(placed(self.function(made, node.args, made.body), node))
        return name(made.name)

    def isolated_comprehension(self, node: Any) -> Any:
        """A comprehension as a call of a nested function, so that each run of it has variables of its own."""
        if has(node, gast.NamedExpr):
            raise problem("syntax", node, what="a walrus in a comprehension whose variable is captured by a lambda")
        iterable = self.names.fresh("items")
        first, *rest = node.generators
        inner = rebuilt(node, generators=[rebuilt(first, iter=name(iterable)), *rest])
        self.isolated.add(id(inner))
        made = stmt("def f(items):\n    return value", items=iterable, value=inner)
        made = rebuilt(made, name=self.names.fresh("comprehension"))
        self.out.append(placed(self.function(made, made.args, made.body), node))
        return expr("f(iterable)", f=made.name, iterable=self.lower(first.iter))

    def starred_display(self, node: Any) -> Any:
        """`[*a, b]`: a list that grows; a tuple is made of it in the end."""
        result = self.names.fresh("t")
        self.out.append(stmt("result = []", result=result))
        for element in node.elts:
            if isinstance(element, gast.Starred):
                item = self.names.fresh("v")
                loop = stmt("for item in items:\n    result.append(item)", item=item, items=element.value, result=result)
                self.statements([loop])
            else:
                self.statements([stmt("result.append(value)", result=result, value=element)])
        if isinstance(node, gast.List):
            return name(result)
        if not self.is_builtin("tuple"):
            raise problem("syntax", node, what="a tuple with a star, where the name tuple means something else,")
        return expr("tuple(result)", result=result)


def is_starred(nodes: list[Any]) -> bool:
    return any(isinstance(n, gast.Starred) for n in nodes)


def has(node: Any, kinds: Any) -> bool:
    return any(isinstance(n, kinds) for n in gast.walk(node))
