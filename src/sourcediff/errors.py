"""The errors that users see: a sentence, the place, what to write instead, a code."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Place:
    """Where in the user's source a node stands. Lines from 1, columns in characters from 0."""

    file: str
    line: int
    column: int
    end_line: int
    end_column: int
    function: str = ""
    text: str = ""  # the source line


class DiffError(Exception):
    """The base of every error that sourcediff raises about a user's program.

    name: the entry of the catalogue (errors.CATALOGUE). place: where, or None. chain: places of the inlined callers,
    innermost first.
    """

    name: str
    place: Place | None
    chain: tuple[Place, ...]
