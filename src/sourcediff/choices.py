"""Which variables `wrt` chooses: positions, names, or a tuple of these, turned into names of parameters.

Everything that can be wrong with `wrt` is said where the transform is written, before any source is read.
"""

from __future__ import annotations

import inspect
import operator
from collections.abc import Sequence
from typing import Any

from .errors import problem
from .python.paths import root_of, steps_of


def chosen(wrt: Any, signature: inspect.Signature, function: str, bound: Sequence[str] = ()) -> tuple[tuple[str, ...], bool]:
    """(names of the chosen parameters, or paths into them, in order; whether it was a single choice and not a tuple).

    bound: parameters that have their arguments already, as the self of a method: paths may lead into them.
    """
    parameters = list(signature.parameters)
    single = not isinstance(wrt, (tuple, list))
    if not parameters and not (bound and all(isinstance(choice, str) for choice in ([wrt] if single else wrt))):
        raise problem("no_parameters", function=function)
    names = tuple(_name(choice, parameters, function, bound) for choice in ([wrt] if single else wrt))
    if not names:
        raise problem("no_variable")
    for position, name in enumerate(names):
        if any(_within(name, other) or _within(other, name) for other in names[:position]):
            raise problem("variable_twice", name=name)
    return names, single


def _within(inner: str, outer: str) -> bool:
    """Does one choice lead into what the other chooses?"""
    ours, theirs = steps_of(inner), steps_of(outer)
    if ours is None or theirs is None:
        return False
    return root_of(inner) == root_of(outer) and ours[: len(theirs)] == theirs


def _name(choice: Any, parameters: list[str], function: str, bound: Sequence[str]) -> str:
    listed = ", ".join(parameters)
    if isinstance(choice, str):
        if choice in parameters:
            return choice
        root = root_of(choice)
        if root != choice and (root in parameters or root in bound):
            if steps_of(choice.strip()) is None:
                raise problem("variable_path", path=choice)
            return choice.strip()
        raise problem("unknown_variable", function=function, name=choice, parameters=listed)
    try:
        position = operator.index(choice)
    except TypeError:
        raise problem("variable_type", value=repr(choice)) from None
    if isinstance(choice, bool):
        raise problem("variable_type", value=repr(choice))
    if not 0 <= position < len(parameters):
        raise problem("position_out_of_range", function=function, position=position, parameters=listed)
    return parameters[position]
