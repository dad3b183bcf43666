"""Generated code against the hand-derived code of `benchmarks.hand`: value and gradient, Python and NumPy."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

import sourcediff as sd

from . import hand, hand_jacobian, programs
from .table import Row, Table
from .timing import medians, readable


@dataclass(frozen=True)
class Workload:
    """A program with the arguments it is timed at; `bar` is the allowed ratio of generated to hand-written."""

    f: Callable[..., Any]
    by_hand: Callable[..., Any]
    args: tuple[Any, ...]
    wrt: tuple[int, ...]
    bar: float | None = 1.3
    batch: float = 0.02

    @property
    def name(self) -> str:
        return self.f.__name__.replace("_", " ")


def workloads() -> list[Workload]:
    rng = np.random.default_rng(0)
    labels = np.eye(10)[rng.integers(0, 10, 256)]
    weights = (rng.normal(size=(784, 128)) * 0.05, np.zeros(128), rng.normal(size=(128, 10)) * 0.1, np.zeros(10))
    data = rng.normal(size=(1000, 50))
    return [
        Workload(programs.mlp, hand.mlp, (*weights, rng.normal(size=(256, 784)), labels), (0, 1, 2, 3)),
        Workload(programs.logistic_regression, hand.logistic_regression, (rng.normal(size=50), data, rng.choice([-1.0, 1.0], 1000)), (0,)),
        Workload(programs.newton, hand.newton, (3.7,), (0,)),
        Workload(programs.recurrence, hand.recurrence, (0.9, rng.normal(size=2000)), (0, 1), bar=1.6),
        Workload(programs.rk4, hand.rk4, (np.array([1.0, 1.1, 0.9]), np.array([10.0, 28.0, 2.6]), 0.001, 200), (0, 1)),
        Workload(programs.jacobi, hand.jacobi, (rng.normal(size=(150, 150)), 50), (0,)),
        Workload(programs.matvec, hand.matvec, (rng.normal(size=(100, 100)).tolist(), rng.normal(size=100).tolist()), (0, 1), bar=None),
    ]


def hand_written() -> Table:
    table = Table(
        "Value and gradient, generated against hand-derived (.specialize(…).function)", ("function", "hand", "generated", "÷ function")
    )
    for workload in workloads():
        table.add(workload.name, lambda w=workload: _row(w))
    return table


def _row(w: Workload) -> Row:
    generated = sd.value_and_grad(w.f, wrt=w.wrt if len(w.wrt) > 1 else w.wrt[0]).specialize(*w.args).function
    agree(generated(*w.args), w.by_hand(*w.args))
    times = medians({"f": lambda: w.f(*w.args), "hand": lambda: w.by_hand(*w.args), "ours": lambda: generated(*w.args)}, batch=w.batch)
    cells = (readable(times["f"]), readable(times["hand"]), readable(times["ours"]), f"{times['ours'] / times['f']:.2f}")
    return Row(w.name, cells, times["ours"] / times["hand"], w.bar)


def agree(generated: Any, by_hand: Any) -> None:
    """A fast wrong derivative is worth nothing: compare before timing."""
    np.testing.assert_allclose(_numbers(generated), _numbers(by_hand), rtol=1e-8, atol=1e-10)


def _numbers(result: Any) -> np.ndarray:
    if isinstance(result, (tuple, list)):
        return np.concatenate([_numbers(part) for part in result])
    return np.ravel(np.asarray(result, dtype=float))


def jacobians() -> Table:
    """S2: Jacobians of small functions of many numbers, value included."""
    table = Table("Jacobians of small functions (value included)", ("function", "hand", "generated", "÷ function"))
    rng = np.random.default_rng(1)
    bundle = (*rng.uniform(0.2, 0.6, 15).tolist(), 0.3, 0.2)
    table.add(
        "bundle adjustment 15 → 2", lambda: _jacobian(programs.bundle_residual, bundle, tuple(range(15)), hand_jacobian.bundle_residual)
    )
    table.add("two rotations 12 → 3", lambda: _jacobian(programs.two_rotations, (rng.uniform(0.2, 0.6, 12), (0.1, 0.2, 0.3)), 0, None))
    return table


def _jacobian(f: Callable[..., Any], args: tuple[Any, ...], wrt: Any, by_hand: Callable[..., Any] | None) -> Row:
    generated = sd.value_and_jacobian(f, wrt=wrt).specialize(*args).function
    actions = {"f": lambda: f(*args), "ours": lambda: generated(*args)}
    if by_hand is not None:
        agree(generated(*args), by_hand(*args))
        actions["hand"] = lambda: by_hand(*args)
    times = medians(actions)
    hand_time = readable(times["hand"]) if "hand" in times else ""
    ratio = times["ours"] / times["hand"] if "hand" in times else None
    return Row(
        f.__name__.replace("_", " "), (readable(times["f"]), hand_time, readable(times["ours"]), f"{times['ours'] / times['f']:.2f}"), ratio
    )
