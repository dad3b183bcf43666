"""The frame of each mode: what stands around the code of forward and reverse, and what is returned."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast

from ..errors import problem
from ..python import quote
from ..python.lattice import is_scalar
from .forward import Forward
from .frame import Frame, check_seeds, kept_value, tangent_seeds, unit, with_way_back
from .inlining.values import Atom, leaves
from .jacobians import jacobian, value_and_jacobian
from .pulling import pullback, pushforward
from .reverse import Reverse
from .tangents import Direction


def grad(frame: Frame) -> list[Any]:
    checks = frame.check_scalar()
    work = Reverse(frame.closed, frame.wrt)
    primal = work.primal()
    body = [*primal, *checks, *with_way_back(work, unit(frame))]
    return [*body, frame.answer(frame.together(work.gradients()))]


def value_and_grad(frame: Frame) -> list[Any]:
    checks = frame.check_scalar()
    work = Reverse(frame.closed, frame.wrt)
    primal = work.primal()
    value, bind = kept_value(frame, work)
    body = [*primal, *checks, *bind, *with_way_back(work, unit(frame))]
    return [*body, frame.answer(value, frame.together(work.gradients()), value_with_aux=True)]


def vjp(frame: Frame) -> list[Any]:
    assert frame.seed is not None
    work = Reverse(frame.closed, frame.wrt, (frame.seed,))
    primal = work.primal()
    value, bind = kept_value(frame, work)
    seed = quote.name(frame.seed)
    body = [*primal, *bind, *check_seeds(frame, frame.closed.result, seed, frame.seed), *with_way_back(work, seed)]
    return [*body, frame.answer(value, frame.together(work.gradients()))]


def jvp(frame: Frame) -> list[Any]:
    closed = frame.closed
    direction = Direction(tangent_seeds(frame))
    work = Forward(closed, [direction], of_constants=None if frame.request.mode == "hvp" else 0.0)
    checks = [
        c
        for p in frame.wrt
        for c in check_seeds(frame, closed.variable(p), quote.name(frame.tangents[p]), frame.tangents[p], quote.expr(p))
    ]
    body = work.body()
    work.written_body = body
    value = closed.tree.body[-1].value
    return [*checks, *body, frame.answer(value, work.result_dots(direction))]


def derivative(frame: Frame) -> list[Any]:
    """The tangent along 1.0: of a scalar's derivative everywhere, of an array's where f is elementwise."""
    closed = frame.closed
    (p,) = frame.wrt
    atom = closed.variable(p)
    if not isinstance(atom, Atom):
        raise problem("not_elementwise", closed.tree, function=frame.function_name, name=p)
    elementwise = not is_scalar(atom.type)
    direction = Direction({atom.node.id: quote.constant(1.0)})
    work = Forward(closed, [direction], elementwise=elementwise)
    if elementwise:
        check_elementwise(frame, work, direction, atom.node.id)
    body = work.body()
    work.written_body = body
    return [*body, gast.Return(value=work.result_dots(direction))]


def check_elementwise(frame: Frame, work: Forward, direction: Direction, variable: str) -> None:
    """Every operation between the variable and the result acts element by element, and keeps the shape."""
    closed = frame.closed
    (p,) = frame.wrt
    for edge in direction.active.edges:
        if edge.source in direction.active and edge.target in direction.active:
            value = getattr(edge.statement, "value", None)
            operation = closed.operation(value) if isinstance(edge.statement, gast.Assign) else None
            plain = (isinstance(value, gast.Name) and is_whole(edge.statement)) or (
                operation is not None and operation.rule.form == "elementwise"
            )
            if not plain or work.tangents.space(edge.target) != work.tangents.space(variable):
                raise problem("not_elementwise", edge.statement, function=frame.function_name, name=p)
    for atom in leaves(closed.result):
        if (
            isinstance(atom.node, gast.Name)
            and atom.node.id in direction.active
            and work.tangents.space(atom.node.id) != work.tangents.space(variable)
        ):
            raise problem("not_elementwise", closed.tree.body[-1], function=frame.function_name, name=p)


def is_whole(stmt: Any) -> bool:
    """Does the statement assign all elements, each to the same place? `x[::-1] = y` does not."""
    target = stmt.targets[0] if isinstance(stmt, gast.Assign) else stmt.target
    if not isinstance(target, gast.Subscript):
        return True
    index = target.slice
    everything = isinstance(index, gast.Slice) and index.lower is None and index.upper is None and index.step is None
    return everything or (isinstance(index, gast.Constant) and index.value is Ellipsis)


def hvp(frame: Frame) -> list[Any]:
    """The tangent of the gradient along the given directions: frame's function is the gradient."""
    *body, end = jvp(frame)
    return [*body, gast.Return(value=end.value.elts[1])]


MODES: dict[str, Callable[[Frame], list[Any]]] = {
    "grad": grad,
    "value_and_grad": value_and_grad,
    "vjp": vjp,
    "jvp": jvp,
    "hvp": hvp,
    "derivative": derivative,
    "pullback": pullback,
    "pushforward": pushforward,
    "jacobian": jacobian,
    "value_and_jacobian": value_and_jacobian,
    "hessian": jacobian,
}
