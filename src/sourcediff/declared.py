"""The types that annotations declare, read through a fixed table and never evaluated.

An annotation only shapes the source that is shown; a call always looks at the arguments it gets. What the table does
not know is unknown, which is always a right answer.
"""

from __future__ import annotations

import ast
import dataclasses
import inspect
import sys
import types
import typing
from collections.abc import Mapping
from typing import Any

import numpy as np

from .python.lattice import (
    UNKNOWN,
    Array,
    Bool,
    Complex,
    Const,
    Dict,
    Float,
    Int,
    Items,
    List,
    Number,
    Object,
    Other,
    Scalar,
    Str,
    Tuple,
    Type,
)
from .python.valued import is_named

Names = Mapping[str, Any]

_SCALARS = ("float16", "float32", "float64", "complex64", "complex128", "int8", "int16", "int32", "int64", "bool_")
_BY_NAME: dict[str, Type] = {
    "float": Float(),
    "int": Int(),
    "bool": Bool(),
    "complex": Complex(),
    "str": Str(),
    "None": Const(None),
    "ndarray": Array(),
    "NDArray": Array(),
    "list": List(UNKNOWN),
    "List": List(UNKNOWN),
    "dict": Dict(),
    **{name: Scalar(np.dtype(getattr(np, name))) for name in _SCALARS},
}
_BY_CLASS: dict[Any, Type] = {
    float: Float(),
    int: Int(),
    bool: Bool(),
    complex: Complex(),
    str: Str(),
    None: Const(None),
    type(None): Const(None),
    np.ndarray: Array(),
    list: List(UNKNOWN),
    typing.List: List(UNKNOWN),  # noqa: UP006 — the old spelling is what users' annotations hold
    dict: Dict(),
    **{getattr(np, name): Scalar(np.dtype(getattr(np, name))) for name in _SCALARS},
}


def declared_types(signature: inspect.Signature, names: Names | None = None) -> dict[str, Type]:
    """Parameter -> declared type. The annotation of `*args` is that of its elements, whose number is unknown.

    names: the globals of the function, where the classes that a text names are looked up.
    """
    single = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    return {p.name: declared_type(p.annotation, names) if p.kind in single else UNKNOWN for p in signature.parameters.values()}


def declared_type(annotation: Any, names: Names | None = None, inside: tuple[type, ...] = ()) -> Type:
    """The type that one annotation (a text or an object) declares. inside: the classes whose fields are looked at."""
    if isinstance(annotation, str):
        found = _class_named(annotation, names)
        return type_of_text(annotation) if found is None else declared_type(found, names, inside)
    origin = typing.get_origin(annotation)
    if isinstance(annotation, type) and (fields := _fields(annotation)) is not None:
        if annotation in inside:
            return UNKNOWN
        home = vars(sys.modules.get(annotation.__module__, typing))
        types = {name: declared_type(kind, home, (*inside, annotation)) for name, kind in fields.items()}
        return Tuple(tuple(types.values()), annotation) if issubclass(annotation, tuple) else Object(annotation, tuple(types.items()))
    if origin is None:
        try:
            return _BY_CLASS.get(annotation, UNKNOWN)
        except TypeError:  # not hashable
            return UNKNOWN
    arguments = typing.get_args(annotation)
    if origin is list:
        return List(declared_type(arguments[0]))
    if origin is dict:
        return Dict()
    if origin is tuple:
        return _tuple_of([declared_type(a) if a is not Ellipsis else None for a in arguments])
    if getattr(origin, "__name__", "") == "NDArray":  # an alias of its own in newer NumPy
        scalar = declared_type(arguments[0])
        return Array(scalar.dtype if isinstance(scalar, Scalar) else None)
    if origin is np.ndarray:
        return Array(_dtype_of_class(arguments[1]) if len(arguments) > 1 else None)
    return declared_type(arguments[0]) if origin is typing.Annotated else UNKNOWN


