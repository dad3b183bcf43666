"""Derivatives by other means: what the generated code is compared with.

Central differences, extrapolated to step zero (Ridders), give about ten digits together with an estimate of their own error,
so that a kink or a jump near the point is recognised instead of believed. Where a function runs on complex numbers
and nothing in it looks at their size, the complex step gives all digits; it is used only where it agrees with the differences,
because `abs`, `conj` and comparisons make it silently wrong.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from tests import structures as st


@dataclass(frozen=True)
class Estimate:
    """Numbers with the error that each of them may have."""

    value: np.ndarray
    error: np.ndarray

    @property
    def reliable(self) -> np.ndarray:
        return self.error <= 1e-3 * (1.0 + np.abs(self.value))

    def disagreement(self, other: Any, tolerance: float = 1e-6) -> str:
        """Where `other` is not this estimate; "" if it is, or where the estimate itself is worth nothing."""
        numbers = np.ravel(np.asarray(other))
        if numbers.shape != self.value.shape:
            return f"{numbers.shape} numbers for {self.value.shape}"
        allowed = tolerance * (1.0 + np.abs(self.value)) + 10.0 * self.error
        bad = self.reliable & ~(np.abs(numbers - self.value) <= allowed)
        return f"{numbers} is not {self.value}" if bad.any() else ""


def derivative_at_zero(phi: Callable[[float], np.ndarray], step: float = 0.02, levels: int = 9) -> Estimate:
    """phi'(0) of a vector-valued phi, the best entry of the extrapolation table for each component.

    Where phi(0) is not in the middle of its neighbours there is a kink or a jump just here, which central differences
    alone would step over: the error is infinite.
    """
    best = worst = previous = None
    for level in range(levels):
        h = step / 2.0**level
        row = [_central(phi, h)]
        if previous is None:
            best, worst = row[0], np.full(row[0].shape, np.inf)
            previous = row
            continue
        for j, before in enumerate(previous):
            factor = 4.0 ** (j + 1)
            row.append((factor * row[j] - before) / (factor - 1.0))
            error = np.maximum(np.abs(row[j + 1] - row[j]), np.abs(row[j + 1] - before))
            better = error < worst
            best, worst = np.where(better, row[j + 1], best), np.where(better, error, worst)
        previous = row
    assert best is not None and worst is not None
    return Estimate(best, np.full_like(worst, np.inf) if _bends(phi, step / 2.0 ** (levels - 1), best) else worst)


def _bends(phi: Callable[[float], np.ndarray], h: float, slope: np.ndarray) -> bool:
    """Whether the slope changes at 0 itself: its change over a step does not shrink with the step."""

    def change(h: float) -> np.ndarray:
        return _quietly(lambda: np.abs(phi(h) + phi(-h) - 2.0 * phi(0.0)) / h)

    near = change(h)
    return bool(np.any((near > 1e-3 * (1.0 + np.abs(slope))) & (change(4.0 * h) < 2.5 * near)))


def _central(phi: Callable[[float], np.ndarray], h: float) -> np.ndarray:
    return _quietly(lambda: (phi(h) - phi(-h)) / (2.0 * h))


def _quietly(compute: Callable[[], np.ndarray]) -> np.ndarray:
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        return compute()


def directional(f: Callable[..., Any], args: tuple[Any, ...], direction: tuple[Any, ...]) -> Estimate:
    """The derivative of all float outputs of f along `direction` (None at leaves that stay)."""
    length = np.size(st.flat(f(*st.fresh(args))))

    def along(t: float) -> np.ndarray:
        try:
            values = st.flat(f(*st.moved(args, direction, t)))
        except (ArithmeticError, ValueError, IndexError):
            return np.full(length, np.nan)
        return values if values.size == length else np.full(length, np.nan)

    return derivative_at_zero(along)


def gradient(f: Callable[..., Any], args: tuple[Any, ...]) -> Estimate:
    """The gradient of the sum of the real parts of all outputs, in the order of `structures.flat(args)`.

    Of a complex argument x + iy: ∂/∂x - i ∂/∂y, the convention of the project.
    """
    slopes = [_slope_of_leaf(f, args, unit) for unit in st.units(args)]
    if not slopes:
        return Estimate(np.zeros(0), np.zeros(0))
    return Estimate(np.concatenate([s.value for s in slopes]), np.concatenate([s.error for s in slopes]))


def _slope_of_leaf(f: Callable[..., Any], args: tuple[Any, ...], unit: tuple[Any, ...]) -> Estimate:
    real = _slope(f, args, unit)
    if not any(np.iscomplexobj(leaf) and np.any(leaf) for leaf in st.leaves(unit)):
        return real
    turned = st.map_leaves(lambda leaf: leaf * 1j if np.iscomplexobj(leaf) else leaf, unit)
    imaginary = _slope(f, args, turned)
    return Estimate(real.value - 1j * imaginary.value, real.error + imaginary.error)


def _slope(f: Callable[..., Any], args: tuple[Any, ...], unit: tuple[Any, ...]) -> Estimate:
    estimate = directional(lambda *there: st.total(f(*there)), args, unit)
    exact = _complex_step(f, args, unit)
    if exact is None or estimate.disagreement(exact, 1e-7) or not estimate.reliable.all():
        return estimate
    return Estimate(np.array([exact]), np.array([1e-14 * (1.0 + abs(exact))]))


def _complex_step(f: Callable[..., Any], args: tuple[Any, ...], unit: tuple[Any, ...]) -> float | None:
    """Im f(x + i h u) / h, or None where f does not run on complex numbers or has some of its own."""
    h = 1e-30
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        warnings.simplefilter("error", np.exceptions.ComplexWarning)
        try:
            if np.iscomplexobj(st.flat((args, f(*st.fresh(args))))):
                return None
            exact = float(np.sum(np.imag(st.flat(f(*st.moved(args, unit, 1j * h)))))) / h
        except Exception:  # whatever a program does with numbers that it does not expect
            return None
    return exact if np.isfinite(exact) else None
