"""What the tests of tidy share: making trees from text and running them."""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Callable, Iterable
from typing import Any

import gast

from sourcediff.facts.uses import dotted
from sourcediff.python.lattice import Type
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
