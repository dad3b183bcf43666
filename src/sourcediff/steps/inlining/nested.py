"""Transforms inside the walked code: `sd.grad(lambda y: x * y)(2.0)`, and calls of derivatives that exist already.

The inner derivative is written first, by the same pipeline, and then walked into like any function: what sourcediff writes,
sourcediff reads. Variables around a nested function stay what they are: names of the code that is being written, constant for the
inner derivative and possibly active for the outer one. So there is no perturbation to confuse.
"""

from __future__ import annotations

import types
from typing import Any

import gast

from ...python.function import Function
from ...python.names import Names, free_names, names_in, parameter_names
from ...python.paths import root_of, steps_of
from ..signatures import derivative_parameters
from .binding import bind_arguments
from .calls import apply, function_defaults, inline, with_namespace
from .construction import completed
from .frames import Frame, Prepared
from .heap import deep_view
from .values import Atom, Closure, Known, Seq, Transformed, Value, type_of
from .walk import Walk

MODES = frozenset(
    ["grad", "value_and_grad", "jvp", "vjp", "pullback", "pushforward", "derivative", "jacobian", "value_and_jacobian", "hessian", "hvp"]
)  # fmt: skip


def is_transform(value: Any) -> bool:
    return isinstance(value, types.FunctionType) and value.__module__ == "sourcediff.transforms" and value.__name__ in MODES


def is_standing(value: Any) -> bool:
    """A Derivative, or a function decorated with @sd.differentiable."""
    return type(value).__module__.startswith("sourcediff.") and hasattr(type(value), "subject")


def transform_known(walk: Walk, function: Known, args: list[Value], keywords: dict[str, Value], node: Any, hint: str) -> Value:
    """`sd.grad(f, wrt=…)` makes a Transformed; a call of a derivative is walked into."""
    if is_transform(function.value):
        if not args:
            raise walk.problem("not_yet_function", node, name=f"{function.value.__name__} as a decorator")
        wrt = args[1] if len(args) > 1 else keywords.get("wrt")
        options = tuple((k, v) for k, v in keywords.items() if k != "wrt")
        return Transformed(args[0], function.value.__name__, (wrt,) if wrt is not None else (), options)
    subject = function.value.subject
    given = [Known(v) if callable(v) else v for v in subject.args]
    if given or subject.keywords:
        raise walk.problem("not_yet_objects", node)
    return apply(walk, Known(subject.function), args, keywords, node, hint)


def is_family(value: Any) -> bool:
    return type(value).__module__ == "sourcediff.family"


def apply_transformed(walk: Walk, function: Value, args: list[Value], keywords: dict[str, Value], node: Any, hint: str) -> Value:
    """Call the derivative: write it for the types of these arguments, and walk into it."""
    order = ordered(walk, function, node)
    arguments, defaults = signature(walk, order, node)
    args = [deep_view(walk, a, node) for a in args]
    keywords = {k: deep_view(walk, v, node) for k, v in keywords.items()}
    bound = bind_arguments(walk, arguments, args, keywords, defaults, "the derivative", node)
    code, parent = written(walk, order, {p: type_of(completed(walk, v, node)) for p, v in bound.items()}, node)
    return inline(walk, code, parent, args, keywords, defaults, node, hint)


class Order:
    """One transform to apply: of a function of the walked code, or of another Order."""

    def __init__(self, base: Any, mode: str, wrt: tuple[str, ...], single: bool, options: tuple[tuple[str, Any], ...]) -> None:
        self.base, self.mode, self.wrt, self.single, self.options = base, mode, wrt, single, options


def ordered(walk: Walk, function: Value, node: Any) -> Any:
    """The Order that a value stands for; a plain function is itself."""
    if isinstance(function, Transformed):
        base = ordered(walk, function.function, node)
        parameters = parameter_names(signature(walk, base, node)[0])
        names, single = chosen(walk, function.args[0] if function.args else None, parameters, node)
        options = tuple((k, option(walk, k, v, node)) for k, v in function.keywords)
        return Order(base, function.transform, names, single, options)
    if isinstance(function, Known) and is_family(function.value):
        family = function.value
        return Order(ordered(walk, Known(family.function), node), family.mode, family.wrt, family.single, family.options)
    if isinstance(function, Known) and is_standing(function.value):
        return ordered(walk, Known(function.value.subject.function), node)
    if isinstance(function, Closure) or (isinstance(function, Known) and isinstance(function.value, types.FunctionType)):
        return function
    raise walk.problem("function_at_run_time", node, function="the function that is transformed")


