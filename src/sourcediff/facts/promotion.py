"""How NumPy 2 and Python promote: the dtype and rank of arithmetic, from types alone.

Python's numbers are weak: beside a float32 array a Python float leaves float32. NumPy itself is asked (`ufunc.resolve_dtypes`), so that
its rules are never copied. An Array of unknown rank may be of rank 0, and then, as NumPy does, a scalar may stand for it.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np

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
    Number,
    Real,
    Scalar,
    Str,
    Tuple,
    Type,
    join,
    rank_of,
)

UFUNCS = {
    "+": np.add,
    "-": np.subtract,
    "*": np.multiply,
    "/": np.divide,
    "//": np.floor_divide,
    "%": np.remainder,
    "**": np.power,
    "&": np.bitwise_and,
    "|": np.bitwise_or,
    "^": np.bitwise_xor,
    "<<": np.left_shift,
    ">>": np.right_shift,
    "==": np.equal,
    "!=": np.not_equal,
    "<": np.less,
    "<=": np.less_equal,
    ">": np.greater,
    ">=": np.greater_equal,
}
COMPARISONS = ("==", "!=", "<", "<=", ">", ">=")
_WEAK = {Int: int, Float: float, Complex: complex}
_STRONG = {Bool: np.dtype(bool), Int: np.dtype(int), Float: FLOAT64, Real: FLOAT64, Complex: np.dtype(complex)}
_NARROW = (np.dtype("float32"), np.dtype("float16"), np.dtype("complex64"))


def binary_type(op: str, a: Type, b: Type) -> Type:
    """The type of `x op y`, also of a comparison."""
    if type(a) is Float and type(b) is Float and op in ("+", "-", "*", "/"):
        return a
    a, b = plain(a), plain(b)
    if isinstance(a, Real) or isinstance(b, Real):
        return _real_type(op, a, b)
    if op in ("is", "is not", "in", "not in", "not"):
        return Bool()
    if type(a) in _STRONG and type(b) in _STRONG:
        return _python_type(op, a, b)
    if isinstance(a, Number) or isinstance(b, Number):
        return _number_type(op, a, b)
    if op in COMPARISONS and (isinstance(a, (Str, Const)) or isinstance(b, (Str, Const))):
        return UNKNOWN if isinstance(a, Array) or isinstance(b, Array) or UNKNOWN in (a, b) else Bool()
    if isinstance(a, Complex) and b == Scalar(FLOAT64) and op not in ("<", "<=", ">", ">="):
        return _python_type(op, a, Float())  # a np.float64 is a float, so that Python's complex does it
    if op == "@":
        return product_type(a, b)
    if op in UFUNCS and _is_numeric(a) and _is_numeric(b):
        return ufunc_type(UFUNCS[op], (a, b))
    return _sequence_type(op, a, b)


def _real_type(op: str, a: Type, b: Type) -> Type:
    """Of a real number of unknown class: weak beside an array if it is a Python number, and not if it is NumPy's."""
    other = b if isinstance(a, Real) else a
    if isinstance(other, (Real, Float, Int, Bool)) or other == Scalar(FLOAT64):
        return Bool() if op in COMPARISONS else Real() if op in ("+", "-", "*", "/", "**", "//", "%") else UNKNOWN
    if op in UFUNCS and _is_numeric(other):
        return ufunc_type(UFUNCS[op], (a, b))
    return UNKNOWN


def unary_type(op: str, a: Type) -> Type:
    """The type of `-x`, `+x`, `~x`, `not x`."""
    a = plain(a)
    if op == "not":
        return Bool()
    if isinstance(a, Bool):
        return Int()
    if isinstance(a, Array) and a.rank == 0:
        return Scalar(a.dtype) if a.dtype is not None else UNKNOWN
    return a if _is_numeric(a) else UNKNOWN


def _python_type(op: str, a: Type, b: Type) -> Type:
    """Of two Python numbers."""
    kinds = {type(a), type(b)}
    if op in COMPARISONS:
        return Bool()
    if op in ("&", "|", "^"):
        return Bool() if kinds == {Bool} else Int() if kinds <= {Bool, Int} else UNKNOWN
    if op in ("<<", ">>"):
        return Int() if kinds <= {Bool, Int} else UNKNOWN
    if Complex in kinds:
        return Complex() if op in ("+", "-", "*", "/", "**") else UNKNOWN
    if op in ("/", "**") or Float in kinds:
        # an int to an int is a float where the exponent is negative; a float to a float is taken to be real
        return UNKNOWN if op == "**" and Float not in kinds else Float()
    return Int() if op in ("+", "-", "*", "//", "%") else UNKNOWN


def _number_type(op: str, a: Type, b: Type) -> Type:
    """Of a number of another class: only Fraction is known to be closed under arithmetic."""
    if op in ("+", "-", "*", "/") and all(t == Number(Fraction) or isinstance(t, Int) for t in (a, b)):
        return Number(Fraction)
    return UNKNOWN


