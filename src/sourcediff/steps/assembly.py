"""From a request to its product: the steps in order, and the frame of each mode around what forward and reverse give."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast

from .. import runtime
from ..errors import problem
from ..facts.uses import names_read
from ..python import quote
from ..python.emit import to_source
from ..python.function import Namespace
from ..python.lattice import UNKNOWN, Array, Bool, Complex, Const, Dict, Int, List, Scalar, Str, Tuple, Type, is_scalar
from ..python.names import Names, names_in
from .closed import Closed
from .forward import Direction, Forward
from .inline import inline
from .inlining.calls import dotted
from .inlining.values import Atom, Seq, Value, leaves
from .prepare import Preparer
from .purity import is_fresh, is_pure
from .reverse import Reverse
from .signatures import derivative_parameters
from .text import finished_source
from .tidy import TidyFacts, tidy


def assembled(request: Any) -> Any:
    from . import Product

    preparer = Preparer()
    code = preparer(request.function)
    taken = Names(names_in(code.tree) | identifiers(request.function))
    arguments, tangents, seed = derivative_parameters(code.tree.args, request.wrt, request.mode, taken)
    extra = {*tangents.values(), *([seed] if seed else [])}
    closed = inline(code, request.types, preparer, extra, request.function)
    for name in extra:
        closed.types[name] = request.types.get(name, UNKNOWN)
    stages: dict[str, Any] = dict(preparer.stages)
    stages["inline"] = closed.tree
    name = f"{code.tree.name}_{request.mode}"
    body = MODES[request.mode](Frame(request, closed, tangents, seed))
    derived = quote.rebuilt(code.tree, name=name, args=arguments, body=body, decorator_list=[], returns=None)
    stages["derive"] = derived
    final = tidied(derived, closed, code.tree)
    stages["tidy"] = final
    source, helpers = finished_source(final, closed, code.tree)
    stage_texts: dict[str, Callable[[], str]] = {k: (lambda t=t: to_source(t)) for k, t in stages.items()}  # type: ignore[misc]
    namespace = Namespace(code.namespace.globals, code.namespace.cells, closed.spelling.helpers)
    return Product(final, source, helpers, tuple(closed.spelling.guards), stage_texts, namespace)


def identifiers(function: Any) -> set[str]:
    from types import CodeType, FunctionType

    found: set[str] = set()
    pending = [function.__code__] if isinstance(function, FunctionType) else []
    while pending:
        code = pending.pop()
        found.update(code.co_varnames, code.co_names, code.co_freevars, code.co_cellvars)
        pending += [c for c in code.co_consts if isinstance(c, CodeType)]
    return found


def tidied(tree: Any, closed: Closed, original: Any) -> Any:
    facts = TidyFacts(
        user_names=frozenset(names_in(original)) - frozenset(n for n in names_in(original) if n[0] == "t" and (len(n) == 1 or n[1:].isdigit())),
        type_of=lambda n: closed.types.get(n, UNKNOWN),
        is_pure=is_pure(closed),
        is_fresh=is_fresh(closed),
    )
    return tidy(tree, facts)


class Frame:
    """What the modes need: the closed function, the names of the extra parameters, and the result's shape."""

    def __init__(self, request: Any, closed: Closed, tangents: dict[str, str], seed: str | None) -> None:
        self.request, self.closed, self.tangents, self.seed = request, closed, tangents, seed
        self.wrt = request.wrt
        self.function_name = closed.tree.name

    def helper(self, function: Any, *arguments: Any) -> Any:
        return gast.Call(func=quote.name(self.closed.spelling.helper(function.__name__, function)), args=list(arguments), keywords=[])

    def together(self, nodes: list[Any]) -> Any:
        """One result alone, several as a tuple."""
        return nodes[0] if self.request.single else gast.Tuple(elts=nodes, ctx=gast.Load())

    def check_scalar(self) -> list[Any]:
        """The result must be one real number: refused now if that is known, else by an emitted line."""
        result = self.closed.result
        kind = result.type if isinstance(result, Atom) else Tuple(())
        last = self.closed.tree.body[-1]
        if isinstance(kind, (Complex,)) or (isinstance(kind, (Scalar, Array)) and kind.dtype is not None and kind.dtype.kind == "c"):
            raise problem("complex_result", last, function=self.function_name)
        if not isinstance(result, Atom) or isinstance(kind, (Tuple, List, Dict, Str)) or (isinstance(kind, Array) and kind.rank not in (None, 0)):
            raise problem("non_scalar", last, function=self.function_name)
        if isinstance(kind, Const) and not isinstance(kind.value, bool):
            name = "returns_nothing" if kind.value is None else "result_type"
            raise problem(name, last, function=self.function_name, what=type(kind.value).__name__)
        if is_scalar(kind) or isinstance(kind, Array) and kind.rank == 0:
            return []
        return [gast.Expr(value=self.helper(runtime.check_scalar, result.node, quote.constant(self.function_name)))]


def grad(frame: Frame) -> list[Any]:
    checks = frame.check_scalar()
    work = Reverse(frame.closed, frame.wrt)
    primal = work.primal()
    body = [*primal, *checks, *with_way_back(work, quote.constant(1.0))]
    return [*body, gast.Return(value=frame.together(work.gradients()))]


def value_and_grad(frame: Frame) -> list[Any]:
    checks = frame.check_scalar()
    work = Reverse(frame.closed, frame.wrt)
    primal = work.primal()
    value, bind = kept_value(frame, work)
    body = [*primal, *checks, *bind, *with_way_back(work, quote.constant(1.0))]
    return [*body, returned(value, frame.together(work.gradients()))]


