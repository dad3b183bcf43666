"""The generated parts of the documentation: each function here is one of them, and gives Markdown."""

from __future__ import annotations

import ast
import inspect
import itertools
import re
import textwrap
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import sourcediff as sd
from sourcediff import runtime
from sourcediff.errors import CATALOGUE
from sourcediff.python.grammar import Grammar
from sourcediff.steps import accept, desugar, flatten, forward, inline, languages, reverse, tidy
from tests.tools import docs_example

SOURCES = Path(sd.__file__).parent
ERRORS = Path(__file__).parents[1] / "errors"

_STEPS: dict[str, tuple[ModuleType, ...]] = {
    "ACCEPTED": (accept,),
    "PLAIN": (desugar,),
    "FLAT": (flatten,),
    "CLOSED": (inline,),
    "DERIVED": (forward, reverse),
}
_STAGE_SAYS = {
    "accept": "Nothing is refused and nothing is dead, so this is the user's own text; only the annotations have become text.",
    "desugar": "The conditional expression has become an `if`, and the function has one way out, its last statement.",
    "flatten": "One operation a statement. The condition of the `if` carries no derivative and stays whole, under a name.",
    "inline": "`scaled` is gone: its parameters *are* the caller's names. What a loop or a branch carries keeps one name; nothing else is\n"
    "assigned twice.",
    "derive": "Reverse mode. The way there saves `x` where the loop overwrites it, since `np.cos(t)` will need it; `t` is cheap and\n"
    "computed again. Then the same statements, last first, each replaced by what its rule hands back.",
    "tidy": "What a person would have left out is gone. Dead are the primal's own result and the name of the condition; `1.0` was folded,\n"
    "temporaries nested into their only use.",
}
_FIELDS = {
    "python": "Reading and writing Python. It knows no calculus.",
    "rules": "What the derivative of each function is, one file a field.",
    "facts": "Analyses, each giving a table. Nothing hangs on nodes.",
    "steps": "The pipeline; `steps/__init__.py` is its table of contents.",
    "steps/inlining": "The parts of `inline`: the walk that types, resolves and splices.",
    "steps/adjoint": "The parts of `reverse`.",
    "steps/tidying": "The passes of `tidy`; their order, and why, stands in `steps/tidy.py`.",
    ".": "What users touch, and the edges.",
}


def one_function_at_each_stage() -> str:
    derivative = sd.grad(docs_example.loss)
    parts = [_python(_text_of(docs_example.scaled) + "\n\n" + _text_of(docs_example.loss))]
    for stage, source in derivative.stages.items():
        parts.append(f"**{stage}.** {_STAGE_SAYS[stage]}\n\n{_python(source)}")
    parts.append("What `.source` shows is this last text with its imports and, as comments, the user's own lines:")
    return "\n\n".join([*parts, _python(derivative.source)]) + "\n"


def packages_and_files() -> str:
    return "\n".join(f"### {_title(folder)}\n\n{says}\n\n{_files(folder)}\n" for folder, says in _FIELDS.items())


def helpers() -> str:
    rows = [f"| `{name}` | {_first_sentence(inspect.getdoc(value) or '')} |" for name, value in _public_functions(runtime)]
    return "| helper | what it does |\n|---|---|\n" + "\n".join(rows) + "\n"


def languages_of_the_steps() -> str:
    before: Grammar | None = None
    parts = []
    for name, steps in _STEPS.items():
        grammar = getattr(languages, name)
        given_by = " and ".join(f"`{_name(step)}`" for step in steps)
        changed = {rule: shape for rule, shape in grammar.rules.items() if before is None or before.rules.get(rule) != shape}
        kind = f"Its rules, where they differ from those of {before.name}:" if before else "Its rules:"
        shapes = "\n".join(_rule(rule, shape) for rule, shape in changed.items())
        parts.append("\n\n".join([f"## {name}", f"Given by {given_by}.", *map(_docstring, steps), kind, f"```text\n{shapes}\n```\n"]))
        before = grammar
    return "\n".join([*parts, f"## tidy: back to ACCEPTED\n\n{_docstring(tidy)}\n"])


