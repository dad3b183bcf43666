"""What one CLOSED statement hands back: for each active operand an expression in the cotangent of its result.

The expressions speak of the cotangent as BAR, a placeholder that no program can contain. They are the rule's own text;
only the product of cotangent and partial derivative is written here (`times`).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from types import ModuleType
from typing import Any

import gast

from ...facts.activity import Activity
from ...facts.uses import names_read
from ...python import quote
from ...python.lattice import UNKNOWN, Array, Bool, Const, Int, List, Scalar, Type, rank_of
from ...rules.calls import runtime_call
from ...rules.forms import Rule
from ...rules.text import Text
from ..closed import Closed, Operation

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
    first, *_ = _parameters(text)
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


def one_by_one(nodes: list[Any], partials: list[Any]) -> list[tuple[Any, Any]]:
    """Operands beside their partial derivatives; those of `*xs` stand in a display."""
    pairs: list[tuple[Any, Any]] = []
    for node, partial in zip(nodes, partials, strict=True):
        if isinstance(node, (gast.Tuple, gast.List)) and isinstance(partial, (gast.Tuple, gast.List)):
            pairs += zip(node.elts, partial.elts, strict=True)
        else:
            pairs.append((node, partial))
    return pairs


def same(a: Any, b: Any) -> bool:
    return gast.dump(a) == gast.dump(b)


def safe_division(closed: Closed, operation: Operation, value: Any) -> Any:
    """In the derivative of a NumPy function a division by 0 gives inf, as NumPy does, also between Python floats."""
    if not operation.is_call or not operation.rule.path.startswith("np.") or not isinstance(value, (gast.BinOp, gast.UnaryOp)):
        return value
    if isinstance(value, gast.UnaryOp):
        return quote.rebuilt(value, operand=safe_division(closed, operation, value.operand))
    left, right = safe_division(closed, operation, value.left), safe_division(closed, operation, value.right)
    if isinstance(value.op, gast.Div) and may_be_python_float(closed, right):
        return quote.expr("np.divide(a, b)", np=closed.spelling.module("numpy"), a=left, b=right)
    return value if left is value.left and right is value.right else quote.rebuilt(value, left=left, right=right)


def may_be_python_float(closed: Closed, divisor: Any) -> bool:
    names = names_read(divisor)
    if not names or any(isinstance(n, gast.Call) for n in gast.walk(divisor)):
        return False
    return not any(isinstance(closed.types.get(n, UNKNOWN), (Array, Scalar)) for n in names)


def _adjoint(closed: Closed, operation: Operation, result: Any, active: Activity) -> Recipe:
    rule, bound = operation.rule, operation.bound
    text = rule.reverse
    if text is None:
        return Recipe()
    names = _parameters(text)
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
                )
            )
    return Recipe(parts, shared)


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
                parts.append(Contribution(element.id, inner, several=True))
            else:
                parts.extend(_display(closed, inner, element, active, nested))
            continue
        place = (*index, quote.constant(k))
        if isinstance(element, gast.Name):
            parts.append(Contribution(element.id, _item(adjoint, place), several=True))
        else:
            parts.extend(_display(closed, adjoint, element, active, nested, place))
    return parts


def _item(adjoint: Any, place: tuple[Any, ...]) -> Any:
    if isinstance(adjoint, gast.Name) and adjoint.id.startswith("shared"):  # perhaps a list
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


# -- texts of rules


def written(closed: Closed, text: Text, bindings: dict[str, Any]) -> list[Any] | None:
    """The text of a rule for this call, its free names spelled as the emitted code must."""
    parameters = _parameters(text)
    modules = {n: spell(closed, v) for n, v in text.free.items() if isinstance(v, ModuleType) and n not in parameters}
    expressions = text.instantiate({**modules, **bindings}, closed.type_of)
    if expressions is None:
        return None
    used = {n for e in expressions for n in names_read(e)}
    helpers = {n: spell(closed, v) for n, v in text.free.items() if n in used and not isinstance(v, ModuleType) and n not in parameters}
    helpers = {n: node for n, node in helpers.items() if node.id != n and n not in closed.types}
    return [quote.fill(e, helpers) for e in expressions] if helpers else expressions


def spell(closed: Closed, value: Any) -> Any:
    """How the emitted code names a module or helper that a rule mentions."""
    if isinstance(value, ModuleType):
        return quote.name(closed.spelling.module(value.__name__))
    return quote.name(closed.spelling.helper(value.__name__, value))


def called(closed: Closed, text: Text, bindings: dict[str, Any], count: int) -> list[Any]:
    """The rule function itself, called at run time, since its text depends on what is not known."""
    function = closed.spelling.helper(text.function.__name__, text.function)
    whole = runtime_call(quote.name(function), text, bindings)
    return [quote.expr("f[k]", f=whole, k=k) for k in range(count)] if count > 1 else [whole]


def _parameters(text: Text) -> tuple[str, ...]:
    code = text.function.__code__
    return code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]


def _is_zero(node: Any) -> bool:
    return isinstance(node, gast.Constant) and (node.value is None or (node.value == 0 and not isinstance(node.value, bool)))


# -- the chain rule


def times(bar: Any, partial: Any) -> Any:
    """bar * partial, as a person writes it."""
    match partial:
        case gast.Constant(value=1):
            return bar
        case gast.UnaryOp(op=gast.USub()):
            return negative(times(bar, partial.operand))
        case gast.Constant():
            return quote.expr("c * b", c=partial, b=bar)
        case gast.BinOp(op=gast.Div()):
            if isinstance(partial.left, gast.UnaryOp) and isinstance(partial.left.op, gast.USub):
                return negative(times(bar, quote.rebuilt(partial, left=partial.left.operand)))
            return quote.rebuilt(partial, left=times(bar, partial.left))
        case gast.BinOp(op=gast.Mult()) if isinstance(partial.left, gast.Constant):
            return quote.expr("p * q", p=times(bar, partial.left), q=partial.right)
    return quote.expr("b * p", b=bar, p=partial)


def negative(node: Any) -> Any:
    if isinstance(node, gast.UnaryOp) and isinstance(node.op, gast.USub):
        return node.operand
    return gast.UnaryOp(op=gast.USub(), operand=node)


def is_integer_index(kind: Type) -> bool:
    return isinstance(kind, (Int, Bool, Const, List))


__all__ = ["BAR", "Contribution", "Gather", "Recipe", "Rule", "is_identity", "recipe", "times"]
