"""What the tests of tidy share: making trees from text and running them."""

from __future__ import annotations

import ast
import sys
import textwrap
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import gast
import numpy as np

from sourcediff.facts.uses import dotted
from sourcediff.python.lattice import Const, Type, join
from sourcediff.python.valued import type_of
from sourcediff.steps.tidy import TidyFacts

FRESH = frozenset({"sum", "sin", "cos", "exp", "zeros", "zeros_like", "ones_like", "copy", "len", "range", "log", "empty_like", "sqrt"})


def parse_function(source: str) -> Any:
    (function,) = gast.parse(textwrap.dedent(source)).body
    return function


def print_tree(tree: Any) -> str:
    return ast.unparse(ast.fix_missing_locations(gast.gast_to_ast(tree)))


def compile_tree(tree: Any, names: dict[str, Any]) -> Callable[..., Any]:
    scope = dict(names)
    exec(compile(print_tree(tree), "<tidy test>", "exec"), scope)
    return scope[tree.name]


def facts_for(user: Iterable[str], type_of: Callable[[str], Type], pure: Iterable[str], fresh: Iterable[str]) -> TidyFacts:
    """Pure is what begins with a name of `pure`, and methods that end in a name of `fresh`, which are fresh."""
    roots, endings = frozenset(pure), frozenset(fresh)

    def ending(call: Any) -> str:
        return (dotted(call.func) or "").rsplit(".", 1)[-1]

    def is_pure(call: Any) -> bool:
        path = dotted(call.func) or ""
        return path.split(".")[0] in roots or ("." in path and ending(call) in endings)

    return TidyFacts(frozenset(user), type_of, is_pure, lambda call: is_pure(call) and ending(call) in endings)


@dataclass
class Outcome:
    """What a program returned, what became of its arguments, what it wrote down, and which results share memory."""

    results: list[Any]
    arguments: list[Any]
    log: list[float]
    shared: list[bool]

    def same(self, other: Outcome) -> bool:
        """The same but for rounding; `self` may share less."""
        return (
            _same(self.results, other.results)
            and _same(self.arguments, other.arguments)
            and _same(self.log, other.log)
            and all(before or not after for after, before in zip(self.shared, other.shared, strict=True))
        )


def outcome(tree: Any, arguments: Iterable[Any]) -> Outcome | None:
    """None where the program raises."""
    seen: list[float] = []

    def log(value: float) -> float:
        seen.append(float(value))
        return value * 0.5

    def stir(array: np.ndarray) -> float:
        array[0] = array[1] * 0.5
        return float(array[2])

    given = [a.copy() if isinstance(a, np.ndarray) else a for a in arguments]
    function = compile_tree(tree, {"np": np, "log": log, "stir": stir})
    try:
        with np.errstate(all="ignore"):
            result = function(*given)
    except (ZeroDivisionError, OverflowError, IndexError, NameError):
        return None
    results = list(result) if isinstance(result, tuple) else [result]
    arrays = [r for r in (*results, *given) if isinstance(r, np.ndarray)]
    shared = [np.shares_memory(a, b) for i, a in enumerate(arrays) for b in arrays[:i]]
    return Outcome([r.copy() if isinstance(r, np.ndarray) else r for r in results], given, seen, shared)


def _same(one: Any, other: Any) -> bool:
    if isinstance(one, (list, tuple)):
        return isinstance(other, type(one)) and len(one) == len(other) and all(map(_same, one, other))
    if isinstance(one, str):
        return one == other
    if (
        np.shape(one) != np.shape(other)
        or isinstance(one, bool) != isinstance(other, bool)
        or isinstance(one, int) != isinstance(other, int)
    ):
        return False
    return bool(np.allclose(one, other, rtol=1e-7, atol=1e-9, equal_nan=True))


def observed_types(tree: Any, arguments: Iterable[Any]) -> dict[str, Type]:
    """The type of each local name that has one type whenever it is bound while the program runs."""
    found: dict[str, Type] = {}

    def trace(frame: Any, event: str, argument: Any) -> Any:
        if frame.f_code.co_filename != "<tidy test>":
            return None
        for name, value in frame.f_locals.items():
            kind = type_of(value)
            found[name] = join(found[name], kind) if name in found else kind
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        outcome(tree, arguments)
    finally:
        sys.settrace(before)
    return {name: kind for name, kind in found.items() if not isinstance(kind, Const)}
