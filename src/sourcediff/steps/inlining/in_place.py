"""Calls that write into an array, as stores: the functions and methods of rules/in_place, `ufunc.at`, and any call with `out=`.

    np.exp(y, out=y)          t = np.exp(y)
                              y[...] = t
    np.copyto(b, x)           b[...] = x

Behind the walk there are stores alone, so nothing else has to know these calls.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from ...facts import kinds
from ...python import quote
from ...python.lattice import UNKNOWN, Array, Const, Int, Other, Type, dtype_of, is_scalar
from ...rules import in_place
from ...rules.calls import rule_for_method
from ...rules.forms import rule_for
from ...rules.known import literal_value
from .expressions import attribute
from .places import store_whole
from .values import Atom, Known, Seq, Value, literal, type_of

if TYPE_CHECKING:
    from .walk import Walk

Keywords = dict[str, Value]
_OUT = {np.dot: 2, np.concatenate: 2}  # where older NumPys do not tell the signature


# -- calls


def written_in_place(walk: Walk, target: Any, args: list[Value], keywords: Keywords, node: Any) -> bool:
    """Is it a call that only changes an array? Then its stores are written."""
    ufunc = getattr(target, "__self__", None)
    if isinstance(ufunc, np.ufunc) and getattr(target, "__name__", "") == "at" and ufunc not in (np.add, np.subtract):
        _at(walk, ufunc, args, keywords, node)
        return True
    found = in_place.in_place_call(target)
    if found is None:
        return False
    kept = {k: v for k, v in keywords.items() if not _is_one_of(walk, v, found.besides.get(k, ()))}
    if target is np.copyto and len(args) > 1 and "casting" in keywords:
        _check_cast(walk, type_of(args[1]), type_of(args[0]), node)
    kept = {k: _as_data(walk, v, node) for k, v in kept.items()}
    run(walk, found.definition, [_as_data(walk, a, node) for a in args], kept, node)
    return True


def method_in_place(walk: Walk, receiver: Atom, method: str, args: list[Value], keywords: Keywords, node: Any) -> bool:
    """The same for `x.method(...)`."""
    function = getattr(np.ndarray, method, None)
    return function is not None and written_in_place(walk, function, [receiver, *args], keywords, node)


def run(walk: Walk, definition: Any, args: list[Value], keywords: Keywords, node: Any, hint: str = "t") -> Value:
    """What one of the definitions does, written where the call stands."""
    from .calls import function_defaults, inline

    return inline(walk, walk.prepare(definition), None, args, keywords, function_defaults(walk, definition), node, hint)


def _as_data(walk: Walk, value: Value, node: Any) -> Value:
    """A list or tuple among the arguments: of integers it may become an index, and is a list then; any other is an array."""
    if not isinstance(value, Seq):
        return value
    if all(isinstance(type_of(v), Int) for v in value.items):
        display = Seq(value.items, is_list=True)
        return walk.define("t", walk.as_node(display, node), type_of(display), node)
    return _call(walk, np.array, [value], node)


def _at(walk: Walk, ufunc: np.ufunc, args: list[Value], keywords: Keywords, node: Any) -> None:
    index = args[1] if len(args) > 1 else literal(None)
    name = f"np.{ufunc.__name__}.at"
    if isinstance(index, Seq) and len(index.items) == 2 and ufunc.nin == 2 and all(map(_is_row_of_indices, index.items)):
        run(
            walk,
            in_place.at_pairs,
            [Known(ufunc, lambda: walk.spelling.path(name[:-3])), args[0], *[_as_data(walk, i, node) for i in index.items], *args[2:]],
            keywords,
            node,
        )
        return
    if not (distinct(index) or _is_row_of_indices(index)):
        raise walk.problem("not_yet_in_place", node, name=name)
    args = [_as_data(walk, a, node) if isinstance(a, Seq) and (a.is_list or k > 1) else a for k, a in enumerate(args)]
    definition = in_place.at if ufunc.nin == 2 else in_place.at_each
    run(walk, definition, [Known(ufunc, lambda: walk.spelling.path(name[:-3])), *args], keywords, node)


def _is_row_of_indices(index: Value) -> bool:
    """One index after the other: a list or an array of rank 1 of integers."""
    kind = type_of(index)
    if isinstance(index, Seq):
        return index.is_list and all(isinstance(type_of(v), Int) for v in index.items)
    return isinstance(kind, Array) and kind.rank == 1 and kind.dtype is not None and kind.dtype.kind in "iu"


def distinct(index: Value) -> bool:
    """Is it sure that the index names no element twice?"""
    kind = type_of(index)
    if isinstance(index, Seq):
        return not index.is_list and all(is_scalar(type_of(v)) or isinstance(v, Known) or type_of(v) == Other(slice) for v in index.items)
    return is_scalar(kind) or (isinstance(kind, Array) and kind.dtype is not None and kind.dtype.kind == "b")


def _is_one_of(walk: Walk, value: Value, allowed: tuple[Any, ...]) -> bool:
    try:
        given = value.value if isinstance(value, Known) else literal_value(walk.as_node(value))
    except ValueError:
        return False
    return any(type(given) is type(a) and given == a for a in allowed)


# -- out=


def with_out(
    walk: Walk, target: Any, skipped: int, args: list[Value], keywords: Keywords, node: Any, call: Callable[[list[Value], Keywords], Value]
) -> Value | None:
    """What a call with `out=` gives, None if it has none. skipped: how many parameters of `target` come before the arguments."""
    position = _position_of_out(target)
    if position is None or rule_for(target) is None:
        return None
    args, keywords = list(args), dict(keywords)
    out = keywords.pop("out", None)
    if out is None and len(args) > position - skipped:
        out = args.pop(position - skipped)
        while _says_nothing(target, len(args) - 1 + skipped, args):
            args.pop()  # `x.sum(0, None, buf)`: the dtype stands there to reach the place of out
    if isinstance(out, Seq) and len(out.items) == 1:
        out = out.items[0]
    if out is None:
        return None
    if isinstance(out, Known) and out.value is None:
        return call(args, keywords)
    if not isinstance(out, Atom) or isinstance(out.type, Const):
        raise walk.problem("call_not_covered", node, reason="its out= is not one array")
    where = keywords.pop("where", None) if isinstance(target, np.ufunc) else None
    if where is None or _is_one_of(walk, where, (True,)):
        value = call(args, keywords)
        _check_cast(walk, type_of(value), out.type, node)
        return store_whole(walk, out, value, node)
    return _masked(walk, out, where, args, keywords, node, call)


def _masked(walk: Walk, out: Atom, where: Value, args: list[Value], keywords: Keywords, node: Any, call: Any) -> Value:
    """The function is applied where the mask says, and nowhere else: a division by zero that was masked leaves no nan behind."""
    shape = attribute(walk, out, "shape", node, "t")
    mask = _call(walk, np.broadcast_to, [where, shape], node)

    def picked(operand: Value) -> Value:
        if is_scalar(type_of(operand)):
            return operand
        spread = operand if operand == out else _call(walk, np.broadcast_to, [operand, shape], node)
        return _picked(walk, spread, mask, node)

    value = call([picked(a) for a in args], keywords)
    _check_cast(walk, type_of(value), out.type, node)
    walk.emit(quote.stmt("x[m] = v", x=out.node, m=walk.as_node(mask), v=walk.as_node(value, node)), node)
    return out


def _call(walk: Walk, function: Any, args: list[Value], node: Any) -> Value:
    from .kept_calls import call_rule

    rule = rule_for(function)
    assert rule is not None
    return call_rule(walk, rule, args, {}, node, "t")


def _picked(walk: Walk, value: Value, mask: Value, node: Any) -> Value:
    index = walk.as_node(mask)
    kind = kinds.index_type(type_of(value), index, lambda n: walk.types.get(n, UNKNOWN))
    return walk.define("t", quote.expr("x[m]", x=walk.as_node(value), m=index), kind, node)


def _says_nothing(target: Any, position: int, args: list[Value]) -> bool:
    """Is the last argument None, and the parameter at this position None without it?"""
    if isinstance(target, np.ufunc) or not args or not (isinstance(args[-1], Known) and args[-1].value is None):
        return False
    return list(inspect.signature(target).parameters.values())[position].default is None


def _position_of_out(target: Any) -> int | None:
    """The position of `out` among the parameters of a NumPy function; beyond all of them if it is given by name alone."""
    if isinstance(target, np.ufunc):
        return target.nin if target.nout == 1 else None
    if not str(getattr(target, "__module__", "")).startswith("numpy") and not isinstance(getattr(target, "__self__", None), np.ufunc):
        return None
    try:
        parameters = list(inspect.signature(target).parameters.values())
    except (TypeError, ValueError):
        return _OUT.get(target)
    for k, parameter in enumerate(parameters):
        if parameter.name == "out":
            return k if parameter.kind is parameter.POSITIONAL_OR_KEYWORD else 10**6
    return None


def method_with_out(walk: Walk, receiver: Atom, name: str, args: list[Value], keywords: Keywords, node: Any, call: Any) -> Value | None:
    """The same for `x.method(..., out=)`: its parameters are those of the function behind x."""
    rule = rule_for_method(name)
    target = getattr(np, name, None)
    return None if rule is None or target is None else with_out(walk, target, 1, args, keywords, node, call)


def _check_cast(walk: Walk, given: Type, wanted: Type, node: Any) -> None:
    """NumPy casts a result into `out` only if nothing but precision is lost; elsewhere f itself raises."""
    target = dtype_of(wanted)
    source = dtype_of(given)
    if source is None and not isinstance(given, Array) and is_scalar(given):
        source = np.dtype({"Int": int, "Bool": bool, "Complex": complex}.get(type(given).__name__, float))
    if target is not None and source is not None and not np.can_cast(source, target, "same_kind"):
        raise walk.problem(
            "bad_call", node, name="the function", detail=f"NumPy does not cast a result of {source} into an array of {target}"
        )
