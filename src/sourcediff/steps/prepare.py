"""accept, desugar and flatten as one: what the walk asks for whenever it reaches a function."""

from __future__ import annotations

import types
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any
from weakref import WeakKeyDictionary

import gast

from ..facts.uses import captured_names
from ..python.function import Function, Namespace
from ..python.names import Names, bound_names, names_in
from ..python.source import read
from ..rules.forms import rule_for
from .accept import accept
from .desugar import desugar
from .flatten import flatten
from .inlining.frames import Prepared
from .languages import ACCEPTED, FLAT, PLAIN

PURE_BUILTINS = frozenset({len, isinstance, issubclass, callable, hasattr, type, id, all, any, range, hash, repr, str})


def is_pure_value(value: object) -> bool:
    """May a call of this object stay inside a condition?"""
    rule = rule_for(value)
    if rule is not None:
        return rule.pure
    try:
        return value in PURE_BUILTINS
    except TypeError:
        return False


class Preparer:
    """Prepares functions and nested definitions, each once; `stages` keeps what the outermost looked like after each step."""

    def __init__(self) -> None:
        self.stages: dict[str, Any] = {}
        self.known: dict[int, Prepared] = {}

    def __call__(self, target: Any) -> Prepared:
        found = self.known.get(id(target))
        if found is None:
            found = self.known[id(target)] = self.prepared(target)
        return found

    def reread(self, function: Function) -> Prepared:
        """A tree that sourcediff wrote, prepared as a user's function is."""
        flattened, self.stages = flat_tree(function)
        return described(flattened.tree, function.namespace, function.qualname, function.original)

    def prepared(self, target: Any) -> Prepared:
        if isinstance(target, gast.FunctionDef):
            return described(target, None, target.name, None)
        function, stages = flat(target)
        if not self.stages:
            self.stages = stages
        return described(function.tree, function.namespace, function.qualname, target)


@dataclass(frozen=True)
class Meant(Namespace):
    """A namespace that remembers what it was asked: is `sum` the builtin, is the function `g` pure?"""

    asked: dict[str, Any] = field(default_factory=dict)

    def lookup(self, name: str) -> tuple[str, Any]:
        found = super().lookup(name)
        self.asked[name] = found[1]
        return found

    def holds_in(self, namespace: Namespace) -> bool:
        """Would every answer be the same there?"""
        return all(namespace.lookup(name)[1] is value for name, value in self.asked.items())


@dataclass(frozen=True)
class Flat:
    """The FLAT tree of a function, and what it relies on."""

    tree: Any
    stages: dict[str, Any]
    source: str
    meant: Meant


_FLAT: WeakKeyDictionary[types.CodeType, Flat] = WeakKeyDictionary()


def flat(target: types.FunctionType) -> tuple[Function, dict[str, Any]]:
    """The FLAT form of a Python function, and the trees after each step."""
    function = read(target)
    known = _FLAT.get(target.__code__)
    if known is None or known.source is not function.source or not known.meant.holds_in(function.namespace):
        meant = Meant(function.namespace.globals, function.namespace.cells, function.namespace.helpers)
        flattened, stages = flat_tree(replace(function, namespace=meant))
        known = _FLAT[target.__code__] = Flat(flattened.tree, stages, function.source, meant)
    stages = known.stages
    return Function(known.tree, function.namespace, target, function.file, function.source, function.qualname), stages


def flat_tree(function: Function) -> tuple[Function, dict[str, Any]]:
    """accept, desugar, flatten: each verified."""
    ACCEPTED.verify((accepted := accept(function)).tree, "accept")
    names = Names(names_in(accepted.tree))
    PLAIN.verify((plain := desugar(accepted, names)).tree, "desugar")
    FLAT.verify((flattened := flatten(plain, names, is_pure_value)).tree, "flatten")
    return flattened, {"accept": accepted.tree, "desugar": plain.tree, "flatten": flattened.tree}


def described(tree: Any, namespace: Any, qualname: str, python: Any) -> Prepared:
    return Prepared(tree, namespace, qualname, frozenset(captured_names(tree)), frozenset(bound_names(tree)), python)


Prepare = Callable[[Any], Prepared]
