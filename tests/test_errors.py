"""Each error of the catalogue has an example: `tests/errors/NAME.py`, whose `run()` raises it, with the text in NAME.txt.

`python -m tests.test_errors` writes the texts anew; read the difference.
"""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

import sourcediff as sd

FOLDER = Path(__file__).parent / "errors"
EXAMPLES = sorted(FOLDER.glob("*.py"))


def raised(path):
    """The error of an example, and how Python would show it, without the folder of this machine."""
    run = runpy.run_path(str(path))["run"]
    with pytest.raises(sd.DiffError) as caught:
        run()
    error = caught.value
    shown = f"{type(error).__module__}.{type(error).__name__}: {error}\n"
    return error, shown.replace(str(FOLDER) + "/", "")


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda p: p.stem)
def test_the_example_raises_its_error_with_its_text(path):
    error, shown = raised(path)
    assert error.name == path.stem
    assert shown == path.with_suffix(".txt").read_text(encoding="utf-8")


def test_every_example_is_of_an_entry_and_has_a_text():
    names = {p.stem for p in EXAMPLES}
    assert names <= set(sd.errors.CATALOGUE)
    assert names == {p.stem for p in FOLDER.glob("*.txt")}


if __name__ == "__main__":
    for example in EXAMPLES:
        example.with_suffix(".txt").write_text(raised(example)[1], encoding="utf-8")
