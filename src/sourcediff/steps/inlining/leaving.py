"""Loops that are left early: the flag that they test last, and the counter of their trips, which is their first statement."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import gast

from .values import Atom, Known

if TYPE_CHECKING:
    from .walk import Walk


def is_exit(node: Any) -> bool:
    return isinstance(node, gast.If) and len(node.body) == 1 and isinstance(node.body[0], gast.Break)


def open_exits(walk: Walk, loop: Any) -> list[str]:
    """The flags that a loop tests last, and what it counts first, become variables that are assigned in place while it runs."""
    frame = walk.frame
    first, last = loop.body[0], loop.body[-1]
    found = [n.id for n in gast.walk(last.test) if isinstance(n, gast.Name)] if is_exit(last) else []
    counts = isinstance(first, gast.AugAssign) and isinstance(first.target, gast.Name) and isinstance(first.op, gast.Add)
    if counts and (found or isinstance(loop, gast.While)):
        found.append(first.target.id)
    opened = []
    for variable in dict.fromkeys(found):
        value = frame.env.get(variable)
        if variable not in frame.cells and isinstance(value, (Atom, Known)) and variable in frame.code.local:
            del frame.env[variable]
            frame.cells[variable] = walk.assign_in_place(frame, variable, None, value)
            opened.append(variable)
    return opened


def counter_of(walk: Walk, first: Any) -> Any:
    """The name that counts the trips, if the body begins with `trips += 1`: it stays the first statement."""
    if isinstance(first, gast.AugAssign) and isinstance(first.target, gast.Name) and isinstance(first.op, gast.Add):
        cell = walk.frame.cells.get(first.target.id)
        return cell.node if isinstance(cell, Atom) else None
    return None
