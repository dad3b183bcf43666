"""What one CLOSED statement hands back: for each active operand an expression in the cotangent of its result.

The expressions speak of the cotangent as BAR, a placeholder that no program can contain. They are the rule's own text;
only the product of cotangent and partial derivative is written by us (`chain`).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import gast

from ...facts.activity import Activity
from ...facts.uses import names_read
from ...python import quote
from ...python.lattice import rank_of
from ...rules.text import Text
from ..closed import Closed, Operation
from .chain import called, one_by_one, parameters_of, safe_division, same, times, written

BAR = "bar "


@dataclass
class Contribution:
    """`target`'s cotangent grows by `value`."""

    target: str
    value: Any
    elementwise: bool = False
    factors: frozenset[str] = frozenset()  # primal names in the partial derivative
    same: bool = False  # the operand has the shape and dtype of the result
    covered: bool = False  # a factor has the shape of the result, so that the value has it whatever the cotangent's is
    thin: bool = False  # the value may be smaller than the operand, if it broadcasts to it
    several: bool = False  # the function has other operands, whose dtypes may be larger
    sums: bool = False  # of np.sum: a number that stands for the cotangent stands for its sum's too
    stacked: bool = False  # and whose shapes may be, as those of stacks of matrices
    of_list: bool = False  # the function is one of Python's for lists


@dataclass
class Gather:
    """The result was read from `target[index]`: the cotangent is added there."""

    target: str
    index: Any


def is_identity(part: Contribution | Gather) -> bool:
    """Does the operand get the very cotangent of the result?"""
    return isinstance(part, Contribution) and isinstance(part.value, gast.Name) and part.same


@dataclass
class Recipe:
    """All that one statement hands back, with temporaries that several operands share."""

    parts: list[Contribution | Gather] = field(default_factory=list)
    shared: list[tuple[str, Any]] = field(default_factory=list)  # placeholder -> expression


def recipe(closed: Closed, stmt: Any, active: Activity) -> Recipe:
    """The recipe of `name = operation`."""
    value = stmt.value
    result = stmt.targets[0]
    match value:
        case gast.Name():
            return Recipe([Contribution(value.id, quote.name(BAR), elementwise=True)] if value.id in active else [])
        case gast.Subscript(value=gast.Name() as base):
            return Recipe([Gather(base.id, value.slice)] if base.id in active else [])
        case gast.List() | gast.Tuple():
            return Recipe(_display(closed, quote.name(BAR), value, active))
    operation = closed.operation(value)
    if operation is None:
        return Recipe()
    rule = operation.rule
    if rule.form == "elementwise":
        return Recipe(_elementwise(closed, operation, result, active))
    return _adjoint(closed, operation, result, active)


def _elementwise(closed: Closed, operation: Operation, result: Any, active: Activity) -> list[Contribution | Gather]:
    rule, bound = operation.rule, operation.bound
    text = rule.partials
    assert text is not None
    first, *_ = parameters_of(text)
    partials = written(closed, text, {first: result, **bound})
    if partials is None:
        partials = called(closed, text, {first: result, **bound}, len(rule.operands))
    out: dict[str, Contribution] = {}
    for node, partial in one_by_one([bound[p] for p in rule.operands], partials):
        if not active.is_active(node) or _is_zero(partial):
            continue
        old = out.get(node.id)
        if old is None:
            value = times(quote.name(BAR), partial)
        elif same(times(quote.name(BAR), partial), old.value):
            value = times(quote.expr("2 * b", b=quote.name(BAR)), partial)
        else:
            value = quote.expr("a + b", a=old.value, b=times(quote.name(BAR), partial))
        factors = names_read(partial) | (old.factors if old is not None else frozenset())
        out[node.id] = Contribution(node.id, safe_division(closed, operation, value), True, factors)
    return list(out.values())


def _adjoint(closed: Closed, operation: Operation, result: Any, active: Activity) -> Recipe:
    rule, bound = operation.rule, operation.bound
    if rule.reverse is None:
        return Recipe()
    adjoints, shared = _adjoints(closed, operation, rule.reverse, result, active)
    parts: list[Contribution | Gather] = []
    for operand, adjoint in zip(rule.operands, adjoints, strict=True):
        node = bound.get(operand)
        if node is None or not active.is_active(node) or _is_zero(adjoint):
            continue
        if isinstance(node, (gast.Tuple, gast.List)):
            if not isinstance(adjoint, (gast.Name, gast.List, gast.Tuple)):
                shared.append((f"shared {operand}", adjoint))
                adjoint = quote.name(f"shared {operand}")
            parts.extend(_display(closed, adjoint, node, active, nested=rule.path))
        else:
            parts.append(
                Contribution(
                    node.id,
                    adjoint,
                    rule.pointwise,
                    names_read(adjoint) - {BAR},
                    thin=rule.thin,
                    several=len(rule.operands) > 1,
                    stacked=stacked(closed, operation),
                    sums=rule.path == "np.sum",
                    of_list="." not in rule.path,
                )
            )
    return Recipe(parts, shared)


