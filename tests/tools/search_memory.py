"""Search for random programs that write into memory and are differentiated wrongly.

    python -m tests.tools.search_memory [FIRST [COUNT]]

prints each failure made small, as it is found, and at the end how often each construct occurs and is refused.
"""

from __future__ import annotations

import sys
from collections import Counter

from tests.random_memory import Program
from tests.random_memory_judge import case_of, judge, shrink
from tests.random_memory_table import TABLE, program


def main(first: int, count: int) -> None:
    kinds: Counter[str] = Counter()
    occurs: Counter[str] = Counter()
    refused: Counter[str] = Counter()
    blamed: Counter[str] = Counter()
    messages: Counter[str] = Counter()
    for seed in range(first, first + count):
        case = case_of(program(seed), seed)
        if case is None:
            kinds["unfit"] += 1
            continue
        outcome = judge(case, seed)
        kinds[outcome.kind] += 1
        occurs.update(case.program.constructs)
        if outcome.kind == "refused":
            refused.update(case.program.constructs)
            blamed[outcome.construct] += 1
            messages[f"{outcome.construct}: {outcome.detail}"] += 1
        elif outcome.kind not in ("right", "refused elsewhere"):
            small, found = shrink(case, seed, outcome)
            print(
                f"## seed {seed}: {found.kind} {found.detail}\n{_used(small)}\nwrt = {case.problem.wrt}, n = {case.problem.args[4]}\n",
                flush=True,
            )
        if (seed - first) % 100 == 99:
            print(f"   {seed}: {dict(kinds)}", flush=True)
    total = sum(kinds.values()) - kinds["unfit"]
    print(dict(kinds))
    for message, n in messages.most_common():
        print(f"{n:6} {message}")
    print(f"{'construct':50} {'occurs':>8} {'refused':>8} {'blamed':>8}")
    for name in TABLE:
        n = max(occurs[name], 1)
        print(f"{name:50} {occurs[name] / total:8.1%} {refused[name] / n:8.1%} {blamed[name] / n:8.1%}")
    print(f"{'elsewhere':50} {'':8} {'':8} {blamed['']:8}")


def _used(program: Program) -> str:
    """The program's text with only the helpers that it calls."""
    text = Program(program.statements).text
    helpers = [helper for helper in program.helpers.strip().split("\n\n\n") if helper.split("(")[0].split(":")[0].split()[1] in text]
    return "\n\n\n".join([*helpers, text])


if __name__ == "__main__":
    numbers = [int(text) for text in sys.argv[1:]]
    main(*(numbers + [0, 1000][len(numbers) :]))
