"""Pages of documentation that run: the blocks of a Markdown page are executed in order, and their outputs compared.

What the word behind the language of a block says:

    ```python                   run, in the page's own scope
    ```python raises            run; must raise an error of sourcediff, which is its output
    ```python file=model.py     a file, written where the page runs
    ```python output            what the block above printed (also `text output`)
    ```python shown             for the reader alone: generated, and tested elsewhere
    ```console                  `$ sourcediff …` and `$ python …` are run; what follows each is its output
    ```sh                       for the reader alone

`executed(page)` is the text of the page with all outputs as they are now: a page that is right is equal to it.
"""

from __future__ import annotations

import contextlib
import io
import linecache
import os
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import sourcediff as sd

ROOT = Path(__file__).parents[2]
# Made of fragments: of rule files, which tests/test_rules.py tries, and of signatures.
NOT_RUN = {"docs/rules.md", "docs/notes/001-contracts-between-the-parts.md"}
_BLOCK = re.compile(r"^```(\w+)(?: ([^\n]*))?\n(.*?)^```$", flags=re.MULTILINE | re.DOTALL)
_COUNT = iter(range(10**9))


def pages() -> list[Path]:
    """Every page that is written for readers, in order."""
    folders = ("benchmarks", "docs", "examples")
    return [*sorted(ROOT.glob("*.md")), *(page for folder in folders for page in sorted((ROOT / folder).rglob("*.md")))]


def runs(page: Path) -> bool:
    return page.relative_to(ROOT).as_posix() not in NOT_RUN


def executed(text: str) -> str:
    """The page with each output as it is now."""
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder), _importing_from(folder):
        run = PageRun()
        return _BLOCK.sub(run.block, text)


class PageRun:
    """One page while it runs: its scope, and what the last block printed."""

    def __init__(self) -> None:
        self.scope: dict[str, Any] = {"__name__": "page"}
        self.output = ""

    def block(self, found: re.Match[str]) -> str:
        language, role, text = found[1], found[2] or "", found[3]
        head = f"```{language} {role}".rstrip()
        if role == "output":
            return f"{head}\n{self.output}```"
        if role.startswith("file="):
            Path(role.removeprefix("file=")).write_text(text, encoding="utf-8")
        elif language == "python" and role in ("", "raises"):
            self.output = printed(text, self.scope, raises=role == "raises")
        elif language == "console":
            commands = [line for line in text.splitlines() if line.startswith("$ ")]
            return f"{head}\n{''.join(f'{c}{chr(10)}{answer(c[2:])}' for c in commands)}```"
        return found[0]


def printed(text: str, scope: dict[str, Any], raises: bool = False) -> str:
    """What the program prints; with `raises`, followed by the error that ends it."""
    name = f"<page block {next(_COUNT)}>"
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        try:
            exec(compile(text, name, "exec"), scope)
        except sd.DiffError as error:
            if not raises:
                raise
            print(f"{type(error).__module__}.{type(error).__name__}: {error}")
        else:
            assert not raises, f"no error was raised by\n{text}"
    return without_blanks(out.getvalue().replace(name, "example.py"))


def answer(command: str) -> str:
    """What the command prints, and then what it says on the other stream."""
    program, *arguments = shlex.split(command)
    start = {"sourcediff": [sys.executable, "-W", "error", "-m", "sourcediff"], "python": [sys.executable, "-W", "error"]}[program]
    environment = {"PYTHONPATH": str(ROOT / "src"), "COLUMNS": "100", "PATH": os.environ.get("PATH", "")}
    done = subprocess.run([*start, *arguments], capture_output=True, text=True, env=environment)
    return without_blanks(done.stdout + done.stderr)


def without_blanks(text: str) -> str:
    """As it is shown: no blanks at the ends of lines, no empty lines at either end."""
    lines = "\n".join(line.rstrip() for line in text.splitlines()).strip("\n")
    return f"{lines}\n" if lines else ""


@contextlib.contextmanager
def _importing_from(folder: str) -> Any:
    before = set(sys.modules)
    sys.path.insert(0, folder)
    try:
        yield
    finally:
        sys.path.remove(folder)
        for name in set(sys.modules) - before:
            if str(getattr(sys.modules[name], "__file__", None) or "").startswith(folder):
                del sys.modules[name]
