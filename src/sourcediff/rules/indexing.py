"""Functions that pick elements. Where an element is picked twice its adjoints accumulate. (`x[i]` itself is the machine's.)"""

from __future__ import annotations

import numpy as np

from sourcediff.rules.forms import constant, forward, linear, reverse, undefined
from sourcediff.runtime import scattered, taken_back


@linear(
    np.take,
    operands=("a",),
    kind="promoted",
    on=["f(v, 1)", "f(v, [0, 2, 2])", "f(A, [0, 2, 2], axis=0)", "f(A, [[1, 1], [0, 3]], axis=-1)", "f(A, [5, 5])"],
)
def take(y_bar, a, indices, axis=None):
    return taken_back(y_bar, a, indices, axis)


@linear(np.take_along_axis, operands=("arr",), kind="promoted", on=["f(v, np.array([2, 0, 2]), 0)", "f(A, np.argsort(A, axis=1), axis=1)"])
def take_along_axis(y_bar, arr, indices, axis=-1):
    return put_back_along_axis(y_bar, arr, indices, axis)


def put_back_along_axis(g, x, indices, axis):
    """Zeros of the shape of `x` with `g` added where take_along_axis took its elements."""
    places = list(np.indices(np.shape(indices), sparse=True))
    places[axis] = indices
    return scattered(g, x, tuple(places))


@linear(put_back_along_axis, operands=("g",), inert=("x",), kind="like x", on=["f(w[:3], v, np.array([2, 0, 2]), 0)"])
def put_back_along_axis_(y_bar, g, x, indices, axis):
    return np.take_along_axis(y_bar, indices, axis)


@linear(
    np.compress,
    operands=("a",),
    inert=("condition",),
    kind="promoted",
    on=["f([True, False, True, True], v)", "f([False, True, True], A, axis=0)"],
)
def compress(y_bar, condition, a, axis=None):
    return taken_back(y_bar, a, np.flatnonzero(condition), axis)


KINDS = (None, "stable", "quicksort", "mergesort", "heapsort")


@reverse(np.sort, operands=("a",), besides={"kind": KINDS}, kind="sorted", on=["f(v)", "f(A)", "f(A, axis=0)", "f(A, axis=None)"])
def sort(y_bar, a, axis=-1):
    if axis is None:
        return taken_back(y_bar, a, np.argsort(a, axis=None, kind="stable"), None)
    return put_back_along_axis(y_bar, a, np.argsort(a, axis=axis, kind="stable"), axis)


@forward(np.sort)
def sort_forward(y, a, a_dot, axis=-1):
    if axis is None:
        return np.take(a_dot, np.argsort(a, axis=None, kind="stable"))
    return np.take_along_axis(a_dot, np.argsort(a, axis=axis, kind="stable"), axis)


# the add of a ufunc's `at` is said as a function from the array before to the array after
@linear(np.add.at, operands=("a", "b"), pure=False, kind="none")
def add_at(y_bar, a, indices, b):
    return y_bar, y_bar[indices]


undefined(np.ix_, "it hands on the elements of its arguments; index with integers", kind="mesh")
constant(np.indices, np.ndindex, np.unravel_index, np.ravel_multi_index)
constant(np.tril_indices, np.triu_indices, kind="places in a matrix", takes=lambda n, k=0, m=None: None)
constant(np.diag_indices, kind="diagonal places", takes=lambda n, ndim=2: None)
undefined(
    np.unique,
    "it drops repeated elements; index with what return_index gives",
    kind="found",
    takes=lambda ar, return_index=False, return_inverse=False, return_counts=False, axis=None: None,
)
