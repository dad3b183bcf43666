"""What a golden file holds: the user's function, then the derivative exactly as it is generated."""

from __future__ import annotations

import inspect
from pathlib import Path

from tests.golden.programs import Golden

FOLDER = Path(__file__).parent
HEADER = '"""{call}{types}"""\n# ruff: noqa: E402, F811, I001 (the second half is kept as it was generated, with its own imports)\n\n'
RULE = "\n\n# The derivative\n\n"


def text_of(golden: Golden) -> str:
    shapes = ", ".join(_described(example) for example in golden.examples)
    types = f", declared for ({shapes})" if shapes else ""
    return (
        HEADER.format(call=golden.call, types=types)
        + inspect.getsource(golden.f).rstrip()
        + RULE
        + golden.derivative().source.rstrip()
        + "\n"
    )


def derivative_in(golden: Golden) -> str:
    """The generated half of the file."""
    return (FOLDER / golden.file).read_text(encoding="utf-8").partition(RULE)[2]


def _described(example: object) -> str:
    shape = getattr(example, "shape", None)
    return f"an array of rank {len(shape)}" if shape is not None else type(example).__name__
