"""The generated sources of the whole corpus, in order, for comparison of two runs: name, newline, source, NUL.

python -m tests.tools.all_sources
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

import sourcediff as sd
from tests.corpus import corpus


def sources() -> Iterator[tuple[str, str]]:
    """(program and transform, the generated source or the refusal)."""
    for program in corpus():
        for transform in (sd.grad, sd.vjp, sd.jvp):
            try:
                text = transform(program.f, wrt=program.wrt).specialize(*program.arguments()).source
            except Exception as error:  # what cannot be generated is told in the same words too
                text = str(error)
            yield f"{program.id} {transform.__name__}", text


if __name__ == "__main__":
    for name, text in sources():
        sys.stdout.write(f"{name}\n{text}\0")
