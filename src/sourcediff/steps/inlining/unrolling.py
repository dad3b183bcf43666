"""Loops over elements that are known one by one, written out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import gast

from .conditions import control
from .leaving import is_exit

if TYPE_CHECKING:
    from .iteration import Elements
    from .walk import Walk


UNROLL = 64  # sequences longer than this are not written out


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


class Unrolled(gast.Pass):  # type: ignore[misc]
    """The rest of an unrolled loop, as a statement of the walk."""

    def __init__(self, loop: Any, elements: Elements, start: int) -> None:
        super().__init__()
        self.loop, self.elements, self.start = loop, elements, start
