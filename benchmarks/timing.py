"""Interleaved medians: the rows of a table are run in turn, so that a slow moment of the machine hits all of them alike."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Mapping
from typing import Any

Action = Callable[[], Any]


def medians(actions: Mapping[str, Action], rounds: int = 15, batch: float = 0.01) -> dict[str, float]:
    """Seconds of this thread a call of each action, the median over rounds of batches that take about `batch` seconds."""
    repeats = {name: _repeats(action, batch) for name, action in actions.items()}
    samples: dict[str, list[float]] = {name: [] for name in actions}
    for _ in range(rounds):
        for name, action in actions.items():
            samples[name].append(_batch(action, repeats[name]) / repeats[name])
    return {name: statistics.median(times) for name, times in samples.items()}


def _repeats(action: Action, batch: float) -> int:
    count = 1
    while True:
        spent = _batch(action, count)
        if spent > batch / 4:
            return max(1, round(count * batch / spent))
        count *= 4


def _batch(action: Action, count: int) -> float:
    started = time.thread_time()
    for _ in range(count):
        action()
    return time.thread_time() - started


def readable(seconds: float) -> str:
    for unit, scale in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= scale:
            return f"{seconds / scale:.3g} {unit}"
    return f"{seconds * 1e9:.3g} ns"