def catalogue_of_errors() -> str:
    groups = {"1": "Source and syntax", "2": "Calls and rules", "3": "Memory and aliases", "4": "Usage", "9": "Faults of sourcediff"}
    parts = []
    for digit, title in groups.items():
        parts.append(f"## {title}\n")
        entries = sorted((m.code, name) for name, m in CATALOGUE.items() if m.code.startswith(f"SD{digit}"))
        parts += [_entry(name) for _, name in entries]
    return "\n".join(parts)


def _entry(name: str) -> str:
    message = CATALOGUE[name]
    advice = message.advice.replace("\n\n{skeleton}\n\n", "\n\n    {skeleton}\n\n")
    parts = [
        f'### <a id="{message.code}"></a>{message.code}: {_code(message.sentence)}',
        _code(advice),
        f"`{message.kind}`, named `{name}`.",
    ]
    example = ERRORS / f"{name}.py"
    if example.exists():
        shown = example.with_suffix(".txt").read_text(encoding="utf-8").strip()
        parts += [_python(example.read_text(encoding="utf-8")), f"```text\n{shown}\n```"]
    return "\n\n".join(parts) + "\n"


def _code(text: str) -> str:
    """Fields in braces stand out; nothing in the text is taken for HTML."""
    return re.sub(r"(?<!`)(\{\w+(?:![rs])?\})", r"`\1`", text.replace("<", "&lt;"))


def _title(folder: str) -> str:
    return "`sourcediff/`" if folder == "." else f"`sourcediff/{folder}/`"


def _files(folder: str) -> str:
    rows = []
    for path in sorted((SOURCES / folder).glob("*.py")):
        says = _first_sentence(ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or "")
        if path.name == "__init__.py" and "architecture.md" in says:
            continue
        rows.append(f"| `{path.name}` | {says} |")
    return "| file | its idea |\n|---|---|\n" + "\n".join(rows)


def _first_sentence(docstring: str) -> str:
    paragraph = " ".join(docstring.split("\n\n")[0].split()).replace("|", "\\|")
    return re.split(r"(?<=[.!?])\s", paragraph)[0]


def _public_functions(module: ModuleType) -> Iterator[tuple[str, Any]]:
    for name, value in vars(module).items():
        if inspect.isfunction(value) and value.__module__ == module.__name__ and not name.startswith(("_", "known_", "literal")):
            yield name, value


def _name(step: ModuleType | Any) -> str:
    return step.__name__.rpartition(".")[2]


def _docstring(step: ModuleType | Any) -> str:
    module = step if isinstance(step, ModuleType) else inspect.getmodule(step)
    return _as_markdown(inspect.getdoc(module) or "")


def _as_markdown(docstring: str) -> str:
    """Indented lines are examples; an arrow beside two programs makes all of its paragraph one."""
    parts: list[tuple[bool, str]] = []
    for paragraph in docstring.split("\n\n"):
        arrow = "→  " in paragraph or "  →" in paragraph
        for is_example, lines in itertools.groupby(paragraph.splitlines(), lambda line: arrow or line.startswith("  ")):
            parts.append((is_example, "\n".join(lines)))
    shown = []
    for is_example, run in itertools.groupby(parts, lambda part: part[0]):
        text = "\n\n".join(part for _, part in run)
        shown.append(f"```text\n{textwrap.dedent(text)}\n```" if is_example else text)
    return "\n\n".join(shown)


def _rule(rule: str, shape: Any) -> str:
    if not isinstance(shape, str):
        return f"{rule} = a test in Python: {_first_sentence(inspect.getdoc(shape) or shape.__name__)}"
    alternatives = [ast.unparse(a) for a in _alternatives(ast.parse(shape.strip(), mode="eval").body)]
    pad = "\n" + " " * len(rule) + " | "
    return f"{rule} = " + pad.join(alternatives)


def _alternatives(shape: ast.expr) -> list[ast.expr]:
    if isinstance(shape, ast.BinOp) and isinstance(shape.op, ast.BitOr):
        return [*_alternatives(shape.left), *_alternatives(shape.right)]
    return [shape]


def _text_of(function: Any) -> str:
    return inspect.getsource(function).strip()


def _python(source: str) -> str:
    return f"```python shown\n{source.strip()}\n```"
