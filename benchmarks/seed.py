"""S1: value and both derivatives of softplus(x*(x+y)) over many random pairs: C tapes, C by hand, and the generated code."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path

import numpy as np

import sourcediff as sd

from . import hand, programs
from .hand_written import agree
from .table import Row, Table
from .timing import medians

PAIRS = 16384  # small enough to stay in cache
SLOW_PAIRS = 512  # for plain Python loops


def seed() -> Table:
    table = Table(f"S1: softplus(x*(x+y)), value and both derivatives, {PAIRS} random pairs", ("ns a pair",))
    rng = np.random.default_rng(2)
    x, y = rng.uniform(-1.0, 1.0, PAIRS), rng.uniform(-1.0, 1.0, PAIRS)
    with tempfile.TemporaryDirectory() as folder:
        library = compiled(Path(folder))
        if library is None:
            table.rows.append(Row("C programs", ("no gcc here",)))
        else:
            names = {
                "C, pointer tape (v1)": "tape_v1",
                "C, index tape (v2)": "tape_v2",
                "C, by hand": "hand",
                "C, the function alone": "primal",
            }
            times = medians({label: _c_action(library, name, x, y) for label, name in names.items()})
            table.rows += [Row(label, (_per_pair(times[label], PAIRS),)) for label in names]
    table.add("NumPy, generated", lambda: _numpy(table, x, y))
    table.add("Python, generated", lambda: _python(table, x[:SLOW_PAIRS].tolist(), y[:SLOW_PAIRS].tolist()))
    return table


def compiled(folder: Path) -> ctypes.CDLL | None:
    """The C programs beside this file, optimised; None where there is no compiler."""
    compiler = shutil.which("gcc") or shutil.which("cc")
    if compiler is None:
        return None
    library = folder / "seed.so"
    source = Path(__file__).with_name("seed.c")
    subprocess.run([compiler, "-O3", "-fPIC", "-shared", str(source), "-o", str(library), "-lm"], check=True)
    return ctypes.CDLL(str(library))


def _c_action(library: ctypes.CDLL, name: str, x: np.ndarray, y: np.ndarray) -> Callable[[], None]:
    outputs = [np.empty(PAIRS) for _ in range(1 if name == "primal" else 3)]
    pointers = [array.ctypes.data_as(ctypes.c_void_p) for array in (x, y, *outputs)]
    function = getattr(library, name)
    function.restype = None
    function.argtypes = [ctypes.c_longlong] + [ctypes.c_void_p] * len(pointers)

    def action() -> None:
        function(PAIRS, *pointers)

    return action


def _numpy(table: Table, x: np.ndarray, y: np.ndarray) -> Row:
    ones = np.ones(PAIRS)
    generated = sd.vjp(programs.softplus_of_arrays, wrt=(0, 1)).specialize(x, y).function
    agree(generated(x, y, ones), hand.softplus_of_arrays(x, y))
    times = medians({"hand": lambda: hand.softplus_of_arrays(x, y), "ours": lambda: generated(x, y, ones)})
    table.rows.append(Row("NumPy, by hand", (_per_pair(times["hand"], PAIRS),)))
    return Row("NumPy, generated", (_per_pair(times["ours"], PAIRS),), times["ours"] / times["hand"], 1.3)


def _python(table: Table, xs: list[float], ys: list[float]) -> Row:
    generated = sd.value_and_grad(programs.softplus, wrt=(0, 1)).specialize(xs[0], ys[0]).function
    agree(generated(xs[0], ys[0]), hand.softplus(xs[0], ys[0]))
    times = medians({"hand": _looped(hand.softplus, xs, ys), "ours": _looped(generated, xs, ys)})
    table.rows.append(Row("Python, by hand", (_per_pair(times["hand"], len(xs)),)))
    return Row("Python, generated", (_per_pair(times["ours"], len(xs)),), times["ours"] / times["hand"], 1.3)


def _looped(function: Callable[[float, float], object], xs: list[float], ys: list[float]) -> Callable[[], None]:
    def action() -> None:
        for x, y in zip(xs, ys, strict=True):
            function(x, y)

    return action


def _per_pair(seconds: float, pairs: int) -> str:
    return f"{seconds / pairs * 1e9:.2f}"
