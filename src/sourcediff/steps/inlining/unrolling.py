"""Loops over elements that are known one by one, written out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import gast

from .conditions import control
from .leaving import is_exit
from .values import Value

if TYPE_CHECKING:
    from .walk import Walk


UNROLL = 64  # sequences longer than this are not written out


def unrolled(walk: Walk, node: Any, items: list[Value]) -> None:
    """A loop over known elements is written out; behind an exit the rest stands under `if not flag`."""
    from .statements import run

    if len(items) > UNROLL:
        raise walk.problem("too_long_to_unroll", node, count=len(items))
    *body, last = node.body
    leaves_early = is_exit(last)
    for k, value in enumerate(items):
        walk.bind(node.target.id, value)
        run(walk, body if leaves_early else node.body)
        if walk.unreachable:
            return
        if leaves_early and k + 1 < len(items):
            flag = control(walk, last.test)
            if isinstance(flag, gast.Constant) and flag.value:
                return
            if not isinstance(flag, gast.Constant):
                remaining(walk, node, items[k + 1 :], last.test)
                return


def remaining(walk: Walk, node: Any, items: list[Value], flag: Any) -> None:
    """if not flag: the iterations that are left."""
    from .statements import branch

    rest = gast.If(test=flag, body=[], orelse=[Unrolled(node, items)])
    walk.frame.code.stand_ins[id(rest)] = node
    branch(walk, rest)


class Unrolled(gast.Pass):  # type: ignore[misc]
    """The rest of an unrolled loop, as a statement of the walk."""

    def __init__(self, loop: Any, items: list[Value]) -> None:
        super().__init__()
        self.loop = loop
        self.items = items
