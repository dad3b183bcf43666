"""What a derivative must satisfy, mode by mode; and the verdict on a program: right, refused, wrong, or a crash.

A refusal (a DiffError with a sentence for the user) is honest. Anything else that is not right is a bug: a wrong number, an
argument left changed in another way than the program changes it, another exception, a StageError.
"""

from __future__ import annotations

import contextlib
import inspect
import io
import signal
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import sourcediff as sd
from tests import oracles
from tests import structures as st

Args = tuple[Any, ...]


class Wrong(AssertionError):
    """The derivative ran and what it gave is not right."""


def demand(problem: str, about: str) -> None:
    if problem:
        raise Wrong(f"{about}: {problem}")


@dataclass(frozen=True)
class Verdict:
    kind: str  # "right" | "refused" | "WRONG" | "crash"
    detail: str = ""


class TimeUp(Exception):
    pass


@contextlib.contextmanager
def time_limit(seconds: int) -> Iterator[None]:
    """A generated loop that never ends must not stop the whole suite."""

    def ring(signum: int, frame: Any) -> None:
        raise TimeUp(f"no result after {seconds} s")

    before = signal.signal(signal.SIGALRM, ring)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


@contextlib.contextmanager
def strict_warnings() -> Iterator[None]:
    """Warnings are errors but for NumPy's about infinities, which the program itself may give."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", category=RuntimeWarning)
        warnings.simplefilter("error", np.exceptions.ComplexWarning)
        yield


def verdict(check: Callable[[], None], seconds: int = 20) -> Verdict:
    try:
        with time_limit(seconds), strict_warnings(), contextlib.redirect_stdout(io.StringIO()):
            check()
    except sd.StageError as error:
        return Verdict("crash", f"StageError: {_first_line(error)}")
    except sd.DiffError as error:
        return Verdict("refused", f"{getattr(error, 'name', '?')}: {_first_line(error)}")
    except Wrong as error:
        return Verdict("WRONG", str(error))
    except RecursionError as error:
        return Verdict("crash", f"RecursionError: {_first_line(error)}")
    except Exception as error:
        return Verdict("crash", f"{type(error).__name__}: {_first_line(error)}")
    return Verdict("right")


def _first_line(error: BaseException) -> str:
    return (str(error).splitlines() or [""])[0]


@dataclass
class Run:
    """A call: its value, what it printed, what it left in its arguments."""

    value: Any
    printed: str
    left: Args


@dataclass(frozen=True)
class Problem:
    """A function to differentiate, where, and with respect to which parameters (by position; `*args` is one of them).

    smooth: whether differences give the derivative at this point.
    """

    f: Any
    args: Args
    wrt: tuple[int, ...]
    smooth: bool = True

    @property
    def values(self) -> Args:
        """One value for each parameter of f that gets one: `*args` is a tuple."""
        return _bound(self.f, self.args)

    @property
    def chosen(self) -> Args:
        return tuple(self.values[k] for k in self.wrt)

    @property
    def tolerance(self) -> float:
        return 2e-3 if st.is_single_precision(self.args) else 1e-6

    def run(self, derivative: Any, *extra: Any) -> Run:
        """Call f or a derivative of it on fresh arguments; `extra` are the tangents or the seed that it takes beyond f's parameters."""
        mine = st.fresh(self.args)
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            value = self.call(derivative, mine, *extra)
        return Run(st.fresh(value), printed.getvalue(), mine)

    def call(self, derivative: Any, args: Args, *extra: Any) -> Any:
        np.random.seed(7)
        if not extra:
            return derivative(*args)
        try:
            known = set(inspect.signature(self.f).parameters)
        except ValueError:  # a C function without a signature has positional parameters only
            return derivative(*args, *extra)
        added = [name for name in inspect.signature(derivative).parameters if name not in known]
        demand("" if len(added) == len(extra) else f"{added} beyond those of f, not {len(extra)}", "parameters of the derivative")
        return derivative(*args, **dict(zip(added, extra, strict=True)))

    def of_chosen(self, derivative: Any, *extra: Any) -> Callable[..., Any]:
        """`derivative` as a function of the chosen parameters alone, the others as they are."""

        def function(*chosen: Any) -> Any:
            values = list(st.fresh(self.values))
            for k, value in zip(self.wrt, chosen, strict=True):
                values[k] = value
            return self.call(derivative, _unbound(self.f, values), *extra)

        return function

    def directions(self) -> Args:
        return tuple(st.random_like(value, np.random.default_rng(3 + k)) for k, value in enumerate(self.chosen))


