"""The types of small expressions and conditions, from the types of names so far."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import gast
import numpy as np

from ...facts import kinds
from ...facts.reading import dotted
from ...python.lattice import UNKNOWN, Array, Bool, Int, Other, Tuple, Type, rank_of
from .values import literal, type_of

if TYPE_CHECKING:
    from .walk import Walk


OPERATORS = {
    gast.Add: "+",
    gast.Sub: "-",
    gast.Mult: "*",
    gast.Div: "/",
    gast.FloorDiv: "//",
    gast.Mod: "%",
    gast.Pow: "**",
    gast.MatMult: "@",
    gast.LShift: "<<",
    gast.RShift: ">>",
    gast.BitAnd: "&",
    gast.BitOr: "|",
    gast.BitXor: "^",
}


def attribute_type(owner: Type, name: str) -> Type:
    if name == "shape":
        rank = rank_of(owner)
        return Tuple((Int(),) * rank) if rank is not None else Other(tuple)
    return Int() if name in ("ndim", "size") else Other()


def control_type(walk: Walk, node: Any) -> Type:
    """bool, unless an array is compared."""
    ranks = []
    if isinstance(node, gast.Compare) and not isinstance(node.ops[0], (gast.Is, gast.IsNot, gast.In, gast.NotIn)):
        for side in (node.left, *node.comparators):
            kind = expression_type(walk, side)
            if kind is UNKNOWN:
                return UNKNOWN
            ranks.append(rank_of(kind) if isinstance(kind, Array) else 0)
        if all(r == 0 for r in ranks):
            return Bool()
        return Array(np.dtype(bool), None if None in ranks else max(r for r in ranks if r is not None))
    if isinstance(node, gast.BoolOp):
        parts = [control_type(walk, v) for v in node.values]
        return Bool() if all(isinstance(p, Bool) for p in parts) else UNKNOWN
    if isinstance(node, gast.Name):
        return walk.types.get(node.id, UNKNOWN)
    if isinstance(node, (gast.Compare, gast.UnaryOp)):
        return Bool()
    return UNKNOWN


def expression_type(walk: Walk, node: Any) -> Type:
    match node:
        case gast.Name():
            return walk.types.get(node.id, UNKNOWN)
        case gast.Constant():
            return type_of(literal(node.value))
        case gast.UnaryOp():
            return expression_type(walk, node.operand)
        case gast.BinOp():
            return kinds.binary_type(OPERATORS[type(node.op)], expression_type(walk, node.left), expression_type(walk, node.right))
        case gast.Subscript():
            return kinds.index_type(expression_type(walk, node.value), node.slice, lambda n: walk.types.get(n, UNKNOWN))
        case gast.Attribute() if node.attr in ("shape", "ndim", "size"):
            return attribute_type(expression_type(walk, node.value), node.attr)
        case gast.Call() if isinstance(node.func, gast.Name) and node.func.id == "abs" and len(node.args) == 1:
            return expression_type(walk, node.args[0])
        case gast.Call() if isinstance(node.func, gast.Name) and node.func.id in ("len", "int", "round"):
            return Int()
        case gast.Call() if isinstance(node.func, gast.Attribute) and node.func.attr in ("all", "any"):
            return Bool() if len(node.args) == 1 and not node.keywords else UNKNOWN
        case gast.Call() if not node.keywords and (rule := walk.calls.get(str(dotted(node.func)))) is not None and rule.pointwise:
            of_name = lambda n: walk.types.get(n, UNKNOWN)  # noqa: E731
            names = [p.name for p in rule.parameters]
            known = [expression_type(walk, a) for a in node.args]
            return kinds.result_type(rule, known, dict(zip(names, node.args, strict=False)), of_name) if UNKNOWN not in known else UNKNOWN
        case _:
            return UNKNOWN
