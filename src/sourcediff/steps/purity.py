"""What a right-hand side does beside giving a value: is it pure, is its result fresh memory?"""

from __future__ import annotations

import dataclasses
import types
from collections.abc import Callable
from typing import Any

import gast
import numpy as np

from ..facts.kinds import index_type
from ..python.lattice import UNKNOWN, Array, Int, List, Tuple, is_scalar
from ..python.valued import is_named
from ..rules.forms import rule_for
from .closed import Closed
from .inlining.kept_calls import dotted

CONSTRUCTORS = frozenset(
    {
        "len",
        "range",
        "reversed",
        "list",
        "min",
        "max",
        "abs",
        "float",
        "int",
        "bool",
        "isinstance",
        "enumerate",
        "zip",
        "sum",
        "round",
        "slice",
    }
)
FRESH_METHODS = frozenset({"copy", "flatten", "astype", "sum", "mean", "max", "min", "prod", "dot", "round", "argsort", "argmax", "argmin"})


def rule_at(closed: Closed, path: str) -> Any:
    """The rule of the function at a path of the emitted code: of the program's calls, and of those that rules have written."""
    found = closed.calls.get(path)
    if found is not None:
        return found
    root, _, rest = path.partition(".")
    if not rest or root != closed.spelling.module("numpy"):
        return None
    value: Any = np
    for part in rest.split("."):
        value = getattr(value, part, None)
    return rule_for(value)


def is_pure(closed: Closed) -> Callable[[Any], bool]:
    """call -> has it no effect?"""

    def pure(call: Any) -> bool:
        path = dotted(call.func)
        rule = rule_at(closed, path)
        if rule is not None:
            return bool(rule.pure)
        if path in CONSTRUCTORS or path in closed.spelling.helpers and path.rstrip("_0123456789") in CONSTRUCTORS:
            return True
        if path.rstrip("_0123456789") == "with_fields" and path in closed.spelling.helpers:
            return True
        if is_plain_maker(closed, path):
            return True
        if isinstance(call.func, gast.Attribute) and not path.startswith(("math.", "np.")):
            return call.func.attr in FRESH_METHODS or call.func.attr in PURE_METHODS
        return path.partition(".")[0] == "math"

    return pure


def is_plain_maker(closed: Closed, path: str) -> bool:
    """Does the name mean a class that only holds what it is given: a named tuple, a SimpleNamespace, a dataclass as it is generated?"""
    found = closed.spelling.helpers.get(path) or (path.isidentifier() and closed.spelling.namespace.lookup(path)[1])
    if not isinstance(found, type):
        return False
    code = getattr(vars(found).get("__init__"), "__code__", None)
    generated = dataclasses.is_dataclass(found) and getattr(code, "co_filename", "") == "<string>" and not hasattr(found, "__post_init__")
    return generated or found is types.SimpleNamespace or is_named(found)


PURE_METHODS = frozenset({"_replace", "reshape", "ravel", "transpose", "squeeze", "item", "tolist", "conj", "diagonal", "swapaxes", "view"})


def viewed(closed: Closed) -> Callable[[Any], list[Any] | None]:
    """call -> the arguments that its result may share memory with: of a rule that makes views, the first operand."""

    def arguments(call: Any) -> list[Any] | None:
        operation = closed.operation(call)
        if operation is None:
            return None
        if not operation.rule.operands or not operation.rule.is_view(operation.bound):
            return []
        return [operation.bound[operation.rule.operands[0]]]

    return arguments


def keeps_nothing(closed: Closed) -> Callable[[Any], bool]:
    """call -> is it sure that it stores none of its arguments anywhere? Random draws and checks have effects, but keep nothing."""
    pure = is_pure(closed)

    def harmless(call: Any) -> bool:
        path = dotted(call.func)
        return path in closed.calls or path == "print" or pure(call)

    return harmless


def is_fresh(closed: Closed) -> Callable[[Any], bool]:
    """expression -> does its value share memory with nothing?"""

    def fresh(node: Any) -> bool:
        match node:
            case gast.BinOp() | gast.UnaryOp() | gast.Compare() | gast.Constant() | gast.List() | gast.BoolOp() | gast.JoinedStr():
                return True
            case gast.Subscript(value=gast.Name() as base):
                kind = closed.types.get(base.id)
                if isinstance(kind, List) and isinstance(node.slice, gast.Slice):
                    return is_scalar(kind.element)
                return isinstance(kind, Array) and any(_copies(closed.type_of(p)) for p in _parts(node.slice))
            case gast.Call():
                path = dotted(node.func)
                rule = rule_at(closed, path)
                if rule is not None:
                    operation = closed.operation(node) if rule.view else None
                    return not rule.view or operation is not None and not rule.is_view(operation.bound)
                if path in ("owned", "zero_of", "owned_unbroadcast") or path in CONSTRUCTORS:
                    return True
                return isinstance(node.func, gast.Attribute) and node.func.attr in FRESH_METHODS
        return False

    return fresh


# Functions that give a view of their argument where they can, and a copy where not; and those whose views repeat or forbid elements.
MAY_COPY = frozenset(
    {
        "np.reshape",
        "np.ravel",
        "np.asarray",
        "np.ascontiguousarray",
        "np.asfortranarray",
        "np.atleast_1d",
        "np.atleast_2d",
        "np.atleast_3d",
        "np.einsum",
    }
)
READ_ONLY_VIEWS = frozenset(
    {"np.broadcast_to", "np.diagonal", "np.diag", "np.imag", "broadcast_like", "unbroadcast", "split_like", "expanded"}
    | {"np.lib.stride_tricks.sliding_window_view"}
)


def is_sure_view(closed: Closed, value: Any, fresh: Callable[[Any], bool]) -> bool:
    """Is the value of this expression memory of its operand's, whatever that is, each element once and to be written?"""
    match value:
        case gast.Name():
            return True
        case gast.Subscript(value=gast.Name() as base):
            kind = closed.types.get(base.id, UNKNOWN)
            part = index_type(kind, value.slice, lambda n: closed.types.get(n, UNKNOWN))
            arrays = isinstance(kind, Array) and isinstance(part, Array)
            return arrays and not fresh(value) and all(_is_basic(closed, p) for p in _parts(value.slice))
        case gast.Attribute(attr="T" | "mT" | "real"):
            return True
        case gast.Call():
            operation = closed.operation(value)
            return (
                operation is not None and operation.rule.is_view(operation.bound) and operation.rule.path not in MAY_COPY | READ_ONLY_VIEWS
            )
    return False


def _is_basic(closed: Closed, part: Any) -> bool:
    """Is this part of an index a slice, an integer, None or an ellipsis?"""
    match part:
        case gast.Slice() | gast.Constant() | gast.BinOp() | gast.UnaryOp():
            return True
        case gast.Name():
            return isinstance(closed.types.get(part.id), Int)
    return isinstance(part, gast.Call) and getattr(part.func, "id", "").startswith("len")


def _copies(part: Any) -> bool:
    """Does an index with this part make a copy?"""
    return isinstance(part, (Array, List)) or (isinstance(part, Tuple) and any(map(_copies, part.elements)))


def _parts(index: Any) -> list[Any]:
    return list(index.elts) if isinstance(index, gast.Tuple) else [index]


__all__ = ["is_fresh", "is_pure", "is_scalar"]
