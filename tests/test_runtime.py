"""The helpers that derivatives call."""

from __future__ import annotations

import timeit
from collections import namedtuple
from fractions import Fraction

import numpy as np
import pytest

from sourcediff import runtime as rt

Point = namedtuple("Point", "x y")


UNBROADCAST = [
    (np.ones((3, 4)), np.zeros(4), np.full(4, 3.0)),
    (np.ones((3, 4)), np.zeros((3, 1)), np.full((3, 1), 4.0)),
    (np.ones((2, 3, 4)), np.zeros((1, 4)), np.full((1, 4), 6.0)),
    (np.ones(3), np.zeros((3, 1)), np.full((3, 1), 3.0)),
    (np.ones(3), np.zeros(()), np.array(3.0)),
    (2.0, np.zeros(3), np.full(3, 2.0)),
    (np.ones((1, 3)), np.zeros((2, 3)), np.ones((2, 3))),
    (np.ones(3), 0.5, 3.0),
    (np.float64(2), 0.5, 2.0),
    (np.array(2.0), 0.5, 2.0),
    (np.ones(3), np.float32(1), np.float32(3)),
    (1 + 2j, 0.5, 1.0),
    (np.array([1 + 2j]), np.zeros(1), np.array([1.0])),
    (np.array([1 + 2j]), 0j, 1 + 2j),
    (np.ones(3), np.zeros(3, np.float32), np.ones(3, np.float32)),
    (np.ones(3), np.zeros(3, np.int64), np.ones(3)),
    (np.ones(3), np.zeros(3, bool), np.ones(3)),
    (1.5, 3, 1.5),
    (np.zeros((0, 3)), np.zeros(3), np.zeros(3)),
    (np.zeros((0, 3)), np.zeros((1, 3)), np.zeros((1, 3))),
]


@pytest.mark.parametrize(("g", "x", "expected"), UNBROADCAST)
def test_unbroadcast(g, x, expected):
    got = rt.unbroadcast(g, x)
    np.testing.assert_array_equal(got, expected)
    assert type(got) is type(expected)
    assert np.asarray(got).dtype == np.asarray(expected).dtype


def test_unbroadcast_of_what_is_no_number():
    for x in ("text", [1.0], {}, object()):
        with pytest.raises(TypeError, match="numbers and arrays"):
            rt.unbroadcast(1.0, x)
    assert rt.unbroadcast(Fraction(1, 3), Fraction(1, 2)) == Fraction(1, 3)


def test_unbroadcast_of_lists():
    first, second = rt.unbroadcast([np.ones((2, 3)), (1.0, 2.0)], [np.ones(3), (1.0, np.float32(2))])
    np.testing.assert_array_equal(first, [2, 2, 2])
    assert list(second) == [1.0, 2.0] and type(second[1]) is np.float32


def test_unbroadcast_is_fast_where_there_is_nothing_to_do():
    g, x = np.ones(3), np.ones(3)
    assert rt.unbroadcast(g, x) is g
    assert min(timeit.repeat(lambda: rt.unbroadcast(g, x), number=2000, repeat=5)) / 2000 < 1e-6


def test_zero_of():
    assert rt.zero_of(3) == 0.0
    assert type(rt.zero_of(3)) is float
    assert rt.zero_of(1j) == 0j
    assert rt.zero_of(Fraction(1, 2)) == 0
    assert type(rt.zero_of(np.float32(2))) is np.float32
    assert rt.zero_of(np.arange(3)).dtype == float
    assert rt.zero_of(np.ones(2, np.float32)).dtype == np.float32
    assert rt.zero_of([1.0, (2.0, "a")]) == [0.0, [0.0, None]]
    assert rt.zero_of({"a": 1.0}) == {"a": 0.0}
    assert rt.zero_of(Point(1.0, 2.0)) == [0.0, 0.0]
    assert rt.zero_of(None) is None


def test_owned():
    x, seed = np.zeros((2, 3), np.float32), np.ones(3)
    got = rt.owned(seed, x)
    assert got.shape == x.shape
    assert got.dtype == np.float32
    assert not np.shares_memory(got, seed)
    same = rt.owned(x, x)
    assert not np.shares_memory(same, x)
    assert rt.owned(1.0, np.arange(2)).dtype == float
    assert rt.owned(np.float64(2), 1.5) == 2.0


