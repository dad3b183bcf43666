"""Nested structures of numbers: walking them, moving them along a direction, comparing them.

An argument, a gradient, a tangent or a result is a number, an array, or lists, tuples, dicts, dataclasses and other objects of these. The
tests treat all of them through the four ideas here: map over the leaves, list the leaves, pair two of them, compare them.
"""

from __future__ import annotations

import copy
import dataclasses
import types
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np


def map_leaves(function: Callable[..., Any], structure: Any, *others: Any) -> Any:
    """`function` of each leaf and of the leaves at the same place in `others`; a new structure."""
    if isinstance(structure, tuple) and hasattr(structure, "_fields"):
        return type(structure)(*(map_leaves(function, *parts) for parts in zip(structure, *others, strict=True)))
    if isinstance(structure, (list, tuple)):
        if any(type(other) is not type(structure) for other in others):
            raise TypeError(f"{others!r} for a {type(structure).__name__}")
        return type(structure)(map_leaves(function, *parts) for parts in zip(structure, *others, strict=True))
    if isinstance(structure, dict):
        if any(set(other) != set(structure) for other in others):
            raise KeyError(f"{others!r} for a dict with keys {list(structure)}")
        return {k: map_leaves(function, v, *(o[k] for o in others)) for k, v in structure.items()}
    if dataclasses.is_dataclass(structure) and not isinstance(structure, type):
        names = [field.name for field in dataclasses.fields(structure)]
        mapped = {n: map_leaves(function, getattr(structure, n), *(getattr(o, n) for o in others)) for n in names}
        return dataclasses.replace(structure, **mapped)
    if is_object(structure):
        mapped = {n: map_leaves(function, v, *(getattr(o, n) for o in others)) for n, v in vars(structure).items()}
        new = type(structure).__new__(type(structure))
        vars(new).update(mapped)
        return new
    return function(structure, *others)


def is_object(structure: Any) -> bool:
    """Whether it is a SimpleNamespace, or an object of a class that the tests define."""
    kind = type(structure)
    return kind is types.SimpleNamespace or (
        kind.__module__.startswith(("tests", "__main__")) and isinstance(kind, type) and hasattr(structure, "__dict__")
    )


def leaves(structure: Any) -> list[Any]:
    """All leaves, in order."""
    found: list[Any] = []
    map_leaves(found.append, structure)
    return found


def is_float(leaf: Any) -> bool:
    """Whether a derivative with respect to `leaf` makes sense: it is real or complex, not int, bool, text or None."""
    if isinstance(leaf, np.ndarray):
        return leaf.dtype.kind in "fc"
    return isinstance(leaf, (float, complex, np.floating, np.complexfloating))


def has_floats(structure: Any) -> bool:
    return any(is_float(leaf) for leaf in leaves(structure))


def is_single_precision(structure: Any) -> bool:
    return any(np.result_type(leaf) in (np.float32, np.complex64) for leaf in leaves(structure) if is_float(leaf))


def fresh(structure: Any) -> Any:
    """A copy that shares no memory with the original."""
    return copy.deepcopy(structure)


def flat(structure: Any) -> np.ndarray:
    """The float leaves in one vector; complex where one of them is."""
    parts = [np.ravel(leaf) for leaf in leaves(structure) if is_float(leaf)]
    return np.concatenate(parts) if parts else np.zeros(0)


def total(structure: Any) -> float:
    """The sum of the real parts of all float leaves."""
    return float(np.sum(np.real(flat(structure))))


def ones_like(structure: Any) -> Any:
    """A seed of ones; what carries no derivative gets 0.0, which is ignored."""
    return map_leaves(lambda leaf: _like(leaf, np.ones(np.shape(leaf))) if is_float(leaf) else 0.0, structure)


def random_like(structure: Any, rng: np.random.Generator, constant: Any = None) -> Any:
    """A random direction: numbers between 0.5 and 1.5 of either sign at float leaves, `constant` at the others."""

    def draw(leaf: Any) -> Any:
        if not is_float(leaf):
            return constant
        numbers = rng.uniform(0.5, 1.5, np.shape(leaf)) * rng.choice([-1.0, 1.0], np.shape(leaf))
        if np.iscomplexobj(leaf):
            numbers = numbers + 1j * rng.uniform(0.5, 1.5, np.shape(leaf))
        return _like(leaf, numbers)

    return map_leaves(draw, structure)


