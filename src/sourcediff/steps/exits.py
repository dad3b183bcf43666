"""One way out: of a function its last statement, of a loop body its end.

An early `return`, and a `continue`, stands in tail position once what follows it has been pushed into the other branch:

    if x < 0.5:                     if x < 0.5:
        return a                        result = a
    y = f(x)                        else:
    return y                            y = f(x)
                                        result = y
                                    return result

Only where both branches go on, so that what follows would have to be written twice, a flag skips it instead.
A `break`, and a `return` inside a loop, sets the loop's flag; what follows is pushed aside in the same way, and the body
ends with `if flag: break`. Loops that can be left, and every `while`, count their trips. What has this form is left alone.

Behind a loop with a `return` in it stands, for this step, `if returned: return result`, and an `else` of a loop is the
code that follows where the loop was not left by `break`: both are then treated like what the user wrote.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import gast

from ..python.names import Names
from ..python.quote import constant, name, placed, rebuilt, stmt
from .completion import BREAKS, CONTINUES, ENDS, RETURNS, Completion, is_endless
from .ordered import assign, if_, negation

DEEPEST = 24  # branches inside branches, before flags are taken; Python itself reads a hundred
_EXITS = BREAKS | CONTINUES | RETURNS

_PASS, _BREAK = stmt("pass"), stmt("break")
_RETURN = stmt("return value")
_COUNT = stmt("trips += 1")


@dataclass
class _Frame:
    """What an exit has to set, in the body of a loop or (`flag` is empty) of the function."""

    flag: str = ""  # the loop ends with this trip
    returned: str = ""  # the function has its result
    skip: str = ""  # what follows in this body is skipped: only where a flag is needed for it


def single_exit(body: list[Any], names: Names) -> list[Any]:
    """The body of a function with one return, as its last statement, and each loop in its one form."""
    return _Exits(names).function(body)


class _Exits:
    def __init__(self, names: Names) -> None:
        self.names = names
        self.completion = Completion()
        self.flags: set[str] = set()  # names that hold True or False and nothing else
        self.result = ""
        self.depth = 0

    def function(self, body: list[Any]) -> list[Any]:
        if self.completion.block(body) & ENDS or not any(self.completion.statement(s) & RETURNS for s in body):
            body = [*body, rebuilt(_RETURN, value=constant(None))]
        if isinstance(body[-1], gast.Return) and not any(self.completion.statement(s) & RETURNS for s in body[:-1]):
            return [*self.block(body[:-1], _Frame()), body[-1]]
        self.result = self.names.fresh("result")
        return [*self.block(body, _Frame()), rebuilt(_RETURN, value=name(self.result))]

    def block(self, stmts: list[Any], frame: _Frame) -> list[Any]:
        out: list[Any] = []
        for i, s in enumerate(stmts):
            match s:
                case gast.If():
                    if self.completion.statement(s) & _EXITS:
                        return out + self.branch(s, stmts[i + 1 :], frame)
                    out.append(self.rebuilt_if(s, s.test, s.body, s.orelse, frame))
                case gast.For() | gast.While():
                    follow = self.loop(s, out)
                    if follow:
                        return out + self.block([*follow, *stmts[i + 1 :]], frame)
                case gast.Return():
                    return out + self.leave(frame, self.given(s))
                case gast.Break():
                    return out + self.leave(frame)
                case gast.Continue():
                    return out + self.skip(frame)
                case gast.Pass():
                    pass
                case _:
                    out.append(s)
        return out

    def given(self, s: Any) -> list[Any]:
        """`result = value`, nothing if that is where the value is."""
        if isinstance(s.value, gast.Name) and s.value.id == self.result:
            return []
        return [assign(name(self.result), s.value if s.value is not None else constant(None), s)]

    def leave(self, frame: _Frame, result: list[Any] | None = None) -> list[Any]:
        """A `break`, or with `result` a `return`."""
        out = list(result or [])
        if frame.flag:
            out.append(_set(frame.flag, True))
        if result is not None and frame.returned and frame.returned != frame.flag:
            out.append(_set(frame.returned, True))
        return out + self.skip(frame)

    def skip(self, frame: _Frame) -> list[Any]:
        return [_set(frame.skip, True)] if frame.skip else []

    def branch(self, s: Any, rest: list[Any], frame: _Frame) -> list[Any]:
        """An `if` with exits in it, and what follows in its block."""
        body, orelse = self.completion.block(s.body), self.completion.block(s.orelse)
        if not rest:
            return self.tail(s, s.body, s.orelse, frame)
        if self.depth < DEEPEST and not (body & ENDS and orelse & ENDS):
            self.depth += 1
            on, off = ([*s.body, *rest], s.orelse) if body & ENDS else (s.body, [*s.orelse, *rest])
            out = self.tail(s, on, off, frame)
            self.depth -= 1
            return out
        exits = (body | orelse) & _EXITS
        if frame.skip or (frame.flag and self.depth < DEEPEST and not exits & CONTINUES):
            return [*self.tail(s, s.body, s.orelse, frame), *self.guarded(frame.skip or frame.flag, rest, frame)]
        skip = frame.skip = self.flag("skip" if frame.flag or exits & CONTINUES else "returned")
        out = [_set(skip, False), *self.tail(s, s.body, s.orelse, frame)]
        if self.depth < DEEPEST:
            frame.skip = ""
        out += self.guarded(skip, rest, frame)
        frame.skip = ""
        return out

    def guarded(self, flag: str, rest: list[Any], frame: _Frame) -> list[Any]:
        """What follows, where the flag is not set. Deep inside, piece by piece, so that it does not get deeper."""
        if self.depth < DEEPEST:
            return [if_(negation(name(flag)), self.block(rest, frame))]
        out: list[Any] = []
        piece: list[Any] = []
        for s in rest:
            piece.append(s)
            if self.completion.statement(s) != ENDS or s is rest[-1]:
                out.append(if_(negation(name(flag)), self.block(piece, frame)))
                piece = []
        return out

    def tail(self, s: Any, body: list[Any], orelse: list[Any], frame: _Frame) -> list[Any]:
        """An `if` behind which nothing follows. `if test: break` sets the flag to the test itself."""
        *before, last = body or [_PASS]
        exits = isinstance(last, gast.Break) or (isinstance(last, gast.Return) and bool(frame.flag))
        if not exits or frame.skip or not self.is_boolean(s.test) or self.completion.block(before) != ENDS:
            made = self.rebuilt_if(s, s.test, body, orelse, frame)
            return [made] if made.orelse or not _is_pass(made.body) or _has_call(s.test) else []
        now = self.block(before, frame)
        if isinstance(last, gast.Return):
            now += self.given(last)
            if frame.returned != frame.flag:
                now.append(_set(frame.returned, True))
        other = self.block(orelse, frame)
        flag = name(frame.flag)
        out = [assign(flag, s.test, s)]
        return [*out, placed(if_(flag, now, other), s)] if now or other else out

    def rebuilt_if(self, s: Any, test: Any, body: list[Any], orelse: list[Any], frame: _Frame) -> Any:
        new_body, new_orelse = self.block(body, frame), self.block(orelse, frame)
        if _all_same(new_body, s.body) and _all_same(new_orelse, s.orelse):
            return s
        return placed(if_(test, new_body, new_orelse), s)

    def loop(self, s: Any, out: list[Any]) -> list[Any]:
        """Append the loop in its one form to `out`; give the statements that stand for its exits behind it."""
        body = s.body
        own = self.completion.block(body)
        trips = ""
        if (own & (BREAKS | RETURNS) or isinstance(s, gast.While)) and not _counts_trips(body, out):
            trips = self.names.fresh("trips")
        if _is_exit_form(body, out) and not s.orelse and self.completion.block(body[:-1]) == ENDS:
            self.flags.add(body[-1].test.id)
            self._append_loop(s, [*self.block(body[:-1], _Frame()), body[-1]], trips, out)
            return []
        frame = _Frame()
        if own & (BREAKS | RETURNS):
            frame.flag = self.flag("flag")
            if own & RETURNS:
                frame.returned = self.flag("returned") if own & BREAKS else frame.flag
        inner = self.block(body, frame)
        if frame.flag:
            starts = [_set(f, False) for f in dict.fromkeys((frame.returned or frame.flag, frame.flag))]
            counter = 0 if trips else 1 if _starts(out[-1], body[0].target.id, 0) else 2  # the user's own count of the trips
            out[len(out) - counter : len(out) - counter] = starts
            inner.append(if_(name(frame.flag), [_BREAK]))
        self._append_loop(s, inner or [_PASS], trips, out)
        return self._behind(s, own, frame)

    def _append_loop(self, s: Any, body: list[Any], trips: str, out: list[Any]) -> None:
        if trips:
            out.append(assign(name(trips), constant(0)))
            body = [rebuilt(_COUNT, target=name(trips)), *body]
        out.append(s if _all_same(body, s.body) and not s.orelse else rebuilt(s, body=body, orelse=[]))

    def _behind(self, s: Any, own: int, frame: _Frame) -> list[Any]:
        follow: list[Any] = []
        if own & RETURNS:
            done = rebuilt(_RETURN, value=name(self.result))
            if is_endless(s) and not own & BREAKS:
                return [done]
            follow.append(if_(name(frame.returned), [done]))
        if s.orelse and own & BREAKS:
            follow.append(if_(negation(name(frame.flag)), s.orelse))
        elif s.orelse:
            follow += s.orelse
        return follow

    def flag(self, base: str) -> str:
        made = self.names.fresh(base)
        self.flags.add(made)
        return made

    def is_boolean(self, test: Any) -> bool:
        match test:
            case gast.Name():
                return test.id in self.flags
            case gast.BoolOp():
                return all(map(self.is_boolean, test.values))
        return is_truth(test)


def is_truth(test: Any) -> bool:
    """By its syntax a truth value: a comparison, a `not`, True or False, or these joined by `and` and `or`."""
    match test:
        case gast.Compare():
            return True
        case gast.UnaryOp():
            return isinstance(test.op, gast.Not)
        case gast.BoolOp():
            return all(map(is_truth, test.values))
        case gast.Constant():
            return isinstance(test.value, bool)
    return False


def _set(flag: str, value: bool) -> Any:
    return assign(name(flag), constant(value))


def _is_pass(body: list[Any]) -> bool:
    return len(body) == 1 and isinstance(body[0], gast.Pass)


def _all_same(new: list[Any], old: list[Any]) -> bool:
    return len(new) == len(old) and all(a is b for a, b in zip(new, old, strict=True))


def _has_call(node: Any) -> bool:
    return any(isinstance(n, gast.Call) for n in gast.walk(node))


def _counts_trips(body: list[Any], before: list[Any]) -> bool:
    """`trips = 0` stands just before, `trips += 1` first in the body, and nothing else there binds it."""
    first = body[0]
    if not (isinstance(first, gast.AugAssign) and isinstance(first.target, gast.Name) and isinstance(first.op, gast.Add)):
        return False
    trips = first.target.id
    if not (_is_constant(first.value, 1) and any(_starts(s, trips, 0) for s in before[-2:])):
        return False
    return not any(_binds(s, trips) for s in body[1:])


def _is_exit_form(body: list[Any], before: list[Any]) -> bool:
    """`flag = False` stands just before, `if flag: break` last in the body."""
    last = body[-1]
    if not (isinstance(last, gast.If) and isinstance(last.test, gast.Name) and not last.orelse):
        return False
    breaks = len(last.body) == 1 and isinstance(last.body[0], gast.Break)
    return breaks and any(_starts(s, last.test.id, False) for s in before[-2:])


def _starts(s: Any, identifier: str, value: object) -> bool:
    if not (isinstance(s, gast.Assign) and len(s.targets) == 1 and isinstance(s.targets[0], gast.Name)):
        return False
    return s.targets[0].id == identifier and _is_constant(s.value, value)


def _is_constant(node: Any, value: object) -> bool:
    return isinstance(node, gast.Constant) and type(node.value) is type(value) and node.value == value


def _binds(s: Any, identifier: str) -> bool:
    """Whether the statement, or one inside it, assigns to the name."""
    match s:
        case gast.Assign():
            targets = s.targets[0].elts if isinstance(s.targets[0], gast.Tuple) else s.targets
        case gast.AugAssign() | gast.For():
            targets = [s.target]
        case _:
            targets = []
    if any(isinstance(t, gast.Name) and t.id == identifier for t in targets):
        return True
    return any(_binds(inner, identifier) for f in ("body", "orelse") for inner in getattr(s, f, ()) if not isinstance(s, gast.FunctionDef))