def test_broadcast_like():
    assert rt.broadcast_like(1.0, np.ones((2, 3))).shape == (2, 3)
    g = np.ones(3)
    assert rt.broadcast_like(g, np.zeros(3)) is g
    assert rt.broadcast_like(1.0, 2.0) == 1.0


def test_check_seed():
    rt.check_seed(1.0, np.float64(2), "value_bar")
    rt.check_seed(1.0, np.array(2.0), "value_bar")
    rt.check_seed(np.ones(3), np.zeros(3), "value_bar")
    with pytest.raises(ValueError, match=r"value_bar has shape \(\), .* shape \(3,\)"):
        rt.check_seed(1.0, np.zeros(3), "value_bar")
    with pytest.raises(ValueError, match="shape"):
        rt.check_seed(np.ones((1, 3)), np.zeros(3), "x_dot")


def test_check_scalar():
    rt.check_scalar(1.0, "f")
    rt.check_scalar(np.array(1.0), "f")
    with pytest.raises(TypeError, match="shape"):
        rt.check_scalar(np.ones(1), "f")
    with pytest.raises(TypeError, match="complex"):
        rt.check_scalar(1j, "f")


LAST_WRITES = [
    (np.array([0, 2, 0]), (3,)),
    (np.array([[0, 1], [1, 1]]), (3,)),
    ((np.array([0, 1, 0]), np.array([1, 1, 1])), (2, 2)),
    (np.array([-1, 2, 0]), (3,)),
    (slice(0, 2), (3,)),
    (np.array([True, False, True]), (3,)),
    (np.array([1, 1]), (2, 3)),
    (1, (3,)),
]


@pytest.mark.parametrize(("index", "shape"), LAST_WRITES)
def test_last_writes(index, shape):
    """Storing v and loading it again gives v exactly where the write was the last of its slot."""
    x = np.zeros(shape)
    v = np.arange(1.0, 1 + np.size(x[index])).reshape(np.shape(x[index]))
    x[index] = v
    np.testing.assert_array_equal(np.asarray(rt.last_writes(index, shape)), x[index] == v)


def test_scattered_accumulates():
    np.testing.assert_array_equal(rt.scattered(np.array([1.0, 2.0, 4.0]), np.zeros(3), [0, 2, 0]), [5, 0, 2])
    np.testing.assert_array_equal(rt.scattered(1.0, np.zeros((2, 2)), 1), [[0, 0], [1, 1]])
    np.testing.assert_array_equal(rt.scattered(np.ones(2), np.zeros((2, 2)), (slice(None), 1)), [[0, 1], [0, 1]])


def test_split_like():
    a, b = rt.split_like(np.arange(5.0), [np.zeros(2), np.zeros(3)], 0)
    np.testing.assert_array_equal(a, [0, 1])
    np.testing.assert_array_equal(b, [2, 3, 4])
    c, d = rt.split_like(np.arange(6.0).reshape(2, 3), [np.zeros((2, 1)), np.zeros((2, 2))], -1)
    np.testing.assert_array_equal(c, [[0], [3]])
    np.testing.assert_array_equal(d, [[1, 2], [4, 5]])


def test_inverse():
    for axes in ((0, 1, 2), (1, 2, 0), (-1, 0, 1)):
        x = np.ones((2, 3, 4))
        assert np.transpose(np.transpose(x, axes), rt.inverse(axes)).shape == x.shape


def test_others_product():
    assert rt.others_product([2.0, 3.0, 4.0]) == [12.0, 8.0, 6.0]
    assert rt.others_product([0.0, 3.0, 0.0]) == [0.0, 0.0, 0.0]
    assert rt.others_product([5.0]) == [1]


def test_pick():
    assert rt.pick(3.0, (1.0, 3.0, 3.0), (10.0, 20.0, 30.0)) == 20.0
    assert rt.pick(3.0, ([1.0, 3.0],), ([10.0, 20.0],)) == 20.0
    assert rt.pick_adjoint(7.0, 3.0, (1.0, 3.0, 3.0)) == [0.0, 7.0, 0.0]
    assert rt.pick_adjoint(7.0, 3.0, ([1.0, 3.0],)) == [[0.0, 7.0]]
    assert rt.pick_adjoint(7.0, 3.0, ([3.0],)) == [[7.0]]
    np.testing.assert_array_equal(rt.pick_adjoint(7.0, 3.0, (np.array([1.0, 3.0]),)), [[0.0, 7.0]])
