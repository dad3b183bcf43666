"""The program in the form that derivatives want: a result that its rule reads keeps a name, and so does a length that changes."""

from __future__ import annotations

from typing import Any

import gast

from ...facts import kinds
from ...facts.layout import layout
from ...facts.uses import blocks, names_read, stores, writes
from ...python import quote
from ...python.lattice import UNKNOWN, Bool, Int, List, Type
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


def keep_lengths(closed: Closed) -> None:
    """`for i in range(len(xs))`, `x[len(xs)]` of a list that changes → `n = len(xs); … n …`: on the way back xs is longer, or shorter."""
    changed = {n for stmt in closed.tree.body for n in stores(stmt) if isinstance(closed.types.get(n), List)}

    def kept(body: list[Any]) -> list[Any]:
        out: list[Any] = []
        for stmt in body:
            if blocks(stmt):
                stmt = quote.rebuilt(stmt, **{f: kept(getattr(stmt, f)) for f in ("body", "orelse") if getattr(stmt, f, None)})
            if isinstance(stmt, gast.For) and names_read(stmt.iter) & changed:
                holes: dict[str, Any] = {}
                for call in lengths(stmt.iter, changed):
                    name = closed.names.fresh("n")
                    closed.types[name] = Int()
                    out.append(quote.stmt("n = c", n=name, c=call))
                    holes[gast.dump(call)] = quote.name(name)
                stmt = quote.rebuilt(stmt, iter=with_lengths(stmt.iter, holes))
            elif not blocks(stmt) and names_read(stmt) & changed:
                stmt = with_kept_indices(stmt, out)
            out.append(stmt)
        return out

    def with_kept_indices(stmt: Any, out: list[Any]) -> Any:
        for index in [n.slice for n in gast.walk(stmt) if isinstance(n, gast.Subscript)]:
            for part in index.elts if isinstance(index, gast.Tuple) else [index]:
                for bound in (part.lower, part.upper, part.step) if isinstance(part, gast.Slice) else (part,):
                    if bound is not None and not isinstance(bound, gast.Name) and names_read(bound) & changed:
                        name = closed.names.fresh("n")
                        closed.types[name] = Int()
                        out.append(quote.placed(quote.stmt("n = e", n=name, e=bound), stmt))
                        stmt = replaced_node(stmt, bound, quote.name(name))
        return stmt

    if changed:
        closed.tree = quote.rebuilt(closed.tree, body=kept(closed.tree.body))


def replaced_node(tree: Any, old: Any, new: Any) -> Any:
    """The tree with one node, wherever it stands, replaced."""
    if tree is old:
        return new
    changed = {}
    for field in tree._fields:
        value = getattr(tree, field, None)
        if isinstance(value, gast.AST):
            made = replaced_node(value, old, new)
        elif isinstance(value, list):
            made = [replaced_node(v, old, new) if isinstance(v, gast.AST) else v for v in value]
            made = value if all(a is b for a, b in zip(made, value, strict=True)) else made
        else:
            continue
        if made is not value:
            changed[field] = made
    return quote.rebuilt(tree, **changed) if changed else tree


def lengths(node: Any, lists: set[str]) -> list[Any]:
    """The calls `len(xs)` in the header of a loop."""
    return [n for n in gast.walk(node) if isinstance(n, gast.Call) and len(n.args) == 1 and getattr(n.args[0], "id", "") in lists]


def with_lengths(node: Any, holes: dict[str, Any]) -> Any:
    if not isinstance(node, gast.Call):
        return node
    found = holes.get(gast.dump(node))
    return found if found is not None else quote.rebuilt(node, args=[with_lengths(a, holes) for a in node.args])


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
