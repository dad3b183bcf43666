"""Arguments to parameters, as Python binds them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .values import Record, Seq, Value

if TYPE_CHECKING:
    from .walk import Walk


def bind_arguments(
    walk: Walk, parameters: Any, args: list[Value], keywords: dict[str, Value], defaults: dict[str, Value], name: str, node: Any
) -> dict[str, Value]:
    """Parameter -> value. Raises what Python would say as a problem at the call."""
    positional = [p.id for p in (*parameters.posonlyargs, *parameters.args)]
    only_positional = {p.id for p in parameters.posonlyargs}
    named = {*(p.id for p in parameters.args), *(p.id for p in parameters.kwonlyargs)}
    bound: dict[str, Value] = dict(zip(positional, args, strict=False))
    rest = args[len(positional) :]
    if parameters.vararg is not None:
        bound[parameters.vararg.id] = Seq(tuple(rest))
    elif rest:
        raise walk.problem("bad_call", node, name=name, detail=f"it takes {len(positional)} positional arguments, {len(args)} are given")
    extra: list[tuple[str, Value]] = []
    for key, value in keywords.items():
        if key in named and key not in only_positional:
            if key in bound:
                raise walk.problem("bad_call", node, name=name, detail=f"{key!r} is given twice")
            bound[key] = value
        elif parameters.kwarg is not None:
            extra.append((key, value))
        else:
            raise walk.problem("bad_call", node, name=name, detail=f"it has no parameter {key!r}")
    if parameters.kwarg is not None:
        bound[parameters.kwarg.id] = walk.heap.new(dict, parameters.kwarg.id, Record(tuple(extra)))
    for parameter in (*positional, *(p.id for p in parameters.kwonlyargs)):
        if parameter not in bound:
            if parameter not in defaults:
                raise walk.problem("bad_call", node, name=name, detail=f"the argument {parameter!r} is missing")
            bound[parameter] = defaults[parameter]
    return bound
