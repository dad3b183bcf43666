"""Check derivatives against the function itself: by finite differences and by the dot-product test.

Forward mode is compared with central differences along a random direction, reverse mode with forward mode: for a tangent
x_dot and a cotangent y_bar, <y_bar, y_dot> = <x_bar, x_dot>. Where a direction fails, the elements are tried one by one,
so that the message names the argument and the element. Second order is the same test on the derivative itself.
"""

from __future__ import annotations

import copy
import dataclasses
import inspect
import itertools
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from .callables import Subject, name_of, subject_of
from .python.paths import root_of, steps_of
from .result import Derivative
from .structures import leaves, like, mapped, part_at, with_part
from .transforms import jvp, vjp

MODES = ("forward", "reverse")


def check_grads(
    f: Callable[..., Any],
    *args: Any,
    wrt: Any = 0,
    order: int = 2,
    modes: Sequence[str] = MODES,
    rtol: float | None = None,
    atol: float | None = None,
    eps: float | None = None,
    seed: int = 0,
    **kwargs: Any,
) -> None:
    """Raise AssertionError, naming argument, element and both numbers, if a derivative of f at these arguments is wrong.

    f is called on copies; its value may be a number, an array, or a structure of these. `order` 2 checks the
    derivative of the derivative too. `rtol` and `atol` bound the difference (default: by the precision of the arguments;
    wider at second order), `eps` is the relative step of the differences, `seed` that of the random directions.
    """
    if order < 1 or not modes or any(m not in MODES for m in modes):
        raise ValueError(f"order must be at least 1 and modes among {MODES}, not {order} and {tuple(modes)}")
    trial = _Trial(f, args, kwargs, wrt, rtol, atol, eps, np.random.default_rng(seed))
    if "forward" in modes:
        trial.compare("forward", trial.pushed, trial.differences, "finite differences give")
    if "reverse" in modes:
        trial.reverse(trial.pushed if "forward" in modes else trial.differences)
    if order > 1:
        trial.next_order(order - 1, modes)


