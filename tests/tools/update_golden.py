"""Rewrite the golden files from what is generated now; then read the diff.

python -m tests.tools.update_golden [NAME …]
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

import sourcediff as sd
from tests.golden.programs import GOLDEN
from tests.golden.text import FOLDER, text_of


def main(names: Sequence[str]) -> int:
    failed = 0
    for golden in GOLDEN:
        if names and golden.file.removesuffix(".py") not in names:
            continue
        path = FOLDER / golden.file
        try:
            text = text_of(golden)
        except sd.DiffError as error:
            print(f"refused    {golden.file}: {str(error).splitlines()[0]}")
            failed += 1
            continue
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
            print(f"rewritten  {golden.file}")
    return 1 if failed else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
