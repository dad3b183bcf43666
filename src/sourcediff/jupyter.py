"""How a derivative shows itself in a notebook: the user's function and the generated one side by side."""

from __future__ import annotations

import html as escaping
import inspect
import re
from typing import Any

from .callables import subject_of
from .errors import DiffError

_CELL = 'style="vertical-align: top; text-align: left; padding: 0 1.5em 0 0; background: transparent"'


def html(derivative: Any) -> str:
    """A self-contained table: the source of the original, and its derivative or why there is none."""
    try:
        shown = highlighted(derivative.source)
    except DiffError as error:
        shown = f'<pre style="color: #b00020; background: transparent">{escaping.escape(str(error))}</pre>'
    titles = "".join(f"<th {_CELL}>{escaping.escape(t)}</th>" for t in (_name(derivative.original), derivative.__name__))
    cells = "".join(f"<td {_CELL}>{c}</td>" for c in (highlighted(_source_of(derivative.original)), shown))
    return f"<table><tr>{titles}</tr><tr>{cells}</tr></table>"


def highlighted(source: str) -> str:
    """Python source as HTML with its colours inside; plain where Pygments is not installed."""
    try:
        from pygments import highlight
        from pygments.formatters import HtmlFormatter
        from pygments.lexers import PythonLexer
    except ImportError:
        return f'<pre style="background: transparent">{escaping.escape(source)}</pre>'
    shown = highlight(source, PythonLexer(), HtmlFormatter(noclasses=True))
    return re.sub(r"background: #[0-9a-f]+;?", "", shown, count=1, flags=re.IGNORECASE)


def _name(original: Any) -> str:
    return getattr(original, "__qualname__", None) or repr(original)


def _source_of(original: Any) -> str:
    """The text of the function underneath, or a sentence where it has none."""
    function = subject_of(original).function
    if not inspect.isfunction(function):
        function = original.function
    try:
        return inspect.cleandoc("\n" + inspect.getsource(function))
    except (OSError, TypeError):
        return f"# the source of {_name(original)} cannot be found"
