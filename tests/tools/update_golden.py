"""Rewrite the golden files from what is generated now; then read the diff.

python -m tests.tools.update_golden [NAME …]
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

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
        except Exception as error:  # the others are written all the same
            print(f"{type(error).__name__}  {golden.file}: {(str(error).splitlines() or [''])[0]}")
            failed += 1
            continue
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
            print(f"rewritten  {golden.file}")
    return 1 if failed else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
