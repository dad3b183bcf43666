"""The type of what a call, an operator, a subscript or an attribute gives, from the types of what goes in.

Each rule names its kind; the table of kinds stands below. UNKNOWN is always a right answer, and is given wherever more than
types and literals decides: knowing more only removes code.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from sourcediff.facts import array_kinds as arrays
from sourcediff.facts import element_kinds as elements
from sourcediff.facts import several_kinds as several
from sourcediff.facts.bound_calls import Call
from sourcediff.facts.expression_kinds import TypeOfName, attribute_type, expression_type, index_type
from sourcediff.facts.promotion import binary_type, floating, product_type, real_part, summed, unary_type
from sourcediff.python.lattice import NOTHING, UNKNOWN, Array, Bool, Complex, Const, Float, Int, List, Str, Tuple, Type
from sourcediff.rules.forms import Rule

__all__ = ["NOTHING", "attribute_type", "binary_type", "expression_type", "index_type", "result_type", "unary_type"]


def result_type(rule: Rule, operand_types: Iterable[Type], arguments: dict[str, Any], type_of_name: TypeOfName | None = None) -> Type:
    """The type of a call of a function with a rule.

    arguments: the bound arguments, parameter -> node; operand_types: the type of each, in that order (literals are read from their node).
    Arguments of a rule that binds anything may have the keys "0", "1", ….
    """
    of_name = type_of_name or (lambda name: UNKNOWN)
    names = [p.name for p in rule.parameters]
    types = {}
    nodes = {}
    for (key, node), known in zip(arguments.items(), operand_types, strict=False):
        parameter = names[int(key)] if key.isdigit() and int(key) < len(names) else key
        nodes[parameter] = node
        types[parameter] = expression_type(node, of_name) if known is UNKNOWN else known
    call = Call(rule, types, nodes, of_name)
    if callable(rule.kind):
        return rule.kind(call)
    return KINDS[rule.kind](call)


def _always(result: Type) -> Callable[[Call], Type]:
    return lambda call: result


KINDS: dict[str, Callable[[Call], Type]] = {
    "unknown": _always(UNKNOWN),
    "none": _always(Const(None)),
    "int": _always(Int()),
    "bool": _always(Bool()),
    "str": _always(Str()),
    "list": _always(List(UNKNOWN)),
    "python float": _always(Float()),
    "complex": _always(Complex()),
    "ufunc": elements.ufunc,
    "absolute": elements.absolute,
    "where": elements.where,
    "float": elements.float_,
    "real float": lambda call: attribute_type(elements.float_(call), "real"),
    "real part": elements.real_part_of,
    "numpy number": elements.numpy_number,
    "one of": elements.one_of,
    "sum": elements.sum_,
    "number": elements.python_number,
    "reduction": elements.reduction(summed),
    "extreme": elements.reduction(lambda dtype: dtype),
    "float reduction": elements.reduction(floating),
    "real reduction": elements.reduction(lambda dtype: real_part(floating(dtype))),
    "int reduction": elements.counted,
    "bool reduction": elements.reduction(lambda dtype: np.dtype(bool)),
    "cumulative": elements.cumulative,
    "same": arrays.same,
    "float same rank": arrays.float_same,
    "sorted": arrays.sorted_,
    "rank 1": arrays.ranked(lambda rank: 1),
    "rank 2": arrays.outer,
    "rank - 1": arrays.ranked(lambda rank: rank - 1),
    "rank - 2": arrays.trace,
    "reshaped": arrays.reshaped,
    "expanded": arrays.expanded,
    "windows": arrays.windows,
    "joined": arrays.joined,
    "stacked": arrays.stacked,
    "promoted": arrays.promoted_array,
    "diag": arrays.diag,
    "matmul": lambda call: product_type(*call.operands),
    "dot": arrays.dot,
    "inner": arrays.inner,
    "scalar": arrays.vdot,
    "solve": arrays.solve,
    "einsum": arrays.einsum,
    "array": arrays.array,
    "zeros": arrays.zeros,
    "full": arrays.full,
    "like": arrays.like,
    "eye": arrays.eye,
    "arange": arrays.arange,
    "linspace": arrays.linspace,
    "copied": arrays.copied,
    "cast": arrays.cast,
    "item": arrays.item,
    "like x": arrays.like_x,
    "broadcast like": arrays.broadcast_like,
    "shape": arrays.shape,
    "pieces": several.pieces,
    "grids": several.grids,
    "nested list": several.nested_list,
    "slogdet": several.slogdet,
    "two of one type": several.pair,
    "places": several.places,
    "places in a matrix": _always(Tuple((several.INDICES, several.INDICES))),
    "diagonal places": several.diagonal_places,
    "flat place": several.flat_place,
    "mesh": several.mesh,
    "order": arrays.order,
    "row of indices": _always(Array(np.dtype(int), 1)),
    "found": several.found,
    "counts": elements.counts,
    "rounded": elements.rounded,
}
