"""Functions that write into an argument are known as such, and none of them passes for a constant."""

from __future__ import annotations

import random

import numpy as np
import pytest

from sourcediff.rules import all_rules, rule_for
from sourcediff.rules.writers import writes_argument, writes_receiver

WRITERS = [np.copyto, np.fill_diagonal, np.place, np.put, np.put_along_axis, np.putmask, np.random.shuffle, np.random.Generator.shuffle]
WRITERS += [np.random.default_rng(0).shuffle, random.shuffle, np.add.at, np.multiply.at, np.maximum.at, np.ndarray.sort, np.ndarray.fill]
WRITERS += [np.ndarray.put, np.ndarray.partition, np.ndarray.__iadd__, np.ones(3).sort, list.append, [].append, {}.update, dict.pop]

READERS = [
    np.sort,
    np.add,
    np.add.reduce,
    np.add.outer,
    np.take,
    np.partition,
    sorted,
    len,
    np.ndarray.sum,
    np.ones(3).copy,
    [].index,
    {}.get,
]
READERS += [np.random.normal, np.random.permutation, print, abs, lambda x: x, 3.0, None, "text", [1], np.ones(2)]


@pytest.mark.parametrize("function", WRITERS, ids=lambda v: getattr(v, "__qualname__", type(v).__name__))
def test_writers(function):
    assert writes_argument(function)
    rule = rule_for(function)
    assert rule is None or rule.form == "undefined" or not rule.pure


@pytest.mark.parametrize("value", READERS, ids=lambda v: getattr(v, "__name__", repr(v)))
def test_readers(value):
    assert not writes_argument(value)


@pytest.mark.parametrize("name", [n for n in dir(np.ndarray) if not n.startswith("_")])
def test_methods_of_arrays(name):
    """Each method that can be called without arguments, and some with: does it change the array?"""
    arguments = {"fill": (0.0,), "put": (0, 9.0), "partition": (1,), "resize": (2,), "setfield": (1, np.int8), "setflags": (False,)}
    x = np.array([3.0, 1.0, 2.0])
    before = x.tobytes(), x.flags.writeable
    try:
        getattr(x, name)(*arguments.get(name, ()), **({"inplace": True} if name == "byteswap" else {}))
    except (TypeError, ValueError):
        return
    assert writes_receiver(name) == ((x.tobytes(), x.flags.writeable) != before)


@pytest.mark.parametrize("rule", [r for r in all_rules() if r.form == "constant" and r.pure], ids=lambda r: r.path)
def test_no_pure_constant_writes(rule):
    assert not writes_argument(rule.function)
