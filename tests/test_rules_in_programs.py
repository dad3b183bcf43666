"""Every rule through the whole pipeline: each call that a rule is tried at, as a one-line program, in both modes and to second order."""

from __future__ import annotations

import linecache
import math

import numpy as np
import pytest
from test_rules import DIFFERENTIABLE, Case, calls_of, leaves, pairing, vector

import sourcediff as sd

# Programs that the steps cannot differentiate yet, by what is in them. A line goes when it can.
NOT_YET: dict[str, str] = {}
ANYWHERE = ()
SKIPPED = {"np.float32", "np.linalg.norm(x0, x1"}  # differences need more digits; the order of a norm is no operand


class Program:
    """def f(x0, x1): return np.rule(x0, x1), and the values that the rule is tried at."""

    def __init__(self, rule, args, options):
        self.case = Case(rule, args, options)
        self.scope = {"np": np, "math": math}
        self.values = []
        texts = [self.text(a) for a in args] + [f"{k}={self.text(v)}" for k, v in options.items()]
        name = rule.path.rpartition(".")[2]
        method = rule.path.startswith("np.ndarray.")
        self.call = f"{texts[0]}.{name}({', '.join(texts[1:])})" if method else f"{rule.path}({', '.join(texts)})"
        self.names = [f"x{i}" for i in range(len(self.values))]

    def text(self, value):
        if isinstance(value, type):
            return "float" if value is float else f"np.{value.__name__}"
        if isinstance(value, (list, tuple)):
            parts = ", ".join(self.text(v) for v in value)
            return f"[{parts}]" if isinstance(value, list) else f"({parts},)"
        if np.asarray(value).dtype.kind in "fc" and not np.any(np.isinf(value)):
            self.values.append(value)
            return f"x{len(self.values) - 1}"
        if isinstance(value, (int, str, bool, type(None))):
            return repr(value)
        self.scope[f"c{len(self.scope)}"] = value
        return f"c{len(self.scope) - 1}"

    def function(self, body):
        source = f"def f({', '.join(self.names)}):\n{body.format(call=self.call)}"
        file = f"<program {abs(hash(source))}>"
        linecache.cache[file] = (len(source), None, source.splitlines(True), file)
        exec(compile(source, file, "exec"), self.scope)
        return self.scope["f"]


def programs():
    for rule in DIFFERENTIABLE:
        if "." not in rule.path and rule.path not in ("abs", "pow", "float", "complex", "sum", "max", "min"):
            continue  # a helper: no user calls it
        for k, (args, options) in enumerate(calls_of(rule)):
            program = Program(rule, args, options)
            if not any(program.call.startswith(s) for s in SKIPPED):
                yield pytest.param(program, id=f"{program.call}-{k}")


PROGRAMS = list(programs())


def unfinished(program):
    """Why the steps cannot differentiate a program yet, or nothing."""
    for part, why in NOT_YET.items():
        if program.call.startswith(part) or (part in ANYWHERE and part in program.call):
            return why
    return ""


@pytest.mark.parametrize("program", PROGRAMS)
def test_first_order(program):
    if unfinished(program):
        pytest.skip(unfinished(program))
    f = program.function("    return {call}\n")
    values, wrt = program.values, tuple(program.names)
    y = f(*values)
    dots = [program.case.direction(v) for v in values]
    seed = program.case.direction(y)
    _, y_dot = sd.jvp(f, wrt=wrt)(*values, *dots)
    _, bars = sd.vjp(f, wrt=wrt)(*values, seed)
    h = 1e-5
    expected = (vector(f(*moved(values, dots, h))) - vector(f(*moved(values, dots, -h)))) / (2 * h)
    np.testing.assert_allclose(vector(y_dot), expected, rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(pairing(seed, y_dot), sum(pairing(b, d) for b, d in zip(bars, dots, strict=True)), rtol=1e-9, atol=1e-9)
    for bar, value in zip(bars, values, strict=True):
        assert np.shape(bar) == np.shape(value)


@pytest.mark.parametrize("program", [p for p in PROGRAMS if any(type(v) is float for v in p.values[0].values)])
def test_the_gradient_of_a_float_is_a_float(program):
    f = program.function("    return {call}\n")
    _, bars = sd.vjp(f, wrt=tuple(program.names))(*program.values, program.case.direction(f(*program.values)))
    assert [isinstance(b, np.ndarray) for b in bars] == [isinstance(v, np.ndarray) for v in program.values]


@pytest.mark.parametrize("program", PROGRAMS)
def test_second_order(program):
    if unfinished(program):
        pytest.skip(unfinished(program))
    values, wrt = program.values, tuple(program.names)
    if isinstance(program.case.run(), (list, tuple)) or "cumprod" in program.call:
        pytest.skip("a list has no square; a helper that writes into its own array is refused")
    f = program.function("    t = {call}\n    return np.sum(t * t)\n")
    if any(np.iscomplexobj(leaf) for leaf in [*leaves(f(*values)), *values]) or np.ndim(f(*values)):
        pytest.skip("grad is of real functions")
    dots = [program.case.direction(v) for v in values]
    gradient = sd.grad(f, wrt=wrt)
    h = 1e-5
    up, down = (gradient(*moved(values, dots, s)) for s in (h, -h))
    expected = [(np.asarray(a) - np.asarray(b)) / (2 * h) for a, b in zip(up, down, strict=True)]
    for got in (sd.jvp(gradient, wrt=wrt)(*values, *dots)[1], sd.vjp(gradient, wrt=wrt)(*values, tuple(dots))[1]):
        for a, b in zip(got, expected, strict=True):
            np.testing.assert_allclose(a, b, rtol=1e-4, atol=1e-4)


def moved(values, dots, h):
    return [v + h * d if np.ndim(v) or not isinstance(v, np.ndarray) else np.asarray(v + h * d) for v, d in zip(values, dots, strict=True)]