def vjp(frame: Frame) -> list[Any]:
    work = Reverse(frame.closed, frame.wrt)
    assert frame.seed is not None
    primal = work.primal()
    value, bind = kept_value(frame, work)
    seed = quote.name(frame.seed)
    body = [*primal, *bind, *check_seeds(frame, frame.closed.result, seed, frame.seed), *with_way_back(work, seed)]
    return [*body, returned(value, frame.together(work.gradients()))]


def kept_value(frame: Frame, work: Reverse) -> tuple[Any, list[Any]]:
    """The value, computed before the way back where that could change it."""
    node = work.value()
    if node is frame.closed.tree.body[-1].value and not names_rebound(node, work):
        return node, []
    name = frame.closed.names.fresh("value")
    frame.closed.types[name] = UNKNOWN
    return quote.name(name), [quote.stmt("v = e", v=name, e=node)]


def names_rebound(node: Any, work: Reverse) -> bool:
    """Does the way back assign a name of the result?"""
    restored = {s.name for saves in (*work.plan.before.values(), *work.plan.start.values()) for s in saves}
    restored |= {d.targets[0].id for definitions in work.plan.again.values() for d in definitions}
    return bool(names_read(node) & restored) or any(s.how == "permute" for saves in work.plan.before.values() for s in saves)


def with_way_back(work: Reverse, seed: Any) -> list[Any]:
    body = [*work.seed(seed), *work.adjoints()]
    work.written_back = body
    return body


def returned(*parts: Any) -> Any:
    return gast.Return(value=gast.Tuple(elts=list(parts), ctx=gast.Load()))


def check_seeds(frame: Frame, value: Value, seed: Any, label: str) -> list[Any]:
    """A seed must have the shape of what it belongs to; nothing is emitted where both are known to be one number."""
    if isinstance(value, Seq):
        return [c for k, v in enumerate(value.items) for c in check_seeds(frame, v, quote.expr("s[k]", s=seed, k=k), f"{label}[{k}]")]
    if not isinstance(value, Atom) or isinstance(value.type, (Int, Bool, Const)):
        return []
    given = frame.closed.type_of(seed) if isinstance(seed, gast.Name) else UNKNOWN
    if is_scalar(value.type) and is_scalar(given):
        return []
    return [gast.Expr(value=frame.helper(runtime.check_seed, seed, value.node, quote.constant(label)))]


def jvp(frame: Frame) -> list[Any]:
    closed = frame.closed
    direction = Direction(tangent_seeds(frame))
    work = Forward(closed, [direction])
    checks = [c for p in frame.wrt for c in check_seeds(frame, closed.parameters[p], quote.name(frame.tangents[p]), frame.tangents[p])]
    body = work.body()
    work.written_body = body
    value = closed.tree.body[-1].value
    return [*checks, *body, returned(value, work.result_dots(direction))]


def tangent_seeds(frame: Frame) -> dict[str, Any]:
    """leaf of a chosen variable → its tangent."""
    seeds: dict[str, Any] = {}

    def collect(value: Value, node: Any) -> None:
        if isinstance(value, Atom):
            seeds[value.node.id] = node
        elif isinstance(value, Seq):
            for k, item in enumerate(value.items):
                collect(item, quote.expr("x[k]", x=node, k=k))

    for p in frame.wrt:
        collect(frame.closed.parameters[p], quote.name(frame.tangents[p]))
    return seeds


def derivative(frame: Frame) -> list[Any]:
    """The tangent along 1.0: of a scalar's derivative everywhere, of an array's where f is elementwise."""
    closed = frame.closed
    (p,) = frame.wrt
    atom = closed.parameters[p]
    if not isinstance(atom, Atom):
        raise problem("not_elementwise", closed.tree, function=frame.function_name, name=p)
    elementwise = not is_scalar(atom.type)
    direction = Direction({p: quote.constant(1.0)})
    work = Forward(closed, [direction], elementwise=elementwise)
    if elementwise:
        check_elementwise(frame, work, direction)
    body = work.body()
    work.written_body = body
    return [*body, gast.Return(value=work.result_dots(direction))]


def check_elementwise(frame: Frame, work: Forward, direction: Direction) -> None:
    """Every operation between the variable and the result acts element by element, and keeps the shape."""
    closed = frame.closed
    (p,) = frame.wrt
    for edge in direction.active.edges:
        if edge.source in direction.active and edge.target in direction.active:
            value = getattr(edge.statement, "value", None)
            operation = closed.operation(value) if isinstance(edge.statement, gast.Assign) else None
            plain = isinstance(value, gast.Name) or (operation is not None and operation.rule.form == "elementwise")
            if not plain or work.space(edge.target) != work.space(p):
                raise problem("not_elementwise", edge.statement, function=frame.function_name, name=p)
    for atom in leaves(closed.result):
        if isinstance(atom.node, gast.Name) and atom.node.id in direction.active and work.space(atom.node.id) != work.space(p):
            raise problem("not_elementwise", closed.tree.body[-1], function=frame.function_name, name=p)


MODES: dict[str, Callable[[Frame], list[Any]]] = {
    "grad": grad,
    "value_and_grad": value_and_grad,
    "vjp": vjp,
    "jvp": jvp,
    "derivative": derivative,
}

__all__ = ["Type", "assembled", "dotted"]
