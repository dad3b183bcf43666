"""Value and both derivatives of softplus(x * (x + y)), over many random pairs.

People write a small autograd for this, in C, Zig, Rust or compiled Python: first a tape of nodes with pointers, then one with indices in
contiguous arrays, each result stored once. What sourcediff writes has no tape at all: each intermediate is a local variable, computed once.

The table compares it with such tapes in C (benchmarks/seed.c), where there is a C compiler, and with the derivative written by hand.
"""

import ctypes
import math
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

import numpy as np

import sourcediff as sd

PAIRS = 10_000
C_PROGRAMS = {
    "C, tape of nodes with pointers": "tape_v1",
    "C, tape with indices": "tape_v2",
    "C, derived by hand": "hand",
}


def softplus(v):
    return math.log(1.0 + math.exp(v))


def pair(x: float, y: float):
    return softplus(x * (x + y))


def pairs(x: np.ndarray, y: np.ndarray):
    return np.log(1.0 + np.exp(x * (x + y)))


def pair_by_hand(x, y):
    s = x + y
    e = math.exp(x * s)
    p = 1.0 + e
    d = e / p
    return math.log(p), (d * (x + s), d * x)


def pairs_by_hand(x, y):
    s = x + y
    e = np.exp(x * s)
    p = 1.0 + e
    d = e / p
    return np.log(p), (d * (x + s), d * x)


def seconds_of(action, repeats=5):
    """The best of some runs."""
    best = math.inf
    for _ in range(repeats):
        start = time.perf_counter()
        action()
        best = min(best, time.perf_counter() - start)
    return best


def compiled(folder):
    """The C programs, or None where there is no compiler."""
    compiler = shutil.which("gcc") or shutil.which("cc")
    if compiler is None:
        return None
    source = Path(__file__).parents[1] / "benchmarks" / "seed.c"
    library = Path(folder) / "seed.so"
    subprocess.run([compiler, "-O3", "-fPIC", "-shared", str(source), "-o", str(library), "-lm"], check=True)
    return ctypes.CDLL(str(library))


def c_action(library, name, x, y, outputs):
    function = getattr(library, name)
    function.restype = None
    pointers = [ctypes.c_void_p(array.ctypes.data) for array in (x, y, *outputs)]
    return lambda: function(ctypes.c_longlong(len(x)), *pointers)


value_and_grad = sd.value_and_grad(pair, wrt=("x", "y"))
print("Of one pair of numbers:\n")
print(value_and_grad.source)

print("Of arrays of pairs, where y_bar and x_bar are elementwise:\n")
x, y = np.random.default_rng(0).uniform(-1.0, 1.0, (2, PAIRS))
vjp = sd.vjp(pairs, wrt=("x", "y")).specialize(x, y)
print(vjp.source)

xs, ys, ones = x.tolist(), y.tolist(), np.ones(PAIRS)
expected, (x_bar, y_bar) = pairs_by_hand(x, y)
for found in (vjp(x, y, ones)[0], [value for value, _ in map(value_and_grad, xs, ys)]):
    np.testing.assert_allclose(found, expected, rtol=1e-12)
np.testing.assert_allclose(vjp(x, y, ones)[1], (x_bar, y_bar), rtol=1e-12)
np.testing.assert_allclose([bars for _, bars in map(value_and_grad, xs, ys)], np.transpose([x_bar, y_bar]), rtol=1e-12)

generated, generated_arrays = value_and_grad.function, vjp.function
actions = {
    "Python, generated": lambda: list(map(generated, xs, ys)),
    "Python, by hand": lambda: list(map(pair_by_hand, xs, ys)),
    "NumPy, generated": lambda: generated_arrays(x, y, ones),
    "NumPy, by hand": lambda: pairs_by_hand(x, y),
}
print(f"{PAIRS} pairs, value and both derivatives:\n")
with tempfile.TemporaryDirectory() as folder:
    library = compiled(folder)
    outputs = np.empty((3, PAIRS))
    for label, name in C_PROGRAMS.items() if library else ():
        actions[label] = c_action(library, name, x, y, outputs)
        actions[label]()
        np.testing.assert_allclose(outputs, (expected, x_bar, y_bar), rtol=1e-12)
    for label, action in actions.items():
        print(f"    {label:32}{seconds_of(action) / PAIRS * 1e9:8.1f} ns a pair")
if library is None:
    print("    (no C compiler here, so no rows in C)")
