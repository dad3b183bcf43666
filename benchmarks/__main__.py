"""`python -m benchmarks [TABLE …]`: all tables, or those named."""

from __future__ import annotations

import argparse
import os
import warnings

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(variable, "1")  # one thread, before NumPy is loaded

from .hand_written import hand_written, jacobians  # noqa: E402 (after the threads are set)
from .in_place import in_place  # noqa: E402
from .overhead import calls, generation, imports  # noqa: E402
from .seed import seed  # noqa: E402

TABLES = {
    "hand": hand_written,
    "in_place": in_place,
    "calls": calls,
    "generation": generation,
    "import": imports,
    "seed": seed,
    "jacobians": jacobians,
}


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description="Generated derivatives against hand-written ones.")
    parser.add_argument("table", nargs="*", choices=[*TABLES, []], help=f"one of {', '.join(TABLES)}; all when left out")
    names = parser.parse_args().table or list(TABLES)
    over = 0
    for name in names:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RuntimeWarning)
            table = TABLES[name]()
        table.print()
        over += sum(row.verdict == "over" for row in table.rows)
    print(f"\n{over} over the bar" if over else "\nall within their bars")
    return 1 if over else 0


if __name__ == "__main__":
    raise SystemExit(main())
