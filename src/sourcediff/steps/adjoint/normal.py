"""The program in the form that derivatives want: a result that its rule reads keeps a name, and so does a condition."""

from __future__ import annotations

from typing import Any

import gast

from ...facts import kinds
from ...facts.layout import layout
from ...facts.uses import blocks, names_read, writes
from ...python import quote
from ...python.lattice import UNKNOWN, Bool, Type
from ..closed import Closed


def split_own_results(closed: Closed) -> None:
    """`y = exp(y)` → `y2 = exp(y); y = y2` wherever a name that is assigned more than once has a rule that may read its result.

    What a loop assigns and hands out of it is assigned more than once, by its trips.
    """
    table = layout(closed.tree, lambda n: n in closed.types)
    again = {
        n
        for n, spots in table.definitions.items()
        if len(spots) > 1 or n in closed.parameters or spots[0].block.loop is not table.scopes[n].loop
    }

    def split(body: list[Any]) -> list[Any]:
        out: list[Any] = []
        for stmt in body:
            if blocks(stmt):
                fields = {f: split(getattr(stmt, f)) for f in ("body", "orelse") if getattr(stmt, f, None)}
                out.append(quote.rebuilt(stmt, **fields))
                continue
            target: Any = stmt.targets[0] if isinstance(stmt, gast.Assign) else None
            if (
                isinstance(target, gast.Name)
                and target.id in again
                and (reads_result(closed, stmt.value) or reads_itself(target.id, stmt.value))
            ):
                name = closed.names.fresh(target.id)
                closed.types[name] = type_here(closed, stmt.value, target.id)
                out.append(quote.placed(quote.stmt("n = e", n=name, e=stmt.value), stmt))
                out.append(quote.placed(quote.stmt("y = n", y=target, n=name), stmt))
            else:
                out.append(stmt)
        return out

    body = split(closed.tree.body)
    closed.tree = quote.rebuilt(closed.tree, body=body)


def type_here(closed: Closed, value: Any, target: str) -> Type:
    """The type of a value; that of its name, which holds other values as well, is wider."""
    of_name = lambda n: closed.types.get(n, UNKNOWN)  # noqa: E731
    operation = closed.operation(value) if isinstance(value, gast.Call) else None
    if operation is not None:
        found = kinds.result_type(operation.rule, [closed.type_of(n) for n in operation.bound.values()], operation.bound, of_name)
    else:
        found = kinds.expression_type(value, of_name)
    return closed.types[target] if found is UNKNOWN else found


def keep_tests(closed: Closed) -> None:
    """`if c:` over a body that assigns c → `held = c; if held:`: the way back decides by the same value."""

    def kept(body: list[Any]) -> list[Any]:
        out: list[Any] = []
        for stmt in body:
            if blocks(stmt):
                stmt = quote.rebuilt(stmt, **{f: kept(getattr(stmt, f)) for f in ("body", "orelse") if getattr(stmt, f, None)})
            if isinstance(stmt, gast.If) and names_read(stmt.test) & writes(stmt):
                name = closed.names.fresh("c")
                closed.types[name] = Bool() if not isinstance(stmt.test, gast.Name) else closed.types[stmt.test.id]
                out.append(quote.placed(quote.stmt("c = t", c=name, t=stmt.test), stmt))
                stmt = quote.rebuilt(stmt, test=quote.name(name))
            out.append(stmt)
        return out

    closed.tree = quote.rebuilt(closed.tree, body=kept(closed.tree.body))


def reads_result(closed: Closed, value: Any) -> bool:
    operation = closed.operation(value)
    if operation is None:
        return False
    text = operation.rule.partials or operation.rule.reverse
    if text is None:
        return False
    first = text.function.__code__.co_varnames[0]
    result = first if operation.rule.partials is not None else first.removesuffix("_bar")
    return result in text.names


def reads_itself(name: str, value: Any) -> bool:
    """`a = a[i]`: what the elements had is added into the array that they were read from, not into its successor."""
    return isinstance(value, gast.Subscript) and getattr(value.value, "id", "") == name
