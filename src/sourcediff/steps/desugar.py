"""ACCEPTED → PLAIN: the many ways of writing a thing become one.

    y += 2 * x if x > 0 else 0          if x > 0:
                                            t = 2 * x
                                        else:
                                            t = 0
                                        y += t

One target an assignment; conditional expressions, walruses, comprehensions and lambdas become statements in front of the
one that they stand in (`ordered` keeps Python's order); loops and functions get one way out (`exits`).
What is one operation already, or one of the forms that our own derivatives are written in, stays as it is.

`op=` on a name stays, whatever the operator: on an array it writes into memory that other names may see, on a number it
makes a new number, and only types can tell. On an item, `+=` and `-=` stay, since they accumulate; the other operators
load, compute and store.
"""

from __future__ import annotations

from typing import Any

import gast

from ..python.function import Function
from ..python.names import Names
from ..python.quote import constant, name, placed, rebuilt, stmt
from . import comprehensions
from .assignments import Assignments
from .exits import single_exit
from .expressions import has
from .ordered import assign, if_, is_atom, negation

_BREAK = stmt("break")
_DECIDED_LATER = (gast.IfExp, gast.NamedExpr, gast.Lambda, *comprehensions.KINDS)


def desugar(fn: Function, names: Names) -> Function:
    """The function in PLAIN. `names` knows every name of the function, and learns those that are made."""
    tree = fn.tree
    body = _Desugar(fn, names).function_body(tree.body)
    return fn if _all_same(body, tree.body) else fn.with_tree(rebuilt(tree, body=body))


