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
from dataclasses import replace
from typing import Any

import gast

from ..facts.uses import simple_statements
from ..python import quote
from ..python.lattice import UNKNOWN, Type, is_real_scalar
from ..python.names import Names, parameter_names
from .closed import Closed
from .coalesce import coalesced
from .inlining.arguments import Arguments
from .inlining.calls import returned
from .inlining.construction import completed
from .inlining.containers import MustBeKnown
from .inlining.frames import Frame, Prepared
from .inlining.spelling import Spelling
from .inlining.statements import run
from .inlining.structures import as_argument
from .inlining.values import Known, Seq, Value
from .inlining.walk import Walk


def inline(
    code: Prepared,
    types: dict[str, Type],
    prepare: Callable[[Any], Prepared],
    reserved: set[str],
    origin: Any,
    parent: Frame | None = None,
    outer: Walk | None = None,
    outputs: tuple[str, ...] = (),
    has_aux: bool = False,
) -> Closed:
    """The CLOSED form of a prepared function for arguments of these types.

    reserved: names that may not be used, because a later step will need them. parent, outer: the frame that the function's free
    names belong to, and the walk of the code around it, where it is nested in walked code.
    outputs: parameters that count as results, in the first of the two where has_aux says that a pair is returned.
    """
    request = (types, outputs, has_aux)
    known: frozenset[int] = frozenset()
    while True:
        walk = begun(code, prepare, reserved, parent, outer)
        walk.known_displays = known
        try:
            return closed_form(walk, code, request, origin)
        except MustBeKnown as found:  # a list that the written code was to have is known element by element instead
            known |= {id(found.display)}


def closed_form(walk: Walk, code: Prepared, request: tuple[dict[str, Type], tuple[str, ...], bool], origin: Any) -> Closed:
    types, outputs, has_aux = request
    arguments = Arguments(walk)
    parameters = {p: arguments.parameter(p, types.get(p, UNKNOWN)) for p in parameter_names(code.tree.args)}
    result, tree = walked(walk, code, parameters, lambda r: with_outputs(r, [parameters[p] for p in outputs], has_aux))
    closed = Closed(
        tree,
        result,
        parameters,
        walk.types,
        walk.calls,
        walk.spelling,
        walk.names,
        walk.shadow_names,
        walk.partial_names,
        walk.chains,
        walk.head_copies,
        origin,
        paths=arguments.paths,
        structures=frozenset(arguments.structures),
    )
    return coalesced(closed)


def begun(
    code: Prepared, prepare: Callable[[Any], Prepared], reserved: set[str], parent: Frame | None = None, outer: Walk | None = None
) -> Walk:
    """A walk that stands at the start of the function."""
    names = outer.names.copy() if outer is not None else Names()
    names.take(*parameter_names(code.tree.args), *reserved)
    walk = Walk(prepare, Spelling(code.namespace, set(code.local) | (set(outer.types) if outer is not None else set()), names), names)
    if outer is not None:
        walk.types.update(outer.types)
        walk.heap.surround(outer.heap)
    walk.stack.append(Frame(code, {}, parent))
    return walk


def with_outputs(result: Value, outputs: list[Value], has_aux: bool) -> Value:
    """The result with the arguments that count as results, as they are when the function ends: beside what is returned, if anything is."""
    if not outputs:
        return result
    if has_aux and isinstance(result, Seq) and len(result.items) == 2:
        return replace(result, items=(with_outputs(result.items[0], outputs, False), result.items[1]))
    returned = [] if isinstance(result, Known) and result.value is None else [result]
    every = (*returned, *outputs)
    return every[0] if len(every) == 1 else Seq(every)


def walked(walk: Walk, code: Prepared, parameters: dict[str, Value], with_results: Callable[[Value], Value]) -> tuple[Value, Any]:
    """(the result, the function that was written)."""
    for name, value in parameters.items():
        walk.bind(name, as_argument(walk, value, name))
    *body, last = code.tree.body
    run(walk, body)
    result = with_results(completed(walk, returned(walk, last), last))
    handed_on = {s.value.id for s in simple_statements(walk.block) if isinstance(s, gast.Assign) and isinstance(s.value, gast.Name)}
    for name in sorted(walk.partial_names & handed_on):  # a path without a value hands on nothing, and nobody reads it
        walk.block.insert(0, quote.stmt("n = v", n=name, v=0.0 if is_real_scalar(walk.types[name]) else None))
    end = quote.placed(gast.Return(value=walk.as_node(result, last)), last)
    return result, quote.rebuilt(code.tree, body=[*walk.block, end])
