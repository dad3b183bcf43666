"""The types that sourcediff tells apart. Knowing more only ever removes code, so UNKNOWN is always a right answer.

Sizes never enter: the lattice has finite height, so that loops reach a fixed point.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Type:
    """The base; its own instance UNKNOWN means "a number or an array, we cannot say"."""


@dataclass(frozen=True)
class Const(Type):
    """Known by value: None, bool, str, functions, classes, modules. Never ints and floats."""

    value: Any

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Const) and (self.value is other.value or (isinstance(self.value, str) and self.value == other.value))

    def __hash__(self) -> int:
        return hash(self.value) if isinstance(self.value, str) else id(self.value)


@dataclass(frozen=True)
class Bool(Type):
    pass


@dataclass(frozen=True)
class Str(Type):
    pass


@dataclass(frozen=True)
class Int(Type):
    """A Python int."""


@dataclass(frozen=True)
class Float(Type):
    """A Python float: dividing by zero raises."""


@dataclass(frozen=True)
class Real(Type):
    """A real number that may be an int, a float or a np.float64: what a sum that began as `s = 0.0` is after a loop."""


@dataclass(frozen=True)
class Complex(Type):
    """A Python complex."""


@dataclass(frozen=True)
class Number(Type):
    """A number of another class: Fraction, Decimal, a user's."""

    cls: type


@dataclass(frozen=True)
class Scalar(Type):
    """A NumPy scalar (np.float64(…), the result of np.sum(x)): immutable, shape ()."""

    dtype: Any  # np.dtype


@dataclass(frozen=True)
class Array(Type):
    """An ndarray; dtype and rank are None where not known. Rank 0 is a true 0-d array."""

    dtype: Any = None  # np.dtype | None
    rank: int | None = None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Array) and same_dtype(self.dtype, other.dtype) and self.rank == other.rank

    def __hash__(self) -> int:
        return hash((self.dtype, self.rank))


@dataclass(frozen=True)
class List(Type):
    """A list; `element` is UNKNOWN where not stated."""

    element: Type


@dataclass(frozen=True)
class Items(Type):
    """A list whose elements are known one by one, as those of a tuple: it holds objects, or a path leads into it."""

    elements: tuple[Type, ...]


@dataclass(frozen=True)
class Tuple(Type):
    """A tuple of known length; `cls` is the class of a named one."""

    elements: tuple[Type, ...]
    cls: type | None = None


@dataclass(frozen=True)
class Dict(Type):
    """A dict; items known by constant key, or None."""

    items: tuple[tuple[Any, Type], ...] | None = None


@dataclass(frozen=True)
class Object(Type):
    """An object of a class written in Python (a dataclass, a SimpleNamespace, the user's own), by its attributes."""

    cls: type
    fields: tuple[tuple[str, Type], ...]


@dataclass(frozen=True)
class Other(Type):
    """An object of another class, never differentiated: a file, a random generator, a range."""

    cls: type | None = None


@dataclass(frozen=True)
class Nothing(Type):
    """No value yet: the element of an empty list, a name before its first assignment."""


UNKNOWN = Type()
NOTHING = Nothing()
FLOAT64 = np.dtype("float64")


def join(a: Type, b: Type) -> Type:
    """The least type that covers both."""
    if a == b or isinstance(b, Nothing):
        return a
    if isinstance(a, Nothing):
        return b
    if isinstance(a, Const) and isinstance(b, Const) and isinstance(a.value, bool) and isinstance(b.value, bool):
        return Bool()
    for one, other in ((a, b), (b, a)):
        if isinstance(one, Bool) and isinstance(other, Const) and isinstance(other.value, bool):
            return one
    if _is_plain_real(a) and _is_plain_real(b):
        return Real()
    if isinstance(a, Array) and isinstance(b, Array):
        return Array(a.dtype if same_dtype(a.dtype, b.dtype) else None, a.rank if a.rank == b.rank else None)
    if isinstance(a, List) and isinstance(b, List):
        return List(join(a.element, b.element))
    if isinstance(a, Tuple) and isinstance(b, Tuple) and len(a.elements) == len(b.elements) and a.cls is b.cls:
        return Tuple(tuple(join(p, q) for p, q in zip(a.elements, b.elements, strict=True)), a.cls)
    return UNKNOWN


def same_dtype(a: Any, b: Any) -> bool:
    """Equality of dtypes, None among them: NumPy takes None for float64."""
    return a is b if a is None or b is None else bool(a == b)


def is_scalar(t: Type) -> bool:
    """Known to be one number of shape () that is immutable."""
    return isinstance(t, (Int, Float, Real, Complex, Bool, Scalar, Number)) or (isinstance(t, Const) and isinstance(t.value, bool))


def is_real_scalar(t: Type) -> bool:
    """Known to be one real floating-point number."""
    return isinstance(t, (Float, Real)) or (isinstance(t, Scalar) and t.dtype.kind == "f")


def _is_plain_real(t: Type) -> bool:
    return isinstance(t, (Int, Float, Real)) or (isinstance(t, Scalar) and t.dtype == FLOAT64)


def is_discrete(t: Type) -> bool:
    """Known to carry no derivative: bool, int, text, None, a function, an array of integers."""
    if isinstance(t, (Bool, Int, Str, Const, Other)):
        return True
    return isinstance(t, (Scalar, Array)) and t.dtype is not None and t.dtype.kind in "biuSUOmM"


def rank_of(t: Type) -> int | None:
    """np.ndim where known."""
    if is_scalar(t):
        return 0
    return t.rank if isinstance(t, Array) else None


def dtype_of(t: Type) -> Any:
    """The NumPy dtype where known; Python numbers are weak and have none."""
    return t.dtype if isinstance(t, (Array, Scalar)) else None
