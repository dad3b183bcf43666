"""How the emitted code names what is not local: NumPy by the user's own alias, builtins, other modules.

A name that the user's function binds itself (a parameter called `np`, a local called `range`) never means what it
looks like, so such an object arrives as a helper under a fresh name.
"""

from __future__ import annotations

import builtins
import importlib
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from types import ModuleType
from typing import Any

from ...python import quote
from ...python.function import Namespace
from ...python.names import Names
from ...rules.forms import Rule


@dataclass(frozen=True)
class Guard:
    """Something that generation relied on: `get()` must still be `expected` when the derivative is called."""

    description: str
    get: Callable[[], Any]
    expected: Any


class Spelling:
    """Names of non-local things in one generated function."""

    def __init__(self, namespace: Namespace, local_names: set[str], names: Names) -> None:
        self.namespace = namespace
        self.local_names = local_names
        self.names = names
        self.helpers: dict[str, Any] = dict(namespace.helpers)
        self.guards: list[Guard] = []
        self._roots: dict[Any, str] = {}

    def path(self, dotted: str) -> Any:
        """The node for a canonical path of a rule: "np.linalg.inv", "math.exp", "abs"."""
        root, _, rest = dotted.partition(".")
        if not rest and hasattr(builtins, root):
            return quote.name(self.builtin(root))
        return quote.expr(self.module(_MODULES.get(root, root)) + "." + rest)

    def function(self, rule: Rule) -> Any:
        """The node for the function that a rule is of."""
        root, _, rest = rule.path.partition(".")
        if rest and root in _LIBRARIES or hasattr(builtins, rule.path):
            return self.path(rule.path)
        return quote.name(self.helper(rule.path.rpartition(".")[2], rule.function))

    def builtin(self, name: str) -> str:
        """A name that means the builtin."""
        value = getattr(builtins, name)
        where, found = self.namespace.lookup(name)
        if name not in self.local_names and where == "builtin" and found is value:
            return name
        return self.helper(name, value)

    def module(self, module_name: str) -> str:
        """A name that means the module: the user's alias if there is one."""
        if module_name in self._roots:
            return self._roots[module_name]
        module = sys.modules.get(module_name) or importlib.import_module(module_name)
        preferred = _PREFERRED.get(module_name, module_name.rpartition(".")[2])
        candidates = [preferred] + [k for k, v in self.namespace.globals.items() if v is module and k != preferred]
        for alias in candidates:
            where, found = self.namespace.lookup(alias)
            if found is module and where in ("global", "helper") and alias not in self.local_names:
                self.names.take(alias)
                break
        else:
            alias = self.helper(preferred, module)
        self._roots[module_name] = alias
        return alias

    def helper(self, base: str, value: Any) -> str:
        """A name under which the emitted code finds `value`, put into its scope by us."""
        for name, held in self.helpers.items():
            if held is value:
                return name
        where, found = self.namespace.lookup(base)
        name = base if (base not in self.local_names and self.names.is_free(base) and where == "") else self.names.fresh(base)
        self.names.take(name)
        self.helpers[name] = value
        return name

    def value(self, base: str, value: Any) -> Any:
        """The node for an object: by its own name where that means it, else as a helper."""
        if self.namespace.lookup(base) == ("global", value) and base not in self.local_names:
            self.names.take(base)
            return quote.name(base)
        return quote.name(self.helper(base, value))

    def global_name(self, name: str, namespace: Namespace) -> Any:
        """The node that reads `name` as `namespace` means it: itself, or through its module."""
        same = namespace.globals is self.namespace.globals
        where, value = namespace.lookup(name)
        if where == "builtin":
            return quote.name(self.builtin(name)) if hasattr(builtins, name) else quote.name(name)
        if where == "helper":
            return quote.name(self.helper(name, value))
        if where == "cell":
            own = self.namespace.cells.get(name)
            if own is not None and own is namespace.cells.get(name) and name not in self.local_names:
                self.names.take(name)
                return quote.name(name)
            # a cell of another function: read when generated; the guard sees a change
            self.guard(f"the variable {name}", partial(_content, namespace.cells[name]), value)
            return quote.name(self.helper(name, value))
        if same and name not in self.local_names:
            self.names.take(name)
            return quote.name(name)
        if isinstance(value, ModuleType):
            return quote.name(self.module(value.__name__))
        home = sys.modules.get(namespace.globals.get("__name__", ""))
        if home is not None and vars(home) is namespace.globals:
            return quote.expr(f"m.{name}", m=self.module(home.__name__))
        self.guard(f"the global {name}", partial(namespace.globals.get, name), value)
        return quote.name(self.helper(name, value))

    def guard(self, description: str, get: Callable[[], Any], expected: Any) -> None:
        self.guards.append(Guard(description, get, expected))


def _content(cell: Any) -> Any:
    return cell.cell_contents


_MODULES = {"np": "numpy"}
_LIBRARIES = {"np", "math", "scipy", "cmath", "operator"}
_PREFERRED = {"numpy": "np"}