def option(walk: Walk, name: str, value: Value, node: Any) -> Any:
    """An option of a transform, which must be known when the code is written."""
    if isinstance(value, Known):
        return value.value
    if isinstance(value, Seq) and all(isinstance(v, Known) for v in value.items):
        return tuple(v.value for v in value.items if isinstance(v, Known))
    raise walk.problem("option_choice", node, option=name, value="a value of the run", choices="what is known beforehand")


def chosen(walk: Walk, wrt: Value | None, parameters: list[str], node: Any) -> tuple[tuple[str, ...], bool]:
    if wrt is None:
        return (parameters[0],), True
    if isinstance(wrt, Seq):
        return tuple(chosen(walk, v, parameters, node)[0][0] for v in wrt.items), False
    if isinstance(wrt, Known) and isinstance(wrt.value, str) and root_of(wrt.value) in parameters and steps_of(wrt.value) is not None:
        return (wrt.value,), True
    if (
        isinstance(wrt, Atom)
        and isinstance(wrt.node, gast.Constant)
        and isinstance(wrt.node.value, int)
        and wrt.node.value < len(parameters)
    ):
        return (parameters[wrt.node.value],), True
    name = str(wrt.value) if isinstance(wrt, Known) else "wrt"
    raise walk.problem("unknown_variable", node, function="the function", name=name, parameters=", ".join(parameters))


def signature(walk: Walk, order: Any, node: Any) -> tuple[Any, dict[str, Value]]:
    """(parameters, defaults) of what an Order makes, or of a plain function."""
    if isinstance(order, Closure):
        return order.definition.args, order.defaults
    if isinstance(order, Known):
        return walk.prepare(order.value).tree.args, function_defaults(walk, order.value)
    inner, defaults = signature(walk, order.base, node)
    arguments, _, _ = derivative_parameters(inner, order.wrt, order.mode, Names(names_in(base_tree(walk, order))))
    return arguments, defaults


def base_tree(walk: Walk, order: Any) -> Any:
    while isinstance(order, Order):
        order = order.base
    return order.definition if isinstance(order, Closure) else walk.prepare(order.value).tree


def written(walk: Walk, order: Any, given: dict[str, Any], node: Any) -> tuple[Prepared, Frame | None]:
    """(the code of what an Order makes for these types, the frame that its free names belong to)."""
    from .. import Request
    from ..assembly import of_code
    from ..prepare import Preparer

    if isinstance(order, Closure):
        return with_namespace(walk.prepare(order.definition), order.frame.code), order.frame
    if isinstance(order, Known):
        return walk.prepare(order.value), None
    inner, _ = signature(walk, order.base, node)
    own = {p: given[p] for p in parameter_names(inner)}
    code, parent = written(walk, order.base, own, node)
    request = Request(code.python, order.mode, order.wrt, order.single, given, order.options)
    preparer = Preparer()
    preparer.stages = {"accept": code.tree}
    product = of_code(request, code, preparer, parent, walk)
    walk.spelling.guards += product.guards
    reread = preparer.reread(Function(product.tree, product.namespace, None, "", "", product.tree.name))
    return reread, outer_frame(walk, product.tree)


def outer_frame(walk: Walk, tree: Any) -> Frame:
    """The names of the code being written that an inner derivative reads, as a frame around it."""
    names = frozenset(n for n in free_names(tree) if n in walk.types)
    code = Prepared(None, walk.frame.code.namespace, "", frozenset(), names)
    return Frame(
        code, {n: Atom(gast.Name(id=n, ctx=gast.Load(), annotation=None, type_comment=None), walk.types[n]) for n in sorted(names)}
    )