def _class_named(text: str, names: Names | None) -> type | None:
    """The dataclass or class of named tuples that a text names."""
    found = (names or {}).get(text.strip())
    return found if isinstance(found, type) and _fields(found) is not None else None


def _fields(cls: type) -> dict[str, Any] | None:
    """Field -> annotation of a dataclass or a class of named tuples."""
    if dataclasses.is_dataclass(cls):
        return {f.name: f.type for f in dataclasses.fields(cls)}
    return {n: getattr(cls, "__annotations__", {}).get(n, "") for n in cls._fields} if is_named(cls) else None  # type: ignore[attr-defined]


def type_of_text(text: str) -> Type:
    """The type that an annotation's text declares: `float`, `np.ndarray`, `npt.NDArray[np.float64]`, `list[float]` …"""
    try:
        return _type_of_node(ast.parse(text.strip(), mode="eval").body)
    except (SyntaxError, ValueError):
        return UNKNOWN


def spelled(t: Type) -> str:
    """A type in words, for titles and doc strings; "" where nothing is known."""
    if isinstance(t, Array):
        return " ".join(
            ["array", *([f"of {t.dtype}"] if t.dtype is not None else []), *([f"of rank {t.rank}"] if t.rank is not None else [])]
        )
    if isinstance(t, Scalar):
        return f"np.{t.dtype.type.__name__}"
    if isinstance(t, List):
        return f"list[{spelled(t.element)}]" if t.element != UNKNOWN else "list"
    if isinstance(t, Object) or (isinstance(t, Tuple) and t.cls is not None):
        return t.cls.__name__ if t.cls is not None else ""
    if isinstance(t, Items):
        return f"list[{', '.join(spelled(e) or 'any' for e in t.elements)}]"
    if isinstance(t, Tuple):
        return f"tuple[{', '.join(spelled(e) or 'any' for e in t.elements)}]"
    if isinstance(t, Const):
        return getattr(t.value, "__name__", None) or repr(t.value)
    if isinstance(t, (Number, Other)):
        return t.cls.__name__ if t.cls is not None else ""
    return "" if t == UNKNOWN else type(t).__name__.lower()


def spelled_all(types: dict[str, Type]) -> str:
    """`x: float, a: array of rank 1`, without those of which nothing is known."""
    return ", ".join(f"{name}: {words}" for name, t in types.items() if (words := spelled(t)))


def _type_of_node(node: ast.expr) -> Type:
    if isinstance(node, ast.Constant):
        return type_of_text(node.value) if isinstance(node.value, str) else _BY_NAME["None"] if node.value is None else UNKNOWN
    if not isinstance(node, ast.Subscript):
        return _BY_NAME.get(_last_name(node), UNKNOWN)
    arguments = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    match _last_name(node.value):
        case "list" | "List":
            return List(_type_of_node(arguments[0]))
        case "dict" | "Dict":
            return Dict()
        case "tuple" | "Tuple":
            return _tuple_of([None if isinstance(a, ast.Constant) and a.value is ... else _type_of_node(a) for a in arguments])
        case "NDArray":
            scalar = _type_of_node(arguments[0])
            return Array(scalar.dtype if isinstance(scalar, Scalar) else None)
        case "ndarray":
            return Array()
        case "Annotated":
            return _type_of_node(arguments[0])
    return UNKNOWN


def _last_name(node: ast.expr) -> str:
    """`np.float64` and `numpy.float64` are `float64`."""
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def _tuple_of(elements: list[Type | None]) -> Type:
    """A tuple type, unless `...` leaves the length open."""
    known = [e for e in elements if e is not None]
    return Tuple(tuple(known)) if known and len(known) == len(elements) else UNKNOWN


def _dtype_of_class(dtype_class: Any) -> Any:
    """np.dtype[np.float64] -> dtype('float64')."""
    arguments = typing.get_args(dtype_class)
    known = (
        _BY_CLASS.get(arguments[0])
        if arguments and isinstance(arguments[0], type) and not isinstance(arguments[0], types.GenericAlias)
        else None
    )
    return known.dtype if isinstance(known, Scalar) else None
