"""FLAT → CLOSED: every called function spliced in, every name with one meaning.

    def f(x):                       def f(x):
        y = square(x)                   y = x * x
        y = y + x          →            y2 = y + x
        return y                        return y2

The work is done by the walk (`inlining/walk.py`), which types, resolves and splices at once; what remains is to start it
at the function's own parameters and to merge the copies that its single assignments leave behind (`coalesce`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast

from ..facts.uses import simple_statements
from ..python import quote
from ..python.lattice import UNKNOWN, Const, Dict, Tuple, Type, is_real_scalar
from ..python.names import Names, parameter_names
from .closed import Closed
from .coalesce import coalesced
from .inlining.calls import returned
from .inlining.containers import MustBeKnown
from .inlining.frames import Frame, Prepared
from .inlining.heap import deep_view
from .inlining.spelling import Spelling
from .inlining.statements import run
from .inlining.values import Atom, Known, Record, Seq, Value
from .inlining.walk import Walk


def inline(
    code: Prepared,
    types: dict[str, Type],
    prepare: Callable[[Any], Prepared],
    reserved: set[str],
    origin: Any,
    parent: Frame | None = None,
    outer: Walk | None = None,
) -> Closed:
    """The CLOSED form of a prepared function for arguments of these types.

    reserved: names that may not be used, because a later step will need them. parent, outer: the frame that the function's free
    names belong to, and the walk of the code around it, where it is nested in walked code.
    """
    known: frozenset[int] = frozenset()
    while True:
        try:
            return inlined(code, types, prepare, reserved, origin, parent, outer, known)
        except MustBeKnown as found:  # a list that the written code was to have is known element by element instead
            known |= {id(found.display)}


def inlined(
    code: Prepared,
    types: dict[str, Type],
    prepare: Callable[[Any], Prepared],
    reserved: set[str],
    origin: Any,
    parent: Frame | None,
    outer: Walk | None,
    known_displays: frozenset[int],
) -> Closed:
    local = set(code.local)
    names = outer.names.copy() if outer is not None else Names()
    names.take(*parameter_names(code.tree.args), *reserved)
    spelling = Spelling(code.namespace, local | (set(outer.types) if outer is not None else set()), names)
    walk = Walk(prepare, spelling, names)
    walk.known_displays = known_displays
    if outer is not None:
        walk.types.update(outer.types)
    frame = Frame(code, {}, parent)
    walk.stack.append(frame)
    parameters = {p: parameter(walk, p, types.get(p, UNKNOWN)) for p in parameter_names(code.tree.args)}
    result, tree = walked(walk, code, parameters)
    closed = Closed(
        tree,
        result,
        parameters,
        walk.types,
        walk.calls,
        spelling,
        names,
        walk.shadow_names,
        walk.partial_names,
        walk.chains,
        walk.head_copies,
        origin,
    )
    return coalesced(closed)


def walked(walk: Walk, code: Prepared, parameters: dict[str, Value]) -> tuple[Value, Any]:
    """(the result, the function that was written)."""
    for name, value in parameters.items():
        walk.bind(name, value)
    *body, last = code.tree.body
    run(walk, body)
    result = deep_view(walk, returned(walk, last), last)
    handed_on = {s.value.id for s in simple_statements(walk.block) if isinstance(s, gast.Assign) and isinstance(s.value, gast.Name)}
    for name in sorted(walk.partial_names & handed_on):  # a path without a value hands on nothing, and nobody reads it
        walk.block.insert(0, quote.stmt("n = v", n=name, v=0.0 if is_real_scalar(walk.types[name]) else None))
    end = quote.placed(gast.Return(value=walk.as_node(result, last)), last)
    return result, quote.rebuilt(code.tree, body=[*walk.block, end])


def parameter(walk: Walk, name: str, kind: Type) -> Value:
    """A parameter as a value: itself, or, of a tuple or dict, its parts read into names."""
    walk.types[name] = kind
    if isinstance(kind, Const):
        return Known(kind.value, quote.name(name))
    if isinstance(kind, (Tuple, Dict)):
        return part(walk, name, quote.name(name), kind)
    return Atom(quote.name(name), kind)


def part(walk: Walk, base: str, node: Any, kind: Type) -> Value:
    if isinstance(kind, Tuple):
        return Seq(tuple(read_part(walk, f"{base}_{k}", quote.expr("x[k]", x=node, k=k), t) for k, t in enumerate(kind.elements)))
    if isinstance(kind, Dict) and kind.items is not None:
        return Record(tuple((k, read_part(walk, f"{base}_{k}", quote.expr("x[k]", x=node, k=quote.constant(k)), t)) for k, t in kind.items))
    return Atom(node, kind)


def read_part(walk: Walk, base: str, node: Any, kind: Type) -> Value:
    atom = walk.define(base if base.isidentifier() else "part", node, kind, fresh=False)
    return part(walk, base, atom.node, kind) if isinstance(kind, (Tuple, Dict)) else atom
