"""Structures of numbers as values: lists, tuples, dicts, dataclasses and other objects, taken apart and put together again."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from .python.valued import attributes_of, is_named


def flatten(structure: Any) -> tuple[Any, Callable[[Any], Any]]:
    """(vector, restore): the numbers of a structure in one vector, for optimisers, and the way back.

    The float and complex leaves stand in the vector in the order of the structure; `restore(vector)` is a new structure of the
    same classes, shapes and dtypes, with everything that is no such number (ints, text, None) as it is. Of a gradient the vector
    has the same order. `restore` raises ValueError for a vector of another length.

    >>> import numpy as np
    >>> import sourcediff as sd
    >>> start = {"w": np.array([1.0, 2.0]), "b": 0.5, "steps": 3}
    >>> vector, restore = sd.flatten(start)
    >>> vector
    array([1. , 2. , 0.5])
    >>> restore(2 * vector)
    {'w': array([2., 4.]), 'b': 1.0, 'steps': 3}
    >>> loss = lambda p: np.sum(p["w"] ** 2) + p["b"] ** 2
    >>> sd.flatten(sd.grad(loss)(start))[0]
    array([2., 4., 1.])
    """
    numbers = [np.asarray(leaf) for _, leaf in leaves(structure)]
    vector = np.concatenate([n.ravel() for n in numbers]) if numbers else np.zeros(0)
    size = vector.size

    def restore(vector: Any) -> Any:
        given = np.asarray(vector)
        if given.shape != (size,):
            raise ValueError(f"the vector must have shape ({size},), not {given.shape}")
        start = 0

        def next_leaf(leaf: Any) -> Any:
            nonlocal start
            end = start + math.prod(np.shape(leaf))
            piece, start = given[start:end], end
            return like(piece if np.iscomplexobj(leaf) else piece.real, leaf)

        return mapped(next_leaf, structure)

    return vector, restore


def taken_apart(x: Any) -> list[tuple[str, Any]] | None:
    """(label, part) for the parts of a structure; None for what has none."""
    if isinstance(x, dict):
        return [(f"[{k!r}]", v) for k, v in x.items()]
    if isinstance(x, (list, tuple)):
        names = [f".{n}" for n in type(x)._fields] if is_named(type(x)) else [f"[{k}]" for k in range(len(x))]  # type: ignore[union-attr]
        return list(zip(names, x, strict=True))
    names_of = attributes_of(x)
    return None if names_of is None else [(f".{n}", getattr(x, n)) for n in names_of]


def put_together(x: Any, parts: list[Any]) -> Any:
    """A structure like x of other parts."""
    kind: Any = type(x)
    if isinstance(x, dict):
        return dict(zip(x, parts, strict=True))
    if isinstance(x, (list, tuple)):
        return kind(*parts) if is_named(kind) else kind(parts)
    new = kind.__new__(kind)
    for name, part in zip(attributes_of(x) or [], parts, strict=True):
        object.__setattr__(new, name, part)
    return new


def is_leaf(x: Any) -> bool:
    """Is it a number or array that a derivative may be by?"""
    return isinstance(x, (float, complex, np.floating, np.complexfloating)) or (isinstance(x, np.ndarray) and x.dtype.kind in "fc")


def leaves(x: Any, label: str = "") -> Iterator[tuple[str, Any]]:
    """(label, leaf) for the float and complex leaves of a structure, in order."""
    if is_leaf(x):
        yield label, x
    for name, part in taken_apart(x) or ():
        yield from leaves(part, label + name)


def mapped(g: Callable[..., Any], x: Any, *others: Any) -> Any:
    """A structure like x with g of each float leaf, and of the leaves of the others; other leaves as they are."""
    if is_leaf(x):
        return g(x, *others)
    found = taken_apart(x)
    if found is None:
        return x
    theirs = [[part for _, part in taken_apart(o) or ()] for o in others]
    return put_together(x, [mapped(g, part, *(t[k] for t in theirs)) for k, (_, part) in enumerate(found)])


def like(value: Any, x: Any) -> Any:
    """Values as what x is: a Python number, a NumPy scalar or an array of x's shape and dtype."""
    if isinstance(x, np.ndarray):
        return np.array(value, dtype=x.dtype).reshape(x.shape)
    return type(x)(np.asarray(value).reshape(())[()])


def part_at(x: Any, steps: list[tuple[bool, Any]]) -> Any:
    """What a path leads to."""
    for attribute, key in steps:
        x = getattr(x, key) if attribute else x[key]
    return x


def with_part(x: Any, steps: list[tuple[bool, Any]], new: Any) -> Any:
    """A structure like x with another part where a path leads to."""
    if not steps:
        return new
    attribute, key = steps[0]
    old = part_at(x, steps[:1])
    labels = {f".{key}"} if attribute else {f"[{key!r}]"} | ({f".{type(x)._fields[key]}"} if is_named(type(x)) else set())
    changed = with_part(old, steps[1:], new)
    return put_together(x, [changed if label in labels else part for label, part in taken_apart(x) or ()])
