"""Calls that change an array, each said once as the stores that it makes.

    @in_place(np.copyto)                          np.copyto(y, x * x)      ->  y[...] = x * x
    def copyto(dst, src, where=None): ...         y.fill(x[0])             ->  y[...] = x[0]

The walk inlines these functions where the call stands, so that every later step knows stores alone. What is known of an argument
(`known_scalar`, `known_rank`) decides while the walk runs which of the statements is written; an error and a comment name the user's line.
`out=` is no entry here: it is an argument of hundreds of functions, and the walk takes it off the call (steps/inlining/in_place.py).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from sourcediff.runtime import along_axis, flat_index, known_distinct, known_mask, known_rank, known_real, known_scalar


class InPlace(NamedTuple):
    definition: Callable[..., Any]
    besides: dict[str, tuple[Any, ...]]  # options that change nothing if they are given these literals


def in_place_call(function: Any) -> InPlace | None:
    """The stores that a call of this object makes, if it is listed here."""
    return _FUNCTIONS.get(id(function))


_FUNCTIONS: dict[int, InPlace] = {}


def in_place(*functions: Any, **besides: tuple[Any, ...]) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    def declare(definition: Callable[..., Any]) -> Callable[..., Any]:
        _FUNCTIONS.update((id(f), InPlace(definition, besides)) for f in functions)
        return definition

    return declare


@in_place(np.ndarray.fill)
def fill(a, value):
    a[...] = value


@in_place(np.copyto, where=(True,), casting=("same_kind",))
def copyto(dst, src, where=None):
    if where is None:
        dst[...] = src
    else:
        dst[...] = np.where(where, src, dst)


@in_place(np.put, np.ndarray.put)
def put(a, ind, v, mode="raise"):
    if not known_scalar(v):
        v = np.resize(v, np.shape(ind))
    if known_rank(a, 1) and mode == "raise":
        a[ind] = v
    else:
        a[flat_index(ind, a.shape, mode)] = v


@in_place(np.place)
def place(arr, mask, vals):
    if not known_mask(mask):
        mask = np.asarray(mask, bool)
    if not known_scalar(vals):
        vals = np.resize(vals, np.count_nonzero(mask))
    arr[mask] = vals


@in_place(np.putmask)
def putmask(a, mask, values):
    if not known_mask(mask):
        mask = np.asarray(mask, bool)
    if known_scalar(values):
        a[mask] = values
    else:
        a[mask] = np.resize(values, a.shape)[mask]


@in_place(np.fill_diagonal, wrap=(False,))
def fill_diagonal(a, val):
    count = min(a.shape)
    if not known_scalar(val):
        val = np.resize(val, count)
    if known_rank(a, 2):
        a[np.diag_indices(count)] = val
    else:
        a[np.diag_indices(count, a.ndim)] = val


@in_place(np.put_along_axis)
def put_along_axis(arr, indices, values, axis=-1):
    if known_rank(arr, 1):
        arr[indices] = values
    else:
        arr[along_axis(indices, arr.shape, axis)] = values


@in_place(np.ndarray.sort, kind=(None, "stable", "quicksort", "mergesort", "heapsort"), order=(None,), stable=(None, True, False))
def sort(a, axis=-1):
    if known_rank(a, 1):
        order = np.argsort(a, kind="stable")
        a[...] = a[order]
    else:
        order = np.argsort(a, axis=axis, kind="stable")
        a[...] = np.take_along_axis(a, order, axis=axis)


def flat_copy(a):
    """a.flat, read as a whole"""
    return np.ravel(np.array(a))


def flat_item(a, place):
    """a.flat[i], which is a copy also where i is a slice of a row"""
    if known_distinct(place):
        return a[place]
    return np.array(a[place])


def flat_place(a, index):
    return flat_index(index, a.shape)


def flat_store(a, place, value):
    """a.flat[i] = value, which repeats or cuts the value to as many elements as there are; `place` is that of i in a"""
    if not known_scalar(value):
        value = np.resize(value, np.shape(a[place]))
    a[place] = value


def flat_fill(a, value):
    """a.flat = value"""
    if known_scalar(value):
        a[...] = value
    else:
        a[...] = np.resize(value, a.shape)


def real_store(z, value):
    """z.real = value, of a complex z"""
    if not known_real(value):
        value = np.real(value)
    z[...] = value + 1j * np.imag(z)


def imag_store(z, value):
    """z.imag = value"""
    if not known_real(value):
        value = np.real(value)
    z[...] = np.real(z) + 1j * value


def real_item_store(z, index, value):
    """z.real[index] = value"""
    if not known_real(value):
        value = np.real(value)
    z[index] = value + 1j * np.imag(z[index])


def imag_item_store(z, index, value):
    """z.imag[index] = value"""
    if not known_real(value):
        value = np.real(value)
    z[index] = np.real(z[index]) + 1j * value


def at_each(function, a, indices):
    """np.negative.at(a, indices): an element that is named several times is changed as often."""
    if known_distinct(indices):
        a[indices] = function(a[indices])
    else:
        for k in range(len(indices)):
            place = indices[k]
            a[place] = function(a[place])


def at(function, a, indices, b):
    """np.multiply.at(a, indices, b), in the order of the indices"""
    if known_distinct(indices):
        a[indices] = function(a[indices], b)
    elif known_scalar(b):
        for k in range(len(indices)):
            place = indices[k]
            a[place] = function(a[place], b)
    else:
        b = np.broadcast_to(b, np.shape(a[indices]))
        for k in range(len(indices)):
            place = indices[k]
            a[place] = function(a[place], b[k])


def at_pairs(function, a, rows, columns, b):
    """np.multiply.at(a, (rows, columns), b)"""
    b = np.broadcast_to(b, np.shape(a[rows, columns]))
    for k in range(len(rows)):
        row = rows[k]
        column = columns[k]
        a[row, column] = function(a[row, column], b[k])
