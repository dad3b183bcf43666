"""A call as the kinds look at it: its arguments, what is known of their types, and of their values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from sourcediff.facts.expression_kinds import TypeOfName
from sourcediff.facts.promotion import plain
from sourcediff.python.lattice import UNKNOWN, Const, Type
from sourcediff.rules.forms import Rule
from sourcediff.rules.known import literal_value


@dataclass
class Call:
    rule: Rule
    types: dict[str, Type]
    nodes: dict[str, Any]
    type_of_name: TypeOfName

    @property
    def first(self) -> Type:
        return plain(next(iter(self.types.values()), UNKNOWN))

    @property
    def operands(self) -> tuple[Type, ...]:
        found = [plain(self.types[p]) for p in self.rule.operands if p in self.types] or [plain(t) for t in self.types.values()]
        return tuple(t for t in found if t != Const(None))

    def literal(self, parameter: str, default: Any = None) -> Any:
        """The value of an argument; LookupError where it is not known."""
        node = self.nodes.get(parameter)
        if node is None:
            return default
        try:
            return literal_value(node)
        except ValueError:
            known = self.types[parameter]
            if isinstance(known, Const):
                return known.value
            raise LookupError(parameter) from None

    def dtype(self, default: Any) -> Any:
        """What the argument `dtype` says, None where that is not known."""
        try:
            wanted = self.literal("dtype")
            return default if wanted is None else np.dtype(wanted)
        except (LookupError, TypeError):
            return None
