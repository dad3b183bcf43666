"""The state of cotangents while the way back is written.

A cotangent is ZERO (nothing has come in: no code yet), THIN (a value that broadcasts to the shape of its primal, as the 1.0 that
comes back through a sum) or FULL. A first contribution assigns, later ones add. What lives in a *buffer* (arrays that are
written or read by element, lists) is owned and added to in place; everything else is a pure value and never changed in place.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import gast

from ... import runtime
from ...facts.agreement import Agreement
from ...facts.layout import Layout
from ...python import quote
from ...python.lattice import (
    UNKNOWN,
    Array,
    Complex,
    Float,
    Int,
    List,
    Number,
    Real,
    Scalar,
    Tuple,
    is_real_scalar,
    is_scalar,
    rank_of,
    same_dtype,
)
from ...rules.forms import rule_for
from ..closed import Closed
from .contributions import BAR, Contribution, is_owned
from .mirrors import Mirrors
from .numbers import is_number, is_summed, may_be_array
from .templates import Templates
from .zeros import zero_list

ZERO, THIN, FULL = "zero", "thin", "full"


class Bars:
    def __init__(self, closed: Closed, agreement: Agreement, layout: Layout, mirrors: Mirrors) -> None:
        self.closed = closed
        self.layout = layout
        self.mirrors = mirrors
        self.spaces = agreement.table
        self.templates = Templates(closed, agreement, layout)
        # Where precisions are mixed a cotangent may be of another than its operand: each is cast.
        dtypes = {t.dtype for t in closed.types.values() if isinstance(t, (Array, Scalar)) and t.dtype is not None and t.dtype.kind in "fc"}
        self.mixed = len(dtypes) > 1
        self.buffers: set[str] = set()
        self.partly: set[str] = set()  # names whose cotangent was thin at some place
        self.numbers: set[str] = set()  # names whose thin cotangent is one number
        self.wide: set[str] = set()  # names whose cotangent may be larger than they are, until it is handed on
        self.loads: dict[str, Any] = {}  # names whose cotangent is an item of that of a list -> the item
        self.taken_over: set[str] = set()  # names whose cotangent is a buffer that another name has given up
        self.names: dict[str, str] = dict(mirrors.bars)
        self.state: dict[str, str] = {}
        self.out: list[Any] = []

    # -- names and states

    def bar(self, name: str) -> str:
        found = self.names.get(name)
        if found is None:
            found = self.names[name] = self.closed.names.fresh(f"{name}_bar")
            kind = self.closed.types.get(name, UNKNOWN)
            self.closed.types[found] = Float() if is_real_scalar(kind) else kind
        return found

    def of(self, name: str) -> str:
        return FULL if name in self.mirrors else self.state.get(name, ZERO)

    def emit(self, statement: Any) -> None:
        self.out.append(statement)

    def kill(self, name: str) -> None:
        """Before its definition a name has handed everything back."""
        self.numbers.discard(name)
        self.state.pop(name, None)

    # -- zero

    def zero(self, name: str) -> Any:
        """The zero cotangent of a name, as an expression."""
        kind = self.closed.types.get(name, UNKNOWN)
        if name in self.loads:
            return quote.fill(self.loads[name], {self.list_of(name): quote.name(self.bar(self.list_of(name)))})
        if isinstance(kind, Number):
            return quote.constant(0)
        if is_real_scalar(kind) or isinstance(kind, (Complex, Scalar, Int)):
            return quote.constant(0.0)
        if isinstance(kind, Array) and kind.dtype is not None and kind.dtype.kind in "fc":
            return quote.expr("np.zeros_like(x)", np=self.numpy(), x=self.shaped(name))
        if (known := zero_list(self.closed, kind, self.shaped(name))) is not None:
            return known
        if isinstance(kind, (Tuple, List)):
            return self.helper(runtime.zero_parts, self.shaped(name))
        return self.helper(runtime.zero_of, self.shaped(name))

    def materialise(self, name: str, out: list[Any] | None = None) -> None:
        """Make the cotangent a real value of full shape."""
        out = self.out if out is None else out
        if name in self.loads and self.of(name) == ZERO:
            self.materialise(self.list_of(name), out)
        if self.of(name) == ZERO:
            out.append(quote.stmt("b = z", b=self.bar(name), z=self.zero(name)))
            self.state[name] = FULL
        elif self.of(name) == THIN and is_real_scalar(self.closed.types.get(name, UNKNOWN)):
            self.state[name] = FULL  # a number has one shape
        elif self.of(name) == THIN:
            thin = quote.name(self.bar(name))
            out.append(quote.stmt("b = v", b=thin, v=self.own(thin, name) if name in self.buffers else self.spread(thin, name)))
            self.state[name] = FULL

    def list_of(self, name: str) -> str:
        """The list that a name is an item of, whose cotangent holds that of the name."""
        return str(self.loads[name].value.id)

    def spread(self, value: Any, name: str) -> Any:
        """A thin value at the shape of `name`."""
        if is_real_scalar(self.closed.types.get(name, UNKNOWN)):
            return value
        return self.helper(runtime.broadcast_like, value, self.shaped(name))

    # -- contributions

    def contribute(self, target: str, value: Any, full: bool = True) -> None:
        """target_bar += value."""
        bar = self.bar(target)
        state = self.of(target)
        if target in self.buffers:
            self._into_buffer(target, bar, value, full, state)
            return
        kind = self.closed.types.get(target, UNKNOWN)
        if state == ZERO:
            self.emit(quote.stmt("b = v", b=bar, v=value))
            self.state[target] = FULL if full else THIN
            if not full:
                self.partly.add(target)
            if not full and is_number(self.closed, value):
                self.numbers.add(target)
        elif is_scalar(kind):
            self.emit(quote.stmt("b += v", b=bar, v=value))
        else:
            if full or not is_number(self.closed, value):
                self.numbers.discard(target)
            whole = kind is UNKNOWN and isinstance(value, (gast.Name, gast.Subscript))  # a list for all we know
            total = self.helper(runtime.plus, quote.name(bar), value) if whole else quote.expr("b + v", b=bar, v=value)
            self.emit(quote.stmt("b = v", b=bar, v=total))
            if full:
                self.state[target] = FULL

    def _into_buffer(self, target: str, bar: str, value: Any, full: bool, state: str) -> None:
        kind = self.closed.types.get(target, UNKNOWN)
        if isinstance(kind, List) and target in self.mirrors and not is_scalar(kind.element):
            self.emit(gast.Expr(value=self.helper(runtime.add_into_each, quote.name(bar), value)))
            return
        if isinstance(kind, List):
            if state == ZERO:
                self.materialise(target)
            self.emit(gast.Expr(value=self.helper(runtime.add_each, quote.name(bar), value)))
            return
        if state == ZERO and target in self.loads:
            self.materialise(target)
            state = FULL
        if state == ZERO:
            fresh = full and (isinstance(value, (gast.BinOp, gast.UnaryOp)) and isinstance(kind, Array) or is_owned(value))
            fresh = fresh and bool(getattr(kind, "rank", None))  # arithmetic of arrays of rank 0 gives numbers
            self.emit(quote.stmt("b = v", b=bar, v=value if fresh else self.own(value, target, full)))
        elif isinstance(kind, Array):
            self.emit(quote.stmt("b += v", b=bar, v=value))
        else:
            self.emit(quote.stmt("b = v", b=bar, v=self.helper(runtime.owned, quote.expr("b + v", b=bar, v=value), quote.name(target))))
        if target not in self.mirrors:  # these are there from the start: no path makes them anew
            self.state[target] = FULL

    def own(self, value: Any, target: str, full: bool = False) -> Any:
        """`value` as an array of the target's shape and dtype that shares memory with nothing."""
        kind = self.closed.types.get(target, UNKNOWN)
        known = isinstance(kind, Array) and kind.dtype is not None and kind.dtype.kind == "f" and kind.rank
        if known and not full and isinstance(value, gast.Constant) and value.value == 1.0:
            return quote.expr("np.ones_like(x)", np=self.numpy(), x=self.shaped(target))
        if known and not full:
            return quote.expr("np.full_like(x, v)", np=self.numpy(), x=self.shaped(target), v=value)
        if known and isinstance(value, (gast.Name, gast.Subscript)):
            return quote.expr("v.copy()", v=value)
        return self.helper(runtime.owned, value, self.shaped(target))

    def oldest(self, name: str) -> str:
        return self.templates.oldest(name)

    def shaped(self, name: str) -> Any:
        return self.templates.shaped(name)

    def fit(self, part: Contribution, result: str) -> tuple[Any, bool]:
        """(the contribution in the cotangent of `result`, is it of the target's full shape)."""
        value, full = self._fit(part, result)
        if is_scalar(self.closed.types.get(part.target, UNKNOWN)) and may_be_array(self.closed, value):
            return self.helper(runtime.unbroadcast, value, quote.name(part.target)), True
        return value, full

    def _fit(self, part: Contribution, result: str) -> tuple[Any, bool]:
        target = part.target
        if isinstance(self.closed.types.get(target), List):
            whole = self.spread(quote.name(self.bar(result)), result) if self.of(result) == THIN else quote.name(self.bar(result))
            return quote.fill(part.value, {BAR: whole}), True
        ours = self.space(target)
        bar_thin = self.of(result) == THIN
        bar = quote.name(self.bar(result))
        if self.recasts(target, result):
            part = replace(part, same=False, several=True, stacked=True)
        if part.elementwise:
            full = not bar_thin or part.covered
            if part.same and (result not in self.wide or target in self.wide):
                return quote.fill(part.value, {BAR: bar}), full or ours == "()"
            if not full:
                bar = self.spread(bar, result)
            if target in self.wide:
                return quote.fill(part.value, {BAR: bar}), True
            return self.unbroadcast(quote.fill(part.value, {BAR: bar}), target, result), True
        if bar_thin and part.sums and result in self.numbers:
            self.numbers.add(target)
            return bar, False
        if bar_thin:
            bar = self.spread(bar, result)
        value = quote.fill(part.value, {BAR: bar})
        if part.thin:
            if self.may_widen(target):
                return self.helper(runtime.unbroadcast, value, self.shaped(target)), True
            return value, False
        if part.several and (part.stacked or not self.fits(target, result)):
            return self.unbroadcast(value, target, result), True
        return value, True

    def recasts(self, target: str, result: str) -> bool:
        """May the cotangent of the result be of another precision than its operand, which then says of which it is to be?"""
        return self.mixed and not all(is_scalar(self.closed.types.get(n, UNKNOWN)) for n in (target, result))

    def fits(self, target: str, result: str) -> bool:
        """Is the adjoint of one of several operands sure to have its shape and dtype?"""
        kind, other = self.closed.types.get(target, UNKNOWN), self.closed.types.get(result, UNKNOWN)
        if is_scalar(kind):
            return True
        return not (
            not isinstance(kind, Array)
            or not isinstance(other, (Array, Scalar))
            or kind.dtype is None
            or not same_dtype(kind.dtype, other.dtype)
        )

    def may_widen(self, target: str) -> bool:
        """Could a cotangent have another dtype than this operand?"""
        kind = self.closed.types.get(target, UNKNOWN)
        return isinstance(kind, (Array, Scalar)) and kind.dtype is not None and kind.dtype.itemsize < 8

    def unbroadcast(self, value: Any, target: str, result: str) -> Any:
        """Summed to the shape of the target, and of its dtype."""
        kind, other = self.closed.types.get(target, UNKNOWN), self.closed.types.get(result, UNKNOWN)
        if isinstance(kind, (Float, Real)) and (isinstance(other, (Array, Scalar)) and other.dtype is not None and other.dtype.kind == "f"):
            if other.dtype.itemsize < 8:
                return self.helper(runtime.unbroadcast, value, self.shaped(target))
            if isinstance(other, Scalar):
                return value
        if is_summed(self.closed, target, result):
            return self.total(value, result)
        if is_real_scalar(kind) and is_real_scalar(other) and not self.may_widen(target):
            return value
        return self.helper(runtime.unbroadcast, value, self.shaped(target))

    def total(self, value: Any, result: str) -> Any:
        """The sum of the elements of an array; of a product of two vectors the inner product."""
        match value:
            case gast.UnaryOp(op=gast.USub()):
                return quote.rebuilt(value, operand=self.total(value.operand, result))
            case gast.BinOp(left=gast.Name(id=bar), op=gast.Mult(), right=gast.Name(id=factor)):
                whole = bar == self.bar(result) and self.of(result) == FULL and result not in self.wide
                if whole and rank_of(self.closed.types[result]) == 1 and self.space(factor) == self.space(result):
                    return quote.expr("a @ b", a=value.left, b=value.right)
        return quote.expr("np.sum(v)", np=self.numpy(), v=value)

    def space(self, name: str) -> str:
        return self.spaces.get(name, name)

    # -- spelling

    def numpy(self) -> str:
        return self.closed.spelling.module("numpy")

    def helper(self, function: Any, *arguments: Any) -> Any:
        name = self.closed.spelling.helper(function.__name__, function)
        rule = rule_for(function)
        if rule is not None:
            self.closed.calls[name] = rule
        return gast.Call(func=quote.name(name), args=list(arguments), keywords=[])
