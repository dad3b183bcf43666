"""What is paid beside the derivative itself: the call through a Derivative, generation, import."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

import sourcediff as sd

from .table import Row, Table
from .timing import medians, readable


def product(x, y):
    return x * y


def product_of_three(a, b, c):
    return np.sum(a * b * c)


def calls() -> Table:
    table = Table("A call through Derivative against its .specialize(…).function (ratio: added µs)", ("function", "Derivative"))
    table.add("two scalars", lambda: _call_row("two scalars", product, (1.2, 0.7), 0.5))
    arrays = (np.ones(3), np.ones(3), np.ones(3))
    table.add("three arrays", lambda: _call_row("three arrays", product_of_three, arrays, 1.0))
    return table


def _call_row(name: str, f: Any, args: tuple[Any, ...], bar: float) -> Row:
    derivative = sd.grad(f)
    function = derivative.specialize(*args).function
    times = medians({"function": lambda: function(*args), "call": lambda: derivative(*args)}, rounds=41)
    return Row(name, (readable(times["function"]), readable(times["call"])), (times["call"] - times["function"]) * 1e6, bar)


TWENTY_LINES = """
import numpy as np


def f(x, w, n):
    s = 0.0
    y = np.zeros(n)
    y[0] = x[0] * w
    for i in range(1, n):
        t = np.sin(x[i] * w) + y[i - 1]
        if t > 0.5:
            t = t * t
        else:
            t = np.exp(-t)
        y[i] = 0.5 * t + w
        s += y[i] * x[i]
    k = 0
    while k < 3:
        s = s * 0.9 + np.tanh(s)
        k += 1
    z = y * w + x
    m = np.max(z)
    e = np.exp(z - m)
    return s + m + np.log(np.sum(e))
"""


def long_program(statements: int) -> str:
    lines = ["import numpy as np", "", "", "def f(x, w, n):", "    a = x * w", "    b = w + 1.0"]
    forms = ("a = np.sin(a) * b", "b = b + a * w", "a = a / (1.5 + b * b)", "b = np.tanh(b - a)")
    lines += [f"    {forms[k % len(forms)]}" for k in range(statements - 3)]
    return "\n".join([*lines, "    return a * b", ""])


def generation() -> Table:
    table = Table("Generating value and gradient (ratio: ms for 20 lines, s for 500 statements, growth for twice the length)", ("time",))
    with tempfile.TemporaryDirectory() as folder:
        x = np.array([0.3, 0.9, -0.4, 1.2])
        twenty = statistics.median(_generate(Path(folder), TWENTY_LINES, (x, 0.7, 4)) for _ in range(9))
        table.rows.append(Row("20 lines", (readable(twenty),), twenty * 1e3, 30.0))
        times = {n: statistics.median(_generate(Path(folder), long_program(n), (0.3, 0.7, 4)) for _ in range(3)) for n in (250, 500, 1000)}
    table.rows.append(Row("500 statements", (readable(times[500]),), times[500], 2.0))
    table.rows.append(Row("1000 against 500 statements", (readable(times[1000]),), times[1000] / times[500], 2.5))
    table.rows.append(Row("500 against 250 statements", (readable(times[250]),), times[500] / times[250], 2.5))
    return table


def _generate(folder: Path, text: str, args: tuple[Any, ...]) -> float:
    """Seconds from the function object to the compiled derivative; the function is new, so nothing is cached."""
    f = _function(folder, text)
    started = time.perf_counter()
    sd.value_and_grad(f, wrt=(0, 1)).specialize(*args).function  # noqa: B018 (reading the property generates)
    return time.perf_counter() - started


def _function(folder: Path, text: str) -> Any:
    path = folder / f"program_{len(list(folder.iterdir()))}.py"
    path.write_text(text)
    names: dict[str, Any] = {}
    exec(compile(text, str(path), "exec"), names)
    return names["f"]


def imports() -> Table:
    table = Table("import sourcediff, seconds above import numpy", ("time",))
    program = "import time, numpy; t = time.perf_counter(); import sourcediff; print(time.perf_counter() - t)"
    environment = os.environ | {"PYTHONPATH": str(Path(sd.__file__).parents[1])}
    command = [sys.executable, "-c", program]
    runs = [subprocess.run(command, capture_output=True, text=True, check=True, env=environment) for _ in range(9)]
    seconds = statistics.median(float(run.stdout) for run in runs)
    table.rows.append(Row("import", (readable(seconds),), seconds, 0.1))
    return table
