"""After every step the function is still a Python function: run each stage and compare it with the original."""

from __future__ import annotations

import ast
import inspect
from typing import Any

import sourcediff as sd
import sourcediff.runtime
from tests import structures as st
from tests.judge import Problem, Wrong, demand, demand_same_effects, is_real_scalar

PRIMAL = ("accept", "desugar", "flatten", "inline")


def function_of(source: str, p: Problem, derivative: sd.Derivative) -> Any:
    """The function that `source` defines last, in the names that f sees and those that generation brought into scope."""
    names = dict(vars(sourcediff.runtime)) | dict(getattr(p.f, "__globals__", {})) | dict(derivative._member().helpers)
    names |= dict(inspect.getclosurevars(p.f).nonlocals) if inspect.isfunction(p.f) else {}
    exec(compile(source, "<stage>", "exec"), names)
    last = [node.name for node in ast.parse(source).body if isinstance(node, ast.FunctionDef)][-1]
    return names[last]


def check_stages(p: Problem) -> None:
    """The stages of the primal compute its value, those of the derivative what the derivative returns."""
    primal = p.run(p.f)
    if is_real_scalar(primal.value):
        derivative, seed = sd.grad(p.f, wrt=p.wrt).specialize(*st.fresh(p.args)), ()
    else:
        derivative, seed = sd.vjp(p.f, wrt=p.wrt).specialize(*st.fresh(p.args)), (st.ones_like(primal.value),)
    derived = p.run(derivative, *seed)
    demand("" if set(PRIMAL) <= set(derivative.stages) else f"only {list(derivative.stages)}", "stages")
    for name, source in derivative.stages.items():
        function = function_of(source, p, derivative)
        try:
            result = p.run(function) if name in PRIMAL else p.run(function, *seed)
        except Exception as error:
            raise Wrong(f"stage {name} raises {type(error).__name__}: {error}\n{source}") from error
        expected = primal if name in PRIMAL else derived
        demand(st.difference(result.value, expected.value, 1e-10), f"value of stage {name}")
        demand_same_effects(result, primal)


def check_sources(p: Problem) -> None:
    """What is printed is what runs: the source of the derivative, executed elsewhere, and the derivative for unknown types."""
    primal = p.run(p.f)
    seed = () if is_real_scalar(primal.value) else (st.ones_like(primal.value),)
    derivative = sd.value_and_grad(p.f, wrt=p.wrt) if not seed else sd.vjp(p.f, wrt=p.wrt)
    expected = p.run(derivative, *seed)
    specialised = derivative.specialize(*st.fresh(p.args))
    typed = p.run(function_of(specialised.source, p, specialised), *seed)
    demand(st.difference(typed.value, expected.value), "the source executed elsewhere")
    try:
        untyped = derivative.function
    except sd.UnsupportedError:  # where only types decide what a statement means
        return
    result = p.run(untyped, *seed)
    demand(st.difference(result.value, expected.value, 1e-10), "the derivative for unknown types")
    demand_same_effects(result, primal)
