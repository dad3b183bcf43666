"""A program at each of the first three stages, as text; and what running a text does: result, arguments, log, exception."""

from __future__ import annotations

import copy
import math
import textwrap
import warnings
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from sourcediff.python.emit import to_source
from sourcediff.python.function import Function
from sourcediff.python.names import Names, names_in
from sourcediff.python.source import from_text
from sourcediff.steps.accept import accept
from sourcediff.steps.desugar import desugar
from sourcediff.steps.flatten import flatten
from sourcediff.steps.languages import ACCEPTED, FLAT, PLAIN

PURE = (abs, len, isinstance, min, max, np.all, np.any)


def is_pure(value: object) -> bool:
    return any(value is p for p in PURE)


def function_of(text: str, **names: Any) -> Function:
    """`def f` in the text; names that it uses may be given."""
    return from_text(textwrap.dedent(text).strip() + "\n", {"np": np, "math": math, **names})


def accepted(fn: Function) -> Function:
    out = accept(fn)
    ACCEPTED.verify(out, "accept")
    return out


def desugared(fn: Function) -> Function:
    out = desugar(accepted(fn), Names(names_in(fn.tree)))
    PLAIN.verify(out, "desugar")
    return out


def flattened(fn: Function) -> Function:
    plain = desugared(fn)
    out = flatten(plain, Names(names_in(plain.tree)), is_pure)
    FLAT.verify(out, "flatten")
    return out


STAGES: tuple[Callable[[Function], Function], ...] = (accepted, desugared, flattened)


def text_after(stage: Callable[[Function], Function], text: str, **names: Any) -> str:
    return to_source(stage(function_of(text, **names)).tree).strip()


def outcome(text: str, args: Iterable[Any], names: dict[str, Any], name: str = "f") -> tuple[Any, ...]:
    """What `f(*args)` gives, what it leaves of its arguments, and what it logged."""
    log: list[Any] = []
    scope = {"np": np, "math": math, **names}
    scope.update({"log": log, "tick": lambda k, v=None: (log.append((k, repr(v))), v)[1]})
    exec(text, scope)
    args = copy.deepcopy(tuple(args))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            value = scope[name](*args)
        except Exception as error:  # noqa: BLE001 - the exception is the outcome
            value = (type(error).__name__, str(error))
    return value, args, log


def same(a: Any, b: Any) -> bool:
    """Equal in type, structure, dtype and value; functions and other objects only in kind."""
    if type(a) is not type(b):
        return False
    if isinstance(a, np.ndarray):
        return a.dtype == b.dtype and a.shape == b.shape and np.array_equal(a, b, equal_nan=a.dtype.kind in "fc")
    if isinstance(a, (list, tuple)):
        return len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, dict):
        return list(a) == list(b) and all(same(a[k], b[k]) for k in a)
    if isinstance(a, (float, np.floating)):
        return bool(a == b) or (a != a and b != b) or math.isclose(a, b, rel_tol=1e-14)  # sum() of floats compensates since 3.12
    return bool(a == b) if isinstance(a, (int, complex, str, bool, np.generic, type(None))) else True


def assert_equivalent(text: str, args: Iterable[Any], whole: str = "", **names: Any) -> None:
    """Each stage does what the program does. `whole`: the text around `f`, if there is more than `f`."""
    text = textwrap.dedent(text).strip() + "\n"
    scope = {"np": np, "math": math, "log": [], "tick": lambda k, v=None: v, **names}
    exec(whole or text, scope)
    args = tuple(args)
    expected = outcome(text, args, scope)
    fn = from_text(text, scope)
    for stage in STAGES:
        written = to_source(stage(fn).tree)
        got = outcome(written, args, scope)
        assert same(expected, got), f"{stage.__name__}\n\n{text}\n{written}\n{expected}\n{got}"
