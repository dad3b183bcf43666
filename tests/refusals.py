"""The programs that are refused today, each with the name of its error: tests/data/refused.txt.

A program in the list must be refused with that very error, one that is not in it must be right; so the list can only
change on purpose (`python -m tests.tools.scoreboard --mode all --write-refusals`), and every gain is seen in a diff.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable
from pathlib import Path

from tests.judge import Verdict

FILE = Path(__file__).parent / "data" / "refused.txt"


@functools.cache
def refused() -> dict[tuple[str, str], str]:
    """(mode, id of the program) -> name of the error."""
    if not FILE.exists():
        return {}
    rows = [line.split() for line in FILE.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")]
    return {(mode, identifier): name for mode, identifier, name in rows}


def write(rows: Iterable[tuple[str, str, str]]) -> None:
    lines = ["# mode, program, the error that refuses it"] + [" ".join(row) for row in sorted(rows)]
    FILE.write_text("\n".join(lines) + "\n", encoding="utf-8")


def error_name(found: Verdict) -> str:
    return found.detail.partition(":")[0]


def unexpected(mode: str, identifier: str, found: Verdict) -> str:
    """What is wrong with a verdict, given the list; "" if nothing."""
    listed = refused().get((mode, identifier))
    if found.kind not in ("right", "refused"):
        return f"{found.kind}: {found.detail}"
    if found.kind == "refused" and listed is None:
        return f"refused: {found.detail}"
    if listed is not None and found.kind == "right":
        return "right, but listed as refused: take it off the list"
    if listed is not None and error_name(found) != listed:
        return f"refused by {error_name(found)}, not by {listed}"
    return ""
