"""What the generated code is timed against is right itself."""

from __future__ import annotations

import ctypes
from pathlib import Path

import numpy as np
import pytest

from benchmarks import hand, hand_jacobian, programs
from benchmarks.seed import compiled
from tests import oracles
from tests import structures as st
from tests.judge import Problem

rng = np.random.default_rng(5)
LABELS = np.eye(2)[[0, 1, 1]]
SMALL = {
    "softplus": ((0.4, -0.7), (0, 1)),
    "mlp": (
        (rng.normal(size=(4, 3)), rng.normal(size=3), rng.normal(size=(3, 2)), rng.normal(size=2), rng.normal(size=(3, 4)), LABELS),
        (0, 1, 2, 3),
    ),
    "logistic_regression": ((rng.normal(size=3), rng.normal(size=(5, 3)), np.array([1.0, -1.0, 1.0, 1.0, -1.0])), (0,)),
    "newton": ((3.7,), (0,)),
    "recurrence": ((0.8, rng.normal(size=5)), (0, 1)),
    "rk4": ((np.array([1.0, 1.1, 0.9]), np.array([10.0, 28.0, 2.6]), 0.01, 3), (0, 1)),
    "jacobi": ((rng.normal(size=(5, 6)), 3), (0,)),
    "matvec": ((rng.normal(size=(3, 4)).tolist(), rng.normal(size=4).tolist()), (0, 1)),
}


@pytest.mark.parametrize("name", SMALL)
def test_by_hand(name: str) -> None:
    args, wrt = SMALL[name]
    problem = Problem(getattr(programs, name), args, wrt)
    value, gradient = getattr(hand, name)(*problem.args)
    assert not st.difference(value, problem.run(problem.f).value)
    assert not oracles.gradient(problem.of_chosen(problem.f), problem.chosen).disagreement(st.flat(gradient))


def test_jacobian_by_hand() -> None:
    point, measurement = tuple(rng.uniform(0.2, 0.6, 15).tolist()), (0.3, 0.2)
    value, *rows = hand_jacobian.bundle_residual(*point, *measurement)
    assert not st.difference(value, programs.bundle_residual(*point, *measurement))
    for k, row in enumerate(rows):
        estimate = oracles.gradient(lambda *p, k=k: programs.bundle_residual(*p, *measurement)[k], point)
        assert not estimate.disagreement(row)


@pytest.mark.parametrize("name", ["tape_v1", "tape_v2", "tape_v2p", "hand", "mech"])
def test_c_programs(name: str, tmp_path: Path) -> None:
    library = compiled(tmp_path)
    if library is None:
        pytest.skip("no C compiler here")
    x, y = rng.normal(size=7), rng.normal(size=7)
    outputs = [np.empty(7) for _ in range(3)]
    function = getattr(library, name)
    function.argtypes = [ctypes.c_longlong] + [ctypes.c_void_p] * 5
    function.restype = None
    function(7, *(array.ctypes.data_as(ctypes.c_void_p) for array in (x, y, *outputs)))
    value, (x_bar, y_bar) = hand.softplus_of_arrays(x, y)
    np.testing.assert_allclose(outputs, [value, x_bar, y_bar], rtol=1e-12)
