"""Statements of FLAT code under the walk."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

import gast
import numpy as np

from ... import runtime
from ...facts import kinds
from ...python import quote
from ...python.lattice import UNKNOWN, Array, Dict, List, Other, Tuple, is_scalar
from .calls import apply, call
from .conditions import control, truth
from .containers import delete_item, dict_update, elements, index_value, must_be_known, set_item
from .expression_types import OPERATORS
from .expressions import atom, evaluate, index_operand, subscript
from .heap import held, part_hint, put
from .instances import call_dunder, delete_attribute, set_attribute
from .loops import for_loop, while_loop
from .merging import merge, restore, take
from .methods import element_joined
from .operators import defines, user_binary
from .places import assign_attribute, stands_for_place, store_through, update_through
from .unrolling import Unrolled, unrolled
from .values import Atom, Closure, Known, Record, Ref, Seq, Value, leaves, type_of

if TYPE_CHECKING:
    from .walk import Walk


def run(walk: Walk, statements: list[Any]) -> None:
    for node in statements:
        if walk.unreachable:
            return
        walk.frame.at = node
        statement(walk, node)


def statement(walk: Walk, node: Any) -> None:
    match node:
        case gast.Assign():
            assign(walk, node.targets[0], node)
        case gast.AugAssign():
            augmented(walk, node)
        case gast.If():
            branch(walk, node)
        case gast.For():
            for_loop(walk, node)
        case gast.While():
            while_loop(walk, node)
        case gast.Expr():
            effect(walk, node)
        case gast.FunctionDef():
            define_function(walk, node)
        case gast.Raise():
            walk.emit(control(walk, node), node)
            walk.unreachable = True
        case gast.Assert():
            test = control(walk, node.test)
            if not (isinstance(test, gast.Constant) and test.value is True):
                walk.emit(quote.rebuilt(node, test=test, msg=None if node.msg is None else control(walk, node.msg)))
        case Unrolled():
            unrolled(walk, node.loop, node.elements, node.start)
        case gast.Import() | gast.ImportFrom():
            import_(walk, node)
        case gast.Delete():
            delete(walk, node)
        case gast.Pass():
            pass
        case _:
            raise walk.problem("unsupported_statement", node, what=type(node).__name__)


# -- assignment


def assign(walk: Walk, target: Any, node: Any) -> None:
    if isinstance(target, gast.Name):
        walk.bind(target.id, evaluate(walk, node.value, walk.hint(target.id)))
    elif isinstance(target, gast.Tuple):
        unpack(walk, target, node)
    elif isinstance(target, gast.Subscript):
        store(walk, target, atom(walk, node.value), node)
    else:
        owner, value = atom(walk, target.value), atom(walk, node.value)
        if isinstance(owner, Atom) and target.attr in ("flat", "real", "imag"):
            assign_attribute(walk, owner, target.attr, value, node)
        else:
            set_attribute(walk, owner, target.attr, value, node)


def unpack(walk: Walk, target: Any, node: Any) -> None:
    value = atom(walk, node.value)
    count = len(target.elts)
    if isinstance(value, Atom):
        kind = value.type
        if isinstance(kind, Tuple) and len(kind.elements) != count:
            raise walk.problem("bad_unpack", node, wanted=count, got=len(kind.elements))
        parts: list[Value] = []
        for k, element in enumerate(target.elts):
            each = kind.elements[k] if isinstance(kind, Tuple) else kinds.index_type(kind, quote.constant(k), lambda _: UNKNOWN)
            parts.append(walk.define(walk.hint(element.id), quote.expr("x[k]", x=value.node, k=k), each, node, fresh=is_scalar(each)))
    else:
        parts = elements(walk, value, node)
    if len(parts) != count:
        raise walk.problem("bad_unpack", node, wanted=count, got=len(parts))
    for element, part in zip(target.elts, parts, strict=True):
        walk.bind(element.id, part)


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
    walk.emit(quote.stmt("x[i] = v", x=base.node, i=index, v=walk.as_node(value, node)), node)


def as_array(walk: Walk, base: Atom, value: Value, node: Any) -> Value:
    """What is stored into an array: of a list or tuple NumPy makes an array first."""
    is_display = isinstance(value, (Seq, Ref)) or isinstance(type_of(value), (List, Tuple))
    return apply(walk, Known(np.array), [value], {}, node, "t") if isinstance(base.type, Array) and is_display else value


def refuse_outer(walk: Walk, base: Atom, node: Any) -> None:
    """A list of an object from outside is read anew each time, so a write to it is not followed."""
    if getattr(base.node, "id", "") in walk.outer_lists:
        raise walk.problem("container_write", node, name=base.node.id)


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
        if kind is UNKNOWN and not isinstance(base.type, Array):
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


def delete(walk: Walk, node: Any) -> None:
    for target in node.targets:
        owner = atom(walk, target.value)
        if isinstance(target, gast.Attribute):
            delete_attribute(walk, owner, target.attr, node)
        elif defines(owner, "__delitem__"):
            call_dunder(walk, owner, "__delitem__", [index_operand(walk, target.slice, node)], node)
        else:
            delete_item(walk, owner, index_value(walk, target.slice), node)


# -- the rest


def effect(walk: Walk, node: Any) -> None:
    """A call for its effect: its result has no name."""
    before = len(walk.block)
    if not isinstance(node.value, gast.Call):
        return
    value = call(walk, node.value)
    last = walk.block[-1] if len(walk.block) > before else None
    if isinstance(value, Atom) and isinstance(last, gast.Assign) and getattr(last.targets[0], "id", "") == getattr(value.node, "id", None):
        walk.block.pop()
        if isinstance(last.value, gast.Call):
            walk.block.append(quote.placed(gast.Expr(value=last.value), node))


def define_function(walk: Walk, node: Any) -> None:
    defaults: dict[str, Value] = {}
    positional = [*node.args.posonlyargs, *node.args.args]
    for parameter, default in zip(positional[len(positional) - len(node.args.defaults) :], node.args.defaults, strict=True):
        defaults[parameter.id] = atom(walk, default)
    for parameter, default in zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True):
        if default is not None:
            defaults[parameter.id] = atom(walk, default)
    walk.frame.env[node.name] = Closure(node, walk.frame, defaults)


def import_(walk: Walk, node: Any) -> None:
    """An import in the function: the module is known now, and read by its own name."""
    for alias in node.names:
        local = alias.asname or alias.name.partition(".")[0]
        if isinstance(node, gast.ImportFrom):
            module = importlib.import_module(node.module or "")
            value = getattr(module, alias.name)
            spelled = quote.expr("m." + alias.name, m=walk.spelling.module(module.__name__))
            walk.frame.env[local] = walk.outside(value, lambda spelled=spelled: spelled, alias.name, lambda value=value: value, "builtin")  # type: ignore[misc]
        else:
            module = importlib.import_module(alias.name)
            if alias.asname is None:
                module = importlib.import_module(local)
            walk.frame.env[local] = Known(module, lambda name=module.__name__: quote.name(walk.spelling.module(name)))


def branch(walk: Walk, node: Any) -> None:
    test = truth(walk, node.test)
    if isinstance(test, gast.Constant):
        run(walk, node.body if test.value else node.orelse)
        return
    before = take(walk)
    body = walk.collect(lambda: run(walk, node.body))
    after_body = take(walk)
    restore(walk, before)
    orelse = walk.collect(lambda: run(walk, node.orelse))
    after_else = take(walk)
    merge(walk, node, after_body, after_else, body, orelse)
    if body or orelse:
        if not body:
            test, body, orelse = quote.expr("not c", c=test), orelse, []
        walk.emit(gast.If(test=test, body=body, orelse=orelse), node)