@dataclasses.dataclass
class _Trial:
    """One function at one point. A direction is a tangent for each chosen variable, by name."""

    f: Callable[..., Any]
    args: tuple[Any, ...]
    kwargs: dict[str, Any]
    wrt: Any
    rtol: float | None
    atol: float | None
    eps: float | None
    random: np.random.Generator

    def __post_init__(self) -> None:
        self.jvp: Derivative = jvp(self.f, self.wrt)
        self.names = (self.jvp.wrt,) if isinstance(self.jvp.wrt, str) else self.jvp.wrt
        subject = subject_of(self.f)
        if any(root_of(name) in subject.bound_names for name in self.names):  # a path into self, which then is an argument
            self.args, self.kwargs = (*subject.args, *self.args), {**subject.keywords, **self.kwargs}
            self.f, subject = subject.function, Subject(subject.function)
            self.jvp = jvp(self.f, self.wrt)
        self.bound = subject.signature.bind(*self.args, **self.kwargs)
        self.bound.apply_defaults()
        self.point = {name: part_at(self.bound.arguments[root_of(name)], steps_of(name) or []) for name in self.names}
        self.precision = max((float(np.finfo(leaf.dtype).eps) for x in self.point.values() for leaf in _arrays(x)), default=1e-16)
        self.relative = 2 * self.precision ** (1 / 3) if self.rtol is None else self.rtol
        self.absolute = self.relative if self.atol is None else self.atol

    def compare(self, mode: str, derive: Callable[..., Any], oracle: Callable[..., Any], told: str) -> None:
        """Both on a random direction; where they differ, on each element, to say where."""
        whole = self._random_direction()
        if self._close(derive(whole), oracle(whole)):
            return
        for name in self.names:
            for label, unit in _units(self.point[name]):
                direction = {n: unit if n == name else mapped(lambda x: like(np.zeros(np.shape(x)), x), p) for n, p in self.point.items()}
                found, expected = derive(direction), oracle(direction)
                if not self._close(found, expected):
                    raise AssertionError(self._message(mode, f"{name}{label}", found, expected, told))
        raise AssertionError(self._message(mode, "a random direction", derive(whole), oracle(whole), told))

    def reverse(self, oracle: Callable[..., Any]) -> None:
        """The dot-product test: <x_bar, x_dot> against <y_bar, y_dot>."""
        cotangent = _random_like(self.call(self.f), self.random)
        derivative = vjp(self.f, self.wrt)
        (seed,) = [n for n in derivative.__signature__.parameters if n not in self.bound.signature.parameters]
        _, bars = self.call(derivative, {seed: cotangent})
        by_name = dict(zip(self.names, bars if isinstance(self.jvp.wrt, tuple) else (bars,), strict=True))
        weights = _flat(cotangent)
        told = "forward mode gives" if oracle == self.pushed else "finite differences give"
        self.compare("reverse", lambda d: sum(_dot(by_name[n], d[n]) for n in self.names), lambda d: np.sum(weights * oracle(d)), told)

    def next_order(self, order: int, modes: Sequence[str]) -> None:
        """The same test on the derivative itself, along a fixed direction."""
        keywords = {**self.bound.kwargs, **self._tangents(self._random_direction())}
        keywords |= {"rtol": 10 * self.relative, "atol": 10 * self.absolute, "eps": self.eps}
        check_grads(self.jvp, *self.bound.args, wrt=self.jvp.wrt, order=order, modes=modes, **keywords)

    def pushed(self, direction: dict[str, Any]) -> Any:
        """The tangent of the value, by forward mode."""
        return _flat(self.call(self.jvp, self._tangents(direction))[1])

    def differences(self, direction: dict[str, Any]) -> Any:
        """The tangent of the value, by central differences extrapolated once (error of fourth order)."""
        size = max(1.0, *(float(np.max(np.abs(leaf), initial=0.0)) for x in self.point.values() for leaf in _arrays(x)))
        step = (self.precision ** (1 / 5) if self.eps is None else self.eps) * size

        def slope(h: float) -> Any:
            ahead, behind = (self.call(self.f, **{n: _moved(x, direction[n], s) for n, x in self.point.items()}) for s in (h, -h))
            return (_flat(ahead) - _flat(behind)) / (2 * h)

        return (4 * slope(step / 2) - slope(step)) / 3

    def call(self, g: Callable[..., Any], extra: dict[str, Any] | None = None, **moved: Any) -> Any:
        """g on copies of the arguments, some of them, or parts of them, replaced."""
        arguments = {name: copy.deepcopy(value) for name, value in self.bound.arguments.items()}
        for path, value in moved.items():
            arguments[root_of(path)] = with_part(arguments[root_of(path)], steps_of(path) or [], value)
        bound = inspect.BoundArguments(self.bound.signature, arguments)
        return g(*bound.args, **bound.kwargs, **(extra or {}))

    def _tangents(self, direction: dict[str, Any]) -> dict[str, Any]:
        return {self.jvp.tangents[name]: tangent for name, tangent in direction.items()}

    def _random_direction(self) -> dict[str, Any]:
        return {name: _random_like(x, self.random) for name, x in self.point.items()}

    def _close(self, found: Any, expected: Any) -> bool:
        return bool(np.allclose(found, expected, rtol=self.relative, atol=self.absolute, equal_nan=True))

    def _message(self, mode: str, where: str, found: Any, expected: Any, told: str) -> str:
        one, other = (np.array2string(np.asarray(v).squeeze(), precision=10, threshold=8) for v in (found, expected))
        return f"{name_of(self.f)}: the {mode}-mode derivative by {where} is {one}, but {told} {other}"


def _random_like(x: Any, random: np.random.Generator) -> Any:
    def draw(leaf: Any) -> Any:
        drawn = random.standard_normal(np.shape(leaf))
        return like(drawn + 1j * random.standard_normal(np.shape(leaf)) if np.iscomplexobj(leaf) else drawn, leaf)

    return mapped(draw, x)


def _moved(x: Any, direction: Any, step: float) -> Any:
    return mapped(lambda leaf, d: like(np.asarray(leaf) + step * np.asarray(d), leaf), x, direction)


def _flat(x: Any) -> np.ndarray[Any, Any]:
    parts = [np.ravel(leaf) for leaf in _arrays(x)]
    return np.concatenate(parts) if parts else np.zeros(0)


def _arrays(x: Any) -> list[Any]:
    return [np.asarray(leaf) for _, leaf in leaves(x)]


def _dot(a: Any, b: Any) -> Any:
    """The pairing of cotangents with tangents: without conjugation."""
    return np.sum(_flat(a) * _flat(b))


def _units(x: Any) -> Iterator[tuple[str, Any]]:
    """(label of an element, structure like x that is one there and zero elsewhere)."""
    for at, (label, leaf) in enumerate(leaves(x)):
        for index in np.ndindex(np.shape(leaf)):
            yield f"{label}[{', '.join(map(str, index))}]" if index else label, _unit(x, at, index)


def _unit(x: Any, at: int, index: tuple[int, ...]) -> Any:
    """A structure like x: one at `index` of its leaf number `at`, zero elsewhere."""
    numbers = itertools.count()

    def one(leaf: Any) -> Any:
        unit = np.zeros_like(np.asarray(leaf))
        if next(numbers) == at:
            unit[index] = 1
        return like(unit, leaf)

    return mapped(one, x)
