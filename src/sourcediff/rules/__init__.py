"""What each function's derivative is, one file a field; importing this package fills the registry.

forms       the decorators in which a rule is said, and the registry
text        how the text of a rule becomes the text of a derivative
calls       which rule a call, a method or an attribute means
"""

from sourcediff.rules import (  # noqa: F401 imported for the rules that they register
    builtin_functions,
    creation,
    einsum,
    elementary,
    helpers_rules,
    indexing,
    kinks,
    linear_algebra,
    mathlib,
    operators,
    products,
    reductions,
    shapes,
)
from sourcediff.rules.calls import BindError, bind, bind_method, rule_for_attribute, rule_for_method
from sourcediff.rules.forms import Rule, all_rules, rule_for, rule_for_operator
from sourcediff.rules.known import literal_value
from sourcediff.rules.text import Text

__all__ = [
    "BindError",
    "Rule",
    "Text",
    "all_rules",
    "bind",
    "bind_method",
    "literal_value",
    "rule_for",
    "rule_for_attribute",
    "rule_for_method",
    "rule_for_operator",
]
