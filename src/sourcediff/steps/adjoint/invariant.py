"""Values that each trip of a loop makes anew of the same things: the way back computes them again; to keep all of them costs memory."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast

from ...facts.layout import Layout
from ...facts.uses import names_read
from ..closed import Closed


def is_invariant(closed: Closed, layout: Layout, group: Callable[[str], str | None], stmt: Any) -> bool:
    """Is it arithmetic of numbers and arrays that the loops around leave as they are? group: the class of a name that is written."""
    operation = closed.operation(stmt.value)
    if operation is None or operation.rule.form != "elementwise" or not (operation.rule.cheap or _is_square(stmt.value)):
        return False
    block = layout.spot(stmt).block
    return block.in_loop and all(_stays(layout, group, n) for n in names_read(stmt.value) if n in closed.types)


def _is_square(value: Any) -> bool:
    return (
        isinstance(value, gast.BinOp)
        and isinstance(value.op, gast.Pow)
        and isinstance(value.right, gast.Constant)
        and value.right.value == 2
    )


def _stays(layout: Layout, group: Callable[[str], str | None], name: str) -> bool:
    """Is the name set once at most, in no loop, and never written into? So is a slice of such a name."""
    definitions = layout.definitions.get(name, [])
    if group(name) is not None or len(definitions) > 1:
        return False
    if not definitions or not (definitions[0].block.in_loop or isinstance(definitions[0].stmt, gast.For)):
        return True
    value = getattr(definitions[0].stmt, "value", None)
    return isinstance(value, gast.Subscript) and all(_stays(layout, group, n) for n in names_read(value))
