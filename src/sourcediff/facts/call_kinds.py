"""What a call gives: each rule names its kind, and each kind is a function here, from the types and literals that go in.

UNKNOWN is the answer wherever more than types and literals decides.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import gast
import numpy as np

from sourcediff.facts.expression_kinds import TypeOfName, attribute_type, expression_type, joined_elements
from sourcediff.facts.promotion import (
    array_type,
    binary_type,
    broadcast_rank,
    floating,
    plain,
    product_type,
    promoted,
    real_part,
    strong_dtype,
    summed,
    ufunc_type,
)
from sourcediff.python.lattice import (
    FLOAT64,
    UNKNOWN,
    Array,
    Bool,
    Complex,
    Const,
    Float,
    Int,
    List,
    Scalar,
    Str,
    Tuple,
    Type,
    is_scalar,
    join,
    rank_of,
)
from sourcediff.rules.einsum import split_subscripts
from sourcediff.rules.forms import Rule
from sourcediff.rules.known import literal_value


@dataclass
class Call:
    rule: Rule
    types: dict[str, Type]
    nodes: dict[str, Any]
    type_of_name: TypeOfName

    @property
    def first(self) -> Type:
        return plain(next(iter(self.types.values()), UNKNOWN))

    @property
    def operands(self) -> tuple[Type, ...]:
        found = [plain(self.types[p]) for p in self.rule.operands if p in self.types] or [plain(t) for t in self.types.values()]
        return tuple(t for t in found if t != Const(None))

    def literal(self, parameter: str, default: Any = None) -> Any:
        """The value of an argument; LookupError where it is not known."""
        node = self.nodes.get(parameter)
        if node is None:
            return default
        try:
            return literal_value(node)
        except ValueError:
            known = self.types[parameter]
            if isinstance(known, Const):
                return known.value
            raise LookupError(parameter) from None

    def dtype(self, default: Any) -> Any:
        """What the argument `dtype` says, None where that is not known."""
        try:
            wanted = self.literal("dtype")
            return default if wanted is None else np.dtype(wanted)
        except (LookupError, TypeError):
            return None


# ---- elements ----


def _ufunc(call: Call) -> Type:
    if isinstance(call.rule.function, np.ufunc):
        return ufunc_type(call.rule.function, call.operands)
    if call.rule.function is pow:
        return binary_type("**", *call.operands[:2])
    return ufunc_type(np.maximum, call.operands[:2]) if len(call.operands) == 2 else _broadcast(call)


def _broadcast(call: Call) -> Type:
    if any(strong_dtype(t) is None and not isinstance(t, Array) for t in call.operands):
        return UNKNOWN
    return array_type(promoted(call.operands), broadcast_rank(call.operands))


def _absolute(call: Call) -> Type:
    t = call.first
    if isinstance(t, (Bool, Int)):
        return Int()
    if isinstance(t, (Float, Complex)):
        return Float()
    return ufunc_type(np.absolute, (t,)) if isinstance(t, (Array, Scalar)) else UNKNOWN


def _where(call: Call) -> Type:
    if len(call.operands) < 2:
        return UNKNOWN
    types = (plain(call.types.get("condition", UNKNOWN)), *call.operands)
    if any(strong_dtype(t) is None and not isinstance(t, Array) for t in types):
        return UNKNOWN
    return Array(promoted(call.operands), broadcast_rank(types))


def _float(call: Call) -> Type:
    t = call.first
    return array_type(floating(strong_dtype(t)), rank_of(t)) if strong_dtype(t) is not None else UNKNOWN


def _real_part(call: Call) -> Type:
    return attribute_type(call.first, "real")


def _numpy_number(call: Call) -> Type:
    if not is_scalar(call.first):
        return UNKNOWN
    return Scalar(np.dtype(call.rule.function))


def _one_of(call: Call) -> Type:
    values = call.first
    if isinstance(values, Tuple) and len(values.elements) == 1:
        values = values.elements[0]
        if isinstance(values, Array) and values.rank == 1:
            return array_type(values.dtype, 0)
        return values.element if isinstance(values, List) else joined_elements(values)
    return joined_elements(values)


def _sum(call: Call) -> Type:
    """Python's sum: start + first + …"""
    total = plain(call.types.get("start", Int()))
    values = plain(call.types.get("iterable", UNKNOWN))
    if isinstance(values, Tuple):
        for element in values.elements:
            total = binary_type("+", total, element)
        return total
    if isinstance(values, Array) and values.rank is not None and values.rank > 0:
        return UNKNOWN if values.dtype is None else join(total, binary_type("+", total, array_type(values.dtype, values.rank - 1)))
    if isinstance(values, List):
        grown = binary_type("+", total, values.element)
        return grown if grown == total else UNKNOWN  # an empty list gives the start
    return UNKNOWN


