"""Notebooks that run without Jupyter: their code cells are executed in order, and their outputs written into the file.

What a cell prints is its output; a last expression that shows itself in HTML (a derivative does) is shown as well.
"""

from __future__ import annotations

import ast
import contextlib
import io
import json
import linecache
from pathlib import Path
from typing import Any

from tests.tools.pages import ROOT

EXAMPLES = ROOT / "examples"


def all_notebooks() -> list[Path]:
    return sorted(EXAMPLES.glob("*.ipynb"))


def current(path: Path) -> str:
    """The notebook with the outputs of now, as the text of the file."""
    notebook = json.loads(path.read_text(encoding="utf-8"))
    scope: dict[str, Any] = {"__name__": "__main__"}
    for number, cell in enumerate(cells_of_code(notebook), 1):
        cell["execution_count"] = number
        cell["outputs"] = outputs("".join(cell["source"]), f"<{path.name} cell {number}>", scope, number)
    return json.dumps(notebook, indent=1, ensure_ascii=False) + "\n"


def cells_of_code(notebook: Any) -> list[Any]:
    return [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]


def printed(notebook: Any) -> list[str]:
    """What each code cell prints, according to the file."""
    streams = [[o for o in cell["outputs"] if o["output_type"] == "stream"] for cell in cells_of_code(notebook)]
    return ["".join(line for output in outputs for line in output["text"]) for outputs in streams]


def outputs(source: str, name: str, scope: dict[str, Any], number: int) -> list[Any]:
    """Run one cell; its outputs in the notebook's own format."""
    linecache.cache[name] = (len(source), None, source.splitlines(keepends=True), name)
    tree = ast.parse(source)
    last = tree.body[-1] if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    out, value = io.StringIO(), None
    with contextlib.redirect_stdout(out):
        exec(compile(ast.Module(tree.body[:-1] if last else tree.body, []), name, "exec"), scope)
        if last:
            value = eval(compile(ast.Expression(last.value), name, "eval"), scope)
    found: list[Any] = []
    if out.getvalue():
        found.append({"name": "stdout", "output_type": "stream", "text": out.getvalue().splitlines(keepends=True)})
    if value is not None:
        data = {"text/plain": repr(value).splitlines(keepends=True)}
        if hasattr(value, "_repr_html_"):
            data["text/html"] = value._repr_html_().splitlines(keepends=True)
        found.append({"data": data, "execution_count": number, "metadata": {}, "output_type": "execute_result"})
    return found