class _Desugar(Assignments):
    def function_body(self, body: list[Any]) -> list[Any]:
        return single_exit(self.block(body), self.names)

    def block(self, body: list[Any]) -> list[Any]:
        return self.emitted(lambda: self.statements(body))

    def statements(self, body: list[Any]) -> None:
        for s in body:
            mark = len(self.out)
            self.statement(s)
            for made in self.out[mark:]:
                placed(made, s)

    def statement(self, s: Any) -> None:
        match s:
            case gast.Assign():
                self.assignment(s)
            case gast.AugAssign():
                self.augmented(s)
            case gast.AnnAssign():
                if s.value is not None:
                    self.assignment(placed(assign(s.target, s.value, s), s))
            case gast.If():
                test = self.test(s.test)
                body, orelse = self.block(s.body), self.block(s.orelse)
                same = test is s.test and _all_same(body, s.body) and _all_same(orelse, s.orelse)
                self.out.append(s if same else placed(if_(test, body, orelse), s))
            case gast.For():
                self.for_loop(s)
            case gast.While():
                self.while_loop(s)
            case gast.Return():
                self.returned(s)
            case gast.Expr():
                self.expression(s)
            case gast.FunctionDef():
                self.definition(s)
            case gast.Assert():
                self.assertion(s)
            case gast.Raise():
                old = [e for e in (s.exc, s.cause) if e is not None]
                new = self.operands(old, self.lower)
                self.out.append(s if all(map(_same, new, old)) else rebuilt(s, **dict(zip(("exc", "cause"), new, strict=False))))
            case gast.Delete():
                for target in s.targets:
                    self.deletion(target, s)
            case gast.Pass() | gast.Global() | gast.Nonlocal():
                pass  # accept has seen that the names are only read
            case _:
                self.out.append(s)

    def deletion(self, target: Any, s: Any) -> None:
        """Of a name nothing is left that could be read later; of an item or attribute, base and index are made atoms."""
        if isinstance(target, gast.Name):
            self.out.append(assign(target, constant(None), s))
            return
        place = self.lower(target)
        if not is_atom(place.value):
            place = rebuilt(place, value=self.keep(place.value))
        self.out.append(s if place is target and len(s.targets) == 1 else rebuilt(s, targets=[place]))

    def expression(self, s: Any) -> None:
        """A statement that is an expression: only what it does matters."""
        match s.value:
            case gast.Constant():
                return
            case gast.IfExp():
                test = self.test(s.value.test)
                body, orelse = (self.block([rebuilt(s, value=v)]) for v in (s.value.body, s.value.orelse))
                self.out.append(if_(test, body, orelse))
            case gast.BoolOp():
                first, *rest = s.value.values
                test = self.test(first)
                if isinstance(s.value.op, gast.Or):
                    test = negation(test)
                tail = rest[0] if len(rest) == 1 else rebuilt(s.value, values=rest)
                self.out.append(if_(test, self.block([rebuilt(s, value=tail)])))
            case _:
                value = self.lower(s.value)
                if isinstance(value, gast.Call):
                    self.out.append(s if value is s.value else rebuilt(s, value=value))
                elif not is_atom(value):
                    self.keep(value)

    def for_loop(self, s: Any) -> None:
        if isinstance(s.iter, gast.GeneratorExp) and len(s.iter.generators) == 1 and not comprehensions.captures(s.iter):
            self.for_loop(comprehensions.over_generator(s, self.names, self.uses))
            return
        iterable, target, body = self.lower(s.iter), s.target, s.body
        if not isinstance(target, gast.Name):
            item = name(self.names.fresh("t"))
            target, body = item, [assign(target, item, s), *body]
        new, orelse = self.block(body), self.block(s.orelse)
        same = iterable is s.iter and target is s.target and _all_same(new, s.body) and _all_same(orelse, s.orelse)
        self.out.append(s if same else rebuilt(s, target=target, iter=iterable, body=_filled(new), orelse=orelse))

    def while_loop(self, s: Any) -> None:
        test, needs = self.lowered_apart(s.test, self.test)
        body, orelse = self.block(s.body), self.block(s.orelse)
        if not needs:
            same = test is s.test and _all_same(body, s.body) and _all_same(orelse, s.orelse)
            self.out.append(s if same else rebuilt(s, test=test, body=_filled(body), orelse=orelse))
            return
        leave: list[Any] = [_BREAK]
        ended = name(self.names.fresh("ended")) if orelse else None
        if ended:
            self.out.append(assign(ended, constant(False)))
            leave.insert(0, assign(ended, constant(True)))
        loop = rebuilt(s, test=constant(True), body=[*needs, if_(negation(test), leave), *body], orelse=[])
        self.out.append(loop)
        if ended:
            self.out.append(if_(ended, orelse))

    def returned(self, s: Any) -> None:
        match s.value:
            case gast.IfExp():
                test = self.test(s.value.test)
                body, orelse = (self.block([rebuilt(s, value=v)]) for v in (s.value.body, s.value.orelse))
                self.out.append(placed(if_(test, body, orelse), s))
            case None:
                self.out.append(rebuilt(s, value=constant(None)))
            case _:
                value = self.lower(s.value)
                self.out.append(s if value is s.value else rebuilt(s, value=value))

    def assertion(self, s: Any) -> None:
        test = self.test(s.test)
        if s.msg is None or is_atom(s.msg) or (isinstance(s.msg, gast.JoinedStr) and not has(s.msg, _DECIDED_LATER)):
            self.out.append(s if test is s.test else rebuilt(s, test=test))
            return
        failed = stmt("raise AssertionError(message)", message=s.msg)
        self.out.append(if_(negation(test), self.block([placed(failed, s)])))

    def definition(self, s: Any) -> None:
        """A nested function: decorators and defaults are evaluated here, in Python's order, the body is its own."""
        decorators = [d if is_atom(d) else self.keep(d) for d in map(self.lower, s.decorator_list)]
        self.out.append(self.function(s, s.args, s.body))
        for decorator in reversed(decorators):
            self.out.append(stmt("f = decorator(f)", f=s.name, decorator=decorator))

    def function(self, s: Any, args: Any, body: list[Any]) -> Any:
        given = [*args.defaults, *(d for d in args.kw_defaults if d is not None)]
        lowered = self.operands(given, self.lower)
        body = self.function_body(body)
        if all(map(_same, lowered, given)):
            if _all_same(body, s.body) and not s.decorator_list:
                return s
        else:
            values = iter(lowered)
            args = rebuilt(args, defaults=[next(values) for _ in args.defaults], kw_defaults=[d and next(values) for d in args.kw_defaults])
        return rebuilt(s, args=args, body=body, decorator_list=[])


def _filled(body: list[Any]) -> list[Any]:
    return body or [stmt("pass")]


def _all_same(new: list[Any], old: list[Any]) -> bool:
    return len(new) == len(old) and all(a is b for a, b in zip(new, old, strict=True))


def _same(a: Any, b: Any) -> bool:
    return a is b
