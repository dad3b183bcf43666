"""The class of a value, where its type decides it: what isinstance asks for."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...python.lattice import Array, Bool, Complex, Const, Float, Int, List, Number, Other, Scalar, Str, Tuple, Type
from .values import Fields, Known, Record, Ref, Seq, Value, type_of

if TYPE_CHECKING:
    from .walk import Walk


def isinstance_verdict(walk: Walk, value: Value, classes: Value) -> bool | None:
    """isinstance(value, classes) where the types decide it."""
    kinds_asked = (
        [v.value for v in classes.items if isinstance(v, Known)] if isinstance(classes, Seq) else [getattr(classes, "value", None)]
    )
    if not all(isinstance(k, type) for k in kinds_asked):
        return None
    actual = class_of(value)
    return None if actual is None else issubclass(actual, tuple(k for k in kinds_asked if isinstance(k, type)))


def class_of(value: Value) -> type | None:
    if isinstance(value, Known):
        return type(value.value)
    if isinstance(value, Ref):
        return value.cls
    if isinstance(value, Seq):
        return list if value.is_list else value.form.cls if value.form is not None else tuple
    if isinstance(value, Record):
        return dict
    if isinstance(value, Fields):
        return value.form.cls
    kind = type_of(value)
    simple: dict[type[Type], type] = {
        Float: float,
        Int: int,
        Bool: bool,
        Complex: complex,
        Array: np.ndarray,
        List: list,
        Tuple: tuple,
        Str: str,
    }
    if isinstance(kind, Scalar):
        return kind.dtype.type
    if isinstance(kind, Number):
        return kind.cls
    if isinstance(kind, Other):
        return kind.cls
    if isinstance(kind, Const):
        return type(kind.value)
    return simple.get(type(kind))
