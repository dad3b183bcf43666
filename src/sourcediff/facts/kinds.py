"""The type of what a call, an operator, a subscript or an attribute gives, from the types of what goes in.

UNKNOWN is always a right answer: knowing more only removes code.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sourcediff.facts.call_kinds import KINDS, Call
from sourcediff.facts.expression_kinds import NOTHING, TypeOfName, attribute_type, expression_type, index_type
from sourcediff.facts.promotion import binary_type, unary_type
from sourcediff.python.lattice import UNKNOWN, Type
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
