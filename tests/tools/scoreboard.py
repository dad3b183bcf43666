"""How the product does on the small programs: right, refused, WRONG or crash, with their ids.

python -m tests.tools.scoreboard                       all themes, reverse mode
python -m tests.tools.scoreboard --theme A,B           some themes (mutation is one)
python -m tests.tools.scoreboard --mode all            also forward, pairing and second order
python -m tests.tools.scoreboard --show E06            source, gradient and verdicts of one program
python -m tests.tools.scoreboard --write-refusals      all of it; lists what is refused in tests/data/refused.txt
"""

from __future__ import annotations

import argparse
import time
from collections import Counter, defaultdict
from collections.abc import Sequence

import sourcediff as sd
from tests import refusals
from tests.constructs import Case, constructs, judge, mutations
from tests.judge import CHECKS, Verdict, chosen_positions
from tests.refusals import error_name

ORDER = ("right", "refused", "WRONG", "crash")


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="scoreboard", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--theme", default="", help="comma-separated letters; mutation")
    parser.add_argument("--mode", default="reverse", choices=[*CHECKS, "all"])
    parser.add_argument("--show", metavar="ID", help="one program in full")
    parser.add_argument("--write-refusals", action="store_true", help="rewrite the list that the tests compare with")
    options = parser.parse_args(argv)
    cases = [*constructs(), *mutations()]
    modes = list(CHECKS) if options.mode == "all" else [options.mode]
    if options.show:
        for case in cases:
            if case.id == options.show:
                show(case)
        return 0
    if options.write_refusals:
        modes = list(CHECKS)
    elif options.theme:
        cases = [case for case in cases if case.theme in options.theme.split(",")]
    boards = {mode: board(mode, cases) for mode in modes}
    if options.write_refusals:
        refused = [(mode, case, v) for mode, found in boards.items() for case, v in found if v.kind == "refused"]
        refusals.write((mode, case.id, error_name(v)) for mode, case, v in refused if not case.must_be_refused)
    return 1 if any(v.kind in ("WRONG", "crash") for found in boards.values() for _, v in found) else 0


def board(mode: str, cases: Sequence[Case]) -> list[tuple[Case, Verdict]]:
    """Judge the cases in one mode and print the table."""
    started = time.perf_counter()
    verdicts = [(case, judge(case, mode)) for case in cases]
    print_board(mode, verdicts, time.perf_counter() - started)
    return verdicts


def print_board(mode: str, verdicts: Sequence[tuple[Case, Verdict]], seconds: float) -> None:
    print(f"== {mode} ({seconds:.1f} s)")
    for theme in dict.fromkeys(case.theme for case, _ in verdicts):
        of_theme = [(case, v) for case, v in verdicts if case.theme == theme]
        counts = Counter(v.kind for _, v in of_theme)
        print(f"{theme:9}", "  ".join(f"{kind} {counts[kind]:3}" for kind in ORDER))
    for kind in ORDER[1:]:
        grouped = defaultdict(list)
        for case, v in verdicts:
            if v.kind == kind:
                grouped[error_name(v) if kind == "refused" else f"{case.id} {v.detail[:160]}"].append(case.id)
        if grouped:
            print(f"-- {kind}")
        for reason, ids in sorted(grouped.items()):
            print(f"   {reason}: {' '.join(ids)}" if kind == "refused" else f"   {reason}")
    counts = Counter(v.kind for _, v in verdicts)
    print("   total:", "  ".join(f"{kind} {counts[kind]}" for kind in ORDER))


def show(case: Case) -> None:
    print(f"{case.id}: {case.title}  (expect {case.expect}; listed {case.listed})\n{case.code}")
    module = case.module()
    args = case.make_args(module)
    try:
        wrt = case.wrt or chosen_positions(module.f, args)
        print(sd.grad(module.f, wrt=wrt).specialize(*args).source)
    except Exception as error:  # the point of --show is to see whatever happens
        print(f"{type(error).__name__}: {error}")
    for mode in CHECKS:
        print_verdict(mode, judge(case, mode))


def print_verdict(mode: str, found: Verdict) -> None:
    print(f"{mode:8} {found.kind} {found.detail}")


if __name__ == "__main__":
    raise SystemExit(main())
