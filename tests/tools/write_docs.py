"""Write the generated parts of the documentation anew, and the outputs of all blocks; then read the diff.

    python -m tests.tools.write_docs

A generated part stands between `<!-- generated: NAME -->` and `<!-- end -->`; NAME is a function of `tests/tools/generated.py`.
The outputs of notebooks in `examples/` are written too.
"""

from __future__ import annotations

import re
from pathlib import Path

from tests.tools import generated, notebooks, pages

_PART = re.compile(r"(<!-- generated: (\w+) -->\n).*?(<!-- end -->)", flags=re.DOTALL)


def with_generated_parts(text: str) -> str:
    """The page with each generated part as it would be written now."""
    return _PART.sub(lambda found: f"{found[1]}\n{getattr(generated, found[2])()}\n{found[3]}", text)


def current(page: Path) -> str:
    """The page as it should be."""
    text = with_generated_parts(page.read_text(encoding="utf-8"))
    return pages.executed(text) if pages.runs(page) else text


def main() -> int:
    for page in pages.pages():
        _write(page, current(page))
    for notebook in notebooks.all_notebooks():
        _write(notebook, notebooks.current(notebook))
    return 0


def _write(path: Path, text: str) -> None:
    if path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")
        print(f"rewritten  {path.relative_to(pages.ROOT)}")


if __name__ == "__main__":
    raise SystemExit(main())
