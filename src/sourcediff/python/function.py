"""What travels from step to step: a function as a tree, with what its free names mean."""

from __future__ import annotations

import builtins
from dataclasses import dataclass, field, replace
from typing import Any


@dataclass(frozen=True)
class Namespace:
    """What free names of a function mean, looked up when asked, never copied.

    helpers: names that sourcediff itself put into scope (runtime helpers, module aliases) -> object.
    cells: the closure of the user's function, name -> cell.
    """

    globals: dict[str, Any]
    cells: dict[str, Any] = field(default_factory=dict)
    helpers: dict[str, Any] = field(default_factory=dict)

    def lookup(self, name: str) -> tuple[str, Any]:
        """(where, value): where is "helper", "cell", "global", "builtin" or "" for a name that is not defined."""
        if name in self.helpers:
            return "helper", self.helpers[name]
        if name in self.cells:
            try:
                return "cell", self.cells[name].cell_contents
            except ValueError:
                return "", None
        if name in self.globals:
            return "global", self.globals[name]
        found = self.globals.get("__builtins__", builtins)
        table = found if isinstance(found, dict) else vars(found)
        if name in table:
            return "builtin", table[name]
        return "", None


@dataclass(frozen=True)
class Function:
    """A function at some stage. `tree` is a gast.FunctionDef and is never changed after it is made."""

    tree: Any
    namespace: Namespace
    original: Any = None  # the Python function it was read from
    file: str = ""
    source: str = ""  # the text of the whole file, for errors and comments
    qualname: str = ""

    def with_tree(self, tree: Any) -> Function:
        return replace(self, tree=tree)

    @property
    def name(self) -> str:
        return self.tree.name
