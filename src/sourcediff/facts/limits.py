"""What is refused only because an active value goes through it: calls without a rule, functions without a derivative."""

from __future__ import annotations

from collections.abc import Container
from typing import Any

import gast

from ..errors import problem, rule_skeleton
from ..python.lattice import Array, Complex, Other, Scalar, Type, is_scalar
from .activity import Activity, differentiable_operands, names_of
from .uses import blocks, dotted


def limits(closed: Any, active: Activity) -> list[Any]:
    """All findings, in the order of the text."""
    found: list[Any] = []
    _block(closed, active, closed.tree.body, found)
    return found


def _block(closed: Any, active: Activity, body: list[Any], found: list[Any]) -> None:
    for stmt in body:
        finding = _statement(closed, active, stmt)
        if finding is not None:
            found.append(finding)
        for block in blocks(stmt):
            _block(closed, active, block, found)


def _statement(closed: Any, active: Activity, stmt: Any) -> Any:
    value = getattr(stmt, "value", None)
    if not isinstance(stmt, gast.Assign) or not isinstance(stmt.targets[0], gast.Name):
        return _stored_display(closed, active, stmt)
    target = stmt.targets[0].id
    if any(isinstance(n, gast.Dict) and any(m in active.varied for m in names_of(n)) for n in _nested(value)):
        return _problem(closed, "not_yet_dict", stmt)
    if isinstance(value, gast.Set) and (held := _varied(active, value.elts)):
        return _problem(closed, "active_set", stmt, name=held[0])
    if isinstance(value, gast.Call) and (dotted(value.func) or "").rstrip("_0123456789") in ("set", "frozenset"):
        held = _varied(active, value.args)
        return _problem(closed, "active_set", stmt, name=held[0]) if held else None
    if isinstance(value, gast.Call) and closed.operation(value) is None:
        finding = _opaque(closed, active, stmt, value)
        if finding is not None:
            return finding
    operation = closed.operation(value)
    if operation is not None and operation.rule.form == "constant":
        return _rule_limits(closed, active, stmt, operation) if target in active.useful else None
    if target not in active or isinstance(value, (gast.Name, gast.Subscript, gast.List, gast.Tuple)):
        return None
    operands = [n for n in differentiable_operands(closed, value) if n in active]
    if not operands:
        return None
    if operation is not None:
        return _rule_limits(closed, active, stmt, operation)
    if isinstance(value, gast.Call):
        if isinstance(value.func, gast.Attribute) and value.func.attr == "pop":
            return None
        path = dotted(value.func) or "this function"
        return _problem(closed, "no_rule", stmt, function=path, skeleton=rule_skeleton(path))
    if isinstance(value, (gast.BinOp, gast.UnaryOp)):
        return _problem(closed, "unknown_operator", stmt, operator=type(value.op).__name__)
    return None


def _nested(display: Any) -> list[Any]:
    """A display and the displays in it."""
    if isinstance(display, gast.Dict):
        return [display]
    if isinstance(display, (gast.List, gast.Tuple)):
        return [d for e in display.elts for d in _nested(e)]
    return []


HARMLESS = frozenset({"print", "len", "range", "id", "type", "isinstance", "repr", "str", "bool", "int", "hash"})


def _opaque(closed: Any, active: Activity, stmt: Any, call: Any) -> Any:
    """A call that nothing is known about may write into an array that it is given."""
    path = dotted(call.func) or "this function"
    if path.rstrip("_0123456789") in HARMLESS or (isinstance(call.func, gast.Attribute) and call.func.attr in ("append", "pop", "at")):
        return None
    receiver = call.func.value.id if isinstance(call.func, gast.Attribute) and isinstance(call.func.value, gast.Name) else ""
    kind = closed.types.get(receiver)
    if isinstance(kind, Other) and kind.cls is not None and issubclass(kind.cls, Container) and _varied(active, call.args):
        name = "active_set" if issubclass(kind.cls, (set, frozenset)) else "container_write"
        return _problem(closed, name, stmt, name=_varied(active, call.args)[0] if name == "active_set" else receiver)
    for argument in [*call.args, *(k.value for k in call.keywords)]:
        for name in names_of(argument):
            if name in active and not is_scalar(closed.types.get(name, Type())):
                return _problem(closed, "no_rule", stmt, function=path, skeleton=rule_skeleton(path))
    return None


