"""Programs that write into arrays: value and gradient against the function itself, in time and in memory.

They are those of the corpus (tests/programs), at sizes at which the work counts and not the call.
"""

from __future__ import annotations

import gc
import tracemalloc
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

import sourcediff as sd
from tests.programs import dynamic_programming, filters_and_cells, linear_algebra_loops, particles_and_gathers, stencils

from . import hand, programs
from .hand_written import agree
from .table import Row, Table
from .timing import medians, readable

STENCIL, ALGEBRA = 3.0, 4.5
MATVEC = "matvec of lists"


@dataclass(frozen=True)
class Workload:
    """A program, its arguments by the number of steps, and the bar of time; `linear` ones keep nothing for each step."""

    f: Callable[..., Any]
    args: Callable[[int], tuple[Any, ...]]
    wrt: tuple[int, ...] = (0,)
    steps: int = 0
    bar: float | None = None
    linear: bool = False

    @property
    def name(self) -> str:
        return self.f.__name__.replace("_", " ")

    def derivative(self, args: tuple[Any, ...]) -> Callable[..., Any]:
        return sd.value_and_grad(self.f, wrt=self.wrt).specialize(*args).function


def workloads() -> list[Workload]:
    return [*_stencils(), *_algebra(), *_others()]


def _stencils() -> list[Workload]:
    rng = np.random.default_rng(0)
    line, plane = rng.normal(size=20000), rng.normal(size=(150, 150))
    short, small = rng.normal(size=100), rng.normal(size=(20, 20))
    gas = (1.0 + rng.uniform(size=20000), 0.1 * line, 2.0 + rng.uniform(size=20000))
    species = (rng.uniform(0.5, 1.0, 20000), rng.uniform(0.0, 0.3, 20000))
    made = [
        (stencils.jacobi_1d, lambda n: (line, n), (0,), 50, True),
        (stencils.jacobi_1d_two_buffers, lambda n: (line, n), (0,), 50, True),
        (stencils.jacobi_1d_elements, lambda n: (short, n), (0,), 20, True),
        (stencils.jacobi_2d, lambda n: (plane, n), (0,), 50, True),
        (stencils.jacobi_2d_two_buffers, lambda n: (plane, plane.T.copy(), n), (0, 1), 50, True),
        (stencils.gauss_seidel, lambda n: (small, n), (0,), 10, True),
        (stencils.fdtd_2d, lambda n: (plane, plane.T.copy(), plane[::-1].copy(), rng.normal(size=n)), (0, 1, 2, 3), 50, True),
        (stencils.red_black, lambda n: (line, line[::-1].copy(), n), (0, 1), 50, True),
        (stencils.red_black_2d, lambda n: (small, small.T.copy(), 0.05, n), (0, 1), 10, True),
        (stencils.wave_1d, lambda n: (line, 0.5, n), (0,), 50, True),
        (stencils.wave_1d_speeds, lambda n: (line, 0.1 * line, n), (0, 1), 50, False),
        (stencils.upwind_limited, lambda n: (line, 0.4, n), (0,), 50, False),
        (stencils.upwind_elements, lambda n: (short, 0.4, n), (0,), 20, False),
        (stencils.burgers, lambda n: (0.1 * line, 0.01, n), (0,), 50, False),
        (stencils.euler_gas, lambda n: (*gas, 0.01, n), (0, 1, 2), 20, False),
        (stencils.gray_scott, lambda n: (*species, 0.05, 0.03, n), (0, 1), 50, False),
    ]
    return [Workload(f, args, wrt, steps, STENCIL, linear) for f, args, wrt, steps, linear in made]


def _algebra() -> list[Workload]:
    rng = np.random.default_rng(1)
    n = 24
    matrix = rng.normal(size=(n, n)) + n * np.eye(n)
    positive = matrix @ matrix.T
    vector, long = rng.normal(size=n), rng.normal(size=500)
    loops = linear_algebra_loops
    made = [
        (loops.lu, (matrix,), (0,)),
        (loops.lu_rows, (matrix,), (0,)),
        (loops.lu_blocks, (matrix,), (0,)),
        (loops.pivoted_solve, (matrix, vector), (0, 1)),
        (loops.cholesky, (positive,), (0,)),
        (loops.cholesky_in_place, (positive,), (0,)),
        (loops.cholesky_columns, (positive,), (0,)),
        (loops.triangular_solve, (np.tril(matrix), vector), (0, 1)),
        (loops.triangular_solve_rows, (np.tril(matrix), vector), (0, 1)),
        (loops.thomas, (long, 4.0 + long, 0.5 * long, long**2), (0, 1, 2, 3)),
        (loops.durbin, (vector * 0.05,), (0,)),
        (loops.durbin_elements, (vector * 0.05,), (0,)),
        (loops.givens_qr, (matrix[:, :12].copy(),), (0,)),
        (loops.jacobi_rotations, (positive[:8, :8].copy(), 2), (0,)),
        (loops.gram_schmidt, (matrix[:, :12].copy(),), (0,)),
        (loops.horner, (vector, rng.uniform(-1.0, 1.0, 20000)), (0, 1)),
        (loops.clenshaw, (long, 0.3), (0, 1)),
    ]
    return [Workload(f, lambda _, args=args: args, wrt, bar=ALGEBRA) for f, args, wrt in made]


