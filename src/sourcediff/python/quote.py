"""Nodes are made here and nowhere else, from quoted text with holes.

    expr("np.exp(x) * y", x=node, y="w")      holes are names; what fills one is a node, a name or a number
    stmt("x_bar += term", x_bar="u_bar", term=node)

The text is parsed once; filling holes copies only the path to each hole, everything else is shared,
which is safe because nodes are never changed after they are made.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import gast

Filling = Any  # gast.AST | str | int | float | complex | bool | None | list


def expr(text: str, /, **holes: Filling) -> Any:
    """One expression."""
    return fill(_parse(text)[0].value, holes)


def stmt(text: str, /, **holes: Filling) -> Any:
    """One statement."""
    (only,) = stmts(text, **holes)
    return only


def stmts(text: str, /, **holes: Filling) -> list[Any]:
    """Several statements. A hole that stands alone on a line may be filled with a list of statements."""
    out: list[Any] = []
    for node in _parse(text):
        filled = fill(node, holes)
        out.extend(filled) if isinstance(filled, list) else out.append(filled)
    return out


def name(identifier: str) -> Any:
    return gast.Name(id=identifier, ctx=_LOAD, annotation=None, type_comment=None)


def constant(value: object) -> Any:
    """A literal; negative and complex numbers become the expressions that Python reads them as."""
    if isinstance(value, complex):
        negative = value.imag < 0 or str(value.imag)[0] == "-"
        imaginary = gast.Constant(value=complex(0, abs(value.imag)), kind=None)
        if value.real == 0 and not negative:
            return imaginary
        return expr("re - im" if negative else "re + im", re=constant(value.real), im=imaginary)
    if isinstance(value, (int, float)) and not isinstance(value, bool) and (value < 0 or str(value)[0] == "-"):
        return gast.UnaryOp(op=gast.USub(), operand=gast.Constant(value=-value, kind=None))
    return gast.Constant(value=value, kind=None)


def rebuilt(node: Any, **fields: Any) -> Any:
    """A copy of `node` with some fields replaced; it keeps its place."""
    cls: Any = type(node)
    old = node.__dict__
    new = cls.__new__(cls)  # the constructor of gast does no more than the next line, slowly
    new.__dict__ = values = {f: fields[f] if f in fields else old.get(f) for f in cls._fields}
    place = old.get("place")
    if place is not None:
        values["place"] = place
    return new


def placed(node: Any, like: Any) -> Any:
    """`node`, said to come from where `like` stands in the user's source. Only for a node made just now."""
    place = getattr(like, "place", None)
    if place is not None and getattr(node, "place", None) is None:
        node.place = place
    return node


def fill(node: Any, holes: dict[str, Filling]) -> Any:
    """`node` with each name that is a key of `holes` replaced; the node itself is left as it is."""
    if not holes:
        return node
    kind = type(node)
    if kind is gast.Name:
        return _node(holes[node.id]) if node.id in holes else node
    if kind is gast.Constant:
        return node
    if kind is list:
        return _filled_list(node, holes) if node else node
    if kind is gast.Expr and isinstance(node.value, gast.Name) and isinstance(holes.get(node.value.id), list):
        return holes[node.value.id]
    if not isinstance(node, gast.AST):
        return node
    changed = {}
    values = node.__dict__
    for field in node._fields:
        old = values.get(field)
        if isinstance(old, list) or (isinstance(old, gast.AST) and old._fields):  # a context and an operator have no fields
            new = fill(old, holes)
            if new is not old:
                changed[field] = new
    return rebuilt(node, **changed) if changed else node


def _filled_list(nodes: list[Any], holes: dict[str, Filling]) -> list[Any]:
    out: list[Any] = []
    same = True
    for node in nodes:
        new = fill(node, holes)
        same = same and new is node
        out.extend(new) if isinstance(new, list) else out.append(new)
    return nodes if same else out


def _node(filling: Filling) -> Any:
    if isinstance(filling, gast.AST):
        return filling
    if isinstance(filling, str):
        return name(filling)
    return constant(filling)


@lru_cache(maxsize=4096)
def _parse(text: str) -> list[Any]:
    return gast.parse(text).body


_LOAD = gast.Load()
