"""The chain rule, as text: what a rule says for one call, its names spelled as the emitted code must, times what comes in.

Forward and reverse mode read the same partial derivatives; `times` is the one place where they are multiplied.
"""

from __future__ import annotations

from types import ModuleType
from typing import Any

import gast

from ...facts.uses import names_read
from ...python import quote
from ...python.lattice import UNKNOWN, Array, Scalar
from ...rules.calls import runtime_call
from ...rules.text import Text
from ..closed import Closed, Operation


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


def written(closed: Closed, text: Text, bindings: dict[str, Any]) -> list[Any] | None:
    """The text of a rule for this call, its free names spelled as the emitted code must."""
    parameters = parameters_of(text)
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


def parameters_of(text: Text) -> tuple[str, ...]:
    code = text.function.__code__
    return code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]


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
