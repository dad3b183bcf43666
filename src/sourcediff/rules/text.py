"""The text of a rule, written into a derivative.

A rule is a Python function, and its text is what the user reads. Between the two lies only this: the parameters become
the operands of the call at hand, and whatever is known before anything runs is decided. An `if` on an option
(`axis is None`), on a literal (`y == 2`) or on a type (`known_rank(a, 2)`) leaves only the branch that holds, and arithmetic of
literals is done: `y * x ** (y - 1)` reads `3 * x ** 2` when y is the literal 3.

Predicates that begin with `known_` (see runtime.py), and `literal`, choose the better of two correct texts: they hold
only where the fact is certain. Any other condition has to be decided; where it cannot be, there is no text, and the machine calls
the rule function itself.
"""

from __future__ import annotations

import inspect
import linecache
import textwrap
from collections.abc import Callable
from functools import cached_property
from typing import Any

import gast

from sourcediff.python.lattice import Type
from sourcediff.python.quote import fill
from sourcediff.rules.known import Display, fact_of
from sourcediff.rules.specialise import Specialisation

Known = Callable[[Any], Type]


class Text:
    """A rule function, read only when a call first needs its text."""

    def __init__(self, function: Callable[..., Any]):
        self.function = function
        self.cache: dict[Any, list[Any] | None] = {}

    @cached_property
    def body(self) -> list[Any]:
        statements = gast.parse(source_of(self.function)).body[0].body
        return statements[1:] if _is_docstring(statements[0]) else statements

    @cached_property
    def names(self) -> frozenset[str]:
        """Every name that the text mentions, parameters and free names alike."""
        return frozenset(n.id for s in self.body for n in gast.walk(s) if isinstance(n, gast.Name))

    @cached_property
    def free(self) -> dict[str, Any]:
        """What the text takes from its module: np, math, runtime helpers."""
        return {n: self.function.__globals__[n] for n in self.names if n in self.function.__globals__}

    def instantiate(self, bindings: dict[str, Any], known: Known) -> list[Any] | None:
        """The expressions that the rule returns, one for each operand, with its parameters replaced by nodes.

        bindings: parameter -> node; a free name of the text ("np") may be bound too, where the user's program calls it otherwise.
        known(node): the type of a node that is bound to a parameter. None: a condition could not be decided.
        """
        facts = {p: fact_of(node, known) for p, node in bindings.items() if p in self.names}
        key = tuple((p, fact.key) for p, fact in facts.items())
        if key not in self.cache:
            self.cache[key] = Specialisation(facts).run(self.body)
        template = self.cache[key]
        if template is None:
            return None
        for p, fact in facts.items():
            if isinstance(fact, Display):
                bindings = bindings | {f"{p}[{i}]": node for i, node in enumerate(bindings[p].elts)}
        return [fill(node, bindings) for node in template]


class WrittenText(Text):
    """A text that a function writes, for rules whose form depends on a literal as a whole (the subscripts of einsum)."""

    def __init__(self, function: Callable[..., Any], write: Callable[[dict[str, Any], Known], list[Any] | None]):
        super().__init__(function)
        self.write = write

    def instantiate(self, bindings: dict[str, Any], known: Known) -> list[Any] | None:
        return self.write(bindings, known)


def source_of(function: Callable[..., Any]) -> str:
    """The text of a rule function without its decorators: down to the next line that begins at its margin."""
    code = function.__code__
    lines = linecache.getlines(code.co_filename, function.__globals__)[code.co_firstlineno - 1 :]
    start = next((k for k, line in enumerate(lines) if line.startswith("def ")), None)
    if start is None:  # a rule that a user declares inside a function
        return textwrap.dedent(inspect.getsource(function))
    end = start + 1
    while end < len(lines) and (lines[end][0].isspace() or lines[end][0] == ")"):
        end += 1
    return "".join(lines[start:end])


def _is_docstring(statement: Any) -> bool:
    return isinstance(statement, gast.Expr) and isinstance(statement.value, gast.Constant)
