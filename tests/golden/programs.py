"""The programs whose derivatives are kept as text, to be read: what they show stands beside each.

Types are declared by annotations, or by example arguments where an annotation cannot say the rank of an array.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

import sourcediff as sd
from tests.golden import in_place

VECTOR = np.ones(4)
MATRIX = np.ones((3, 4))
SQUARE = np.ones((3, 3))


@dataclass(frozen=True)
class Golden:
    """A function, a transform of it and the examples of its arguments that declare types ((): annotations alone)."""

    f: Callable[..., Any]
    transform: Callable[..., Any] = sd.grad
    wrt: Any = 0
    examples: tuple[Any, ...] = ()
    options: tuple[tuple[str, Any], ...] = ()
    name: str = ""

    @property
    def file(self) -> str:
        return (self.name or f"{self.f.__name__}_{self.transform.__name__}") + ".py"

    @property
    def call(self) -> str:
        """The transform as a user writes it."""
        options = "".join(f", {key}={value!r}" for key, value in self.options)
        return f"sd.{self.transform.__name__}({self.f.__name__}, wrt={self.wrt!r}{options})"

    def derivative(self) -> sd.Derivative:
        derivative = self.transform(self.f, wrt=self.wrt, **dict(self.options))
        return derivative.specialize(*self.examples) if self.examples else derivative


# Straight-line code


def softplus(x: float, y: float):
    return math.log(1 + math.exp(x * (x + y)))


def polynomial(x: float):
    return 3.0 * x**3 - 2.0 * x + x / (1.0 + x)


def overwritten(x: float):
    x = x * x
    x = x + math.sin(x)
    return x * 2.0


def shared(x: float, y: float):
    z = x * y
    w = z + math.exp(-z)
    return w * z


def polar(x: float, y: float):
    return math.hypot(x, y), math.atan2(y, x)


def unknown_types(x, y):
    return np.sin(x) * y + x


# Branches


def huber(x: float, delta: float):
    if abs(x) < delta:
        y = 0.5 * x * x
    else:
        y = delta * (abs(x) - 0.5 * delta)
    return y


def changed_condition(x: float):
    if x > 1.0:
        x = x * x
    else:
        x = math.exp(x)
    return x * x


def early_return(x: float, y: float):
    if x < 0.0:
        return y
    return x * y


def either(x: float):
    return (x * x if x > 0.0 else -3.0 * x) * x


# Loops


def dot(x, y, n: int):
    s = 0
    for i in range(n):
        s += x[i] * y[i]
    return s


def iterated_sine(x: float, w: float, n: int):
    for _ in range(n):
        x = np.sin(x * w)
    return x


def power_loop(x: float, n: int):
    s = 1.0
    for _ in range(n):
        s = s * x
    return s


def horner(x: float, coefficients: list[float]):
    p = 0.0
    for c in coefficients:
        p = p * x + c
    return p


def newton(a: float):
    x = a
    while abs(x * x - a) > 1e-12:
        x = 0.5 * (x + a / x)
    return x


def until_large(x: float):
    y = 1.0
    for _ in range(10):
        y = y * x
        if y > 3.0:
            break
    return y * x


def branch_in_loop(x, n: int):
    m = x[0]
    s = 0.0
    for i in range(1, n):
        if x[i] > m:
            m = x[i]
        else:
            s = s + m * x[i]
    return s * m


def matvec_of_lists(A, x):
    s = 0.0
    for row in A:
        r = 0.0
        for a, b in zip(row, x):
            r = a * b + r
        s = s + r * r
    return s


# Calls


def square(v):
    return v * v


def calls(x: float, y: float):
    return square(x + y) * square(y)


def rhs(y: float, k: float):
    return -k * y


def euler(y: float, k: float, n: int):
    for _ in range(n):
        y = y + 0.1 * rhs(y, k)
    return y


def local_function(x: float):
    def g(u):
        return u * x

    return g(x) + g(2.0)


# Arrays


def sum_of_squares(x):
    return np.sum(x * x)


def logistic_regression(w, X, y):
    s = X @ w
    return np.mean(np.log(1.0 + np.exp(-y * s)))


def mlp(W1, b1, W2, b2, X, Y):
    h = np.tanh(X @ W1 + b1)
    z = h @ W2 + b2
    zmax = np.max(z, axis=1, keepdims=True)
    lse = np.log(np.sum(np.exp(z - zmax), axis=1, keepdims=True)) + zmax
    return -np.mean(np.sum(Y * (z - lse), axis=1))


def two_layers(W1, W2, x, y):
    h = np.tanh(W1 @ x)
    r = W2 @ h - y
    return r @ r


def least_squares(A, b):
    x = np.linalg.solve(A, b)
    return np.sum(x * x)


def broadcast(a, b):
    return np.sum((a + b) ** 2)


def gather(x):
    return np.sum(x[1:] * x[:-1]) + x[0] * x[-1]


def masked(x):
    return np.sum(np.where(x > 0.0, x * x, np.exp(x)))


# Stores


def recurrence(x, a: float):
    n = len(x)
    y = np.zeros(n)
    y[0] = x[0]
    for i in range(1, n):
        y[i] = a * y[i - 1] + x[i] ** 2
    return np.sum(y)


def elements(x):
    y = np.zeros(3)
    y[0] = x[0] * x[1]
    y[1] = y[0] + x[2]
    y[2] = y[1] * y[0]
    return np.sum(y)


def relaxation(A0, n: int):
    A = A0.copy()
    for _ in range(n):
        A[1:-1, 1:-1] = 0.25 * (A[1:-1, :-2] + A[1:-1, 2:] + A[2:, 1:-1] + A[:-2, 1:-1])
    return np.sum(A * A)


def nonlinear_sweep(x, n: int):
    u = x.copy()
    for _ in range(n):
        for i in range(1, len(u) - 1):
            u[i] = 0.5 * u[i - 1] * u[i + 1] + 0.1 * u[i] * u[i]
    return np.sum(u * u)


def appended(x: float, n: int):
    xs = []
    for _ in range(n):
        x = np.sin(x)
        xs.append(x)
    return np.sum(np.array(xs))


# Several outputs


def dot3(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def dot_with_unit(t: float, b0: float, b1: float, b2: float):
    a0, a1, a2 = t, 0.0, 0.0
    return a0 * b0 + a1 * b1 + a2 * b2


def spherical(r: float, theta: float, phi: float):
    s = math.sin(theta)
    return r * s * math.cos(phi), r * s * math.sin(phi), r * math.cos(theta)


def rosenbrock(x):
    return (1.0 - x[0]) ** 2 + 100.0 * (x[1] - x[0] ** 2) ** 2


GOLDEN = [
    Golden(softplus, wrt=(0, 1)),
    Golden(softplus, sd.value_and_grad, wrt=(0, 1)),
    Golden(softplus, sd.jvp, wrt=(0, 1)),
    Golden(polynomial),
    Golden(polynomial, sd.derivative),
    Golden(overwritten),
    Golden(shared, wrt=(0, 1)),
    Golden(polar, sd.vjp, wrt=(0, 1)),
    Golden(unknown_types, wrt=(0, 1)),
    Golden(huber, wrt=(0, 1)),
    Golden(changed_condition),
    Golden(early_return, wrt=(0, 1)),
    Golden(either),
    Golden(dot, wrt=(0, 1), examples=(VECTOR, VECTOR, 4)),
    Golden(dot, sd.value_and_grad, wrt=(0, 1), examples=(VECTOR, VECTOR, 4)),
    Golden(iterated_sine, wrt=(0, 1)),
    Golden(iterated_sine, sd.jvp),
    Golden(power_loop),
    Golden(horner),
    Golden(newton, sd.value_and_grad),
    Golden(until_large),
    Golden(branch_in_loop, examples=(VECTOR, 4)),
    Golden(matvec_of_lists, sd.value_and_grad, wrt=(0, 1), examples=([[1.0, 2.0]], [1.0, 2.0])),
    Golden(calls, wrt=(0, 1)),
    Golden(euler, wrt=(0, 1)),
    Golden(local_function),
    Golden(sum_of_squares, examples=(VECTOR,)),
    Golden(sum_of_squares, name="sum_of_squares_of_unknown_grad"),
    Golden(logistic_regression, sd.value_and_grad, examples=(VECTOR, MATRIX, VECTOR[:3])),
    Golden(
        mlp,
        sd.value_and_grad,
        wrt=(0, 1, 2, 3),
        examples=(MATRIX.T, VECTOR[:3], np.ones((3, 2)), VECTOR[:2], np.ones((5, 4)), np.ones((5, 2))),
    ),
    Golden(two_layers, wrt=(0, 1), examples=(MATRIX, SQUARE, VECTOR, VECTOR[:3])),
    Golden(least_squares, wrt=(0, 1), examples=(SQUARE, VECTOR[:3])),
    Golden(broadcast, wrt=(0, 1), examples=(MATRIX, VECTOR)),
    Golden(gather, examples=(VECTOR,)),
    Golden(masked, examples=(VECTOR,)),
    Golden(recurrence, wrt=(0, 1), examples=(VECTOR, 0.5)),
    Golden(recurrence, sd.value_and_grad, wrt=(0, 1), examples=(VECTOR, 0.5)),
    Golden(elements, examples=(VECTOR,)),
    Golden(relaxation, examples=(SQUARE, 4)),
    Golden(nonlinear_sweep, examples=(VECTOR, 4)),
    Golden(appended),
    Golden(dot3, sd.jacobian, examples=(VECTOR, VECTOR), options=(("mode", "forward"),)),
    Golden(dot_with_unit, sd.derivative),
    Golden(spherical, sd.jacobian, wrt=(0, 1, 2)),
    Golden(rosenbrock, sd.hessian, examples=(VECTOR[:2],)),
    Golden(rosenbrock, sd.hvp, examples=(VECTOR[:2],)),
    Golden(polynomial, sd.pullback),
    Golden(polynomial, sd.pushforward),
    *(Golden(p.f, wrt=p.wrt if len(p.wrt) > 1 else p.wrt[0], examples=p.args) for p in in_place.programs()),
]
