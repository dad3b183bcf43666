"""The adjoints of what reads and writes elements: items of arrays and of lists, `+=`, append and pop.

The cotangent of an array that is read or written by element is a buffer, and mirrors it: a store takes its slot's
cotangent and leaves zero, a read adds to it.
"""

from __future__ import annotations

from typing import Any

import gast

from ... import runtime
from ...facts import kinds
from ...facts.activity import Activity
from ...facts.distinct import distinct_indices
from ...facts.once import Once
from ...python import quote
from ...python.lattice import FLOAT64, UNKNOWN, Array, Int, List, Scalar, Tuple, is_real_scalar, is_scalar
from ..closed import Closed
from .bars import FULL, THIN, ZERO, Bars
from .contributions import Contribution, Gather, Recipe


class Stores:
    def __init__(self, closed: Closed, active: Activity, recipes: dict[int, Recipe], bars: Bars, once: Once) -> None:
        self.closed, self.active, self.recipes, self.bars = closed, active, recipes, bars
        self.once = once
        self._numeric: set[str] | None = None
        self._distinct: frozenset[str] | None = None

    def gathered(self, part: Gather, result: str) -> None:
        """result = target[index]"""
        bars = self.bars
        if result in bars.loads:
            return  # it was added where it belongs
        if bars.of(part.target) != FULL:
            bars.materialise(part.target)
        bar, value = quote.name(bars.bar(part.target)), quote.name(bars.bar(result))
        base = self.closed.types.get(part.target, UNKNOWN)
        if part.target in bars.mirrors and isinstance(base, List) and not is_scalar(base.element):
            self.to_item(quote.expr("b[i]", b=bar, i=part.index), value, base)
        elif self.may_repeat(part.index, base):
            if isinstance(base, Array):
                self.bars.emit(quote.stmt("np.add.at(b, i, v)", np=bars.numpy(), b=bar, i=as_argument(part.index), v=value))
            else:
                self.bars.emit(gast.Expr(value=bars.helper(runtime.add_at, bar, as_argument(part.index), value)))
        elif isinstance(base, Tuple) and is_scalar(self.closed.types.get(result, UNKNOWN)) or part.target in bars.mirrors:
            self.bars.emit(quote.stmt("b[i] += v", b=bar, i=part.index, v=value))
        elif not isinstance(base, Array) and not self.adds(result):
            self.bars.emit(gast.Expr(value=bars.helper(runtime.add_at, bar, as_argument(part.index), value)))
        else:
            self.bars.emit(quote.stmt("b[i] += v", b=bar, i=part.index, v=value))

    def to_item(self, item: Any, value: Any, base: List) -> None:
        """Add to what other names know too: an array, a list, or several of a slice."""
        if isinstance(item.slice, gast.Slice):
            self.bars.emit(gast.Expr(value=self.bars.helper(runtime.add_into_each, item, value)))
        elif isinstance(base.element, List):
            self.bars.emit(gast.Expr(value=self.bars.helper(runtime.add_each, item, value)))
        else:
            self.bars.emit(quote.stmt("b += v", b=item, v=value))

    def adds(self, result: str) -> bool:
        """Does `+=` add to its cotangent, as to a number or an array, and not to a list?"""
        kind = self.closed.types.get(result, UNKNOWN)
        return not isinstance(kind, List) and (is_scalar(kind) or result in self.numeric())

    def numeric(self) -> set[str]:
        """Names that arithmetic hands cotangents to: numbers or arrays, whatever else is known of them. (Sums are of lists too.)"""
        if self._numeric is None:
            parts = [p for r in self.recipes.values() for p in r.parts if isinstance(p, Contribution)]
            self._numeric = {p.target for p in parts if not (p.thin or p.of_list or isinstance(p.value, gast.Name))}
        return self._numeric

    def may_repeat(self, index: Any, base: Any) -> bool:
        """Can an index name one element twice? Then what comes back must add up."""
        parts = index.elts if isinstance(index, gast.Tuple) else [index]
        for part in parts:
            if isinstance(part, gast.Slice):
                if not isinstance(base, Array):
                    return True
                continue
            if isinstance(part, gast.Constant) or self.is_integer(part):
                continue
            kind = self.closed.type_of(part)
            if isinstance(kind, Array) and kind.dtype is not None and kind.dtype.kind == "b" and isinstance(base, Array):
                continue
            if isinstance(part, gast.Name) and isinstance(base, Array) and part.id in self.distinct():
                continue
            return True
        return False

    def distinct(self) -> frozenset[str]:
        """Names of indices that were made without repeats, such as those of a sort."""
        if self._distinct is None:
            self._distinct = distinct_indices(self.closed)
        return self._distinct

    def is_integer(self, node: Any) -> bool:
        match node:
            case gast.Name():
                kind = self.closed.types.get(node.id, UNKNOWN)
                return isinstance(kind, Int) or (is_scalar(kind) and getattr(getattr(kind, "dtype", None), "kind", "") in "iu")
            case gast.Constant():
                return isinstance(node.value, int) or node.value is None or node.value is Ellipsis
            case gast.BinOp():
                return self.is_integer(node.left) and self.is_integer(node.right)
            case gast.UnaryOp():
                return self.is_integer(node.operand)
            case gast.Call(func=gast.Name(id=name)):
                return name.startswith("len")
            case gast.Subscript(value=gast.Attribute(attr="shape")):
                return True
            case gast.Attribute(attr="size" | "ndim"):
                return True
        return False

    def stored(self, stmt: Any, base: str, slot: Any) -> None:
        """x[i] = v: the cotangent of the slot goes to v, and the old content has none."""
        bars = self.bars
        if base not in self.active or bars.of(base) == ZERO:
            return
        if bars.of(base) == THIN:
            bars.materialise(base)
        whole = isinstance(slot.slice, gast.Constant) and slot.slice.value is Ellipsis
        bar = quote.name(bars.bar(base)) if whole else quote.expr("b[i]", b=bars.bar(base), i=slot.slice)
        part = self.zero_of_slot(base, stmt.value)
        zero = quote.stmt("b[i] = z", b=bars.bar(base), i=slot.slice, z=part)
        value = getattr(stmt.value, "id", "")
        if value == base or (value in bars.mirrors and base in bars.mirrors):  # x[::-1] = x: what goes back must not be wiped out
            held = self.closed.names.fresh(bars.bar(base))
            self.closed.types[held] = UNKNOWN
            if self.may_repeat(slot.slice, self.closed.types.get(base, UNKNOWN)):
                bar = self.last_written(bar, slot, base)
            self.bars.emit(quote.stmt("h = v", h=held, v=bars.helper(runtime.owned_unbroadcast, bar, quote.name(value))))
            self.bars.emit(zero)
            bars.contribute(value, quote.name(held))
            return
        self.to_value(stmt, bar, base, slot, overwrites=True)
        if not self.once(stmt):
            self.bars.emit(zero)  # else nobody asks for it any more

    def last_written(self, bar: Any, slot: Any, base: str) -> Any:
        """The cotangent of a slot whose index may name an element twice: only the last write counted."""
        written = self.bars.helper(runtime.last_writes, as_argument(slot.slice), quote.expr("b.shape", b=self.bars.bar(base)))
        return quote.expr("np.where(w, b, 0)", np=self.bars.numpy(), b=bar, w=written)

    def zero_of_slot(self, base: str, value: Any) -> Any:
        """Zero for an item: the item of a list may be a list or an array itself."""
        if isinstance(self.closed.types.get(base), Array) or not isinstance(value, gast.Name) or is_scalar(self.closed.type_of(value)):
            return 0.0
        return self.bars.zero(value.id)

    def accumulated(self, stmt: Any, base: str, slot: Any) -> None:
        """x[i] += v: v gets the cotangent of the slot, which stays."""
        bars = self.bars
        if base not in self.active or bars.of(base) == ZERO:
            return
        if bars.of(base) == THIN:
            bars.materialise(base)
        bar = quote.name(bars.bar(base)) if slot is None else quote.expr("b[i]", b=bars.bar(base), i=slot.slice)
        if isinstance(stmt.op, gast.Sub):
            bar = gast.UnaryOp(op=gast.USub(), operand=bar)
        self.to_value(stmt, bar, base, slot, overwrites=True)

    def scaled(self, stmt: Any, base: str) -> None:
        """x *= v: v gets the cotangent times the old x, and the cotangent is scaled in the same way."""
        bars = self.bars
        if base not in self.active or bars.of(base) == ZERO:
            return
        if bars.of(base) == THIN:
            bars.materialise(base)
        divided = isinstance(stmt.op, gast.Div)
        scaled = gast.AugAssign(target=quote.name(bars.bar(base)), op=stmt.op, value=stmt.value)
        if divided:
            bars.emit(scaled)
        by = getattr(stmt.value, "id", "")
        if by in self.active:
            value = quote.expr("b * x", b=bars.bar(base), x=base)
            if divided:
                value = quote.expr("-(p / v)", p=value, v=by)
            if is_real_scalar(self.closed.types.get(by, UNKNOWN)):
                value = quote.expr("np.sum(p)", np=bars.numpy(), p=value)
            elif bars.space(by) != bars.space(base):
                value = bars.helper(runtime.unbroadcast, value, quote.name(by))
            bars.contribute(by, value)
        if not divided:
            bars.emit(scaled)

    def to_value(self, stmt: Any, bar: Any, base: str, slot: Any, overwrites: bool) -> None:
        value = stmt.value.args[-1] if isinstance(stmt, gast.Expr) else stmt.value
        if not isinstance(value, gast.Name) or value.id not in self.active:
            return
        bars = self.bars
        kind = self.closed.types.get(value.id, UNKNOWN)
        base_kind = self.closed.types.get(base, UNKNOWN)
        if slot is not None and overwrites and self.may_repeat(slot.slice, base_kind) and not isinstance(base_kind, List):
            inner = bar.operand if isinstance(bar, gast.UnaryOp) else bar
            last = self.last_written(inner, slot, base)
            bar = last if inner is bar else gast.UnaryOp(op=gast.USub(), operand=last)
        elementwise = is_scalar(kind) and slot is not None and self.reads_scalar(slot, base_kind)
        if elementwise:
            bars.contribute(value.id, bar)
            return
        if value.id in bars.wide or bars.templates.fits_slot(stmt, base, slot, value.id):
            fitted = bar if isinstance(bar, (gast.UnaryOp, gast.Call)) else quote.expr("b.copy()", b=bar)
        else:
            fitted = self.fitted(bar, base_kind, value.id)
        bars.contribute(value.id, fitted)

    def fitted(self, bar: Any, base: Any, name: str) -> Any:
        """The cotangent of a slot, summed to the shape of what is stored there."""
        kind = self.closed.types.get(name, UNKNOWN)
        one_precision = isinstance(base, Array) and base.dtype == FLOAT64 and bool(base.rank)
        if one_precision and is_real_scalar(kind) and not (isinstance(kind, Scalar) and kind.dtype != FLOAT64):
            return self.bars.total(bar, "")
        return self.bars.helper(runtime.owned_unbroadcast, bar, self.bars.shaped(name))

    def reads_scalar(self, slot: Any, base: Any) -> bool:
        return is_scalar(kinds.index_type(base, slot.slice, lambda n: self.closed.types.get(n, UNKNOWN))) or isinstance(base, List)

    def effect(self, stmt: Any) -> None:
        call = stmt.value
        func = call.func
        if isinstance(func, gast.Attribute) and func.attr == "append" and isinstance(func.value, gast.Name):
            self.appended(func.value.id, call.args[0])
        elif isinstance(func, gast.Attribute) and func.attr == "pop" and isinstance(func.value, gast.Name):
            self.popped(func.value.id)
        elif isinstance(func, gast.Attribute) and func.attr == "at" and isinstance(call.args[0], gast.Name):
            base, index, _ = call.args
            negative = isinstance(func.value, gast.Attribute) and func.value.attr == "subtract"
            if base.id in self.active and self.bars.of(base.id) != ZERO:
                bar = quote.expr("b[i]", b=self.bars.bar(base.id), i=index)
                bar = gast.UnaryOp(op=gast.USub(), operand=bar) if negative else bar
                self.to_value(stmt, bar, base.id, quote.expr("b[i]", b=base, i=index), overwrites=False)

    def appended(self, base: str, value: Any) -> None:
        """xs.append(v): the last cotangent of the list is v's."""
        bars = self.bars
        if base not in self.active:
            return
        if bars.of(base) == ZERO:
            bars.materialise(base)
        last = quote.expr("b.pop()", b=bars.bar(base))
        if not isinstance(value, gast.Name) or value.id not in self.active:
            self.bars.emit(gast.Expr(value=last))
            return
        kind = self.closed.types.get(value.id, UNKNOWN)
        if is_scalar(kind):
            bars.contribute(value.id, last)
        else:
            bars.contribute(value.id, bars.helper(runtime.owned_unbroadcast, last, quote.name(value.id)))

    def popped(self, base: str, target: str = "") -> None:
        """v = xs.pop(): v's cotangent is appended to the list of cotangents; a zero, if nobody keeps v."""
        bars = self.bars
        if base not in self.active:
            bars.kill(target)
            return
        if bars.of(base) == ZERO:
            bars.materialise(base)
        if target in self.active and bars.of(target) != FULL:
            bars.materialise(target)
        value = quote.name(bars.bar(target)) if target in self.active else quote.constant(0.0)
        self.bars.emit(quote.stmt("b.append(v)", b=bars.bar(base), v=value))
        bars.kill(target)


def as_argument(index: Any) -> Any:
    """An index as the argument of a call: slices are written as slice(…)."""
    if isinstance(index, gast.Tuple):
        return quote.rebuilt(index, elts=[as_argument(e) for e in index.elts])
    if isinstance(index, gast.Slice):
        bounds = [quote.constant(None) if b is None else b for b in (index.lower, index.upper, index.step)]
        return gast.Call(func=quote.name("slice"), args=bounds if index.step is not None else bounds[:2], keywords=[])
    return index
