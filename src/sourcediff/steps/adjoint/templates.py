"""Shapes on the way back: which are equal; and what a shape is read off, a name or a slice of one that is there anyway."""

from __future__ import annotations

from typing import Any

from ...facts.agreement import Agreement
from ...facts.layout import Layout
from ...facts.slices import template_of
from ...facts.spaces import has_literal_shape, slot_space, space_of_value
from ...facts.uses import names_read
from ...python import quote
from ...python.lattice import UNKNOWN, Array
from ..closed import Closed
from .contributions import Contribution


class Templates:
    def __init__(self, closed: Closed, agreement: Agreement, layout: Layout) -> None:
        self.closed, self.agreement, self.layout = closed, agreement, layout
        self.spaces = spaces = agreement.table
        self.first: dict[str, str] = {}  # space -> the first name of it that no loop sets
        for name, definitions in layout.definitions.items():
            if not any(d.block.in_loop for d in definitions):
                self.first.setdefault(spaces.get(name, name), name)

    def oldest(self, name: str) -> str:
        """The first name of the same shape and dtype, which most likely is there anyway, if it is there wherever `name` is."""
        space = self.spaces.get(name, name)
        if space not in self.closed.types and not any(d.block.in_loop for d in self.layout.definitions.get(name, ())):
            space = self.first.get(space, name)
        if space == name or space not in self.closed.types or space in self.closed.spelling.helpers:
            return name
        scopes = self.layout.scopes
        here = space in scopes and (name not in scopes or self.layout.contains(scopes[space], scopes[name]))
        return space if here and self.is_older(space, name) else name

    def is_older(self, other: str, name: str) -> bool:
        """Has the other name its value wherever this one gets one?"""
        made = self.layout.definitions.get(other, ())
        if not made:
            return True
        later = self.layout.definitions.get(name, ())
        first = made[0]
        return bool(later) and all(first.start < d.start and self.layout.contains(first.block, d.block) for d in later)

    def shaped(self, name: str) -> Any:
        """That name; or a slice of an older one, where the name lives in an iteration alone and would have to be kept for it."""
        found = self.oldest(name)
        if found == name and self.layout.is_private(name):
            template = template_of(self.spaces.get(name, name))
            if template is not None and all(self.outlives(n, name) for n in names_read(template)):
                return template
        return quote.name(found)

    def outlives(self, other: str, name: str) -> bool:
        """Is the other name there wherever this one is, and set outside of the iteration that this one lives in?"""
        scopes = self.layout.scopes
        return other in scopes and scopes[other] is not scopes[name] and self.layout.contains(scopes[other], scopes[name])

    def relate(self, part: Contribution, stmt: Any) -> None:
        """Say how the operand's shape and dtype stand to the result's, at this statement."""
        result = stmt.targets[0].id
        here = space_of_value(self.closed, stmt.value, self.spaces, "?")
        kind, other = self.closed.types.get(part.target, UNKNOWN), self.closed.types.get(result, UNKNOWN)
        # What has a literal shape without 1 cannot have been spread, unless to more dimensions.
        literal = has_literal_shape(self.space(part.target)) and isinstance(kind, Array) and kind == other
        block = self.layout.spot(stmt).block
        part.same = literal or self.agreement.same(here, self.space(part.target), block)
        part.covered = here == "()" or any(n == result or (here != "?" and self.space(n) in (here, f"bool {here}")) for n in part.factors)

    def fits_slot(self, stmt: Any, base: str, slot: Any, name: str) -> bool:
        """Has the slot that a statement stores into the shape and dtype of what is stored there?"""
        whole = self.space(base) if slot is None else slot_space(self.closed, slot, self.spaces, "?")
        return self.agreement.same(whole, self.space(name), self.layout.spot(stmt).block)

    def space(self, name: str) -> str:
        return self.spaces.get(name, name)
