"""Tables of measurements with the bar that each has to keep."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Row:
    """One measurement: what is compared with the bar is `ratio` (or a time in the unit that the title names)."""

    name: str
    columns: tuple[str, ...] = ()
    ratio: float | None = None
    bar: float | None = None

    @property
    def verdict(self) -> str:
        if self.ratio is None or self.bar is None:
            return ""
        return "ok" if self.ratio <= self.bar else "over"


@dataclass
class Table:
    title: str
    header: tuple[str, ...]
    rows: list[Row] = field(default_factory=list)

    def add(self, name: str, measure: Callable[[], Row]) -> None:
        """One more row; what cannot be measured says why, and the table goes on."""
        try:
            self.rows.append(measure())
        except Exception as error:
            said = (str(error).splitlines() or [""])[0]
            self.rows.append(Row(name, (f"{type(error).__name__}: {said}",)))

    def print(self) -> None:
        print(f"\n{self.title}")
        cells = [("", *self.header, "ratio", "bar", "")]
        for row in self.rows:
            blank = ("",) * (len(self.header) - len(row.columns))
            cells.append((row.name, *row.columns, *blank, _number(row.ratio), _number(row.bar), row.verdict))
        widths = [max(len(line[k]) for line in cells if len(line[k]) < 40) for k in range(len(cells[0]))]
        for line in cells:
            print("  ".join(_aligned(line, widths)).rstrip())


def _aligned(line: Sequence[str], widths: Sequence[int]) -> list[str]:
    return [text.ljust(width) if k == 0 else text.rjust(width) for k, (text, width) in enumerate(zip(line, widths, strict=True))]


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.2f}"
