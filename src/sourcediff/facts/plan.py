"""The plan of what is saved, where and how, which way there and way back both read; and the needs that it is made for."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from .layout import Spot


@dataclass(frozen=True)
class Site:
    """The adjoint of a statement needs a name: in the state before the statement, or in that after it."""

    spot: Spot
    after: bool
    derived: bool = False  # by a definition that is computed again there


@dataclass
class Needs:
    """name -> the sites that need its value or pointer; and those that need the content of an array that is written."""

    pointer: dict[str, list[Site]] = field(default_factory=dict)
    content: dict[str, list[Site]] = field(default_factory=dict)

    def add(self, name: str, site: Site, content: bool = True) -> None:
        self.pointer.setdefault(name, []).append(site)
        if content:
            self.content.setdefault(name, []).append(site)


@dataclass(frozen=True)
class Save:
    """name: what is saved. how: "stack", "name", "undo" (subtract again), "flag" (it was False). copy: its memory is written later."""

    name: str
    how: str
    copy: bool = False


@dataclass
class Plan:
    before: dict[int, list[Save]] = field(default_factory=dict)  # statement -> saved before it, restored before its adjoint
    after: dict[int, list[Save]] = field(default_factory=dict)  # statement -> saved behind it
    start: dict[int, list[Save]] = field(default_factory=dict)  # block -> restored where its way back starts
    again: dict[int, list[Any]] = field(default_factory=dict)  # statement -> definitions computed again before its adjoint
    views: set[int] = field(default_factory=set)  # of these, those that see what is in the memory whenever they are made
    slots: dict[int, bool] = field(default_factory=dict)  # store -> its old content is saved (True: on a stack)
    constants: dict[int, Any] = field(default_factory=dict)  # of these, those whose old content is what the array was made with
    restored: set[str] = field(default_factory=set)  # classes of arrays that the way back writes into
    recovered: dict[int, str] = field(default_factory=dict)  # copy `h = name` -> name, which is read off h on the way back
