"""Items and methods of dicts, and of lists whose length is known: bookkeeping of the walk, of which nothing is written.

A dict is always known key by key. A list is an object of the written code (`xs.append(v)` in a loop) unless it has to be known: it holds
what has no run-time form (functions, instances), or it is changed in a way that only bookkeeping can follow (`insert`, `del`, slices). Then
the walk begins again with this list known (`inline.inline`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import gast

from .heap import field_of, held, put, set_field, stored, view, with_field, without_field
from .outside import record_of_known
from .values import Atom, Iterator, Known, Record, Ref, Seq, Value, literal, parts

if TYPE_CHECKING:
    from .walk import Walk


class MustBeKnown(Exception):
    """The list that this display makes has to be known element by element."""

    def __init__(self, display: Any) -> None:
        super().__init__("a list has to be known")
        self.display = display


def must_be_known(walk: Walk, value: Value) -> None:
    """Begin again if the value is a list of the written code that can be known instead."""
    display = walk.displays.get(getattr(value.node, "id", "")) if isinstance(value, Atom) else None
    if display is not None and id(display) not in walk.known_displays:
        raise MustBeKnown(display)


class _NotConstant:
    pass


NOT_CONSTANT = _NotConstant()


def key_of(walk: Walk, value: Value) -> Any:
    """The Python value of a constant, such as a key; NOT_CONSTANT if it is known only at run time."""
    match value:
        case Known():
            return value.value
        case Atom(node=gast.Constant()):
            return value.node.value
        case Atom(node=gast.UnaryOp(op=gast.USub(), operand=gast.Constant())):
            return -value.node.operand.value
        case Seq(is_list=False):
            keys = [key_of(walk, v) for v in value.items]
            return NOT_CONSTANT if NOT_CONSTANT in keys else tuple(keys)
    return NOT_CONSTANT


def index_value(walk: Walk, index: Any) -> Any:
    """The Python value of an index or key as it is written, slices included."""
    from .expressions import atom

    match index:
        case gast.Slice():
            bounds = [None if p is None else index_value(walk, p) for p in (index.lower, index.upper, index.step)]
            return slice(*bounds) if all(b is None or type(b) is int for b in bounds) else NOT_CONSTANT
        case gast.Tuple():
            keys = [index_value(walk, e) for e in index.elts]
            return NOT_CONSTANT if any(k is NOT_CONSTANT or isinstance(k, slice) for k in keys) else tuple(keys)
        case gast.Name() | gast.Constant() | gast.Attribute() | gast.UnaryOp():
            return key_of(walk, atom(walk, index))
        case gast.BinOp(op=gast.Add() | gast.Sub() | gast.Mult() | gast.Mod() | gast.FloorDiv()):
            left, right = index_value(walk, index.left), index_value(walk, index.right)
            if type(left) is int and type(right) is int and not (right == 0 and isinstance(index.op, (gast.Mod, gast.FloorDiv))):
                return FOLDED[type(index.op)](left, right)
    return NOT_CONSTANT


FOLDED: dict[Any, Any] = {
    gast.Add: lambda a, b: a + b,
    gast.Sub: lambda a, b: a - b,
    gast.Mult: lambda a, b: a * b,
    gast.Mod: lambda a, b: a % b,
    gast.FloorDiv: lambda a, b: a // b,
}


def known_key(walk: Walk, key: Any, node: Any) -> Any:
    if key is NOT_CONSTANT:
        raise walk.problem("unknown_key", node)
    return key


# -- items


def get_item(walk: Walk, ref: Ref, key: Any, node: Any) -> Value:
    structure = held(walk, ref, node)
    key = known_key(walk, key, node)
    if ref.cls is dict:
        value = field_of(structure, key)
        if value is None:
            raise walk.problem("no_item", node, key=repr(key))
        return value
    try:
        picked = structure.items[key]
    except (IndexError, TypeError):
        raise walk.problem("no_item", node, key=repr(key)) from None
    return walk.heap.new(list, ref.hint, Seq(picked, is_list=True)) if isinstance(picked, tuple) else picked


def set_item(walk: Walk, ref: Ref, key: Any, value: Value, node: Any) -> None:
    key = known_key(walk, key, node)
    if ref.cls is dict:
        set_field(walk, ref, key, value, node)
        return
    items = list(held(walk, ref, node).items)
    new: Any = stored(walk, value, ref.hint) if not isinstance(key, slice) else elements(walk, value, node)
    try:
        items[key] = new
    except (IndexError, TypeError, ValueError):
        raise walk.problem("no_item", node, key=repr(key)) from None
    put(walk, ref, Seq(tuple(items), is_list=True), node)


def delete_item(walk: Walk, value: Value, key: Any, node: Any) -> None:
    must_be_known(walk, value)
    if not isinstance(value, Ref) or value.cls not in (list, dict):
        raise walk.problem("delete_item", node)
    structure, key = held(walk, value, node), known_key(walk, key, node)
    if value.cls is dict:
        get_item(walk, value, key, node)
        put(walk, value, without_field(structure, key), node)
        return
    items = list(structure.items)
    try:
        del items[key]
    except (IndexError, TypeError):
        raise walk.problem("no_item", node, key=repr(key)) from None
    put(walk, value, Seq(tuple(items), is_list=True), node)


def elements(walk: Walk, value: Value, node: Any) -> list[Value]:
    """The elements of an iterable that is known one by one."""
    from .iteration import known_elements

    found = known_elements(walk, value, node)
    if found is None:
        must_be_known(walk, value)
        raise walk.problem("cannot_iterate", node)
    return [walk.snapshot(v) for v in found]


def has_run_time_form(value: Value) -> bool:
    """Can it stand in a list of the written code?"""
    if isinstance(value, (Seq, Record)):
        return all(map(has_run_time_form, parts(value)))
    return isinstance(value, Atom) or (isinstance(value, Known) and isinstance(value.value, (bool, str, type(None))))


# -- methods


def container_method(walk: Walk, ref: Ref, name: str, args: list[Value], keywords: dict[str, Value], node: Any, hint: str) -> Value:
    table = DICT_METHODS if ref.cls is dict else LIST_METHODS
    method = table.get(name)
    if method is None:
        raise walk.problem("not_yet_list_method" if ref.cls is list else "not_yet_dict", node, name=name)
    return method(walk, ref, args, keywords, node)


def dict_view(kind: str) -> Any:
    return lambda walk, ref, args, keywords, node: Iterator(kind, (ref,))


def dict_get(walk: Walk, ref: Ref, args: list[Value], keywords: dict[str, Value], node: Any) -> Value:
    found = field_of(held(walk, ref, node), known_key(walk, key_of(walk, args[0]), node))
    return found if found is not None else args[1] if len(args) > 1 else literal(None)


def dict_setdefault(walk: Walk, ref: Ref, args: list[Value], keywords: dict[str, Value], node: Any) -> Value:
    key = known_key(walk, key_of(walk, args[0]), node)
    if field_of(held(walk, ref, node), key) is None:
        set_field(walk, ref, key, args[1] if len(args) > 1 else literal(None), node)
    return field_of(held(walk, ref, node), key)  # type: ignore[return-value]


def dict_pop(walk: Walk, ref: Ref, args: list[Value], keywords: dict[str, Value], node: Any) -> Value:
    structure, key = held(walk, ref, node), known_key(walk, key_of(walk, args[0]), node)
    found = field_of(structure, key)
    if found is None and len(args) < 2:
        raise walk.problem("no_item", node, key=repr(key))
    put(walk, ref, without_field(structure, key), node)
    return args[1] if found is None else found


def dict_popitem(walk: Walk, ref: Ref, args: list[Value], keywords: dict[str, Value], node: Any) -> Value:
    *rest, (key, value) = held(walk, ref, node).items or (("", None),)
    if value is None:
        raise walk.problem("no_item", node, key="that is last")
    put(walk, ref, Record(tuple(rest)), node)
    return Seq((constant_key(key), value))


def dict_update(walk: Walk, ref: Ref, args: list[Value], keywords: dict[str, Value], node: Any) -> Value:
    structure = held(walk, ref, node)
    for key, value in [*pairs(walk, args[0], node), *keywords.items()] if args else keywords.items():
        structure = with_field(structure, key, stored(walk, value, ref.hint))
    put(walk, ref, structure, node)
    return literal(None)


def dict_clear(walk: Walk, ref: Ref, args: list[Value], keywords: dict[str, Value], node: Any) -> Value:
    put(walk, ref, Record(()), node)
    return literal(None)


def pairs(walk: Walk, value: Value, node: Any) -> list[tuple[Any, Value]]:
    """The items that `dict(value)` and `d.update(value)` take over."""
    value = view(walk, value, node)
    if isinstance(value, Known) and type(value.value) is dict:
        value = record_of_known(walk, value, node)
    if isinstance(value, Record):
        return list(value.items)
    found = []
    for each in elements(walk, value, node):
        key, item = elements(walk, each, node)
        found.append((known_key(walk, key_of(walk, key), node), item))
    return found


def new_dict(walk: Walk, items: Any, hint: str) -> Ref:
    structure = Record(())
    for key, value in items:
        structure = with_field(structure, key, stored(walk, value, hint))
    return walk.heap.new(dict, hint, structure)


def constant_key(key: Any) -> Value:
    """A key as a value again."""
    if isinstance(key, tuple):
        return Seq(tuple(map(constant_key, key)))
    return literal(key) if isinstance(key, (bool, str, bytes, int, float, type(None))) else Known(key)


def list_change(change: Any) -> Any:
    """A method that changes the elements; what `change` gives is its value."""

    def method(walk: Walk, ref: Ref, args: list[Value], keywords: dict[str, Value], node: Any) -> Value:
        items = list(held(walk, ref, node).items)
        try:
            result = change(walk, items, args, node)
        except (IndexError, TypeError, ValueError):
            raise walk.problem("not_yet_list_method", node, name=getattr(node.func, "attr", "")) from None
        put(walk, ref, Seq(tuple(items), is_list=True), node)
        return literal(None) if result is None else result

    return method


def index_argument(walk: Walk, args: list[Value], node: Any) -> int:
    return int(known_key(walk, key_of(walk, args[0]), node))


DICT_METHODS = {
    "keys": dict_view("keys"),
    "values": dict_view("values"),
    "items": dict_view("items"),
    "get": dict_get,
    "setdefault": dict_setdefault,
    "pop": dict_pop,
    "popitem": dict_popitem,
    "update": dict_update,
    "copy": lambda walk, ref, args, keywords, node: walk.heap.new(dict, ref.hint, held(walk, ref, node)),
    "clear": dict_clear,
}
LIST_METHODS = {
    "append": list_change(lambda walk, items, args, node: items.append(stored(walk, args[0], "item"))),
    "extend": list_change(lambda walk, items, args, node: items.extend(elements(walk, args[0], node))),
    "insert": list_change(lambda walk, items, args, node: items.insert(index_argument(walk, args, node), stored(walk, args[1], "item"))),
    "pop": list_change(lambda walk, items, args, node: items.pop(index_argument(walk, args, node) if args else -1)),
    "reverse": list_change(lambda walk, items, args, node: items.reverse()),
    "clear": list_change(lambda walk, items, args, node: items.clear()),
    "copy": lambda walk, ref, args, keywords, node: walk.heap.new(list, ref.hint, held(walk, ref, node)),
}


def settled(walk: Walk, value: Value, node: Any) -> Value:
    """A container or iterator as the structure that it is now, where its elements are known; any other value is itself."""
    from .iteration import known_elements

    if isinstance(value, Iterator) and value.kind != "range":
        found = known_elements(walk, value, node)
        return value if found is None else Seq(tuple(found))
    return view(walk, value, node)
