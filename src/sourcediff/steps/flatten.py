"""PLAIN → FLAT: one operation a statement, its operands names or literals.

    y = np.exp(x[i] * w)            t = x[i]
                                    t2 = t * w
                                    y = np.exp(t2)

What carries no derivative stays whole: conditions (but a call in one that is not known to be pure becomes a statement,
so that its effects are seen), indices made of names and numbers, literals, displays of names. A `while` whose test needs
statements becomes an endless loop that tests first thing and leaves by its flag.

    if n > 0 and step(x) > tol:     c = n > 0
                                    if c:
                                        t = step(x)
                                        c = t > tol
                                    if c:
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast

from ..python.function import Function
from ..python.names import Names
from ..python.quote import constant, name, placed, rebuilt, stmt
from .comprehensions import survey
from .operations import Operations
from .ordered import assign, if_, negation

_COUNT, _BREAK = stmt("trips += 1"), stmt("break")


def flatten(fn: Function, names: Names, is_pure: Callable[[object], bool]) -> Function:
    """The function in FLAT. is_pure: whether a call of this function may stay in a condition."""
    body = _Flatten(fn, names, is_pure).block(fn.tree.body)
    return fn if _all_same(body, fn.tree.body) else fn.with_tree(rebuilt(fn.tree, body=body))


class _Flatten(Operations):
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
            case gast.If():
                test = self.condition(s.test)
                body, orelse = self.block(s.body), self.block(s.orelse)
                same = test is s.test and _all_same(body, s.body) and _all_same(orelse, s.orelse)
                self.out.append(s if same else rebuilt(s, test=test, body=body, orelse=orelse))
            case gast.For():
                self.for_loop(s)
            case gast.While():
                self.while_loop(s)
            case gast.Return():
                value = self.argument(s.value)
                self.out.append(s if value is s.value else rebuilt(s, value=value))
            case gast.Expr():
                value = self.operation(s.value)
                self.out.append(s if value is s.value else rebuilt(s, value=value))
            case gast.Assert():
                test = self.control(s.test)
                self.out.append(s if test is s.test else rebuilt(s, test=test))
            case gast.FunctionDef():
                self.definition(s)
            case gast.Delete():
                place = self.place(s.targets[0])
                self.out.append(s if place is s.targets[0] else rebuilt(s, targets=[place]))
            case _:
                self.out.append(s)

    def assignment(self, s: Any) -> None:
        (target,) = s.targets
        if isinstance(target, (gast.Name, gast.Tuple)):
            value = self.operation(s.value) if isinstance(target, gast.Name) else s.value
        else:
            value = self.atom(s.value)
            target = self.place(target)
        self.out.append(s if value is s.value and target is s.targets[0] else rebuilt(s, targets=[target], value=value))

    def place(self, target: Any) -> Any:
        """An item or attribute that is assigned to."""
        return self.item(target) if isinstance(target, gast.Subscript) else self.parts(target, self.atom)

    def augmented(self, s: Any) -> None:
        if isinstance(s.target, gast.Name):
            value = self.atom(s.value)
            self.out.append(s if value is s.value else rebuilt(s, value=value))
            return
        target = self.item(s.target)
        mark = len(self.out)
        value = self.atom(s.value)
        if self.writes(self.out[mark:], target.value.id):
            # Python reads the item before it evaluates the value, which writes into the same memory.
            later = self.out[mark:]
            del self.out[mark:]
            held = self.keep(target)
            self.out += [*later, rebuilt(s, target=held, value=value), assign(target, held, s)]
            return
        self.out.append(s if value is s.value and target is s.target else rebuilt(s, target=target, value=value))

    def writes(self, statements: list[Any], base: str) -> bool:
        """Whether a call in these statements, which come from an expression, may write into the array `base`."""
        calls = self.impure_calls(statements)
        return bool(calls) and (base in self.captured or any(base in survey(c)[0] for c in calls))

    def for_loop(self, s: Any) -> None:
        mark = len(self.out)
        iterable = self.iterable(s.iter)
        if len(self.out) > mark:  # `flag = False` and `trips = 0` stand just before their loop
            needs = self.out[mark:]
            del self.out[mark:]
            starts: list[Any] = []
            while self.out and _starts_loop(self.out[-1], s) and not any(self.out[-1].targets[0].id in survey(n)[0] for n in needs):
                starts.insert(0, self.out.pop())
            self.out += [*needs, *starts]
        body = self.block(s.body)
        self.out.append(s if iterable is s.iter and _all_same(body, s.body) else rebuilt(s, iter=iterable, body=body))

    def while_loop(self, s: Any) -> None:
        tests: list[Any] = []
        needs = self.emitted(lambda: tests.append(self.control(s.test)))
        body = self.block(s.body)
        if not needs:
            same = tests[0] is s.test and _all_same(body, s.body)
            self.out.append(s if same else rebuilt(s, test=tests[0], body=body))
            return
        done, trips = name(self.names.fresh("flag")), name(self.names.fresh("trips"))
        flag = _exit_flag(body[-1])
        if flag:
            body = [*body[:-1], assign(done, name(flag))]
        self.out += [assign(done, constant(False)), assign(trips, constant(0))]

        def write() -> None:
            self.out += [rebuilt(_COUNT, target=trips), *needs, assign(done, negation(tests[0], simplified=False))]
            self.when(done, True, body)
            self.out.append(if_(done, [_BREAK]))

        self.out.append(rebuilt(s, test=constant(True), body=self.emitted(write)))

    def iterable(self, node: Any) -> Any:
        match node:
            case gast.Call(func=gast.Name(id="reversed"), args=[gast.Call(func=gast.Name(id="range")) as numbers], keywords=[]):
                if self.is_builtin("reversed") and self.is_builtin("range"):
                    inner = self.operation(numbers)
                    return node if inner is numbers else rebuilt(node, args=[inner])
                return self.operation(node)
            case gast.Call():
                return self.operation(node)
        return self.atom(node)

    def definition(self, s: Any) -> None:
        given = [*s.args.defaults, *(d for d in s.args.kw_defaults if d is not None)]
        values = [self.atom(d) for d in given]
        body = self.block(s.body)
        if not all(map(_same, values, given)):
            left = iter(values)
            defaults = [next(left) for _ in s.args.defaults]
            args = rebuilt(s.args, defaults=defaults, kw_defaults=[d and next(left) for d in s.args.kw_defaults])
            self.out.append(rebuilt(s, args=args, body=body))
        else:
            self.out.append(s if _all_same(body, s.body) else rebuilt(s, body=body))


def _starts_loop(before: Any, loop: Any) -> bool:
    """`flag = False` or `trips = 0`, of the flag and the counter of this loop."""
    if not (isinstance(before, gast.Assign) and isinstance(before.targets[0], gast.Name) and isinstance(before.value, gast.Constant)):
        return False
    first = loop.body[0]
    counter = first.target.id if isinstance(first, gast.AugAssign) and isinstance(first.target, gast.Name) else ""
    return before.targets[0].id in (counter, _exit_flag(loop.body[-1]))


def _exit_flag(last: Any) -> str:
    """The flag of a loop with exits, whose body ends with `if flag: break`."""
    if isinstance(last, gast.If) and isinstance(last.test, gast.Name) and isinstance(last.body[0], gast.Break):
        return str(last.test.id)
    return ""


def _all_same(new: list[Any], old: list[Any]) -> bool:
    return len(new) == len(old) and all(map(_same, new, old))


def _same(a: Any, b: Any) -> bool:
    return a is b