def _others() -> list[Workload]:
    rng = np.random.default_rng(2)
    signal, image, batch = rng.normal(size=500), rng.normal(size=(16, 16)), rng.normal(size=(256, 64))
    cell = (rng.normal(size=(32, 32)) * 0.1, rng.normal(size=(32, 8)), rng.normal(size=(100, 8)))
    indices = rng.integers(0, 500, 3000)
    cells, filters, tables = particles_and_gathers, filters_and_cells, dynamic_programming
    made = [
        (tables.soft_alignment, (signal[:20], signal[20:40], 0.5), (0, 1)),
        (tables.viterbi, (image, rng.normal(size=(100, 16))), (0, 1)),
        (cells.deposit, (rng.uniform(0.5, 4.5, 10000), rng.uniform(size=10000)), (0, 1)),
        (cells.spmv, (rng.normal(size=3000), signal, indices, np.arange(0, 3001, 6)), (0, 1)),
        (cells.histogram, (rng.uniform(0.5, 4.5, 10000), rng.uniform(size=10000)), (0, 1)),
        (cells.velocity_verlet, (np.cumsum(rng.uniform(size=10000)), rng.normal(size=10000), 0.1, 50), (0, 1)),
        (filters.softmax_rows, (image,), (0,)),
        (filters.convolution, (image, image[:3, :3].copy()), (0, 1)),
        (filters.batch_norm, (batch, *np.abs(batch[:4]), 0.1), (0, 1, 2)),
        (filters.kalman_filter, (signal[:100], np.array([[1.0, 0.1], [-0.2, 0.9]]), 0.1, 0.3), (0, 1, 2, 3)),
        (filters.recurrent_cell, cell, (0, 1, 2)),
        (filters.gated_cell, cell, (0, 1, 2)),
        (filters.biquad, (signal, 0.4, 0.3, -0.2, 0.5, -0.3), (0, 1, 2, 3, 4, 5)),
        (filters.rk4_work_arrays, (signal[:2], 0.1, 100), (0, 1)),
    ]
    return [Workload(f, lambda _, args=args: args, wrt) for f, args, wrt in made]


def in_place() -> Table:
    table = Table(
        "Programs that write into arrays: value and gradient ÷ function (plain NumPy)",
        ("function", "generated", "peak memory", "generated", "÷ function"),
    )
    for workload in workloads():
        table.add(workload.name, lambda w=workload: _time(w))
    table.add(MATVEC, _matvec)
    for workload in workloads():
        if workload.linear:
            table.add(f"{workload.name}: memory of 4 × the steps", lambda w=workload: _growth(w))
    return table


def _time(w: Workload) -> Row:
    args = w.args(w.steps)
    generated = w.derivative(args)
    if not np.isfinite(generated(*_own(args))[0]):
        raise ArithmeticError("its value is not finite: what is timed is no use of it")
    times = medians({"f": lambda: w.f(*_own(args)), "ours": lambda: generated(*_own(args))})
    before, ours = peak(lambda: w.f(*_own(args))), peak(lambda: generated(*_own(args)))
    cells = (readable(times["f"]), readable(times["ours"]), _size(before), _size(ours), f"{ours / before:.2f}")
    return Row(w.name, cells, times["ours"] / times["f"], w.bar)


def _own(args: tuple[Any, ...]) -> tuple[Any, ...]:
    """Some of the programs write into their arguments."""
    return tuple(a.copy() if isinstance(a, np.ndarray) else a for a in args)


def _growth(w: Workload) -> Row:
    """The peak of the gradient with four times the steps, over the one with the steps themselves."""
    few, many = peak_of_gradient(w, w.steps), peak_of_gradient(w, 4 * w.steps)
    return Row(f"{w.name}: memory of 4 × the steps", ("", "", _size(few), _size(many), ""), many / few, 1.1)


def peak_of_gradient(w: Workload, steps: int) -> int:
    args = w.args(steps)
    generated = w.derivative(args)
    generated(*_own(args))
    return peak(lambda: generated(*_own(args)))


def peak(action: Callable[[], Any]) -> int:
    """The most bytes that are allocated at one time during the call, beyond those before it."""
    gc.collect()
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        tracemalloc.reset_peak()
        action()
        return tracemalloc.get_traced_memory()[1] - before
    finally:
        tracemalloc.stop()


def _size(bytes_: int) -> str:
    return f"{bytes_ / 1e6:.3g} MB" if bytes_ >= 1e6 else f"{bytes_ / 1e3:.3g} kB"


def _matvec() -> Row:
    """Against the derivative written by hand, not the function; the types of the lists are those that the program declares."""
    rng = np.random.default_rng(3)
    args = (rng.normal(size=(100, 100)).tolist(), rng.normal(size=100).tolist())
    generated = sd.value_and_grad(programs.matvec, wrt=(0, 1)).function
    agree(generated(*args), hand.matvec(*args))
    times = medians({"f": lambda: programs.matvec(*args), "hand": lambda: hand.matvec(*args), "ours": lambda: generated(*args)})
    cells = (readable(times["f"]), readable(times["ours"]), "hand:", readable(times["hand"]), f"{times['ours'] / times['f']:.2f}")
    return Row(f"{MATVEC} ÷ hand", cells, times["ours"] / times["hand"], 1.3)