def _python_number(call: Call) -> Type:
    """math.prod: a float if all that it multiplies is."""
    elements = call.types.get("iterable", UNKNOWN)
    return (
        Float() if isinstance(elements, Tuple) and Float() in elements.elements and set(elements.elements) <= {Float(), Int()} else UNKNOWN
    )


# ---- reductions ----


def _reduced(call: Call, dtype: Any) -> Type:
    """An array less the axes that are reduced."""
    t = call.first
    if strong_dtype(t) is None and not isinstance(t, Array):
        return UNKNOWN
    rank = rank_of(t)
    try:
        axis, keepdims = call.literal("axis"), call.literal("keepdims", False)
    except LookupError:
        return UNKNOWN
    if keepdims:
        return array_type(dtype, rank)
    if axis is None:
        return array_type(dtype, 0)
    lost = len(axis) if isinstance(axis, tuple) else 1
    return Array(dtype, None) if rank is None else array_type(dtype, rank - lost)


def _cumulative(call: Call) -> Type:
    t = call.first
    if not isinstance(t, Array):
        return UNKNOWN
    try:
        return Array(summed(t.dtype), 1 if call.literal("axis") is None else t.rank)
    except LookupError:
        return Array(summed(t.dtype), None)


def _reduction(dtype_of: Callable[[Any], Any]) -> Callable[[Call], Type]:
    return lambda call: _reduced(call, dtype_of(strong_dtype(call.first)))


# ---- shapes ----


def _same(call: Call) -> Type:
    """An array of the same rank and dtype."""
    t = call.first
    return t if isinstance(t, Array) and t.rank != 0 else UNKNOWN


def _float_same(call: Call) -> Type:
    t = call.first
    return Array(floating(t.dtype), t.rank) if isinstance(t, Array) and t.rank != 0 else UNKNOWN


def _ranked(change: Callable[[int], int]) -> Callable[[Call], Type]:
    """An array whose rank is a function of the rank of the first operand."""

    def kind(call: Call) -> Type:
        t = call.first
        if not isinstance(t, Array):
            return UNKNOWN
        return Array(t.dtype, None) if t.rank is None else array_type(t.dtype, change(t.rank))

    return kind


def _trace(call: Call) -> Type:
    t = call.first
    if not isinstance(t, Array) or t.rank is None:
        return UNKNOWN
    dtype = floating(t.dtype) if "det" in call.rule.path else summed(t.dtype)
    return array_type(dtype, t.rank - 2)


def _reshaped(call: Call) -> Type:
    if strong_dtype(call.first) is None and not isinstance(call.first, Array):
        return UNKNOWN
    return Array(strong_dtype(call.first), _length(call, "shape"))


def _length(call: Call, parameter: str) -> int | None:
    """The rank that a shape means, None where not known."""
    node, known = call.nodes.get(parameter), call.types.get(parameter, UNKNOWN)
    if isinstance(node, (gast.Tuple, gast.List)):
        return None if any(isinstance(e, gast.Starred) for e in node.elts) else len(node.elts)
    if isinstance(known, Tuple):
        return len(known.elements)
    return 1 if isinstance(known, Int) or (isinstance(known, Scalar) and known.dtype.kind in "iu") else None


def _expanded(call: Call) -> Type:
    t = call.first
    try:
        axis = call.literal("axis")
    except LookupError:
        axis = 0
    added = len(axis) if isinstance(axis, tuple) else 1
    if strong_dtype(t) is None and not isinstance(t, Array):
        return UNKNOWN
    rank = rank_of(t)
    return Array(strong_dtype(t), None if rank is None else rank + added)


def _joined(call: Call) -> Type:
    arrays = _elements_of(call.first)
    if not arrays or not all(isinstance(a, Array) for a in arrays):
        return UNKNOWN
    try:
        rank = 1 if "axis" in call.nodes and call.literal("axis") is None else rank_of(arrays[0])
    except LookupError:
        rank = None
    return Array(promoted(arrays), rank)


