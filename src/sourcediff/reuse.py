"""A function that is made anew from the same code gets the derivative that is there already.

`sd.grad(lambda y: f(y, a))(x)` in a loop makes a new lambda each time. What is generated depends on its code, on the
types of what it closes over, and on the functions, classes and flags among these; where all of that is the same, the
generated code is put onto the new cells. Only cells whose content is told by its type, or is known by value, allow it.
"""

from __future__ import annotations

import threading
import types
from collections import OrderedDict
from collections.abc import Hashable
from typing import Any, NamedTuple

from .python.lattice import Array, Complex, Const, Float, Int, Scalar
from .python.valued import type_of

REMEMBERED = 128

_TOLD = (Array, Complex, Const, Float, Int, Scalar)
_remembered: OrderedDict[Hashable, Any] = OrderedDict()
_lock = threading.Lock()


class AttributeGuard(NamedTuple):
    """What a derivative relies on beside the pipeline's guards: it holds as long as `owner.attribute` is `expected`."""

    owner: Any
    attribute: str
    expected: Any

    def get(self) -> Any:
        return getattr(self.owner, self.attribute)


def key_of(function: types.FunctionType, request: Hashable) -> Hashable | None:
    """What the derivative of a function depends on; None where the types of its cells do not tell."""
    try:
        cells = tuple(type_of(cell.cell_contents) for cell in function.__closure__ or ())
    except ValueError:  # an empty cell
        return None
    return (function.__code__, id(function.__globals__), cells, request) if all(isinstance(t, _TOLD) for t in cells) else None


def remember(key: Hashable, member: Any) -> None:
    with _lock:
        _remembered[key] = member
        if len(_remembered) > REMEMBERED:
            _remembered.popitem(last=False)


def recall(key: Hashable) -> Any:
    """The member remembered under the key, if it still holds."""
    with _lock:
        member = _remembered.get(key)
        if member is not None:
            _remembered.move_to_end(key)
    return member if member is not None and member.holds() else None


def cells_of(function: types.FunctionType) -> dict[str, types.CellType]:
    return dict(zip(function.__code__.co_freevars, function.__closure__ or (), strict=True))


def rebound(derivative: types.FunctionType, function: types.FunctionType) -> types.FunctionType:
    """The derivative of another function of the same code, for this one: with its cells and defaults."""
    own = cells_of(function)
    code = derivative.__code__
    closure = tuple(own.get(name, cell) for name, cell in cells_of(derivative).items())
    new = types.FunctionType(code, function.__globals__, derivative.__name__, function.__defaults__, closure)
    new.__kwdefaults__, new.__doc__ = function.__kwdefaults__, derivative.__doc__
    new.__module__, new.__qualname__ = derivative.__module__, derivative.__qualname__
    return new


def same_code(function: types.FunctionType) -> AttributeGuard:
    """A reloading tool (IPython's autoreload) replaces the code of a function and keeps the function."""
    return AttributeGuard(function, "__code__", function.__code__)


def same_cells(function: types.FunctionType) -> tuple[AttributeGuard, ...]:
    """What a reused derivative may rely on without having looked: all that is known by value in the cells."""
    cells = [cell for cell in function.__closure__ or () if isinstance(type_of(cell.cell_contents), Const)]
    return tuple(AttributeGuard(cell, "cell_contents", cell.cell_contents) for cell in cells)
