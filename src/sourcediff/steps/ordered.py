"""Python's order of evaluation, kept while an expression is taken apart.

Taking a part of an expression out, as statements that run first, would let that part overtake what stands to its left:
in `g(a) + (h(b) if c else d)` the call of g comes first. So whenever lowering an operand has emitted statements, the
operands to its left are kept in temporaries before them. Two kinds need nothing: a literal, and a name that these
statements do not bind (a call cannot rebind a local variable, since `nonlocal` writes are refused).

`and`, `or` and chained comparisons evaluate their later operands only sometimes. If such an operand needs statements,
the expression becomes branches: `a and g(b)` is `c = a`, then `if c:` with what `g(b)` needs and `c = g(b)` in it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import gast

from ..python.names import Names
from ..python.quote import expr, name, placed, rebuilt, stmt

Lower = Callable[[Any], Any]

_ASSIGN = stmt("target = value")
_IF = stmt("if test:\n    pass")
_AND, _NOT = expr("a and b"), expr("not a")


class Ordered:
    """Emits statements into `out`, the block being written."""

    def __init__(self, names: Names) -> None:
        self.names = names
        self.out: list[Any] = []
        self.bound: list[str] = []  # every name bound inside an expression so far, in the order of emission

    def keep(self, value: Any, base: str = "t") -> Any:
        """The value in a new temporary, whose name is returned."""
        target = name(self.names.fresh(base))
        self.put(target, value)
        return target

    def put(self, target: Any, value: Any) -> None:
        """Assign the value, lowered already, to the name `target`."""
        self.out.append(assign(target, value))

    def emitted(self, write: Callable[[], Any]) -> list[Any]:
        """What `write` emits, as a block of its own."""
        outer, self.out = self.out, []
        write()
        block, self.out = self.out, outer
        return block

    def operands(self, nodes: list[Any], lower: Lower, called: bool = False) -> list[Any]:
        """Each node lowered, in order. `called`: the first stands in function position."""
        done: list[Any] = []
        for node in nodes:
            mark, bound = len(self.out), len(self.bound)
            new = lower(node)
            if done and len(self.out) > mark:
                self._settle(done, mark, self.bound[bound:], called)
            done.append(new)
        return done

    def parts(self, node: Any, lower: Lower) -> Any:
        """The node with its operands lowered in order; the node itself if nothing changes."""
        old = parts_of(node)
        new = self.operands(old, lower, isinstance(node, gast.Call))
        if all(map(_same, old, new)):
            return node
        return with_parts(node, iter(new))

    def short_circuit(self, node: Any, lower: Lower) -> Any:
        """`a and b`, `a or b`: whole if only `a` needs statements, else branches."""
        return self._short_circuit(node, [], node.values, lower)

    def comparison(self, node: Any, lower: Lower) -> Any:
        """`a < b < c`: whole if only `a` and `b` need statements, else branches."""
        head = self.operands([node.left, node.comparators[0]], lower)
        return self._comparison(node, head, lower)

    def when(self, condition: Any, negated: bool, body: list[Any]) -> None:
        """Emit `if condition:` or `if not condition:`."""
        self.out.append(if_(negation(condition) if negated else condition, body))

    def _settle(self, done: list[Any], mark: int, rebound: list[str], called: bool) -> None:
        """Keep the values of `done` before the statements from `mark` on."""
        later = self.out[mark:]
        del self.out[mark:]
        for i, node in enumerate(done):
            if called and i == 0 and isinstance(node, gast.Attribute):
                root = root_of(node)
                if not root:
                    done[0] = rebuilt(node, value=self._settled(node.value, rebound))
                elif root in rebound:
                    done[0] = self.keep(node)
            elif isinstance(node, gast.Starred):
                done[i] = rebuilt(node, value=self._settled(node.value, rebound))
            else:
                done[i] = self._settled(node, rebound)
        self.out += later

    def _settled(self, node: Any, rebound: list[str]) -> Any:
        kind = type(node)
        if kind is gast.Constant or (kind is gast.Name and node.id not in rebound):
            return node
        return self.keep(node)

    def _short_circuit(self, node: Any, done: list[Any], todo: list[Any], lower: Lower) -> Any:
        for i, value in enumerate(todo):
            mark = len(self.out)
            new = lower(value)
            if done and len(self.out) > mark:
                needs = self.out[mark:]
                del self.out[mark:]
                head = done[0] if len(done) == 1 else rebuilt(node, values=done)
                rest = partial(self._short_circuit, node, [new], todo[i + 1 :], lower)
                return self._branch(head, isinstance(node.op, gast.Or), needs, rest)
            done.append(new)
        if len(done) == 1:
            return done[0]
        return node if len(done) == len(node.values) and all(map(_same, done, node.values)) else rebuilt(node, values=done)

    def _comparison(self, node: Any, done: list[Any], lower: Lower) -> Any:
        """`done`: the operands lowered so far, at least two."""
        for i in range(len(done) - 1, len(node.comparators)):
            mark = len(self.out)
            new = lower(node.comparators[i])
            if len(self.out) > mark:
                needs = self.out[mark:]
                del self.out[mark:]
                if not is_atom(done[-1]):  # it stands in two comparisons: evaluated once, after those before it
                    done = [*(d if is_atom(d) else self.keep(d) for d in done[:-1]), self.keep(done[-1])]
                head = rebuilt(node, left=done[0], ops=node.ops[:i], comparators=done[1:])
                rest = rebuilt(node, left=done[-1], ops=node.ops[i:], comparators=node.comparators[i:])
                return self._branch(head, False, needs, partial(self._comparison, rest, [done[-1], new], lower))
            done.append(new)
        old = [node.left, *node.comparators]
        return node if all(map(_same, done, old)) else rebuilt(node, left=done[0], comparators=done[1:])

    def _branch(self, head: Any, negated: bool, needs: list[Any], rest: Callable[[], Any]) -> Any:
        """The condition `head`, and where it leaves the question open, that of `rest`."""
        condition = self.keep(head, "c")

        def write() -> None:
            self.out += needs
            self.put(condition, rest())

        self.when(condition, negated, self.emitted(write))
        return condition


def assign(target: Any, value: Any, like: Any = None) -> Any:
    """`target = value`, said to come from where `like`, or else the value, stands."""
    return placed(rebuilt(_ASSIGN, targets=[target], value=value), value if like is None else like)


def if_(test: Any, body: list[Any], orelse: list[Any] | None = None) -> Any:
    """An `if` statement; an empty body is filled, or swapped with the other."""
    if not body and orelse:
        test, body, orelse = negation(test), orelse, []
    return placed(rebuilt(_IF, test=test, body=body or [_IF.body[0]], orelse=orelse or []), test)


def conjunction(tests: list[Any]) -> Any:
    return tests[0] if len(tests) == 1 else rebuilt(_AND, values=tests)


def negation(test: Any, simplified: bool = True) -> Any:
    """`not test`; the same in truth, but not always in value, is the operand of a `not`."""
    if simplified and isinstance(test, gast.UnaryOp) and isinstance(test.op, gast.Not):
        return test.operand
    return placed(rebuilt(_NOT, operand=test), test)


def is_atom(node: Any) -> bool:
    """A name or a literal, also a negative one."""
    return isinstance(node, (gast.Name, gast.Constant)) or (
        isinstance(node, gast.UnaryOp) and isinstance(node.op, gast.USub) and isinstance(node.operand, gast.Constant)
    )


def root_of(node: Any) -> str:
    """The first name of a dotted path, "" if the node is none."""
    while isinstance(node, gast.Attribute):
        node = node.value
    return node.id if isinstance(node, gast.Name) else ""


def parts_of(node: Any) -> list[Any]:
    """The operands of an expression that evaluates them all, in the order of their evaluation."""
    match node:
        case gast.BinOp():
            return [node.left, node.right]
        case gast.UnaryOp():
            return [node.operand]
        case gast.Call():
            return [node.func, *node.args, *(k.value for k in node.keywords)]
        case gast.Attribute() | gast.Starred():
            return [node.value]
        case gast.Subscript():
            return [node.value, *index_parts(node.slice)]
        case gast.Tuple() | gast.List() | gast.Set():
            return node.elts
        case gast.Dict():
            return [part for pair in zip(node.keys, node.values, strict=True) for part in pair if part is not None]
        case gast.JoinedStr():
            return [part for value in node.values for part in parts_of(value)]
        case gast.FormattedValue():
            return [node.value, *(parts_of(node.format_spec) if node.format_spec else [])]
    return []


def index_parts(index: Any) -> list[Any]:
    """The expressions of an index: those of each slice, and of each entry of a tuple."""
    if isinstance(index, gast.Slice):
        return [bound for bound in (index.lower, index.upper, index.step) if bound is not None]
    if isinstance(index, gast.Tuple) and index.elts:
        return [part for entry in index.elts for part in (index_parts(entry) if isinstance(entry, gast.Slice) else [entry])]
    return [index]


def with_parts(node: Any, parts: Iterator[Any]) -> Any:
    """The node with its operands replaced, in the order of `parts_of`."""
    match node:
        case gast.BinOp():
            return rebuilt(node, left=next(parts), right=next(parts))
        case gast.UnaryOp():
            return rebuilt(node, operand=next(parts))
        case gast.Call():
            func, args = next(parts), [next(parts) for _ in node.args]
            return rebuilt(node, func=func, args=args, keywords=[rebuilt(k, value=next(parts)) for k in node.keywords])
        case gast.Attribute() | gast.Starred():
            return rebuilt(node, value=next(parts))
        case gast.Subscript():
            return rebuilt(node, value=next(parts), slice=with_index_parts(node.slice, parts))
        case gast.Tuple() | gast.List() | gast.Set():
            return rebuilt(node, elts=[next(parts) for _ in node.elts])
        case gast.Dict():
            pairs = [(k and next(parts), next(parts)) for k in node.keys]
            return rebuilt(node, keys=[k for k, _ in pairs], values=[v for _, v in pairs])
        case gast.JoinedStr():
            return rebuilt(node, values=[with_parts(value, parts) for value in node.values])
        case gast.FormattedValue():
            value = next(parts)
            return rebuilt(node, value=value, format_spec=with_parts(node.format_spec, parts) if node.format_spec else None)
    return node


def with_index_parts(index: Any, parts: Iterator[Any]) -> Any:
    if isinstance(index, gast.Slice):
        return rebuilt(index, **{f: next(parts) for f in ("lower", "upper", "step") if getattr(index, f) is not None})
    if isinstance(index, gast.Tuple) and index.elts:
        return rebuilt(index, elts=[with_index_parts(e, parts) if isinstance(e, gast.Slice) else next(parts) for e in index.elts])
    return next(parts)


def _same(a: Any, b: Any) -> bool:
    return a is b
