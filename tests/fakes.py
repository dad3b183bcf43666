"""A stand-in for the pipeline: it writes what a test tells it to, so that the outer layers are tested on their own."""

from __future__ import annotations

import ast
import importlib
import inspect
import textwrap
from typing import Any, NamedTuple

import gast

from sourcediff import reuse
from sourcediff.family import family_of
from sourcediff.python.function import Namespace
from sourcediff.python.names import Names, names_in
from sourcediff.steps.signatures import derivative_parameters


class Request(NamedTuple):
    function: Any
    mode: str
    wrt: tuple[str, ...]
    single: bool
    types: dict[str, Any]
    options: tuple[tuple[str, Any], ...]


class Guard(NamedTuple):
    description: str
    get: Any
    expected: Any


class Product(NamedTuple):
    tree: Any
    source: str
    helpers: dict[str, Any]
    guards: tuple[Guard, ...]
    stages: dict[str, Any]
    namespace: Namespace


class Machine:
    """bodies: name of a generated function -> its body. watched: globals that generation is said to rely on."""

    def __init__(self) -> None:
        self.bodies: dict[str, str] = {}
        self.helpers: dict[str, Any] = {}
        self.watched: list[str] = []
        self.requests: list[Request] = []

    def forget(self) -> None:
        """Make the next call generate, whatever was generated before."""
        family_of.cache_clear()
        reuse._remembered.clear()

    def differentiate(self, request: Request) -> Product:
        self.requests.append(request)
        f = request.function
        tree = gast.parse(textwrap.dedent(inspect.getsource(f))).body[-1]
        arguments, _, _ = derivative_parameters(tree.args, request.wrt, request.mode, Names(names_in(tree)))
        name = f"{f.__name__}_{request.mode}"
        shown = ast.unparse(gast.gast_to_ast(arguments))
        source = f"def {name}({shown}):\n    {self.bodies.get(name, f'return 2 * {request.wrt[0]}')}\n"
        imports = "".join(_import_of(n, h) for n, h in self.helpers.items())
        guards = tuple(Guard(n, lambda n=n: f.__globals__[n], f.__globals__[n]) for n in self.watched)
        cells = dict(zip(f.__code__.co_freevars, f.__closure__ or (), strict=True))
        text = f"{imports}\n\n{source}" if imports else source
        return Product(None, text, self.helpers, guards, {"accept": lambda: source, "tidy": lambda: text}, Namespace(f.__globals__, cells))


def _import_of(name: str, helper: Any) -> str:
    if inspect.ismodule(helper):
        return f"import {helper.__name__} as {name}\n"
    return f"from {helper.__module__} import {helper.__name__} as {name}\n"


def install(monkeypatch: Any) -> Machine:
    """Put a machine in the place of the pipeline."""
    steps = importlib.import_module("sourcediff.steps")
    machine = Machine()
    monkeypatch.setattr(steps, "Request", Request, raising=False)
    monkeypatch.setattr(steps, "differentiate", machine.differentiate, raising=False)
    machine.forget()
    return machine
