"""Loops over elements that are known one by one, written out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import gast

from .conditions import control, truth
from .containers import key_of
from .iteration import Elements, of_values
from .leaving import is_exit
from .values import Iterator, Value, literal

if TYPE_CHECKING:
    from .walk import Walk


UNROLL = 64  # sequences longer than this are not written out


# What may be decided once the loop is written out, with its variable a number
STRUCTURAL = frozenset(
    ["runtime_structure", "runtime_function", "unknown_key", "object_as_value", "function_as_value", "object_undecided", "object_from_loop"]
)


def constant_range(walk: Walk, iterable: Value) -> Elements | None:
    """range(3), which can be written out."""
    if not isinstance(iterable, Iterator) or iterable.kind != "range":
        return None
    bounds = [key_of(walk, p) for p in iterable.parts]
    if not all(type(b) is int for b in bounds) or not 1 <= len(bounds) <= 3 or (len(bounds) == 3 and bounds[2] == 0):
        return None
    numbers = range(*bounds)
    return of_values([literal(k) for k in numbers]) if len(numbers) <= UNROLL else None


def unrolled(walk: Walk, node: Any, elements: Elements, start: int = 0) -> None:
    """A loop over known elements is written out; behind an exit the rest stands under `if not flag`."""
    from .statements import run

    *body, last = node.body
    leaves_early = is_exit(last)
    k = start
    while k < elements.count():
        if k >= UNROLL:
            raise walk.problem("too_long_to_unroll", node, count=f"more than {UNROLL}")
        walk.frame.at = node
        walk.bind(node.target.id, elements.get(k))
        run(walk, body if leaves_early else node.body)
        k += 1
        if walk.unreachable:
            return
        if leaves_early and k < elements.count():
            flag = control(walk, last.test)
            if isinstance(flag, gast.Constant) and flag.value:
                return
            if not isinstance(flag, gast.Constant):
                remaining(walk, node, elements, k, last.test)
                return


def remaining(walk: Walk, node: Any, elements: Elements, start: int, flag: Any) -> None:
    """if not flag: the iterations that are left."""
    from .statements import branch

    rest = Unrolled(node, elements, start)
    guarded = gast.If(test=flag, body=[], orelse=[rest])
    walk.frame.code.stand_ins.update({id(guarded): node, id(rest): node})
    walk.frame.code.kept.append(guarded)
    branch(walk, guarded)


def written_out(walk: Walk, node: Any) -> bool:
    """`while node is not None: node = node.next` along objects that are known: trip by trip. False if a test is not decided."""
    from .statements import run

    for _ in range(UNROLL):
        walk.frame.at = node
        test = truth(walk, node.test)
        if not isinstance(test, gast.Constant):
            return False
        if not test.value or walk.unreachable:
            return True
        run(walk, node.body)
    raise walk.problem("too_long_to_unroll", node, count=f"more than {UNROLL}")


class Unrolled(gast.Pass):  # type: ignore[misc]
    """The rest of an unrolled loop, as a statement of the walk."""

    def __init__(self, loop: Any, elements: Elements, start: int) -> None:
        super().__init__()
        self.loop, self.elements, self.start = loop, elements, start
