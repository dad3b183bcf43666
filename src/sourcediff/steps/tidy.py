"""What was derived mechanically is made to read as if a person had written it, and to run as fast.

    y_bar = 1.0
    t = y_bar * w
    x_bar = 0.0                            →        return w
    x_bar += t
    return x_bar

The order of the passes, and why:
    copies      first: everything behind them sees through copies and constants
    common      names what is computed twice; it leaves copies behind
    copies      again, for these
    dead        after all that makes things dead, before counting uses
    unite       a temporary and the name it is handed to
    nest        each temporary into its only use
    finish      folds and arranges what nesting brought together
    zeroed      behind it, when additions to one slot are one statement
    augment     last but one: the passes before it see one kind of assignment
    renumber    last, when it is known which temporaries remain
A nested function (a pullback) is tidied before the function around it, since what it no longer reads may be dead there.
"""

from __future__ import annotations

from typing import Any

import gast

from ..facts.uses import Summaries, blocks
from ..python.quote import rebuilt
from .tidying.augment import augment
from .tidying.common import share
from .tidying.copies import propagate
from .tidying.dead import eliminate
from .tidying.finish import finish
from .tidying.nest import nest
from .tidying.renumber import renumber
from .tidying.scope import Scope, TidyFacts
from .tidying.unite import unite
from .tidying.zeroed import merge_zeros

__all__ = ["TidyFacts", "tidy"]


def tidy(tree: Any, facts: TidyFacts) -> Any:
    """The function `tree` (a gast.FunctionDef), shorter; it returns what it returned and writes what the caller could see written."""
    return renumber(_tidied(tree, facts, Summaries(facts.is_pure)), facts.user_names)


def _tidied(tree: Any, facts: TidyFacts, summaries: Summaries) -> Any:
    tree = rebuilt(tree, body=_with_inner(tree.body, facts, summaries))
    scope = Scope(tree, facts, summaries)
    body = propagate(tree.body, scope)
    body = propagate(share(body, scope), scope)
    tree = rebuilt(tree, body=body)
    tree = rebuilt(tree, body=unite(eliminate(tree, scope), scope))
    tree = rebuilt(tree, body=nest(tree, scope))
    tree = rebuilt(tree, body=merge_zeros(finish(tree.body, scope), scope))
    return rebuilt(tree, body=augment(tree, scope))


def _with_inner(body: list[Any], facts: TidyFacts, summaries: Summaries) -> list[Any]:
    """The block with the functions in it tidied."""
    out = []
    for stmt in body:
        if isinstance(stmt, gast.FunctionDef):
            out.append(_tidied(stmt, facts, summaries))
        elif any(isinstance(inner, gast.FunctionDef) for block in blocks(stmt) for inner in block):
            fields = {f: _with_inner(getattr(stmt, f), facts, summaries) for f in ("body", "orelse")}
            out.append(rebuilt(stmt, **fields))
        else:
            out.append(stmt)
    return out
