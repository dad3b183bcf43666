"""Lists as arguments: what a call finds out about their elements, what is refused, and the text that is written."""

import numpy as np
import pytest

import sourcediff as sd
from tests.programs import lists

HELPERS = ("zero_parts", "add_at", "add_each", "owned", "unbroadcast")


@pytest.mark.parametrize(
    ("f", "args"),
    [
        (lists.weighted, (lists.X, lists.X)),
        (lists.matvec, (lists.A, lists.X)),
        (lists.by_elements, (lists.A, lists.X)),
        (lists.cube, ([lists.A],)),
        (lists.vectors_by_elements, (lists.VECTORS, lists.X[:2])),
    ],
)
def test_known_elements_need_no_helper(f, args):
    source = sd.grad(f, wrt=tuple(range(len(args)))).specialize(*args).source
    assert not [h for h in HELPERS if h in source]


def test_an_integer_in_a_declared_list_has_none():
    derivative = sd.grad(lists.matvec, wrt=(0, 1))
    by_matrix, by_vector = derivative([[0.5, 1], [1.5]], [2.0, 3.0])
    assert by_matrix == [[96.0, None], [54.0]]
    assert by_vector == [24.0 + 40.5, 48.0]
    assert derivative([[0.5, 1.0]], [2.0, 3.0]) == ([[96.0, 144.0]], [24.0, 48.0])


def test_examples_of_several_classes_state_nothing():
    derivative = sd.grad(lists.weighted).specialize([0.5, 2], [1.0, 1.0])
    assert derivative.function([0.5, 2], [1.0, 1.0]) == [1.0, None]


def test_other_numbers_than_declared_are_differentiated():
    narrow = [np.float32(0.5), np.float32(2.0)]
    found = sd.grad(lists.weighted)(narrow, [1.0, 1.0])
    assert [type(v) for v in found] == [np.float32, np.float32]
    assert found == [1.0, 4.0]


def test_arrays_of_several_dtypes_keep_theirs():
    weights = [np.eye(2, dtype=np.float32), np.eye(2)]
    found = sd.grad(lists.layers)(weights, np.array([0.5, 0.7]))
    assert [w.dtype for w in found] == [np.float32, np.float64]


def test_results_share_no_memory():
    derivative = sd.value_and_grad(lists.matvec)
    _, first = derivative(lists.A, lists.X)
    first[0][0] = 100.0
    assert derivative(lists.A, lists.X)[1][0][0] != 100.0


@pytest.mark.parametrize("same", [[np.ones(2)] * 2, [np.ones(3)] * 2])
def test_one_array_twice_in_a_list_that_is_written(same):
    with pytest.raises(ValueError, match="share memory"):
        sd.grad(lists.vectors_written)(same)


def rows_written(A: list[list[float]]):
    for row in A:
        row[0] = row[1] * row[1]
    s = 0.0
    for row in A:
        s += row[0] * row[1]
    return s


def test_rows_of_an_argument_are_written():
    A = [[1.0, 2.0], [3.0, 4.0]]
    assert sd.grad(rows_written)(A) == [[0.0, 12.0], [0.0, 48.0]]
    assert A == [[4.0, 2.0], [16.0, 4.0]]
    row = [1.0, 2.0]
    with pytest.raises(ValueError, match="one list"):
        sd.grad(rows_written)([row, row])


def written_and_read_by_another_name(x: list[float], A: list[list[float]]):
    row = A[0]
    row[1] = x[0] * x[0]
    return A[0][1] * x[1]


def test_a_row_is_written_and_read_by_another_name():
    assert sd.grad(written_and_read_by_another_name)([3.0, 2.0], [[1.0, 2.0]]) == [12.0, 9.0]


def row_lengthened(x: list[float], A: list[list[float]]):
    row = A[0]
    row.append(x[0] * x[0])
    return A[0][-1]


def test_a_row_that_another_name_sees_must_keep_its_length():
    with pytest.raises(sd.UnsupportedError, match="changed in place where another name"):
        sd.grad(row_lengthened)([3.0], [[1.0]])


def test_a_pullback_uses_nothing_up():
    value, pull = sd.pullback(lists.list_result, wrt=(0, 1))(lists.A, lists.X)
    seed = [1.0] * len(value)
    assert pull(seed) == pull(seed)


def test_a_list_of_floats_costs_one_pass():
    """The call looks at the classes of the elements and at nothing else."""
    calls = sd.grad(lists.weighted)
    calls([0.5], [1.0])
    assert calls([0.5, 1], [1.0, 1.0])[1] is None
    assert calls([0.5, 1.0], [1.0, 1.0]) == [1.0, 2.0]