def _stacked(call: Call) -> Type:
    arrays = _elements_of(call.first)
    if not arrays or any(strong_dtype(a) is None for a in arrays):
        return UNKNOWN
    rank = rank_of(arrays[0])
    dtype = np.result_type(*[strong_dtype(a) for a in arrays])
    return Array(dtype, None if rank is None else rank + 1)


def _elements_of(t: Type) -> tuple[Type, ...]:
    if isinstance(t, Tuple):
        return tuple(plain(e) for e in t.elements)
    return (plain(t.element),) if isinstance(t, List) else ()


def _promoted(call: Call) -> Type:
    """Some array of the operands' dtype."""
    if any(not isinstance(t, Array) for t in call.operands):
        return UNKNOWN
    return Array(promoted(call.operands), None)


def _diag(call: Call) -> Type:
    t = call.first
    return Array(t.dtype, 3 - t.rank) if isinstance(t, Array) and t.rank in (1, 2) else UNKNOWN


# ---- products ----


def _dot(call: Call) -> Type:
    a, b = call.operands
    if is_scalar(a) or is_scalar(b):
        return UNKNOWN
    if rank_of(a) in (1, 2) and rank_of(b) in (1, 2):
        return product_type(a, b)
    return UNKNOWN


def _inner(call: Call) -> Type:
    a, b = call.operands
    ranks = rank_of(a), rank_of(b)
    if None in ranks or 0 in ranks:
        return UNKNOWN
    return array_type(promoted((a, b)), ranks[0] + ranks[1] - 2)  # type: ignore[operator]


def _outer(call: Call) -> Type:
    dtypes = [strong_dtype(t) for t in call.operands]
    return Array(None if None in dtypes else np.result_type(*dtypes), 2)


def _vdot(call: Call) -> Type:
    return array_type(promoted(call.operands), 0) if all(isinstance(t, Array) for t in call.operands) else UNKNOWN


def _solve(call: Call) -> Type:
    a, b = call.operands
    if not isinstance(a, Array) or not isinstance(b, Array):
        return UNKNOWN
    return Array(floating(promoted((a, b))), b.rank if a.rank == 2 else None)


def _einsum(call: Call) -> Type:
    arrays = _elements_of(call.types.get("operands", UNKNOWN))
    try:
        subscripts = call.literal("subscripts")
    except LookupError:
        return UNKNOWN
    if not arrays or not all(isinstance(a, Array) for a in arrays) or not isinstance(subscripts, str) or "." in subscripts:
        return UNKNOWN
    return array_type(promoted(arrays), len(split_subscripts(subscripts)[1]))


# ---- making arrays ----


def _array(call: Call) -> Type:
    node = next(iter(call.nodes.values()))
    content = call.first if isinstance(call.first, Tuple) else _display_type(node, call.type_of_name) or call.first
    dtype, rank = _content(content)
    return Array(call.dtype(dtype), rank)


def _display_type(node: Any, type_of_name: TypeOfName) -> Tuple | None:
    """A display, list or tuple, as the types of its elements one by one."""
    if not isinstance(node, (gast.List, gast.Tuple)) or any(isinstance(e, gast.Starred) for e in node.elts):
        return None
    return Tuple(tuple(_display_type(e, type_of_name) or expression_type(e, type_of_name) for e in node.elts))


def _content(t: Type) -> tuple[Any, int | None]:
    """dtype and rank of np.array(x)."""
    elements = _elements_of(t)
    if not elements:
        return strong_dtype(t), rank_of(t)
    contents = [_content(e) for e in elements]
    ranks = {rank for _, rank in contents}
    dtypes = [dtype for dtype, _ in contents]
    rank = None if len(ranks) > 1 else ranks.pop()
    return None if None in dtypes else np.result_type(*dtypes), None if rank is None else rank + 1


def _zeros(call: Call) -> Type:
    return Array(call.dtype(FLOAT64), _length(call, "shape"))


def _full(call: Call) -> Type:
    return Array(call.dtype(strong_dtype(call.types.get("fill_value", UNKNOWN))), _length(call, "shape"))


def _like(call: Call) -> Type:
    t = call.first
    try:
        rank = rank_of(t) if call.literal("shape") is None else None
    except LookupError:
        rank = _length(call, "shape")
    return Array(call.dtype(strong_dtype(t)), rank)


