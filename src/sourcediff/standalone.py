"""A derivative as a module of its own, which needs neither sourcediff nor a guard.

Every free name of the generated function gets a meaning in the module: helpers are copied in with all that they call,
scalars and text become constants with a comment saying from where, modules are imported, and arrays, classes and
functions come from the module of the user's that has them. What no module can be imported for is refused by name.
"""

from __future__ import annotations

import ast
import builtins
import inspect
import re
import sys
import textwrap
import types
from pathlib import Path
from typing import Any

import gast
import numpy as np

from .declared import spelled_all
from .errors import problem
from .python.function import Namespace
from .python.names import free_names, names_in

_PLAIN = (bool, int, float, complex, str, bytes, type(None))


def module_text(member: Any, derivative: Any) -> str:
    """The text of the module for a member of the derivative's family."""
    module = _Module(member.namespace, member.helpers)
    definition = _definition(member.source)
    module.provide_for(definition)
    known = spelled_all(derivative.argument_types)
    about = f"It is right for arguments of these types: {known}. " if known else ""
    title = f'"""{derivative.__doc__}\n\nWritten by sourcediff. {about}It checks neither types nor that the original is as it was.\n"""'
    return module.text(title, definition)


class _Module:
    """Gathers what the text of functions needs around it."""

    def __init__(self, namespace: Namespace, helpers: dict[str, Any]) -> None:
        self.namespace = Namespace(namespace.globals, namespace.cells, {**namespace.helpers, **helpers})
        self.meaning: dict[str, Any] = {}
        self.imports: set[str] = set()
        self.constants: list[str] = []
        self.copies: list[str] = []

    def text(self, title: str, definition: str) -> str:
        imports = sorted(self.imports, key=lambda line: (line.startswith("from"), line))
        top = "\n".join([title, "", "from __future__ import annotations", "", *imports]).rstrip()
        body = [*(["\n".join(self.constants)] if self.constants else []), *self.copies, definition]
        return "\n\n\n".join([top, *(part.strip("\n") for part in body)]) + "\n"

    def provide_for(self, text: str) -> None:
        """Give each free name of the function in `text` its meaning in the user's program."""
        for name in _free(text):
            where, value = self.namespace.lookup(name)
            if where == "builtin" and vars(builtins).get(name) is value:
                continue
            if not where:
                raise problem("no_home", name=name)
            self._provide(name, value, where, self.namespace.globals)

    def _provide(self, name: str, value: Any, where: str, globals: dict[str, Any]) -> None:
        if name in self.meaning:
            if self.meaning[name] is not value:
                raise problem("save_clash", name=name)
            return
        self.meaning[name] = value
        literal = self._literal(value)
        if isinstance(value, types.ModuleType) and value.__name__.partition(".")[0] != __package__:
            self.imports.add(f"import {value.__name__}" if name == value.__name__ else f"import {value.__name__} as {name}")
        elif literal is not None:
            origin = "a variable around the function" if where == "cell" else f"the module {globals.get('__name__', '?')}"
            self.constants.append(f"{name} = {literal}  # from {origin}")
        elif str(getattr(value, "__module__", "")).partition(".")[0] == __package__ and isinstance(value, (types.FunctionType, type)):
            self._copy(name, value)
        else:
            self.imports.add(_import_of(name, value, where, globals))

    def _copy(self, name: str, helper: Any) -> None:
        """Copy a function of ours and all that it calls."""
        text = re.sub(rf"^(def|class) {helper.__name__}\b", rf"\1 {name}", _definition(textwrap.dedent(inspect.getsource(helper))))
        module = sys.modules[helper.__module__]
        for free in _free(text):
            if free in vars(module):
                self._provide(free, vars(module)[free], "global", vars(module))
        self.copies.append(_without_annotations(text))

    def _literal(self, value: Any) -> str | None:
        """A plain value as Python text; None for all else."""
        if type(value) is tuple:
            items = [self._literal(v) for v in value]
            return None if None in items else f"({', '.join(map(str, items))}{',' if len(items) == 1 else ''})"
        if isinstance(value, np.generic):
            self._provide("np", np, "global", {})
            return f"np.{type(value).__name__}({self._literal(value.item())})" if type(value.item()) in _PLAIN else None
        if type(value) not in _PLAIN:
            return None
        return re.sub(r"(?<![\w'\"])(nan|inf)(?=[-+j)]|$)", r'float("\1")', repr(value)) if isinstance(value, float) else repr(value)


def _without_annotations(text: str) -> str:
    """A definition of ours with `: Any` and `-> Any` left out: the module imports what it computes with, and no more."""
    return re.sub(r"(: Any| -> [A-Za-z\[\], |]+(?=:$))", "", text, flags=re.M)


def _definition(source: str) -> str:
    """The last definition of a text, with the comments above it, without decorators and imports."""
    tree = ast.parse(source)
    last: Any = tree.body[-1]
    before = tree.body[-2].end_lineno or 0 if len(tree.body) > 1 else 0
    start = last.lineno - 1 if last.decorator_list else before
    return "\n".join(source.splitlines()[start : last.end_lineno]).strip("\n")


def _free(text: str) -> list[str]:
    """The names that a definition uses and does not define, defaults among them, in alphabetical order."""
    definition: Any = gast.parse(text).body[-1]
    if isinstance(definition, gast.ClassDef):
        return sorted(names_in(definition) - {definition.name})
    defaults = [d for d in (*definition.args.defaults, *definition.args.kw_defaults) if d is not None]
    return sorted((free_names(definition) | names_in(defaults)) - {definition.name})


def _import_of(name: str, value: Any, where: str, globals: dict[str, Any]) -> str:
    """The import that makes `name` mean `value`; refused if there is none."""
    homes = [(getattr(value, "__module__", None), getattr(value, "__qualname__", getattr(value, "__name__", None)))]
    if isinstance(value, np.ufunc):
        homes += [("numpy", value.__name__), ("scipy.special", value.__name__)]
    if where == "global":
        homes.append((globals.get("__name__"), name))
    for module, attribute in homes:
        found = sys.modules.get(module or "")
        if module != "__main__" and found is not None and _has(found, attribute, value):
            return f"from {module} import {attribute}" + (f" as {name}" if attribute != name else "")
    raise problem("no_home", name=name)


def _has(module: types.ModuleType, attribute: Any, value: Any) -> bool:
    """Whether an import from the module gives just this value; a module made by hand cannot be imported again."""
    importable = module.__spec__ is not None or Path(getattr(module, "__file__", None) or "").is_file()
    return importable and isinstance(attribute, str) and getattr(module, attribute, None) is value and value is not None
