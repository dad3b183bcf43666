"""What one statement overwrites: the arrays that it stores into, all of one, a number that it counts up."""

from __future__ import annotations

from typing import Any

import gast

from ..python.lattice import Int


def stored_names(stmt: Any) -> list[str]:
    match stmt:
        case gast.Assign(targets=[gast.Subscript(value=gast.Name() as base)]):
            return [base.id]
        case gast.AugAssign(target=gast.Subscript(value=gast.Name() as base)):
            return [base.id]
        case gast.AugAssign(target=gast.Name() as target):
            return [target.id]
        case gast.Expr(value=gast.Call(func=gast.Attribute(attr="at"), args=[gast.Name() as base, *_])):
            return [base.id]
    return []


def stored_whole(stmt: Any) -> str | None:
    """x of `x[...] = v` and `x += v`, where all of x is written."""
    match stmt:
        case gast.Assign(targets=[gast.Subscript(value=gast.Name() as base, slice=gast.Constant(value=value))]) if value is Ellipsis:
            return str(base.id)
        case gast.AugAssign(target=gast.Name() as target):
            return str(target.id)
    return None


def increment(closed: Any, stmt: Any, name: str) -> bool:
    """`k = k + c` of an integer is undone by `k - c`."""
    value = getattr(stmt, "value", None)
    return (
        isinstance(value, gast.BinOp)
        and isinstance(value.op, (gast.Add, gast.Sub))
        and isinstance(value.left, gast.Name)
        and value.left.id == name
        and isinstance(value.right, gast.Constant)
        and isinstance(value.right.value, int)
        and isinstance(closed.types.get(name), Int)
    )
