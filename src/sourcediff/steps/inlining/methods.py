"""Methods of run-time values: those of arrays are the NumPy functions of the same name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import gast

from ...facts import kinds
from ...python import quote
from ...python.lattice import UNKNOWN, Array, Float, Int, List, Other, Scalar, Str, is_scalar, join
from ...rules.calls import BindError, bind_method, rule_for_method
from ...rules.forms import Rule
from . import compositions
from .containers import constant_key, container_method, has_run_time_form, key_of, known_key, must_be_known, new_dict
from .heap import field_of
from .in_place import method_in_place, method_with_out
from .kept_calls import argument_node, define_call, dotted, same_literal
from .outside import record_of_known
from .values import Atom, Known, Method, Record, Ref, Seq, Value, literal, type_of

if TYPE_CHECKING:
    from .walk import Walk

REFUSED = frozenset(["resize", "itemset", "setfield", "byteswap", "setflags"])


def call_method(walk: Walk, method: Method, args: list[Value], keywords: dict[str, Value], node: Any, hint: str) -> Value:
    receiver = method.receiver
    if isinstance(receiver, Ref):
        return container_method(walk, receiver, method.name, args, keywords, node, hint)
    if isinstance(receiver, Seq):
        return tuple_method(walk, receiver, method.name, args, keywords, node)
    if isinstance(receiver, Record):
        return record_method(walk, receiver, method.name, args, node)
    if isinstance(receiver, Known) and type(receiver.value) is dict and method.name in ("keys", "values", "items", "get", "copy"):
        return record_method(walk, record_of_known(walk, receiver, node), method.name, args, node)
    if isinstance(receiver, Known):
        return opaque_method(walk, receiver, method.name, args, keywords, node, hint)
    if not isinstance(receiver, Atom):
        raise walk.problem("not_yet_list_method", node, name=method.name)
    if isinstance(receiver.type, List):
        return list_method(walk, receiver, method.name, args, keywords, node, hint)
    if isinstance(receiver.type, (Other, Str)):
        return opaque_method(walk, receiver, method.name, args, keywords, node, hint)
    if method_in_place(walk, receiver, method.name, args, keywords, node):
        return literal(None)
    if method.name in REFUSED:
        raise walk.problem("not_yet_in_place", node, name=method.name)
    if rule_for_method(method.name) is None:
        if receiver.type is UNKNOWN:
            return opaque_method(walk, receiver, method.name, args, keywords, node, hint)
        raise walk.problem("no_rule_method", node, name=method.name)
    given = method_with_out(
        walk, receiver, method.name, args, keywords, node, lambda a, k: array_method(walk, receiver, method.name, a, k, node, "t")
    )
    return given if given is not None else array_method(walk, receiver, method.name, args, keywords, node, hint)


def array_method(walk: Walk, receiver: Atom, name: str, args: list[Value], keywords: dict[str, Value], node: Any, hint: str) -> Value:
    if name == "copy" and isinstance(receiver.type, (Float, Int, Scalar)) and is_scalar(receiver.type):
        return receiver
    if name in ("conj", "conjugate") and is_real_array(receiver.type):
        return receiver  # NumPy hands on the array itself
    arguments = [argument_node(walk, a, node) for a in args]
    named = {k: argument_node(walk, v, node) for k, v in keywords.items()}
    try:
        rule, bound = bind_method(name, receiver.node, arguments, named)
    except BindError as error:
        raise walk.problem("unknown_option", node, function=name, option=str(error)) from None
    kind = kinds.result_type(
        rule, [walk.types.get(getattr(n, "id", ""), UNKNOWN) for n in bound.values()], bound, lambda n: walk.types.get(n, UNKNOWN)
    )
    if rule.path.startswith("np.ndarray.") or rule.form in ("constant", "undefined"):
        target = quote.expr(f"x.{name}", x=receiver.node)
        operation = gast.Call(func=target, args=arguments, keywords=[gast.keyword(arg=k, value=v) for k, v in named.items()])
    else:
        target = walk.spelling.function(rule)
        walk.calls[dotted(target)] = rule
        operation = written_call(rule, target, bound)
    return walk.define(hint, operation, kind, node, fresh=not rule.is_view(bound) or is_scalar(kind))


def is_real_array(kind: Any) -> bool:
    return isinstance(kind, Array) and kind.dtype is not None and kind.dtype.kind in "fiu"


def written_call(rule: Rule, target: Any, bound: dict[str, Any]) -> Any:
    """A call with every argument that is not the default: operands by position, options by name."""
    args, keywords = [], []
    last = max((k for k, p in enumerate(rule.parameters) if p.default is p.empty or p.name in rule.operands), default=-1)
    for k, parameter in enumerate(rule.parameters):
        value = bound[parameter.name]
        if k <= last:
            args.append(value)
        elif not same_literal(value, parameter.default):
            keywords.append(gast.keyword(arg=parameter.name, value=value))
    return gast.Call(func=target, args=args, keywords=keywords)


def list_method(walk: Walk, receiver: Atom, name: str, args: list[Value], keywords: dict[str, Value], node: Any, hint: str) -> Value:
    from .calls import apply

    if receiver.node.id in walk.outer_lists and name != "copy":
        raise walk.problem("container_write", node, name=receiver.node.id)
    of_lists = walk.depth == 0 and any(isinstance(type_of(a), List) for a in args)
    if name not in ("append", "pop", "copy") or not all(map(has_run_time_form, args)) or of_lists:
        must_be_known(walk, receiver)
    if name == "append" and len(args) == 1:
        if not has_run_time_form(args[0]):
            raise walk.problem("object_as_value", node, name="this element")
        element_joined(walk, receiver, type_of(args[0]))
        walk.emit(quote.stmt("x.append(v)", x=receiver.node, v=walk.as_node(args[0], node)), node)
        return literal(None)
    if name == "pop" and not args:
        held = walk.types.get(receiver.node.id, receiver.type)
        element = held.element if isinstance(held, List) else UNKNOWN
        return walk.define(hint, quote.expr("x.pop()", x=receiver.node), element, node, fresh=is_scalar(element))
    if name == "copy" and not args:
        return apply(walk, Known(compositions.list_of), [receiver], {}, node, hint)
    raise walk.problem("not_yet_list_method", node, name=name)


def element_joined(walk: Walk, base: Atom, kind: Any) -> None:
    """The list now also holds something of this type."""
    name = base.node.id
    held = walk.types.get(name, base.type)
    if isinstance(held, List):
        walk.types[name] = List(join(held.element, kind))


def record_method(walk: Walk, receiver: Record, name: str, args: list[Value], node: Any) -> Value:
    """A method of a dict that is only read."""
    if name == "keys" and not args:
        return Seq(tuple(constant_key(k) for k, _ in receiver.items))
    if name == "values" and not args:
        return Seq(tuple(v for _, v in receiver.items))
    if name == "items" and not args:
        return Seq(tuple(Seq((constant_key(k), v)) for k, v in receiver.items))
    if name == "copy" and not args:
        return new_dict(walk, receiver.items, "t")
    if name == "get" and 1 <= len(args) <= 2:
        found = field_of(receiver, known_key(walk, key_of(walk, args[0]), node))
        return found if found is not None else args[1] if len(args) == 2 else literal(None)
    raise walk.problem("not_yet_dict", node)


def tuple_method(walk: Walk, receiver: Seq, name: str, args: list[Value], keywords: dict[str, Value], node: Any) -> Value:
    held = dict(zip(receiver.form.cls._fields, receiver.items, strict=True)) if receiver.form is not None else {}  # type: ignore[attr-defined]
    if held and name == "_replace" and keywords.keys() <= held.keys():
        return receiver.with_items((held | keywords).values())
    if held and name == "_asdict":
        return new_dict(walk, held.items(), "t")
    raise walk.problem("not_yet_list_method", node, name=name)


def opaque_method(walk: Walk, receiver: Value, name: str, args: list[Value], keywords: dict[str, Value], node: Any, hint: str) -> Value:
    owner = walk.as_node(receiver, node)
    if isinstance(receiver, Known) and isinstance(owner, gast.Name):
        walk.types.setdefault(owner.id, Other(type(receiver.value)))  # for limits: may it keep what it is given?
    target = quote.expr(f"x.{name}", x=owner)
    return walk.unknown(define_call(walk, target, args, keywords, UNKNOWN, node, hint))
