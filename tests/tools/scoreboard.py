"""How the product does on the small programs: right, refused, WRONG or crash, with their ids.

python -m tests.tools.scoreboard                       all but the corpus, reverse mode
python -m tests.tools.scoreboard --theme A,B           some themes (mutation is one)
python -m tests.tools.scoreboard --mode all            also forward, pairing, second order, stages, sources
python -m tests.tools.scoreboard --show E06            source, gradient and verdicts of one program
python -m tests.tools.scoreboard --write-refusals      all of it; lists what is refused in tests/data/refused.txt
"""

from __future__ import annotations

import argparse
import inspect
import time
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import sourcediff as sd
from tests import refusals
from tests.constructs import Case, constructs, judge, mutations
from tests.corpus import Program, corpus, judge_program
from tests.judge import CHECKS, Problem, Verdict, is_real_scalar
from tests.refusals import error_name

ORDER = ("right", "refused", "WRONG", "crash")
CORPUS_ONLY = ("stages", "sources")


@dataclass(frozen=True)
class Entry:
    """A program with its verdicts, from whichever collection."""

    id: str
    theme: str
    subject: Case | Program

    def judge(self, mode: str) -> Verdict:
        return judge(self.subject, mode) if isinstance(self.subject, Case) else judge_program(self.subject, mode)

    def problem(self) -> Problem:
        return self.subject.problem()

    @property
    def may_be_listed(self) -> bool:
        return not (isinstance(self.subject, Case) and self.subject.must_be_refused)


def entries() -> list[Entry]:
    cases = [Entry(case.id, case.theme, case) for case in (*constructs(), *mutations())]
    return cases + [Entry(program.id, "corpus", program) for program in corpus()]


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="scoreboard", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--theme", default="", help="comma-separated: letters, mutation, corpus")
    parser.add_argument("--mode", default="reverse", choices=[*CHECKS, *CORPUS_ONLY, "all"])
    parser.add_argument("--show", metavar="ID", help="one program in full")
    parser.add_argument("--write-refusals", action="store_true", help="rewrite the list that the tests compare with")
    options = parser.parse_args(argv)
    chosen = entries()
    modes = [*CHECKS, *CORPUS_ONLY] if options.mode == "all" or options.write_refusals else [options.mode]
    if options.show:
        for entry in chosen:
            if entry.id == options.show:
                show(entry)
        return 0
    if options.theme:
        chosen = [entry for entry in chosen if entry.theme in options.theme.split(",")]
    elif options.mode != "all" and not options.write_refusals:
        chosen = [entry for entry in chosen if entry.theme != "corpus"]
    boards = {mode: board(mode, [e for e in chosen if mode in CHECKS or e.theme == "corpus"]) for mode in modes}
    if options.write_refusals:
        refused = [(mode, entry, v) for mode, found in boards.items() for entry, v in found if v.kind == "refused"]
        refusals.write((mode, entry.id, error_name(v)) for mode, entry, v in refused if entry.may_be_listed)
    return 1 if any(v.kind in ("WRONG", "crash") for found in boards.values() for _, v in found) else 0


def board(mode: str, chosen: Sequence[Entry]) -> list[tuple[Entry, Verdict]]:
    """Judge the programs in one mode and print the table."""
    started = time.perf_counter()
    verdicts = [(entry, entry.judge(mode)) for entry in chosen]
    print_board(mode, verdicts, time.perf_counter() - started)
    return verdicts


def print_board(mode: str, verdicts: Sequence[tuple[Entry, Verdict]], seconds: float) -> None:
    print(f"== {mode} ({seconds:.1f} s)")
    for theme in dict.fromkeys(entry.theme for entry, _ in verdicts):
        of_theme = [v for entry, v in verdicts if entry.theme == theme]
        counts = Counter(v.kind for v in of_theme)
        print(f"{theme:9}", "  ".join(f"{kind} {counts[kind]:3}" for kind in ORDER))
    for kind in ORDER[1:]:
        grouped = defaultdict(list)
        for entry, v in verdicts:
            if v.kind == kind:
                grouped[error_name(v) if kind == "refused" else f"{entry.id} {v.detail[:160]}"].append(entry.id)
        if grouped:
            print(f"-- {kind}")
        for reason, ids in sorted(grouped.items()):
            print(f"   {reason}: {' '.join(ids)}" if kind == "refused" else f"   {reason}")
    counts = Counter(v.kind for _, v in verdicts)
    print("   total:", "  ".join(f"{kind} {counts[kind]}" for kind in ORDER))


def show(entry: Entry) -> None:
    """One program in full: its text, the generated gradient, the verdicts."""
    problem = entry.problem()
    print(entry.id, f"(wrt {problem.wrt})")
    if isinstance(entry.subject, Case):
        print(f"{entry.subject.title}; expect {entry.subject.expect}; listed {entry.subject.listed}\n{entry.subject.code}")
    else:
        print(inspect.getsource(problem.f))
    transform = sd.grad if is_real_scalar(problem.run(problem.f).value) else sd.vjp
    try:
        print(transform(problem.f, wrt=problem.wrt).specialize(*problem.args).source)
    except Exception as error:  # the point of --show is to see whatever happens
        print(f"{type(error).__name__}: {error}")
    for mode in CHECKS if isinstance(entry.subject, Case) else [*CHECKS, *CORPUS_ONLY]:
        found = entry.judge(mode)
        print(f"{mode:8} {found.kind} {found.detail}")


if __name__ == "__main__":
    raise SystemExit(main())
