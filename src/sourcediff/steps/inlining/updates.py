"""Items and slices of arrays, lists and objects: what is stored into them, and what `op=` leaves there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import gast
import numpy as np

from ... import runtime
from ...facts import kinds
from ...python import quote
from ...python.lattice import UNKNOWN, Array, Dict, List, Other, Tuple, is_scalar
from .calls import apply
from .conditions import control
from .containers import dict_update, elements, index_value, must_be_known, set_item
from .expression_types import OPERATORS
from .expressions import atom, index_operand, subscript
from .heap import held, part_hint, put
from .instances import call_dunder
from .methods import element_joined
from .operators import defines, user_binary
from .places import stands_for_place, store_through, update_through
from .values import Atom, Known, Record, Ref, Seq, Value, leaves, type_of

if TYPE_CHECKING:
    from .walk import Walk


def store(walk: Walk, target: Any, value: Value, node: Any) -> None:
    base = atom(walk, target.value)
    if stands_for_place(walk, base) and store_through(walk, base, control(walk, target.slice), value, node):
        return
    if defines(base, "__setitem__"):
        call_dunder(walk, base, "__setitem__", [index_operand(walk, target.slice, node), value], node)
        return
    key = index_value(walk, target.slice)
    if isinstance(key, slice) or not isinstance(value, Atom):
        must_be_known(walk, base)
    if isinstance(base, Ref) and base.cls in (list, dict):
        set_item(walk, base, key, value, node)
        return
    if isinstance(base, Record) or isinstance(type_of(base), Dict):
        raise walk.problem("not_yet_dict", node)
    if isinstance(base, Seq):
        raise walk.problem("store_into_tuple" if not base.is_list else "not_yet_list", node)
    if not isinstance(base, Atom):
        raise walk.problem("not_yet_objects", node)
    if isinstance(base.type, Tuple):
        raise walk.problem("store_into_tuple", node)
    refuse_outer(walk, base, node)
    if isinstance(value, Known) and not isinstance(value.value, (bool, str, type(None))):
        raise walk.problem("function_as_value", node)
    index = control(walk, target.slice)
    if isinstance(base.type, List) and isinstance(target.slice, gast.Slice):
        raise walk.problem("not_yet_list", node)
    if isinstance(base.type, List):
        element_joined(walk, base, type_of(value))
    value = as_array(walk, base, value, node)
    if isinstance(base.type, List) and isinstance(type_of(value), (List, Tuple)):
        old = walk.define("t", quote.expr("x[i]", x=base.node, i=index), base.type.element, node, fresh=False)
        apply(walk, Known(runtime.check_replaced), [old, value], {}, node, "t")
    walk.emit(quote.stmt("x[i] = v", x=base.node, i=index, v=walk.as_node(value, node)), node)


def refuse_outer(walk: Walk, base: Atom, node: Any) -> None:
    """A list of an object from outside is read anew each time, so a write to it is not followed."""
    if getattr(base.node, "id", "") in walk.outer_lists:
        raise walk.problem("container_write", node, name=base.node.id)


def as_array(walk: Walk, base: Atom, value: Value, node: Any) -> Value:
    """What is stored into an array: of a list or tuple NumPy makes an array first."""
    is_display = isinstance(value, (Seq, Ref)) or isinstance(type_of(value), (List, Tuple))
    return apply(walk, Known(np.array), [value], {}, node, "t") if isinstance(base.type, Array) and is_display else value


def augmented(walk: Walk, node: Any) -> None:
    value = atom(walk, node.value)
    target = node.target
    if isinstance(target, gast.Subscript):
        base = atom(walk, target.value)
        if stands_for_place(walk, base) and update_through(walk, base, control(walk, target.slice), node.op, value, node):
            return
        if not isinstance(base, Atom):
            old = subscript(walk, base, target.slice, target, walk.hint("t"))
            store(walk, target, updated(walk, node, old, value, part_name(walk, base, target.slice)), node)
            return
        refuse_outer(walk, base, node)
        value = as_array(walk, base, value, node)
        index = control(walk, target.slice)
        if isinstance(base.type, Array) and isinstance(node.op, (gast.Add, gast.Sub)):
            walk.emit(gast.AugAssign(target=quote.expr("x[i]", x=base.node, i=index), op=node.op, value=walk.as_node(value, node)), node)
            return
        kind = kinds.index_type(base.type, index, lambda n: walk.types.get(n, UNKNOWN))
        old = walk.define("t", quote.expr("x[i]", x=base.node, i=index), kind, node, fresh=is_scalar(kind))
        if isinstance(kind, Array) and not isinstance(base.type, Array):  # an array is updated in place, a number is replaced
            updated(walk, node, old, value, "t")
            return
        ours = str(getattr(getattr(node, "place", None), "file", "")).startswith("<sourcediff")  # no cotangent there has another name
        if kind is UNKNOWN and not isinstance(base.type, Array) and not ours:
            apply(walk, Known(runtime.check_item), [base, old], {}, node, "t")
        new = walk.define("t", walk.operation(node.op, old, value), kinds.binary_type(OPERATORS[type(node.op)], kind, type_of(value)), node)
        if isinstance(base.type, List):
            element_joined(walk, base, new.type)
        walk.emit(quote.stmt("x[i] = v", x=base.node, i=index, v=new.node), node)
        return
    old_value = walk.lookup(target.id, target)
    new_value = updated(walk, node, old_value, value, walk.hint(target.id), target.id)
    if new_value is not old_value:
        walk.bind(target.id, new_value)


def part_name(walk: Walk, base: Value, index: Any) -> str:
    return part_hint(base, index_value(walk, index)) if isinstance(base, Ref) and base.cls is dict else "t"


def updated(walk: Walk, node: Any, old: Value, value: Value, hint: str, label: str = "this item") -> Value:
    """What `old op= value` leaves: `old` itself if that is updated in place."""
    decided = user_binary(walk, node.op, old, value, node, hint, in_place=True)
    if decided is not None:
        return decided
    if isinstance(old, Seq) and isinstance(value, Seq):
        return Seq(old.items + value.items, old.is_list)
    must_be_known(walk, old)
    if isinstance(old, Atom):
        value = as_array(walk, old, value, node)
    if isinstance(old, Ref):
        return extended(walk, node, old, value)
    if not isinstance(old, Atom):
        if isinstance(old, Known) and isinstance(old.value, str):
            return walk.define(hint, walk.operation(node.op, old, value), Other(str), node)
        raise walk.problem("not_yet_objects", node)
    if isinstance(old.type, List):
        raise walk.problem("not_yet_list_operator", node)
    if isinstance(old.node, gast.Name) and update_through(walk, old, None, node.op, value, node):
        return old
    kind = kinds.binary_type(OPERATORS[type(node.op)], old.type, type_of(value))
    if isinstance(old.type, Array) and isinstance(old.node, gast.Name):
        if not isinstance(node.op, (gast.Add, gast.Sub)):
            new = walk.define("t", walk.operation(node.op, old, value), kind, node)
            walk.emit(quote.stmt("x[...] = v", x=old.node, v=new.node), node)
        else:
            walk.emit(gast.AugAssign(target=old.node, op=node.op, value=walk.as_node(value, node)), node)
        return old
    if not is_scalar(old.type) and not unshared(walk, old):
        raise walk.problem("update_undecided", node, name=label)
    return walk.define(hint, walk.operation(node.op, old, value), kind, node)


def extended(walk: Walk, node: Any, old: Ref, value: Value) -> Value:
    """`xs += ys` of a known list, `d |= e` of a dict: in place."""
    if old.cls is list and isinstance(node.op, gast.Add):
        put(walk, old, Seq((*held(walk, old, node).items, *elements(walk, value, node)), is_list=True), node)
    elif old.cls is dict and isinstance(node.op, gast.BitOr):
        dict_update(walk, old, [value], {}, node)
    else:
        raise walk.problem("not_yet_list_operator", node)
    return old


def unshared(walk: Walk, value: Atom) -> bool:
    """Is the value seen under no other name, so that updating it and replacing it are the same?"""
    name = getattr(value.node, "id", None)
    if name is None:
        return True
    values = [*(v for f in walk.stack for v in f.env.values()), *walk.heap.held.values()]
    holders = sum(a.node is value.node or getattr(a.node, "id", None) == name for v in values for a in leaves(v))
    return name in walk.fresh and holders <= 1
