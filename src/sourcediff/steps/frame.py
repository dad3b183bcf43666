"""What every mode needs: the closed function under its request, checks of results and seeds, the way back from a seed."""

from __future__ import annotations

from typing import Any

import gast

from .. import runtime
from ..errors import problem
from ..facts.uses import names_read
from ..python import quote
from ..python.lattice import UNKNOWN, Array, Complex, Const, Dict, List, Number, Scalar, Str, Tuple, Type, is_discrete, is_scalar
from ..python.paths import type_at
from .adjoint.ownership import whole_bars
from .closed import Closed
from .inlining.structures import display, keys, labels, read_parts
from .inlining.values import STRUCTURES, Atom, Known, Record, Seq, Value, leaves, parts
from .reverse import Reverse


class Frame:
    """What the modes need: the closed function, the names of the extra parameters, and the result's shape."""

    def __init__(self, request: Any, closed: Closed, tangents: dict[str, str], seed: str | None) -> None:
        self.request, self.closed, self.tangents, self.seed = request, closed, tangents, seed
        self.wrt = request.wrt
        self.function_name = closed.tree.name
        self.options = dict(request.options)
        self.aux: Any = None
        if self.options.get("has_aux"):
            self._split_off_aux()

    def _split_off_aux(self) -> None:
        """f returns (value, aux): from here on the value alone is the result."""
        closed = self.closed
        *body, last = closed.tree.body
        if not isinstance(closed.result, Seq) or len(closed.result.items) != 2:
            raise problem("aux_pair", last, function=self.function_name)
        self.aux = last.value.elts[1]
        closed.result = closed.result.items[0]
        closed.tree = quote.rebuilt(closed.tree, body=[*body, quote.rebuilt(last, value=last.value.elts[0])])

    def answer(self, *parts: Any, value_with_aux: bool = False) -> Any:
        """The return statement; aux stands last, or beside the value in the pair that f returned."""
        every = list(parts)
        if self.aux is not None and value_with_aux:
            every[0] = gast.Tuple(elts=[every[0], self.aux], ctx=gast.Load())
        elif self.aux is not None:
            every.append(self.aux)
        return gast.Return(value=every[0] if len(every) == 1 else gast.Tuple(elts=every, ctx=gast.Load()))

    def variables(self) -> list[str]:
        """The names of the leaves that are differentiated by."""
        return list(dict.fromkeys(a.node.id for p in self.wrt for a in leaves(self.closed.variable(p)) if not is_discrete(a.type)))

    def helper(self, function: Any, *arguments: Any) -> Any:
        return gast.Call(func=quote.name(self.closed.spelling.helper(function.__name__, function)), args=list(arguments), keywords=[])

    def together(self, nodes: list[Any]) -> Any:
        """One result alone, several as a tuple."""
        return nodes[0] if self.request.single else gast.Tuple(elts=nodes, ctx=gast.Load())

    def check_scalar(self) -> list[Any]:
        """The result must be one real number: refused now if that is known, else by an emitted line."""
        result = self.closed.result
        if isinstance(result, Known) and not isinstance(result.value, bool):
            name = "returns_nothing" if result.value is None else "result_type"
            raise problem(name, self.closed.tree.body[-1], function=self.function_name, what=f"a {type(result.value).__name__}")
        kind = result.type if isinstance(result, Atom) else Tuple(())
        last = self.closed.tree.body[-1]
        if isinstance(kind, (Complex,)) or (isinstance(kind, (Scalar, Array)) and kind.dtype is not None and kind.dtype.kind == "c"):
            raise problem("complex_result", last, function=self.function_name)
        if (
            not isinstance(result, Atom)
            or isinstance(kind, (Tuple, List, Dict, Str))
            or (isinstance(kind, Array) and kind.rank not in (None, 0))
        ):
            raise problem("non_scalar", last, function=self.function_name)
        if isinstance(kind, Const) and not isinstance(kind.value, bool):
            name = "returns_nothing" if kind.value is None else "result_type"
            raise problem(name, last, function=self.function_name, what=type(kind.value).__name__)
        if is_scalar(kind) or isinstance(kind, Array) and kind.rank == 0:
            return []
        return [gast.Expr(value=self.helper(runtime.check_scalar, result.node, quote.constant(self.function_name)))]


def unit(frame: Frame) -> Any:
    """The seed 1, in the kind of number of the value."""
    result = frame.closed.result
    return quote.constant(1 if isinstance(result, Atom) and isinstance(result.type, Number) else 1.0)


def kept_value(frame: Frame, work: Reverse) -> tuple[Any, list[Any]]:
    """The value, computed before the way back where that could change it."""
    node = work.value()
    if frame.aux is not None and names_rebound(frame.aux, work):
        aux = frame.closed.names.fresh("aux")
        frame.closed.types[aux] = UNKNOWN
        kept = quote.stmt("a = e", a=aux, e=frame.aux)
        frame.aux = quote.name(aux)
        value, bind = kept_value(frame, work)
        return value, [kept, *bind]
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
    work.closed.whole_bars = whole_bars(work.bars)
    return body


def check_seeds(frame: Frame, value: Value, seed: Any, label: str, whole: Any = None, given: Type | None = None) -> list[Any]:
    """A seed must have the shape of what it belongs to; nothing is emitted where both are known to be one number.

    whole: how to read `value` where its parts have no names yet; given: the type of the seed.
    """
    given = given or frame.closed.type_of(seed)
    if isinstance(value, STRUCTURES):
        places = [None] * len(parts(value)) if whole is None else [place for place, _ in read_parts(value, whole)]
        kinds = [type_at(given, [step]) or UNKNOWN for step in keys(value)]
        each = zip(read_parts(value, seed), labels(value), places, kinds, strict=True)
        if is_plain(value) and not fits(given, value):  # in one line, which also counts the parts
            shown = display(value, leaf_of_seed, frame.closed.spelling) if whole is None else whole
            return [gast.Expr(value=frame.helper(runtime.check_seed, seed, shown, quote.constant(label)))]
        return [c for (s, part), text, w, kind in each for c in check_seeds(frame, part, s, label + text, w, kind)]
    if not isinstance(value, Atom) or is_discrete(value.type):
        return []
    if is_scalar(value.type) and is_scalar(given):
        return []
    return [gast.Expr(value=frame.helper(runtime.check_seed, seed, value.node if whole is None else whole, quote.constant(label)))]


def leaf_of_seed(value: Value) -> Any:
    """What a seed is compared with; where there is no derivative, None."""
    return value.node if isinstance(value, Atom) and not is_discrete(value.type) else quote.constant(None)


def fits(given: Type, value: Value) -> bool:
    """Is the seed known to have the structure?"""
    return isinstance(given, (Tuple, Dict)) and [k for _, k in keys(value)] == (
        list(range(len(given.elements))) if isinstance(given, Tuple) else [k for k, _ in given.items or ()]
    )


def is_plain(value: Value) -> bool:
    """A tuple, list or dict, of such and of single values?"""
    plain = isinstance(value, Record) or (isinstance(value, Seq) and value.form is None)
    return plain and all(is_plain(p) for p in parts(value) if isinstance(p, STRUCTURES))


def tangent_seeds(frame: Frame) -> dict[str, Any]:
    """leaf of a chosen variable → its tangent."""
    seeds: dict[str, Any] = {}

    def collect(value: Value, node: Any) -> None:
        if isinstance(value, Atom):
            seeds[value.node.id] = node
        for part_node, part in read_parts(value, node):
            collect(part, part_node)

    for p in frame.wrt:
        collect(frame.closed.variable(p), quote.name(frame.tangents[p]))
    return seeds
