"""What the walked code reads from outside: globals, cells of a closure, attributes of modules, classes and objects.

Functions, classes, modules, None, bools and texts are folded, and a guard remembers what was believed. Numbers and
arrays are data: read live, when the derivative runs; only their type is believed.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import partial
from types import ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np

from ...python import quote
from ...python.lattice import UNKNOWN, Other
from ...python.valued import type_of
from .values import Atom, Known, Record, Seq, Value, literal

if TYPE_CHECKING:
    from .walk import Walk

DATA = (int, float, complex, np.ndarray, np.generic, list)


def outside_value(walk: Walk, value: Any, spelled: Callable[[], Any], label: str, get: Callable[[], Any], where: str) -> Value:
    if type(value) is list and where != "builtin" and value and not any(isinstance(v, (*DATA, tuple, dict)) for v in value):
        return _outside_list(walk, value, spelled, label, get)
    if isinstance(value, DATA) and not isinstance(value, bool):
        believed = type_of(value)
        if where != "builtin":
            walk.spelling.guard(f"the type of {label}", lambda: type_of(get()) == believed, True)
        node = spelled()
        if type(node).__name__ != "Name":
            hint = label.rpartition(".")[2]
            found = walk.define(hint if hint.isidentifier() else "t", node, believed, fresh=False)
            walk.outer_lists.update([found.node.id] if isinstance(value, list) else [])
            return found
        walk.types[node.id] = believed
        return Atom(node, believed)
    if isinstance(value, tuple) and value and where != "builtin":
        return _outside_tuple(walk, value, spelled, label, get, where)
    if not isinstance(value, ModuleType) and where not in ("builtin", "helper"):
        walk.spelling.guard(label, get, value)
    return _folded(value, spelled)


def _folded(value: Any, spelled: Callable[[], Any]) -> Value:
    """None has one spelling, since analyses look at it: `x[:, np.newaxis]` is `x[:, None]`."""
    return literal(None) if value is None else Known(value, spelled)


def _outside_tuple(walk: Walk, value: tuple[Any, ...], spelled: Callable[[], Any], label: str, get: Callable[[], Any], where: str) -> Value:
    """A global tuple: immutable, so its length and its functions can be believed while it is the same object."""
    walk.spelling.guard(label, get, value)
    items = []
    for k, item in enumerate(value):
        part = partial(_part, spelled, k)
        items.append(outside_value(walk, item, part, f"{label}[{k}]", partial(value.__getitem__, k), "helper"))
    return Seq(tuple(items))


def _outside_list(walk: Walk, value: list[Any], spelled: Callable[[], Any], label: str, get: Callable[[], Any]) -> Value:
    """A list of functions or objects, such as the layers of a network: believed as long as it holds the same ones."""
    walk.spelling.guard(f"what {label} holds", lambda: [id(v) for v in get()] == expected, True)
    items = [outside_value(walk, v, partial(_part, spelled, k), f"{label}[{k}]", lambda v=v: v, "helper") for k, v in enumerate(value)]  # type: ignore[misc]
    expected = [id(v) for v in value]
    return Seq(tuple(items))


def record_of_known(walk: Walk, known: Known, node: Any) -> Record:
    """A dict from outside, item by item: believed as long as it has the same keys."""
    keys = list(known.value)
    walk.spelling.guard(f"the keys of {_label(known)}", lambda: list(known.value) == keys, True)
    return Record(tuple((k, item_of_known(walk, known, k, node)) for k in keys))


def _part(spelled: Callable[[], Any], k: int) -> Any:
    return quote.expr("t[k]", t=spelled(), k=k)


def attribute_of_known(walk: Walk, known: Known, name: str, node: Any) -> Value:
    """`known.name`, looked up without running a user's property."""
    owner = known.value
    if type(owner).__module__.startswith("sourcediff.") and hasattr(owner, name):  # f.grad of a differentiable function
        return Known(getattr(owner, name), None)
    try:
        static = inspect.getattr_static(owner, name)
    except AttributeError:
        if not isinstance(owner, ModuleType) or not hasattr(owner, name):
            raise walk.problem("no_attribute", node, name=name, owner=getattr(owner, "__name__", type(owner).__name__)) from None
        static = None
    if isinstance(static, property) and not isinstance(owner, type):
        raise walk.problem("not_yet_objects", node)
    value = getattr(owner, name)
    inner = known.node

    def spelled() -> Any:
        return quote.expr(f"o.{name}", o=inner() if callable(inner) else inner)

    where = "module" if isinstance(owner, ModuleType) and _is_library(owner) else "attribute"
    if where == "module" and not isinstance(value, DATA):
        return _folded(value, spelled)
    if callable(value) and inspect.ismethod(value):
        return Known(value, spelled)
    return outside_value(
        walk, value, spelled, _label(known, name), lambda: getattr(owner, name, None), "builtin" if where == "module" else where
    )


def item_of_known(walk: Walk, known: Known, key: Any, node: Any) -> Value:
    """`known[key]` of a global dict or the like: believed while it is the same object."""
    owner = known.value
    try:
        value = owner[key]
    except Exception:
        raise walk.problem("no_item", node, key=repr(key)) from None
    inner = known.node

    def spelled() -> Any:
        return quote.expr("o[k]", o=inner() if callable(inner) else inner, k=quote.constant(key))

    label = f"{_label(known)}[{key!r}]"
    return outside_value(walk, value, spelled, label, lambda: owner.get(key) if isinstance(owner, dict) else owner[key], "item")


def opaque(walk: Walk, known: Known) -> Atom:
    """An object that is only passed on."""
    node = known.node() if callable(known.node) else known.node
    return Atom(node, Other(type(known.value)) if known.node is not None else UNKNOWN)


def _label(known: Known, name: str = "") -> str:
    own = getattr(known.value, "__name__", type(known.value).__name__)
    return f"{own}.{name}" if name else own


def _is_library(module: ModuleType) -> bool:
    return module.__name__.partition(".")[0] in ("numpy", "math", "scipy", "cmath", "operator", "functools", "itertools", "sourcediff")
