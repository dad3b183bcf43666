"""`s = s + t` of a number is written `s += t`, as people write it. Of an array it would be another statement."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast

from ...facts.uses import blocks, names_read
from ...python.lattice import Type, is_scalar
from ...python.quote import placed, rebuilt
from .fold import full_of_ones as folded_call

_OPERATORS = (gast.Add, gast.Sub, gast.Mult, gast.Div)


def augment(body: list[Any], type_of: Callable[[str], Type]) -> list[Any]:
    """The block with updates of numbers written as updates."""
    return [_statement(stmt, type_of) for stmt in body]


def _statement(stmt: Any, type_of: Callable[[str], Type]) -> Any:
    if blocks(stmt) or isinstance(stmt, gast.FunctionDef):
        fields = {f: augment(getattr(stmt, f), type_of) for f in ("body", "orelse") if getattr(stmt, f, None)}
        return rebuilt(stmt, **fields)
    match stmt:
        case gast.Assign(value=gast.Call() as call) if folded_call(call) is not call:
            return rebuilt(stmt, value=folded_call(call))
        case gast.Assign(targets=[gast.Name() as target], value=gast.BinOp(left=gast.Name() as left, op=op, right=right)):
            if left.id == target.id and isinstance(op, _OPERATORS) and is_scalar(type_of(target.id)) and target.id not in names_read(right):
                return placed(gast.AugAssign(target=target, op=op, value=right), stmt)
    return stmt
