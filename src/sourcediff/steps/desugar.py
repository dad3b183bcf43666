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
from ..python.quote import constant, expr, name, placed, rebuilt, stmt
from . import comprehensions
from .exits import single_exit
from .expressions import Expressions, has, is_starred
from .ordered import Lower, assign, if_, index_parts, is_atom, negation, with_index_parts

_BREAK, _TIMES = stmt("break"), expr("a * b")
_DECIDED_LATER = (gast.IfExp, gast.NamedExpr, gast.Lambda, *comprehensions.KINDS)
_SEQUENCES = (gast.Tuple, gast.List)


def desugar(fn: Function, names: Names) -> Function:
    """The function in PLAIN. `names` knows every name of the function, and learns those that are made."""
    tree = fn.tree
    body = _Desugar(fn, names).function_body(tree.body)
    return fn if _all_same(body, tree.body) else fn.with_tree(rebuilt(tree, body=body))


class _Desugar(Expressions):
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
            case gast.Delete():  # only of names, accept has seen to it; what is read later must not be the old value
                self.out += [assign(target, constant(None), s) for target in s.targets]
            case gast.Pass() | gast.Global() | gast.Nonlocal():
                pass  # accept has seen that the names are only read
            case _:
                self.out.append(s)

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

    def assignment(self, s: Any) -> None:
        (target, *others), value = s.targets, s.value
        if others:
            names = [t.id for t in s.targets if isinstance(t, gast.Name)]
            value = self.lower(value)
            if len(names) < len(s.targets) or (isinstance(value, gast.Name) and value.id in names):
                value = value if isinstance(value, gast.Constant) else self.keep(value)
            if not is_atom(value):  # it gets the first of the names
                self.store(target, value, s)
                value = name(target.id)
            else:
                self.store(target, value, s)
            for t in others:
                self.store(t, value, s)
        elif isinstance(target, gast.Name) and self.is_built(value):
            self.into(target.id, value)
        elif isinstance(target, _SEQUENCES):
            self.unpacking(target, value, s)
        elif isinstance(target, gast.Name):
            value = self.lower(value)
            self.out.append(s if value is s.value else rebuilt(s, value=value))
        else:
            value = self.lower(value)
            bound = len(self.bound)
            where, needs = self.lowered_apart(target)
            if needs:  # the value comes before base and index
                value = self._settled(value, self.bound[bound:])
                self.out += needs
            self.out.append(s if value is s.value and where is target else rebuilt(s, targets=[where], value=value))

    def store(self, target: Any, value: Any, s: Any) -> None:
        self.assignment(placed(rebuilt(s, targets=[target], value=value), s))

    def unpacking(self, target: Any, value: Any, s: Any) -> None:
        elements = target.elts
        if any(isinstance(t, gast.Starred) for t in elements):
            self.star_unpacking(elements, value)
        elif isinstance(value, _SEQUENCES) and len(value.elts) == len(elements) and not is_starred(value.elts):
            self.parallel(target, value, s)
        else:
            value = self.lower(value)
            whole = value if isinstance(value, gast.Name) else self.keep(value)
            if all(isinstance(t, gast.Name) for t in elements):
                unchanged = whole is s.value and target is s.targets[0] and isinstance(target, gast.Tuple)
                self.out.append(s if unchanged else rebuilt(s, targets=[_tuple(elements)], value=whole))
                return
            # The targets are stored to from left to right; an index may read what was stored before it.
            own = all(isinstance(t, (gast.Name, *_SEQUENCES)) for t in elements) and len(_targets(elements)) == len(set(_targets(elements)))
            parts = [t if own and isinstance(t, gast.Name) else name(self.names.fresh("t")) for t in elements]
            self.out.append(assign(_tuple(parts), whole, s))
            for t, part in zip(elements, parts, strict=True):
                if t is not part:
                    self.store(t, part, s)

    def parallel(self, target: Any, value: Any, s: Any) -> None:
        """`a, b = v, w`: a permutation of names as it is, others one after the other."""
        targets, values = target.elts, value.elts
        plain = all(isinstance(t, gast.Name) for t in targets)
        if plain and all(isinstance(v, gast.Name) for v in values) and {t.id for t in targets} == {v.id for v in values}:
            unchanged = isinstance(target, gast.Tuple) and isinstance(value, gast.Tuple)
            self.out.append(s if unchanged else rebuilt(s, targets=[_tuple(targets)], value=_tuple(values)))
            return
        if plain and all(self.is_independent(targets[:i], v) for i, v in enumerate(values)):
            for t, v in zip(targets, values, strict=True):
                self.store(t, v, s)
            return
        bound: set[str] = set()
        kept = []
        for v, t in zip(self.operands(values, self.lower), targets, strict=True):
            stays = isinstance(v, gast.Constant) or (isinstance(v, gast.Name) and v.id not in bound)
            kept.append(v if stays else self.keep(v))
            bound.update(_targets([t]))
        for t, v in zip(targets, kept, strict=True):
            self.store(t, v, s)

    def is_independent(self, before: list[Any], value: Any) -> bool:
        """Whether the value is the same after the assignments to the names `before`."""
        own = {t.id for t in before}
        if own & self.captured:
            return False
        return not own or own.isdisjoint(comprehensions.survey(value)[0])

    def star_unpacking(self, elements: list[Any], value: Any) -> None:
        """`a, *b, c = v`: by index from both ends, the middle as a list."""
        value = self.lower(value)
        whole = value if isinstance(value, gast.Name) and value.id not in _targets(elements) else self.keep(value)
        star = next(i for i, t in enumerate(elements) if isinstance(t, gast.Starred))
        for i, t in enumerate(elements):
            index = i if i < star else i - len(elements)
            part = expr("whole[index]", whole=whole, index=constant(index))
            if i == star:
                t, upper = t.value, constant(star + 1 - len(elements)) if star + 1 < len(elements) else None
                part = rebuilt(part, slice=gast.Slice(lower=constant(star), upper=upper, step=None))
                part = expr("[v for v in part]", part=part, v=self.names.fresh("v"))
                self.uses.update({part.elt.id: 2})
            self.assignment(assign(t, part))

    def augmented(self, s: Any) -> None:
        match s.target:
            case gast.Name():
                bound = len(self.bound)
                value, needs = self.lowered_apart(s.value)
                if s.target.id in self.bound[bound:]:  # Python has read the name before the value binds it
                    self.augmented_held(s, s.target, needs, value)
                    return
                self.out += needs
                self.out.append(s if value is s.value else rebuilt(s, value=value))
            case gast.Subscript():
                self.augmented_item(s)
            case _:
                # In place if the attribute is an array, so the operator is applied to a name that holds it.
                base = self.lower(s.target.value)
                where = rebuilt(s.target, value=base if is_atom(base) else self.keep(base))
                held = self.keep(where)
                value, needs = self.lowered_apart(s.value)
                self.out += [*needs, rebuilt(s, target=held, value=value), assign(where, held, s)]

    def augmented_item(self, s: Any) -> None:
        base, *index = self.operands([s.target.value, *index_parts(s.target.slice)], self.lower)
        base = base if is_atom(base) else self.keep(base)
        bound = len(self.bound)
        value, needs = self.lowered_apart(s.value)
        additive = isinstance(s.op, (gast.Add, gast.Sub))
        if needs:
            base, *index = (self._settled(part, self.bound[bound:]) for part in (base, *index))
        elif not additive:  # the index is written twice
            index = [part if _is_arithmetic(part) else self.keep(part) for part in index]
        where = s.target
        if not all(map(_same, [base, *index], [where.value, *index_parts(where.slice)])):
            where = rebuilt(where, value=base, slice=with_index_parts(where.slice, iter(index)))
        if any(has(n, gast.Call) and base.id in comprehensions.survey(n)[0] | dict.fromkeys(self.captured) for n in needs):
            self.augmented_held(s, where, needs, value)
            return
        self.out += needs
        if additive:
            self.out.append(s if where is s.target and value is s.value else rebuilt(s, target=where, value=value))
        else:
            self.out.append(assign(where, placed(rebuilt(_TIMES, left=where, op=s.op, right=value), s), s))

    def augmented_held(self, s: Any, where: Any, needs: list[Any], value: Any) -> None:
        """The old value is read before what the new one needs may change it; a temporary holds it meanwhile."""
        held = self.keep(where)
        self.out += [*needs, rebuilt(s, target=held, value=value), assign(where, held, s)]

    def lowered_apart(self, node: Any, lower: Lower | None = None) -> tuple[Any, list[Any]]:
        """The node lowered, and the statements that it needs in front of it."""
        lowered: list[Any] = []
        needs = self.emitted(lambda: lowered.append((lower or self.lower)(node)))
        return lowered[0], needs

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


def _tuple(elements: list[Any]) -> Any:
    return gast.Tuple(elts=elements, ctx=gast.Load())


def _targets(elements: list[Any]) -> list[str]:
    """The names that these targets bind."""
    found: list[str] = []
    for t in elements:
        if isinstance(t, gast.Name):
            found.append(t.id)
        elif isinstance(t, gast.Starred):
            found += _targets([t.value])
        elif isinstance(t, _SEQUENCES):
            found += _targets(t.elts)
    return found


def _filled(body: list[Any]) -> list[Any]:
    return body or [stmt("pass")]


def _all_same(new: list[Any], old: list[Any]) -> bool:
    return len(new) == len(old) and all(a is b for a, b in zip(new, old, strict=True))


def _same(a: Any, b: Any) -> bool:
    return a is b


def _is_arithmetic(node: Any) -> bool:
    """Of names and numbers: evaluated twice it is the same."""
    match node:
        case gast.BinOp():
            return _is_arithmetic(node.left) and _is_arithmetic(node.right)
        case gast.UnaryOp():
            return _is_arithmetic(node.operand)
    return isinstance(node, (gast.Name, gast.Constant))