def _sequence_type(op: str, a: Type, b: Type) -> Type:
    if op == "+" and isinstance(a, List) and isinstance(b, List):
        return join(a, b)
    if op == "+" and isinstance(a, Tuple) and isinstance(b, Tuple):
        return Tuple(a.elements + b.elements)
    if op == "*" and isinstance(a, List) and isinstance(b, Int):
        return a
    if op == "*" and isinstance(b, List) and isinstance(a, Int):
        return b
    if (op == "+" and isinstance(a, Str) and isinstance(b, Str)) or (op == "%" and isinstance(a, Str)):
        return Str()
    return UNKNOWN


def plain(t: Type) -> Type:
    """A constant as the type of its value."""
    if isinstance(t, Const) and isinstance(t.value, bool):
        return Bool()
    return Str() if isinstance(t, Const) and isinstance(t.value, str) else t


def _is_numeric(t: Type) -> bool:
    if isinstance(t, (Array, Scalar)):
        return t.dtype is None or t.dtype.kind in "biufc"
    return type(t) in _STRONG


# ---- NumPy ----


def ufunc_type(function: Any, types: tuple[Type, ...]) -> Type:
    """The type of ufunc(*operands)."""
    types = tuple(plain(t) for t in types)
    if not all(_is_numeric(t) for t in types):
        return UNKNOWN
    return array_type(ufunc_dtype(function, types), broadcast_rank(types))


def array_type(dtype: Any, rank: int | None) -> Type:
    """What a ufunc or a reduction returns: an array, or a NumPy scalar where the rank is 0."""
    if rank == 0:
        return Scalar(dtype) if dtype is not None else UNKNOWN
    return Array(dtype, rank)


def broadcast_rank(types: tuple[Type, ...]) -> int | None:
    ranks = [rank_of(t) for t in types]
    return None if None in ranks else max(r for r in ranks if r is not None)


def ufunc_dtype(function: Any, types: tuple[Type, ...]) -> Any:
    """The dtype of the result, None where not known. Where all operands are Python numbers none is weak."""
    if any(isinstance(t, Real) for t in types) and any(isinstance(t, (Array, Scalar)) and t.dtype in _NARROW for t in types):
        return np.dtype(bool) if function in _TO_BOOL else None
    if any(isinstance(t, Array) and t.dtype is None for t in types):
        return np.dtype(bool) if function in _TO_BOOL else None
    return _resolved(function, tuple(_operand_dtype(t) for t in types))


def _operand_dtype(t: Type) -> Any:
    return _WEAK[type(t)] if type(t) in _WEAK else strong_dtype(t)


def strong_dtype(t: Type) -> Any:
    """The dtype of np.asarray(x), None where not known."""
    t = plain(t)
    return t.dtype if isinstance(t, (Array, Scalar)) else _STRONG.get(type(t))


@lru_cache(maxsize=4096)
def _resolved(function: Any, dtypes: tuple[Any, ...]) -> Any:
    try:
        return function.resolve_dtypes((*dtypes, *[None] * function.nout))[-1]
    except TypeError:
        return None


def promoted(types: tuple[Type, ...]) -> Any:
    """The common dtype of several operands, Python numbers weak; None where not known."""
    total: Any = None
    for t in types:
        if strong_dtype(t) is None:
            return None
        total = t if total is None else Array(_resolved(np.maximum, (_operand_dtype(total), _operand_dtype(plain(t)))), None)
        if strong_dtype(total) is None:
            return None
    return None if total is None else strong_dtype(total)


def floating(dtype: Any) -> Any:
    """The dtype of a mean of such elements."""
    return FLOAT64 if dtype is not None and dtype.kind in "biu" else dtype


def real_part(dtype: Any) -> Any:
    return np.zeros(0, dtype).real.dtype if dtype is not None and dtype.kind == "c" else dtype


def summed(dtype: Any) -> Any:
    """The dtype of a sum: small integers grow to the platform's."""
    return np.zeros(0, dtype).sum().dtype if dtype is not None and dtype.kind in "biu" else dtype


def product_type(a: Type, b: Type) -> Type:
    """The type of a @ b."""
    ranks = rank_of(a), rank_of(b)
    if not (isinstance(a, Array) and isinstance(b, Array)):
        return UNKNOWN
    dtype = promoted((a, b))
    if ranks[0] is None or ranks[1] is None:
        return Array(dtype, None)
    lost = (ranks[0] == 1) + (ranks[1] == 1)
    return array_type(dtype, max(max(ranks[0], 2), max(ranks[1], 2)) - lost)


_TO_BOOL = frozenset(
    {np.equal, np.not_equal, np.less, np.less_equal, np.greater, np.greater_equal, np.logical_and, np.logical_or, np.logical_xor}
    | {np.logical_not, np.isnan, np.isinf, np.isfinite, np.signbit}
)
