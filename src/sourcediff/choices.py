"""Which variables `wrt` chooses: positions, names, or a tuple of these, turned into names of parameters.

Everything that can be wrong with `wrt` is said where the transform is written, before any source is read.
"""

from __future__ import annotations

import inspect
import operator
from typing import Any

from .errors import problem


def chosen(wrt: Any, signature: inspect.Signature, function: str) -> tuple[tuple[str, ...], bool]:
    """(names of the chosen parameters in order, whether it was a single choice and not a tuple)."""
    parameters = list(signature.parameters)
    if not parameters:
        raise problem("no_parameters", function=function)
    single = not isinstance(wrt, (tuple, list))
    names = tuple(_name(choice, parameters, function) for choice in ([wrt] if single else wrt))
    if not names:
        raise problem("no_variable")
    for position, name in enumerate(names):
        if name in names[:position]:
            raise problem("variable_twice", name=name)
    return names, single


def _name(choice: Any, parameters: list[str], function: str) -> str:
    listed = ", ".join(parameters)
    if isinstance(choice, str):
        if choice in parameters:
            return choice
        root = choice.replace("[", ".").split(".")[0]
        if root != choice and root in parameters:
            raise problem("variable_path_not_yet", path=choice, name=root)
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
