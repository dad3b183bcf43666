"""Functions of Python that the walk reads as they stand here: what they do, in terms of what is differentiated."""
# ruff: noqa: C416, PERF402 - lists are built as the walk reads them

from __future__ import annotations

from typing import Any

import numpy as np


def ordered(values: Any, keys: Any) -> Any:
    """The order is that of the keys as they are: a constant."""
    order = np.argsort(keys, kind="stable")
    return [values[k] for k in order]


def ordered_by(values: Any, key: Any) -> Any:
    return ordered(values, [key(v) for v in values])


def reversed_order(values: Any) -> Any:
    return ordered(values, [-v for v in values])


def reversed_order_by(values: Any, key: Any) -> Any:
    return ordered(values, [-key(v) for v in values])


def greatest(values: Any, key: Any) -> Any:
    return values[np.argmax([key(v) for v in values])]


def least(values: Any, key: Any) -> Any:
    return values[np.argmin([key(v) for v in values])]


def filter_(function: Any, iterable: Any) -> Any:
    return [v for v in iterable if function(v)]


def filter_true(function: Any, iterable: Any) -> Any:
    return [v for v in iterable if v]


def map_(function: Any, iterable: Any) -> Any:
    return [function(v) for v in iterable]


def map_rows(function: Any, *iterables: Any) -> Any:
    return [function(*row) for row in zip(*iterables)]  # noqa: B905


def list_of(iterable: Any) -> Any:
    return [v for v in iterable]


def repeated(values: Any, count: Any) -> Any:
    return [v for _ in range(count) for v in values]


def joined(first: Any, second: Any) -> Any:
    both = [v for v in first]
    for v in second:
        both.append(v)
    return both


def total_of(values: Any, start: Any) -> Any:
    total = start
    for value in values:
        total = total + value
    return total


def reduced(function: Any, iterable: Any) -> Any:
    total = iterable[0]
    for k in range(1, len(iterable)):
        total = function(total, iterable[k])
    return total


def reduced_from(function: Any, iterable: Any, initial: Any) -> Any:
    total = initial
    for value in iterable:
        total = function(total, value)
    return total


def accumulated_sums(iterable: Any) -> Any:
    total = iterable[0]
    totals = [total]
    for k in range(1, len(iterable)):
        total = total + iterable[k]
        totals.append(total)
    return totals


def accumulated(iterable: Any, func: Any) -> Any:
    total = iterable[0]
    totals = [total]
    for k in range(1, len(iterable)):
        total = func(total, iterable[k])
        totals.append(total)
    return totals


def accumulated_from(iterable: Any, func: Any, initial: Any) -> Any:
    total = initial
    totals = [total]
    for value in iterable:
        total = func(total, value)
        totals.append(total)
    return totals


def chained(*iterables: Any) -> Any:
    values = []
    for iterable in iterables:
        for value in iterable:
            values.append(value)
    return values


def pairwise(iterable: Any) -> Any:
    return zip(iterable[:-1], iterable[1:])  # noqa: B905


def of_elements(function: Any, x: Any) -> Any:
    return [function(v) for v in np.ravel(x)]


def of_rows(function: Any, matrix: Any) -> Any:
    return [function(row) for row in matrix]


def of_columns(function: Any, matrix: Any) -> Any:
    return [function(column) for column in matrix.T]


def shaped_like(values: Any, x: Any) -> Any:
    return np.reshape(np.array(values), np.shape(x))


def as_array(values: Any) -> Any:
    return np.array(values)
