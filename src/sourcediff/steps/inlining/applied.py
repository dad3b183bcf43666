"""Functions of Python applied to the elements or rows of an array: np.vectorize and np.apply_along_axis, as the loops that they are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...python.lattice import Complex, Float, List, Scalar, rank_of
from . import compositions
from .calls import apply
from .containers import key_of
from .values import Atom, Known, Native, Value, type_of

if TYPE_CHECKING:
    from .walk import Walk


def vectorize_(walk: Walk, args: list[Value], keywords: dict[str, Value], node: Any, hint: str) -> Value:
    """np.vectorize(function): a function of one array."""
    if len(args) != 1 or keywords:
        raise walk.problem("unknown_option", node, function="np.vectorize", option=next(iter(keywords), "otypes"))
    (function,) = args

    def run(walk: Walk, given: list[Value], named: dict[str, Value], node: Any, hint: str) -> Value:
        if len(given) != 1 or named:
            raise walk.problem("call_not_covered", node, reason="a vectorized function of several arguments")
        results = of_floats(walk, apply(walk, Known(compositions.of_elements), [function, *given], {}, node), "np.vectorize", node)
        return apply(walk, Known(compositions.shaped_like), [results, *given], {}, node, hint)

    return Native(run)


def apply_along_axis_(walk: Walk, args: list[Value], keywords: dict[str, Value], node: Any, hint: str) -> Value:
    """np.apply_along_axis(function, axis, matrix), where each row or column gives a number."""
    if len(args) != 3 or keywords or rank_of(type_of(args[2])) != 2 or key_of(walk, args[1]) not in (0, 1):
        raise walk.problem("call_not_covered", node, reason="an axis other than 0 and 1, or not of a matrix")
    rows = compositions.of_rows if key_of(walk, args[1]) == 1 else compositions.of_columns
    results = of_floats(walk, apply(walk, Known(rows), [args[0], args[2]], {}, node), "np.apply_along_axis", node)
    return apply(walk, Known(compositions.as_array), [results], {}, node, hint)


def of_floats(walk: Walk, results: Value, name: str, node: Any) -> Value:
    """NumPy gives all results the type of the first, which must not be an integer."""
    kind = results.type if isinstance(results, Atom) else None
    element = kind.element if isinstance(kind, List) else None
    if isinstance(element, (Float, Complex)) or (isinstance(element, Scalar) and element.dtype.kind in "fc"):
        return results
    raise walk.problem("not_yet_function", node, name=f"{name} of a function that does not always give floats")