def _adjoints(closed: Closed, operation: Operation, text: Text, result: Any, active: Activity) -> tuple[list[Any], list[tuple[str, Any]]]:
    """(an adjoint for each operand, what several of them share)."""
    rule, bound = operation.rule, operation.bound
    names = parameters_of(text)
    leading: dict[str, Any] = {names[0]: quote.name(BAR)}
    if len(names) > 1 and names[1] + "_bar" == names[0] and names[1] not in bound:
        leading[names[1]] = result
    adjoints = written(closed, text, {**leading, **bound})
    shared: list[tuple[str, Any]] = []
    if adjoints is None or (len(adjoints) != len(rule.operands)):
        wanted = [p for p in rule.operands if active.is_active(bound.get(p))]
        whole = called(closed, text, {**leading, **bound}, 0)[0]
        if len(rule.operands) == 1:
            adjoints = [whole]
        elif len(wanted) == 1:
            adjoints = [quote.expr("f[k]", f=whole, k=k) for k in range(len(rule.operands))]
        else:
            shared.append(("shared ", whole))
            adjoints = [quote.expr("f[k]", f=quote.name("shared "), k=k) for k in range(len(rule.operands))]
    common = repeated_call(adjoints) if all(active.is_active(bound.get(p)) for p in rule.operands) else None
    if common is not None:
        shared.append(("shared call", common))
        adjoints = [replaced(a, common, quote.name("shared call")) for a in adjoints]
    return adjoints, shared


def _display(
    closed: Closed, adjoint: Any, node: Any, active: Activity, nested: str = "", index: tuple[Any, ...] = ()
) -> list[Contribution | Gather]:
    """The parts of `adjoint` for the active elements of a display; the adjoint is indexed as the display is."""
    parts: list[Contribution | Gather] = []
    for k, element in enumerate(node.elts):
        if not active.is_active(element):
            continue
        if isinstance(adjoint, (gast.List, gast.Tuple)):
            inner = adjoint.elts[k]
            if isinstance(element, gast.Name):
                parts.append(Contribution(element.id, inner, several=True, of_list="." not in nested))
            else:
                parts.extend(_display(closed, inner, element, active, nested))
            continue
        place = (*index, quote.constant(k))
        if isinstance(element, gast.Name):
            parts.append(Contribution(element.id, _item(adjoint, place, bool(nested)), several=True, of_list="." not in nested))
        else:
            parts.extend(_display(closed, adjoint, element, active, nested, place))
    return parts


def _item(adjoint: Any, place: tuple[Any, ...], is_array: bool) -> Any:
    """The item at a place of the cotangent: of an array, that of a function of the display has; else it is a list of lists."""
    if not is_array or (isinstance(adjoint, gast.Name) and adjoint.id.startswith("shared")):
        for each in place:
            adjoint = quote.expr("x[i]", x=adjoint, i=each)
        return adjoint
    index = place[0] if len(place) == 1 else gast.Tuple(elts=list(place), ctx=gast.Load())
    return quote.expr("x[i]", x=adjoint, i=index)


def repeated_call(adjoints: list[Any]) -> Any:
    """An adjoint that is a call and stands inside another one: it is computed once."""
    for k, adjoint in enumerate(adjoints):
        if isinstance(adjoint, gast.Call):
            for other in adjoints[:k] + adjoints[k + 1 :]:
                if other is not adjoint and any(isinstance(n, gast.Call) and same(n, adjoint) for n in gast.walk(other)):
                    return adjoint
    return None


def replaced(node: Any, old: Any, new: Any) -> Any:
    """`node` with every copy of the call `old` in it replaced."""
    if isinstance(node, gast.Call) and same(node, old):
        return new
    fields: dict[str, Any] = {}
    for name in node._fields:
        value = getattr(node, name, None)
        if isinstance(value, list):
            fields[name] = [replaced(v, old, new) if isinstance(v, gast.AST) else v for v in value]
        elif isinstance(value, gast.AST) and not isinstance(value, (gast.expr_context, gast.operator, gast.unaryop)):
            fields[name] = replaced(value, old, new)
    return quote.rebuilt(node, **fields) if fields else node


def stacked(closed: Closed, operation: Operation) -> bool:
    """Could an operand be a stack of matrices, over which the function broadcasts?"""
    if operation.rule.form != "bilinear":
        return False
    ranks = [rank_of(closed.type_of(operation.bound[p])) for p in operation.rule.operands]
    return any(r is None or r > 2 for r in ranks)


def _is_zero(node: Any) -> bool:
    return isinstance(node, gast.Constant) and (node.value is None or (node.value == 0 and not isinstance(node.value, bool)))


__all__ = ["BAR", "Contribution", "Gather", "Recipe", "is_identity", "recipe"]


def is_owned(value: Any) -> bool:
    """Is it a call that gives memory of its own, of the shape and dtype of what it is for?"""
    return isinstance(value, gast.Call) and (getattr(value.func, "id", "").startswith("owned") or getattr(value.func, "attr", "") == "copy")