def _eye(call: Call) -> Type:
    return Array(call.dtype(FLOAT64), 2)


def _arange(call: Call) -> Type:
    types = [t for p, t in call.types.items() if p in ("start", "stop", "step") and t != Const(None)]
    if any(strong_dtype(t) is None for t in types):
        return Array(call.dtype(None), 1)
    return Array(call.dtype(np.result_type(*[strong_dtype(t) for t in types])), 1)


def _linspace(call: Call) -> Type:
    return Array(FLOAT64, 1) if all(isinstance(t, (Float, Int)) for t in call.operands) else UNKNOWN


def _copied(call: Call) -> Type:
    t = call.first
    return t if isinstance(t, Array) else UNKNOWN


def _cast(call: Call) -> Type:
    t = call.first
    return Array(call.dtype(None), t.rank) if isinstance(t, Array) else UNKNOWN


def _item(call: Call) -> Type:
    dtype = strong_dtype(call.first)
    if dtype is None:
        return UNKNOWN
    return {"f": Float(), "i": Int(), "u": Int(), "b": Bool(), "c": Complex()}.get(dtype.kind, UNKNOWN)


def _like_x(call: Call) -> Type:
    """A cotangent of x: of its dtype, float64 where x is of integers."""
    t = plain(call.types.get("x", call.first))
    if isinstance(t, (Int, Bool, Float)):
        return Float()
    if isinstance(t, Scalar):
        return t if t.dtype.kind in "fc" else Scalar(FLOAT64)
    if isinstance(t, Array):
        return Array(t.dtype if t.dtype is None or t.dtype.kind in "fc" else FLOAT64, t.rank)
    return t if isinstance(t, Complex) else UNKNOWN


def _broadcast_like(call: Call) -> Type:
    x, g = plain(call.types.get("x", UNKNOWN)), plain(call.types.get("g", UNKNOWN))
    return Array(strong_dtype(g), x.rank) if isinstance(x, Array) and x.rank else UNKNOWN


def _shape(call: Call) -> Type:
    if call.rule.path != "np.shape":
        return Int()
    rank = rank_of(call.first)
    return UNKNOWN if rank is None else Tuple((Int(),) * rank)


def _always(result: Type) -> Callable[[Call], Type]:
    return lambda call: result


KINDS: dict[str, Callable[[Call], Type]] = {
    "unknown": _always(UNKNOWN),
    "none": _always(Const(None)),
    "int": _always(Int()),
    "bool": _always(Bool()),
    "str": _always(Str()),
    "list": _always(UNKNOWN),
    "pair": _always(UNKNOWN),
    "python float": _always(Float()),
    "complex": _always(Complex()),
    "ufunc": _ufunc,
    "absolute": _absolute,
    "where": _where,
    "float": _float,
    "real float": lambda call: attribute_type(_float(call), "real"),
    "real part": _real_part,
    "numpy number": _numpy_number,
    "one of": _one_of,
    "sum": _sum,
    "number": _python_number,
    "reduction": _reduction(summed),
    "extreme": _reduction(lambda dtype: dtype),
    "float reduction": _reduction(floating),
    "real reduction": _reduction(lambda dtype: real_part(floating(dtype))),
    "int reduction": _reduction(lambda dtype: np.dtype(int)),
    "bool reduction": _reduction(lambda dtype: np.dtype(bool)),
    "cumulative": _cumulative,
    "same": _same,
    "float same rank": _float_same,
    "rank 1": _ranked(lambda rank: 1),
    "rank 2": _outer,
    "rank - 1": _ranked(lambda rank: rank - 1),
    "rank - 2": _trace,
    "reshaped": _reshaped,
    "expanded": _expanded,
    "joined": _joined,
    "stacked": _stacked,
    "promoted": _promoted,
    "diag": _diag,
    "matmul": lambda call: product_type(*call.operands),
    "dot": _dot,
    "inner": _inner,
    "scalar": _vdot,
    "solve": _solve,
    "einsum": _einsum,
    "array": _array,
    "zeros": _zeros,
    "full": _full,
    "like": _like,
    "eye": _eye,
    "arange": _arange,
    "linspace": _linspace,
    "copied": _copied,
    "cast": _cast,
    "item": _item,
    "like x": _like_x,
    "broadcast like": _broadcast_like,
    "shape": _shape,
}