def units(structure: Any) -> Iterator[Any]:
    """The unit directions of all float leaves, in the order of `flat`; a complex number has one, the real one."""
    floats = [leaf for leaf in leaves(structure) if is_float(leaf)]
    for k, chosen in enumerate(floats):
        for place in np.ndindex(np.shape(chosen)):
            count = iter(range(len(floats)))

            def unit(leaf: Any, k: int = k, place: tuple[int, ...] = place, count: Iterator[int] = count) -> Any:
                if not is_float(leaf):
                    return None
                numbers = np.zeros(np.shape(leaf))
                if next(count) == k:
                    numbers[place] = 1.0
                return _like(leaf, numbers)

            yield map_leaves(unit, structure)


def moved(structure: Any, direction: Any, t: complex) -> Any:
    """structure + t * direction, in double precision, so that differences of single precision programs mean something."""

    def move(leaf: Any, step: Any) -> Any:
        if not is_float(leaf):
            return fresh(leaf)
        there = leaf + t * step
        if isinstance(leaf, np.ndarray):
            return np.array(there, dtype=np.result_type(there, np.float64))
        double = np.result_type(there, np.float64).type(there)
        return double if isinstance(leaf, np.generic) else double.item()

    return map_leaves(move, structure, direction)


def pairing(bar: Any, dot: Any) -> float:
    """The real pairing of a cotangent with a tangent, without conjugation."""
    terms = [np.sum(np.real(b * d)) for b, d in zip(leaves(bar), leaves(dot), strict=True) if is_float(b) and is_float(d)]
    return float(sum(terms))


def difference_in_form(gradient: Any, argument: Any) -> str:
    """Why `gradient` has not the structure, shapes and dtypes of `argument`; "" if it has."""
    try:
        problems = leaves(map_leaves(_difference_of_leaves, argument, gradient))
    except (TypeError, ValueError, KeyError, AttributeError, IndexError) as error:
        return f"another structure: {gradient!r} for {argument!r} ({error})"
    return "; ".join(p for p in problems if p)


def _difference_of_leaves(argument: Any, gradient: Any) -> str:
    if not is_float(argument):
        return "" if gradient is None else f"{gradient!r} instead of None at a leaf {argument!r}"
    if isinstance(argument, np.ndarray):
        if not isinstance(gradient, np.ndarray):
            return f"{type(gradient).__name__} for an array"
        if gradient.shape != argument.shape or gradient.dtype != argument.dtype:
            return f"{gradient.dtype}{gradient.shape} for {argument.dtype}{argument.shape}"
        return "" if gradient.flags.writeable else "a read-only array"
    if isinstance(argument, np.generic):
        expected: Any = argument.dtype
        return "" if np.shape(gradient) == () and np.result_type(gradient) == expected else f"{gradient!r} for a {expected}"
    kind = complex if isinstance(argument, complex) else float
    return "" if isinstance(gradient, kind) else f"{type(gradient).__name__} for a {kind.__name__}"


def difference(a: Any, b: Any, rtol: float = 1e-12, atol: float = 1e-12) -> str:
    """Where structures `a` and `b` differ; "" if they do not (nan equals nan)."""
    try:
        problems = leaves(map_leaves(lambda p, q: _unequal(p, q, rtol, atol), a, b))
    except (TypeError, ValueError, KeyError, AttributeError, IndexError):
        return f"{a!r} has another structure than {b!r}"
    return "; ".join(p for p in problems if p)


def _unequal(a: Any, b: Any, rtol: float, atol: float) -> str:
    numeric = (np.ndarray, np.generic, float, complex, int)
    if isinstance(a, numeric) and isinstance(b, numeric):
        same = np.shape(a) == np.shape(b) and np.allclose(a, b, rtol=rtol, atol=atol, equal_nan=True)
    elif isinstance(a, (str, bytes, type(None))):
        same = a == b
    else:
        same = type(a) is type(b)
    return "" if same else f"{a!r} is not {b!r}"


def shared_memory(*structures: Any) -> str:
    """Which two arrays among all leaves share memory; "" if none do. One structure may share within itself only if it is an argument."""
    arrays = [(k, leaf) for k, s in enumerate(structures) for leaf in leaves(s) if isinstance(leaf, np.ndarray) and leaf.size]
    for i, (k, a) in enumerate(arrays):
        for m, b in arrays[i + 1 :]:
            if np.shares_memory(a, b):
                return f"an array of part {k} shares memory with one of part {m}"
    return ""


def _like(leaf: Any, numbers: Any) -> Any:
    """`numbers` as the same kind of object as `leaf`."""
    if isinstance(leaf, np.ndarray):
        return np.array(numbers, dtype=leaf.dtype)
    if isinstance(leaf, (np.float64, np.complex128)) or not isinstance(leaf, np.generic):
        return complex(numbers) if isinstance(leaf, complex) else float(numbers)
    return leaf.dtype.type(numbers)
