"""Statements of FLAT code under the walk."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

import gast

from ...facts import kinds
from ...python import quote
from ...python.lattice import UNKNOWN, Tuple, is_scalar
from .calls import call
from .conditions import control, truth
from .containers import delete_item, elements, index_value
from .expressions import atom, evaluate, index_operand
from .instances import call_dunder, delete_attribute, set_attribute
from .loops import for_loop, while_loop
from .merging import merge, restore, take
from .operators import defines
from .places import assign_attribute
from .unrolling import Unrolled, unrolled
from .updates import augmented, store
from .values import Atom, Closure, Known, Value

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
