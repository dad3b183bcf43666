"""Break a long line where a person would: as far out in the brackets as possible, after a comma or before an operator.

What follows a break is aligned with the first character inside the bracket that it stands in. A value that could only
be broken outside all brackets gets parentheses of its own.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from operator import itemgetter
from typing import NamedTuple

WIDTH = 100

_TOKEN = re.compile(
    r'(?P<string>"""(?:\\.|[^\\])*?"""|\'\'\'(?:\\.|[^\\])*?\'\'\'|"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])*\')'
    r"|(?P<open>[(\[{])|(?P<close>[)\]}])|(?P<comma>, )"
    r"| (?P<operator>[-+*/%@|&^]|\*\*|//|<<|>>|[<>]=?|==|!=|and|or|if|else|for) "
)
# Among the breaks inside one bracket, the one before the operator that binds least: part of a level of brackets.
_LOOSENESS = {"for": 0.1, "if": 0.2, "else": 0.2, "or": 0.3, "and": 0.4, "+": 0.6, "-": 0.6, "**": 0.8, "*": 0.7, "/": 0.7}
_COMPARISON = 0.5


_position = itemgetter(0)


class _Break(NamedTuple):
    position: int  # what begins the next line
    level: float  # brackets around it, and how tightly what it splits is bound
    opening: int  # where the innermost of these brackets opens, or -1


def wrapped(indent: str, head: str, value: str = "", tail: str = "") -> list[str]:
    """The lines of one logical line. `value` is the part that may get parentheses."""
    text = head + value + tail
    if len(indent) + len(text) <= WIDTH:
        return [indent + text]
    breaks = _breaks(text)
    if value and any(b.opening < 0 and len(head) <= b.position < len(head) + len(value) for b in breaks):
        text = f"{head}({value}){tail}"
        breaks = _breaks(text)
    return _broken(text, indent, [b for b in breaks if b.opening >= 0])


def _breaks(text: str) -> list[_Break]:
    found: list[_Break] = []
    openings: list[int] = []
    for token in _TOKEN.finditer(text):
        kind = token.lastgroup
        opening = openings[-1] if openings else -1
        if kind == "open":
            openings.append(token.start())
        elif kind == "close":
            openings.pop()
        elif kind == "comma":
            found.append(_Break(token.end(), len(openings), opening))
        elif kind == "operator":
            found.append(_Break(token.start() + 1, len(openings) + _LOOSENESS.get(token["operator"], _COMPARISON), opening))
    return found


def _broken(text: str, indent: str, breaks: list[_Break]) -> list[str]:
    """Greedy: each line ends at the outermost break that leaves it more than half full, or else at the outermost."""
    lines: list[str] = []
    starts, columns = [0], [len(indent)]  # of each line: where in the text it begins, and in which column
    while len(text) - (start := starts[-1]) + (column := columns[-1]) > WIDTH:
        first = bisect_right(breaks, start, key=_position)
        limit = start + WIDTH - column + 1  # with the space before the break, which is not printed
        room = breaks[first : bisect_right(breaks, limit, key=_position)]
        if not room:
            break
        full = [b for b in room if b.position + column - start > WIDTH // 2] or room
        level = min(b.level for b in full)
        chosen = max(b for b in full if b.level == level)
        lines.append(" " * column + text[start : chosen.position].rstrip())
        line = bisect_right(starts, chosen.opening) - 1
        aligned = columns[line] + chosen.opening - starts[line] + 1
        starts.append(chosen.position)
        columns.append(aligned if aligned <= WIDTH * 2 // 3 else len(indent) + 8)
    return [*lines, " " * columns[-1] + text[starts[-1] :]]