def chosen_positions(f: Any, args: Args) -> tuple[int, ...]:
    """The parameters of f that hold a float somewhere (an empty array counts); the first where none does."""
    found = [k for k, v in enumerate(_bound(f, args)) if st.has_floats(v)]
    return tuple(found) or (0,)


def _bound(f: Any, args: Args) -> Args:
    try:
        return tuple(inspect.signature(f).bind(*args).arguments.values())
    except ValueError:
        return args


def _unbound(f: Any, values: list[Any]) -> Args:
    """Values by parameter -> positional arguments."""
    try:
        kinds = [p.kind for p in inspect.signature(f).parameters.values()]
    except ValueError:
        return tuple(values)
    args: list[Any] = []
    for kind, value in zip(kinds, values, strict=False):
        args.extend(value) if kind is inspect.Parameter.VAR_POSITIONAL else args.append(value)
    return tuple(args)


def is_real_scalar(value: Any) -> bool:
    """Whether `grad` takes a function with this value."""
    return isinstance(value, (float, np.floating)) or (isinstance(value, np.ndarray) and value.shape == () and value.dtype.kind == "f")


def check_reverse(p: Problem) -> np.ndarray:
    """Value, gradient, its form, effects of the call. Returns the flat gradient, for comparison with listed numbers."""
    primal = p.run(p.f)
    seed: Args = ()
    if is_real_scalar(primal.value):
        derivative = sd.value_and_grad(p.f, wrt=p.wrt)
    else:
        derivative, seed = sd.vjp(p.f, wrt=p.wrt), (st.ones_like(primal.value),)
    result = p.run(derivative, *seed)
    value, bars = result.value
    demand(st.difference(value, primal.value), "value")
    demand_same_effects(result, primal)
    demand(st.difference_in_form(bars, p.chosen), "form of the gradient")
    mine = st.fresh(p.args)
    demand(st.shared_memory(mine, *seed, *p.call(derivative, mine, *seed)[1]), "memory of the gradient")
    if is_real_scalar(primal.value):  # grad leaves out what only the value needs: another program
        alone = p.run(sd.grad(p.f, wrt=p.wrt))
        demand(st.difference(alone.value, bars, 1e-9), "grad against value_and_grad")
        demand_same_effects(alone, primal)
    if p.smooth:
        demand(oracles.gradient(p.of_chosen(p.f), p.chosen).disagreement(st.flat(bars), p.tolerance), "gradient")
    return st.flat(bars)


def demand_same_effects(result: Run, primal: Run) -> None:
    demand("" if result.printed == primal.printed else f"{result.printed!r} is not {primal.printed!r}", "printed text")
    demand(st.difference(result.left, primal.left), "arguments after the call")


def check_forward(p: Problem) -> None:
    """Forward mode against differences along one direction."""
    primal, dots = p.run(p.f), p.directions()
    result = p.run(sd.jvp(p.f, wrt=p.wrt), *dots)
    value, value_dot = result.value
    demand(st.difference(value, primal.value), "value of jvp")
    demand_same_effects(result, primal)
    if p.smooth:
        estimate = oracles.directional(p.of_chosen(p.f), p.chosen, dots)
        demand(estimate.disagreement(_flat_tangent(primal.value, value_dot), p.tolerance), "tangent")


