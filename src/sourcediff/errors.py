"""The errors that users see: a sentence, the place, what to write instead, a code.

Their texts are data (`messages.CATALOGUE`); here they become exceptions. An error is made by name,

    raise problem("yield", node)
    raise_all([problem("async", a), problem("unknown_option", b, chain=callers, function="np.sum", option="where")])

and shows the place as CPython does, in the user's own file, with the chain of callers that led there.
"""

from __future__ import annotations

import inspect
import unicodedata
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from .messages import CATALOGUE, Message

__all__ = [
    "CATALOGUE",
    "DiffError",
    "Message",
    "NoRuleError",
    "Place",
    "SourceError",
    "StageError",
    "UnsupportedError",
    "UsageError",
    "UsageTypeError",
    "UsageValueError",
    "problem",
    "raise_all",
    "rule_skeleton",
]


class Place(NamedTuple):
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
    innermost first. problems: all that were found together, this error's own first; just itself for one alone.
    """

    __module__ = "sourcediff"

    def __init__(
        self,
        text: str = "",
        name: str = "",
        place: Place | None = None,
        chain: Sequence[Place] = (),
        problems: Sequence[DiffError] = (),
    ) -> None:
        super().__init__(text)
        self.name = name
        self.place = place
        self.chain = tuple(chain)
        self.problems: tuple[DiffError, ...] = tuple(problems) or (self,)

    @property
    def code(self) -> str:
        """The anchor in docs/errors.md: "SD104"."""
        return CATALOGUE[self.name].code if self.name in CATALOGUE else ""

    def __reduce__(self) -> tuple[Any, ...]:
        problems = () if self.problems == (self,) else self.problems
        return _restored, (type(self).__name__, str(self), self.name, self.place, self.chain, problems)


class UnsupportedError(DiffError):
    """The program contains something that sourcediff does not differentiate."""

    __module__ = "sourcediff"


class NoRuleError(DiffError):
    """A function that is called has neither a rule nor source text."""

    __module__ = "sourcediff"


class SourceError(DiffError):
    """The source text of a function cannot be found or is not the text it was compiled from."""

    __module__ = "sourcediff"


class StageError(DiffError):
    """A fault of sourcediff itself: a step gave what its language does not allow."""

    __module__ = "sourcediff"


class UsageError(DiffError):
    """A transform, or what it returned, was called in a way that has no meaning."""

    __module__ = "sourcediff"


class UsageTypeError(UsageError, TypeError):
    """A usage error that is a TypeError as well, as Python users expect."""

    __module__ = "sourcediff"


class UsageValueError(UsageError, ValueError):
    """A usage error that is a ValueError as well, as Python users expect."""

    __module__ = "sourcediff"


_CLASSES: dict[str, type[DiffError]] = {
    cls.__name__: cls
    for cls in (DiffError, UnsupportedError, NoRuleError, SourceError, StageError, UsageError, UsageTypeError, UsageValueError)
}


def problem(name: str, where: Any = None, /, chain: Iterable[Any] = (), **fields: Any) -> DiffError:
    """Make (not raise) the error `name` of the catalogue.

    where: a node of the user's tree, a Place, or None. chain: nodes or places of the inlined callers, innermost first.
    fields: what the sentence and the advice of this entry name in braces.
    """
    message = CATALOGUE[name]
    place = _place(where)
    callers = tuple(p for p in map(_place, chain) if p is not None)
    blanks = _Fields({k: str(v) for k, v in fields.items()})
    parts = [message.sentence.format_map(blanks)]
    if place is not None:
        parts.append("\n".join([_shown(place), *(f"  called from {c.file}:{c.line}, in {c.function}" for c in callers)]))
    advice = message.advice.format_map(blanks)
    parts.append(f"{advice}  [{message.code}]" if "\n" not in advice else f"{advice}\n[{message.code}]")
    return _CLASSES[message.kind]("\n\n".join(parts), name, place, callers)


def raise_all(problems: Iterable[DiffError]) -> None:
    """Raise one error that shows all of `problems`; nothing if there are none. The first gives its class and name."""
    distinct = list({str(p): p for p in problems}.values())
    if len(distinct) == 1:
        raise distinct[0]
    if distinct:
        first = distinct[0]
        text = f"{len(distinct)} problems\n\n" + "\n\n".join(f"{i}. {p}" for i, p in enumerate(distinct, 1))
        raise type(first)(text, first.name, first.place, first.chain, distinct)


def rule_skeleton(path: str, function: Any = None) -> str:
    """A rule for the function at `path`, to be filled in: the `skeleton` that the advice of `no_rule` shows."""
    try:
        kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
        every = inspect.signature(function).parameters.values()
        parameters = [p.name for p in every if p.kind in kinds and p.default is inspect.Parameter.empty] or ["x"]
    except (TypeError, ValueError):
        parameters = ["x"]
    result = "y" if "y" not in parameters else "result"
    name = path.rpartition(".")[2]
    partials = ", ".join("..." for _ in parameters)
    what = "the partial derivative" + ("s" if len(parameters) > 1 else "") + f" by {', '.join(parameters)}"
    return f"    @sd.elementwise({path})\n    def {name}({', '.join([result, *parameters])}):\n        return {partials}  # {what}"


class _Fields(dict[str, str]):
    """A field that was not given shows its own name: a gap in a message must not hide the error itself."""

    def __missing__(self, key: str) -> str:
        return "{" + key + "}"


def _place(where: Any) -> Place | None:
    return where if isinstance(where, Place) else getattr(where, "place", None)


def _shown(place: Place) -> str:
    """The place in CPython's own format: file and line, the source line, carets."""
    head = f'  File "{place.file}", line {place.line}' + (f", in {place.function}" if place.function else "")
    code = place.text.rstrip()
    start = len(code) - len(code.lstrip())
    if not code:
        return head
    first = max(place.column, start)
    last = min(place.end_column, len(code)) if place.end_line == place.line else len(code)
    before = "".join("\t" if c == "\t" else " " * _width(c) for c in code[start:first])
    carets = "^" * max(1, sum(map(_width, code[first:last])))
    return f"{head}\n    {code[start:]}\n    {before}{carets}"


def _width(character: str) -> int:
    """How many columns a terminal gives to the character."""
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def _restored(cls: str, *args: Any) -> DiffError:
    """Unpickle: by the class's name, so that a pickle does not depend on where the classes live."""
    return _CLASSES[cls](*args)
