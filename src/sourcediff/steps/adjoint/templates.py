"""What the shape and dtype of a name are read off on the way back: a name, or a slice of one, that is there anyway."""

from __future__ import annotations

from typing import Any

from ...facts.layout import Layout
from ...facts.slices import template_of
from ...facts.uses import names_read
from ...python import quote
from ..closed import Closed


class Templates:
    def __init__(self, closed: Closed, spaces: dict[str, str], layout: Layout) -> None:
        self.closed, self.spaces, self.layout = closed, spaces, layout
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
        return space if here else name

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
