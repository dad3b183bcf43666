"""Jacobians: forward along each direction, or backward from each element of the value.

The directions of a number are one, those of an array that is read at constant indices alone are these indices: each gets tangents
of its own, written out, so that what is structurally zero is never computed. Otherwise one loop over unit directions or unit seeds.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast

from .. import runtime
from ..errors import problem
from ..facts.uses import blocks, expressions, stores
from ..python import quote
from ..python.lattice import UNKNOWN, Array, List, Tuple, is_discrete, is_scalar
from .adjoint.separate import is_part_read
from .forward import Forward
from .frame import Frame, kept_value, with_way_back
from .inlining.structures import display, read_parts
from .inlining.values import Atom, Value, leaves
from .pulling import pulled
from .purity import is_pure
from .reverse import Reverse
from .tangents import Direction

WRITTEN_OUT = 32  # directions with tangents of their own


def jacobian(frame: Frame) -> list[Any]:
    body, value, result = jacobians(frame)
    return [*body, frame.answer(result)]


def value_and_jacobian(frame: Frame) -> list[Any]:
    body, value, result = jacobians(frame)
    return [*body, frame.answer(value, result, value_with_aux=True)]


def jacobians(frame: Frame) -> tuple[list[Any], Any, Any]:
    """(statements, the value, the Jacobian) in the mode that was asked for, or the better one."""
    written = directions(frame)
    looped = set(frame.variables()) - written.keys()
    if looped and not repeatable(frame.closed.tree.body, frame):
        if not isinstance(frame.closed.result, Atom):
            raise problem("not_repeatable", frame.closed.tree.body[-1], function=frame.function_name)
        return by_reverse(frame)
    mode = dict(frame.request.options).get("jacobian_mode", "auto")
    if (mode == "reverse" and isinstance(frame.closed.result, Atom)) or (mode == "auto" and looped and reverse_is_better(frame)):
        return by_reverse(frame)
    return by_forward(frame, written)


def repeatable(body: list[Any], frame: Frame) -> bool:
    """May the program be run again for each direction? Not if it prints, draws random numbers, or calls what is not known."""
    pure = is_pure(frame.closed)
    for stmt in body:
        if isinstance(stmt, gast.Expr) and not stores(stmt):
            return False
        for expression in expressions(stmt):
            for call in gast.walk(expression):
                if isinstance(call, gast.Call) and not stores(gast.Expr(value=call)) and not pure(call):
                    return False
        if not all(repeatable(b, frame) for b in blocks(stmt)):
            return False
    return True


def reverse_is_better(frame: Frame) -> bool:
    """Fewer outputs than inputs, as far as ranks tell."""
    result = frame.closed.result
    if not isinstance(result, Atom) or frame.request.mode == "hessian":
        return False
    if is_scalar(result.type):
        return True
    if isinstance(result.type, (List, Tuple)):
        return False
    ranks = [getattr(frame.closed.types.get(p, UNKNOWN), "rank", None) for p in frame.variables()]
    own = getattr(result.type, "rank", None)
    return own is not None and any(r is not None and r > own for r in ranks)


# -- forward


def directions(frame: Frame) -> dict[str, list[tuple[int, list[str]]]]:
    """variable → its (index, names read there), for variables whose directions are known; none if there are too many."""
    found: dict[str, list[tuple[int, list[str]]]] = {}
    for p in frame.variables():
        reads = {0: [p]} if is_scalar(frame.closed.types[p]) else constant_reads(frame, p)
        if reads is not None:
            found[p] = sorted(reads.items())
    return found if sum(map(len, found.values())) <= WRITTEN_OUT else {}


def constant_reads(frame: Frame, p: str) -> dict[int, list[str]] | None:
    """index → the names that hold `p[index]`, if p is a vector that is read in no other way."""
    kind = frame.closed.types.get(p, UNKNOWN)
    if not isinstance(kind, Array) or kind.rank != 1:
        return None
    reads: dict[int, list[str]] = {}

    def look(body: list[Any]) -> bool:
        for stmt in body:
            match stmt:
                case gast.Assign(
                    targets=[gast.Name() as target], value=gast.Subscript(value=gast.Name(id=name), slice=gast.Constant(value=int() as k))
                ) if name == p:
                    reads.setdefault(k, []).append(target.id)
                    continue
            if any(isinstance(n, gast.Name) and n.id == p for e in expressions(stmt) for n in gast.walk(e)):
                return False
            if not all(look(b) for b in blocks(stmt)):
                return False
        return True

    return reads if look(frame.closed.tree.body) and reads else None


def by_forward(frame: Frame, known: dict[str, list[tuple[int, list[str]]]]) -> tuple[list[Any], Any, Any]:
    closed = frame.closed
    labels: list[tuple[str, int]] = []
    ways: list[Direction] = []
    for p, reads in known.items():
        for k, names in reads:
            labels.append((p, k))
            suffix = "" if len(known) == 1 and len(reads) == 1 else f"_{p}" if is_scalar(closed.types.get(p, UNKNOWN)) else f"_{k}"
            element = None if is_scalar(closed.types.get(p, UNKNOWN)) else (p, k)
            ways.append(Direction({n: quote.constant(1.0) for n in names}, suffix, element))
    loops = [p for p in frame.variables() if p not in known]
    work = Forward(closed, ways)
    body = work.body()
    work.written_body = body
    value = closed.tree.body[-1].value
    by_leaf: dict[tuple[int, str], Any] = {}
    results = leaves(closed.result)
    for p in known:
        mine = [(k, way) for (q, k), way in zip(labels, ways, strict=True) if q == p]
        for number, leaf in enumerate(results):
            new, expression = written_jacobian(frame, work, p, mine, leaf, number)
            body += new
            by_leaf[number, p] = expression
    written = work.memory.parameters_written if loops else ()
    kept = {p: closed.names.fresh(p) for p in written}
    for p in kept:
        closed.types[kept[p]] = closed.types.get(p, UNKNOWN)
    opening = [quote.stmt("k = c", k=k, c=frame.helper(runtime.kept, closed.paths.get(p, quote.name(p)))) for p, k in kept.items()]
    for p in loops:
        again = [quote.stmt("p = c", p=q, c=frame.helper(runtime.kept, quote.name(k))) for q, k in kept.items()]
        body += looped_jacobian(frame, p, results, by_leaf, again)
    return [*opening, *body], value, structured(frame, closed.result, by_leaf)


def written_jacobian(
    frame: Frame, work: Forward, p: str, ways: list[tuple[int, Direction]], leaf: Atom, number: int
) -> tuple[list[Any], Any]:
    """The Jacobian of one result by one variable, from tangents that were written out."""
    closed = frame.closed
    if is_scalar(closed.types.get(p, UNKNOWN)):
        return [], work._result(ways[0][1], leaf, True)
    name = closed.names.fresh(f"{getattr(leaf.node, 'id', 'value')}_jacobian")
    scalar = is_scalar(leaf.type)
    zero = (
        quote.expr("np.zeros_like(x)", np=closed.spelling.module("numpy"), x=p)
        if scalar
        else frame.helper(runtime.zero_jacobian, leaf.node, quote.name(p))
    )
    closed.types[name] = closed.types.get(p, UNKNOWN) if scalar else Array(None, None)
    out = [quote.stmt("j = z", j=name, z=zero)]
    for k, way in ways:
        if getattr(leaf.node, "id", "") in way.active:
            dot = work._result(way, leaf, False)
            out.append(quote.stmt("j[k] = d" if scalar else "j[..., k] = d", j=name, k=k, d=dot))
    return out, quote.name(name)


def looped_jacobian(frame: Frame, p: str, results: list[Atom], by_leaf: dict[tuple[int, str], Any], again: list[Any]) -> list[Any]:
    """One pass over the unit directions of an array."""
    closed = frame.closed
    fresh = closed.names.fresh
    unit, index, dot = fresh("directions"), fresh("k"), fresh(f"{p}_dot")
    closed.types[dot] = closed.types.get(p, UNKNOWN)
    way = Direction({p: quote.name(dot)})
    work = Forward(closed, [way])
    body = [s for s in work.body() if not is_part_read(closed, s)]
    work.written_body = body
    columns = {}
    opening = [quote.stmt("u = d", u=unit, d=frame.helper(runtime.unit_directions, quote.name(p)))]
    inside = [*again, quote.stmt("d = u[k]", d=dot, u=unit, k=index), *body]
    for number, leaf in enumerate(results):
        columns[number] = fresh("columns")
        opening.append(quote.stmt("c = []", c=columns[number]))
        inside.append(quote.stmt("c.append(d)", c=columns[number], d=work._result(way, leaf, True)))
        by_leaf[number, p] = frame.helper(runtime.stacked_columns, quote.name(columns[number]), leaf.node, quote.name(p))
    count = quote.expr("r(n)", r=closed.spelling.builtin("range"), n=quote.expr("l(u)", l=closed.spelling.builtin("len"), u=unit))
    loop = gast.For(target=quote.name(index), iter=count, body=inside, orelse=[], type_comment=None)
    return [*opening, loop]


def structured(frame: Frame, result: Value, by_leaf: dict[tuple[int, str], Any]) -> Any:
    """The structure of the value outside, that of the chosen variables inside."""
    numbers = iter(range(len(leaves(result))))

    def of_leaf(value: Value) -> Any:
        if not isinstance(value, Atom):
            return quote.constant(None if frame.request.mode == "hessian" else 0.0)
        number = next(numbers)
        return by_variables(frame, lambda v: by_leaf[number, v.node.id])

    return display(result, of_leaf, frame.closed.spelling)


def by_variables(frame: Frame, of_atom: Callable[[Atom], Any]) -> Any:
    """`of_atom(leaf)` for each leaf of the chosen variables, in their structure; None for what carries no derivative."""

    def of_leaf(value: Value) -> Any:
        return of_atom(value) if isinstance(value, Atom) and not is_discrete(value.type) else quote.constant(None)

    return frame.together([display(frame.closed.variable(p), of_leaf, frame.closed.spelling) for p in frame.wrt])


# -- reverse


def by_reverse(frame: Frame) -> tuple[list[Any], Any, Any]:
    closed = frame.closed
    result = closed.result
    if isinstance(result, Atom) and is_scalar(result.type):
        return by_gradient(frame)
    body, value, pull = pulled(frame)
    fresh = closed.names.fresh
    kept, seeds, index, rows = fresh("value"), fresh("seeds"), fresh("k"), fresh("rows")
    body += [
        quote.stmt("v = e", v=kept, e=value),
        pull,
        quote.stmt("s = u", s=seeds, u=frame.helper(runtime.unit_directions, quote.name(kept))),
        quote.stmt("r = []", r=rows),
    ]
    count = quote.expr("r(n)", r=closed.spelling.builtin("range"), n=quote.expr("l(s)", l=closed.spelling.builtin("len"), s=seeds))
    row = quote.expr("p(v)", p=pull.name, v=quote.expr("s[k]", s=seeds, k=index))
    append = quote.stmt("r.append(p)", r=rows, p=row)
    body.append(gast.For(target=quote.name(index), iter=count, body=[append], orelse=[], type_comment=None))
    where: dict[str, Any] = {}

    def find(value: Value, node: Any) -> None:
        if isinstance(value, Atom):
            where[value.node.id] = node
        for part_node, part in read_parts(value, node):
            find(part, part_node)

    for k, p in enumerate(frame.wrt):
        find(closed.variable(p), quote.name("row") if frame.request.single else quote.expr("row[k]", k=k))

    def stacked(leaf: Atom) -> Any:
        place = where[leaf.node.id]
        own = quote.name(rows) if isinstance(place, gast.Name) else quote.expr("[place for row in rows]", rows=rows, place=place)
        return frame.helper(runtime.stacked_rows, own, quote.name(kept), leaf.node)

    return body, quote.name(kept), by_variables(frame, stacked)


def by_gradient(frame: Frame) -> tuple[list[Any], Any, Any]:
    """The Jacobian of one number is its gradient."""
    work = Reverse(frame.closed, frame.wrt)
    primal = work.primal()
    value, bind = kept_value(frame, work)
    body = [*primal, *bind, *with_way_back(work, quote.constant(1.0))]
    return body, value, frame.together(work.gradients())


__all__ = ["jacobian", "value_and_jacobian"]
