"""The pipeline, and its table of contents.

accept    refuse what no program may contain                                          ACCEPTED
desugar   fewer kinds of statements                                                   PLAIN
flatten   one operation a statement                                                   FLAT
inline    called functions spliced in, one meaning a name                             CLOSED
forward   tangents beside primals                                                     DERIVED
reverse   the primal, saving what the way back needs; then adjoints, backwards        DERIVED
tidy      shorter, named, commented                                                   ACCEPTED
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ..python.function import Namespace
from ..python.lattice import Type
from .inlining.spelling import Guard

__all__ = ["Guard", "Product", "Request", "differentiate"]


@dataclass(frozen=True)
class Request:
    """What is asked for. types: parameter → Type, those of tangents and seeds too; options: (name, value) pairs."""

    function: Any
    mode: str
    wrt: tuple[str, ...]
    single: bool
    types: dict[str, Type]
    options: tuple[tuple[str, Any], ...] = ()


@dataclass(frozen=True)
class Product:
    """What came out. helpers: names that the text needs in scope; guards: what generation relied on."""

    tree: Any
    source: str
    helpers: dict[str, Any]
    guards: tuple[Guard, ...]
    stages: dict[str, Callable[[], str]]
    namespace: Namespace


def differentiate(request: Request) -> Product:
    """The derivative that is asked for, as a tree and as text."""
    from .assembly import assembled

    return assembled(request)