def _varied(active: Activity, nodes: list[Any]) -> list[str]:
    """The names in these nodes that depend on the variables."""
    return [n.id for node in nodes for n in gast.walk(node) if isinstance(n, gast.Name) and n.id in active.varied]


def _rule_limits(closed: Any, active: Activity, stmt: Any, operation: Any) -> Any:
    rule = operation.rule
    if rule.form == "undefined":
        return _problem(closed, "undefined", stmt, function=rule.path, reason=rule.reason)
    if rule.form == "constant":
        if rule.path.startswith("np.random.") and any(n in active.varied for node in operation.bound.values() for n in names_of(node)):
            reason = "its draws are constants; draw with fixed parameters and transform what was drawn: mu + sigma * draw"
            return _problem(closed, "undefined", stmt, function=rule.path, reason=reason)
        if rule.real and any(
            n in active.varied and _is_complex(closed.types.get(n)) for node in operation.bound.values() for n in names_of(node)
        ):
            return _problem(closed, "undefined", stmt, function=rule.path, reason="its rule holds for real arguments only")
        return None
    for parameter, node in operation.bound.items():
        if parameter not in rule.operands and parameter not in rule.inert and any(n in active.varied for n in names_of(node)):
            return _problem(closed, "active_argument", stmt, function=rule.path, argument=parameter)
        if rule.real and parameter in rule.operands and active.is_active(node) and _is_complex(closed.type_of(node)):
            return _problem(closed, "undefined", stmt, function=rule.path, reason="its rule holds for real arguments only")
    return None


def _is_complex(kind: Any) -> bool:
    return isinstance(kind, Complex) or (isinstance(kind, (Array, Scalar)) and kind.dtype is not None and kind.dtype.kind == "c")


def _stored_display(closed: Any, active: Activity, stmt: Any) -> Any:
    """`x[i] = (a, b)`: the elements of a display are not stored as one."""
    value = getattr(stmt, "value", None)
    if (
        isinstance(stmt, (gast.Assign, gast.AugAssign))
        and isinstance(value, (gast.Tuple, gast.List, gast.Dict))
        and not isinstance(getattr(stmt, "targets", [None])[0], (gast.Tuple, gast.Name))
    ) and any(n in active for n in names_of(value)):
        return _problem(closed, "not_yet_list_of", stmt)
    if isinstance(value, gast.Call) and isinstance(stmt, gast.Expr):
        finding = _opaque(closed, active, stmt, value) if closed.operation(value) is None else None
        if finding is not None:
            return finding
        is_at = (
            isinstance(value.func, gast.Attribute) and value.func.attr == "at" and dotted(value.func) not in ("np.add.at", "np.subtract.at")
        )
        if is_at and any(n in active for a in value.args for n in names_of(a)):
            return _problem(closed, "not_yet_in_place", stmt, name=dotted(value.func) or "at")
        displays = [a for a in value.args if isinstance(a, (gast.Tuple, gast.List, gast.Dict))]
        if (
            isinstance(value.func, gast.Attribute)
            and value.func.attr in ("append", "at")
            and any(n in active for d in displays for n in names_of(d))
        ):
            return _problem(closed, "not_yet_list_of", stmt)
    return None


def _problem(closed: Any, name: str, stmt: Any, /, **fields: Any) -> Any:
    """An error at a statement, with the callers that it was inlined into."""
    return problem(name, stmt, closed.chains.get(getattr(stmt, "place", None), ()), **fields)