def check_pairing(p: Problem) -> None:
    """<seed, jvp(dots)> = <vjp(seed), dots>, at kinks too: both modes follow the same convention."""
    value, dots = p.run(p.f).value, p.directions()
    seed = st.random_like(value, np.random.default_rng(40), constant=0.0)
    value_dot = p.run(sd.jvp(p.f, wrt=p.wrt), *dots).value[1]
    bars = p.run(sd.vjp(p.f, wrt=p.wrt), seed).value[1]
    demand(_pairings_differ(p, st.pairing(seed, value_dot), st.pairing(bars, dots)), "forward and reverse")


def check_again(p: Problem) -> None:
    """A pull and a push use nothing up: the second gives what the first gave, which is what vjp and jvp give."""
    value, dots = p.run(p.f).value, p.directions()
    seed = st.random_like(value, np.random.default_rng(40), constant=0.0)
    bars = p.run(sd.vjp(p.f, wrt=p.wrt), seed).value[1]
    pull = p.run(sd.pullback(p.f, wrt=p.wrt)).value[1]
    for which in ("first", "second"):
        demand(st.difference(pull(seed), bars, 1e-9), f"{which} pull against vjp")
    value_dot = p.run(sd.jvp(p.f, wrt=p.wrt), *dots).value[1]
    push = p.run(sd.pushforward(p.f, wrt=p.wrt)).value[1]
    for which in ("first", "second"):
        demand(st.difference(push(*dots), value_dot, 1e-9), f"{which} push against jvp")


def check_second(p: Problem) -> None:
    """The reverse derivative, read again and differentiated forward and in reverse, against differences of itself."""
    value, dots = p.run(p.f).value, p.directions()
    seed: Args = ()
    if is_real_scalar(value):
        first = sd.grad(p.f, wrt=p.wrt)
    else:
        first, seed = sd.vjp(p.f, wrt=p.wrt), (st.ones_like(value),)
    bars, bars_dot = p.run(sd.jvp(first, wrt=p.wrt), *seed, *dots).value
    if p.smooth:
        estimate = oracles.directional(p.of_chosen(first, *seed), p.chosen, dots)
        demand(estimate.disagreement(_flat_tangent(bars, bars_dot), 10 * p.tolerance), "forward over reverse")
    weights = st.random_like(bars, np.random.default_rng(50), constant=0.0)
    pulled = p.run(sd.vjp(first, wrt=p.wrt), *seed, weights).value[1]
    demand(_pairings_differ(p, st.pairing(weights, bars_dot), st.pairing(pulled, dots)), "forward and reverse over reverse")


def _pairings_differ(p: Problem, forward: float, reverse: float) -> str:
    if not p.smooth and np.isnan([forward, reverse]).any():  # 0 times infinity is nan in the mode that multiplies so
        return ""
    same = np.isclose(forward, reverse, rtol=p.tolerance, atol=1e-8 + p.tolerance * 1e-2, equal_nan=True)
    return "" if same else f"{forward} is not {reverse}"


def _flat_tangent(value: Any, value_dot: Any) -> np.ndarray:
    """The tangents of the float leaves of the value; those of the others say nothing."""
    kept: list[np.ndarray] = []
    st.map_leaves(lambda leaf, dot: kept.append(np.ravel(dot)) if st.is_float(leaf) else None, value, value_dot)
    return np.concatenate(kept) if kept else np.zeros(0)


CHECKS: dict[str, Callable[[Problem], Any]] = {
    "reverse": check_reverse,
    "forward": check_forward,
    "pairing": check_pairing,
    "again": check_again,
    "second": check_second,
}


# The modes for parametrize. The derivatives are the same texts on every Python; there a few modes show that they run.
MODES = [mode if mode in ("reverse", "forward") else pytest.param(mode, marks=pytest.mark.slow) for mode in CHECKS]
