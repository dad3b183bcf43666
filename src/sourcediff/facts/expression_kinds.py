"""The type of an attribute, a subscript, a small expression, from the types of names."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import gast
import numpy as np

from sourcediff.facts.promotion import array_type, binary_type, plain, real_part, unary_type
from sourcediff.python.lattice import (
    UNKNOWN,
    Array,
    Bool,
    Complex,
    Const,
    Float,
    Int,
    List,
    Other,
    Real,
    Scalar,
    Str,
    Tuple,
    Type,
    join,
    rank_of,
)
from sourcediff.python.valued import type_of
from sourcediff.rules.known import literal_value

TypeOfName = Callable[[str], Type]


def joined_elements(values: Type) -> Type:
    if isinstance(values, List):
        return values.element
    if not isinstance(values, Tuple) or not values.elements:
        return UNKNOWN
    total = plain(values.elements[0])
    for element in values.elements[1:]:
        total = join(total, plain(element))
    return total


def attribute_type(base: Type, attribute: str) -> Type:
    """The type of x.attribute for a number or an array."""
    base = plain(base)
    rank = rank_of(base)
    if attribute == "shape":
        return UNKNOWN if rank is None else Tuple((Int(),) * rank)
    if attribute in ("ndim", "size", "nbytes", "itemsize"):
        return Int()
    if attribute == "dtype":
        return Other(np.dtype)
    if attribute in ("real", "imag"):
        if isinstance(base, Array):
            return Array(real_part(base.dtype), base.rank)
        if isinstance(base, Scalar):
            return Scalar(real_part(base.dtype))
        if isinstance(base, Real):
            return base
        return Float() if isinstance(base, (Float, Complex)) else Int() if isinstance(base, (Int, Bool)) else UNKNOWN
    if attribute in ("T", "mT") and isinstance(base, Array):
        return base
    return UNKNOWN


def index_type(base: Type, index: Any, type_of_name: TypeOfName) -> Type:
    """The type of x[index]."""
    base = plain(base)
    if isinstance(base, Array):
        return _array_element(base, index, type_of_name)
    if isinstance(base, List):
        return base if isinstance(index, gast.Slice) else base.element if _is_integer(expression_type(index, type_of_name)) else UNKNOWN
    if isinstance(base, Tuple):
        return _tuple_element(base, index)
    return Str() if isinstance(base, Str) else UNKNOWN


def _tuple_element(base: Tuple, index: Any) -> Type:
    try:
        if isinstance(index, gast.Slice):
            parts = [None if p is None else literal_value(p) for p in (index.lower, index.upper, index.step)]
            return Tuple(base.elements[slice(*parts)])
        return base.elements[literal_value(index)]
    except (ValueError, TypeError):
        return UNKNOWN if isinstance(index, gast.Slice) else joined_elements(base)
    except IndexError:
        return UNKNOWN


def _is_integer(t: Type) -> bool:
    return isinstance(t, Int) or (isinstance(t, Scalar) and t.dtype.kind in "iu")


def _array_element(base: Array, index: Any, type_of_name: TypeOfName) -> Type:
    """Basic and advanced indexing; a scalar where integers use up every axis."""
    if base.dtype is not None and base.dtype.kind not in "biufc":
        return UNKNOWN
    consumed, added, advanced, dots = 0, 0, None, False
    for part in index.elts if isinstance(index, gast.Tuple) else _parts_by_type(index, type_of_name):
        if isinstance(part, gast.Slice):
            consumed, added = consumed + 1, added + 1
            continue
        if isinstance(part, gast.Constant) and part.value is Ellipsis:
            dots = True
            continue
        t = plain(part if isinstance(part, Type) else expression_type(part, type_of_name))
        if t == Const(None):
            added += 1
        elif _is_integer(t):
            consumed += 1
        elif isinstance(t, Array) and t.rank is not None and t.dtype is not None and t.dtype.kind in "iub":
            mask = t.dtype.kind == "b"
            consumed += t.rank if mask else 1
            advanced = max(advanced or 0, 1 if mask else t.rank)
        elif isinstance(t, List):
            consumed, advanced = consumed + 1, max(advanced or 0, 1)
            if not isinstance(plain(t.element), Int):
                return UNKNOWN
        else:
            return UNKNOWN
    if base.rank is None:
        return UNKNOWN
    rank = base.rank - consumed + added + (advanced or 0)
    if rank < 0:
        return UNKNOWN
    return Array(base.dtype, 0) if rank == 0 and dots else array_type(base.dtype, rank)


def _parts_by_type(index: Any, type_of_name: TypeOfName) -> Sequence[Any]:
    """The parts of an index that is one name: the types of a tuple, or the name itself."""
    kind = type_of_name(index.id) if isinstance(index, gast.Name) else None
    return kind.elements if isinstance(kind, Tuple) else [index]


def expression_type(node: Any, type_of_name: TypeOfName) -> Type:
    """The type of a small expression: literals, names, arithmetic, displays, lengths and shapes."""
    match node:
        case gast.Constant():
            return type_of(node.value)
        case gast.Name():
            return type_of_name(node.id)
        case gast.UnaryOp():
            return unary_type(_UNARY[type(node.op)], expression_type(node.operand, type_of_name))
        case gast.BinOp():
            return binary_type(_BINARY[type(node.op)], expression_type(node.left, type_of_name), expression_type(node.right, type_of_name))
        case gast.Tuple():
            return Tuple(tuple(expression_type(e, type_of_name) for e in node.elts))
        case gast.List():
            return List(joined_elements(Tuple(tuple(expression_type(e, type_of_name) for e in node.elts))))
        case gast.Attribute():
            return attribute_type(expression_type(node.value, type_of_name), node.attr)
        case gast.Subscript(value=gast.Attribute(attr="shape")):
            return UNKNOWN if isinstance(node.slice, gast.Slice) else Int()
        case gast.Subscript():
            return index_type(expression_type(node.value, type_of_name), node.slice, type_of_name)
        case gast.Call(func=gast.Name(id="len" | "int")):
            return Int()
    return UNKNOWN


_UNARY = {gast.USub: "-", gast.UAdd: "+", gast.Invert: "~", gast.Not: "not"}
_BINARY = {
    gast.Add: "+",
    gast.Sub: "-",
    gast.Mult: "*",
    gast.Div: "/",
    gast.FloorDiv: "//",
    gast.Mod: "%",
    gast.Pow: "**",
    gast.MatMult: "@",
    gast.BitAnd: "&",
    gast.BitOr: "|",
    gast.BitXor: "^",
    gast.LShift: "<<",
    gast.RShift: ">>",
}
