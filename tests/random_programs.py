"""Random programs as text: loops, branches, exits and stores over a few numbers and small arrays.

Every program is `f(a, x, n)` with a float, an array of four elements and a trip count. All names are bound before the
first branch, values stay small (what grows is put through sin or tanh), so that differences are worth something.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hypothesis import strategies as st

NUMBERS = ("s", "t", "a")
ASSIGNED = ("s", "t")
CONSTANTS = ("0.5", "1.3", "2", "-0.7")

Draw = Callable[[st.SearchStrategy[Any]], Any]


class Writer:
    """Writes one program; `draw` decides everything that is random."""

    def __init__(self, draw: Draw) -> None:
        self.draw = draw
        self.lines: list[str] = []
        self.loops: list[str] = []  # the variables of the loops around the statement being written
        self.count = 0

    def pick(self, *choices: Any) -> Any:
        return self.draw(st.sampled_from(choices))

    def write(self, depth: int, text: str) -> None:
        self.lines.append("    " * depth + text)

    # expressions

    def number(self, size: int = 2) -> str:
        """An expression with a number as value."""
        if size == 0:
            return self.pick(*NUMBERS, *CONSTANTS, self.element("x"), self.element("y"))
        one, other = self.number(size - 1), self.number(0)
        return self.pick(
            f"{one} * {other}" if _is_product(one) else f"({one}) * {other}",
            f"{one} + {other}",
            f"{other} - ({one})",
            f"np.sin({one})",
            f"np.tanh({one})",
            f"({one}) / (1.5 + {other} * {other})",
            f"np.exp(-({one}) ** 2)",
            f"({one} if {self.condition()} else {other})",
            one,
        )

    def element(self, array: str) -> str:
        return f"{array}[{self.index()}]"

    def index(self) -> str:
        inside = [f"{i}" for i in self.loops] + [f"3 - {i}" for i in self.loops]
        return self.pick("0", "1", "2", "-1", *inside)

    def array(self, length: int) -> str:
        """An expression with `length` elements."""
        part = {4: "", 3: self.pick("[1:]", "[:-1]"), 2: self.pick("[1:3]", "[::2]", "[2:]")}[length]
        one = f"{self.pick('x', 'y')}{part}"
        other = f"{self.pick('x', 'y')}{part}"
        factor = self.pick(*NUMBERS, "0.5")
        return self.pick(
            f"{one} * {factor}",
            f"{one} + {other} * {factor}",
            f"np.sin({one} * {other})",
            f"np.where({one} > 0.3, {one}, {other} * {other})",
            f"{one} * {other}",
        )

    def condition(self) -> str:
        return self.pick(
            f"{self.pick(*NUMBERS)} > {self.pick('0.1', '0.6')}",
            f"{self.element('x')} < {self.element('y')}",
            "n % 2 == 0",
            *(f"{i} % 2 == 1" for i in self.loops),
        )

    # statements

    def block(self, depth: int, budget: int) -> None:
        for _ in range(self.draw(st.integers(1, 3))):
            self.statement(depth, budget)

    def statement(self, depth: int, budget: int) -> None:
        simple = [self.assign, self.accumulate, self.store, self.store_slice, self.swap, self.view, self.rebind]
        compound = [self.branch, self.loop, self.loop_with_exit, self.stack] if budget else []
        self.pick(*simple, *compound)(depth, budget - 1)

    def assign(self, depth: int, budget: int) -> None:
        self.write(depth, f"{self.pick(*ASSIGNED)} = {self.number()}")

    def accumulate(self, depth: int, budget: int) -> None:
        self.write(depth, f"{self.pick(*ASSIGNED)} {self.pick('+=', '-=', '*=')} np.sin({self.number(1)})")

    def store(self, depth: int, budget: int) -> None:
        self.write(depth, f"{self.element('y')} {self.pick('=', '+=', '-=', '*=')} np.tanh({self.number(1)})")

    def store_slice(self, depth: int, budget: int) -> None:
        part, length = self.pick(("1:", 3), (":-1", 3), ("1:3", 2), ("::2", 2), (":", 4))
        self.write(depth, f"y[{part}] {self.pick('=', '+=', '*=')} {self.pick(self.array(length), self.number(0))}")

    def swap(self, depth: int, budget: int) -> None:
        self.write(depth, self.pick("s, t = t, s", "y[0], y[2] = y[2], y[0]", "s, t = t, np.sin(s * t)", "y, z = z, y"))

    def view(self, depth: int, budget: int) -> None:
        self.write(depth, "v = y[1:3]")
        self.write(depth, self.pick(f"v[0] = np.sin({self.number(1)})", "v *= 0.5", "v[1] += v[0] * a"))
        self.write(depth, "s = s + v[0] * v[1]")

    def rebind(self, depth: int, budget: int) -> None:
        self.write(depth, self.pick(f"y = {self.array(4)}", "y = np.tanh(y)", "z = y * y", "z = z + 0.5 * y", "y = x.copy()"))

    def branch(self, depth: int, budget: int) -> None:
        self.write(depth, f"if {self.condition()}:")
        self.block(depth + 1, budget)
        if self.draw(st.booleans()):
            self.write(depth, "else:")
            self.block(depth + 1, budget)

    def loop(self, depth: int, budget: int) -> None:
        i = self.new("i")
        self.write(depth, f"for {i} in {self.pick('range(n)', 'range(1, 4)', 'range(3, -1, -1)', 'range(0)')}:")
        self.loops.append(i)
        self.block(depth + 1, budget)
        self.loops.pop()

    def loop_with_exit(self, depth: int, budget: int) -> None:
        i = self.new("i")
        if self.draw(st.booleans()):
            self.write(depth, f"for {i} in range(4):")
        else:
            self.write(depth, f"{i} = -1")
            self.write(depth, f"while {i} < 3:")
            self.write(depth + 1, f"{i} += 1")
        self.loops.append(i)
        self.block(depth + 1, budget)
        self.write(depth + 1, f"if {self.condition()}:")
        self.write(depth + 2, self.pick("break", "continue", "return s * np.sum(y)"))
        self.block(depth + 1, 0)
        self.loops.pop()

    def stack(self, depth: int, budget: int) -> None:
        saved = self.new("saved")
        i = self.new("i")
        self.write(depth, f"{saved} = []")
        self.write(depth, f"for {i} in range(n):")
        self.loops.append(i)
        self.write(depth + 1, f"{saved}.append({self.number(1)})")
        self.block(depth + 1, 0)
        self.loops.pop()
        self.write(depth, f"while {saved}:")
        self.write(depth + 1, f"s = np.sin(s * {saved}.pop() + a)")

    def new(self, base: str) -> str:
        self.count += 1
        return f"{base}{self.count}"


def _is_product(text: str) -> bool:
    return not any(operator in text for operator in (" + ", " - ", " if ", " / "))


@st.composite
def programs(draw: Draw) -> str:
    """The text of a program f(a, x, n)."""
    writer = Writer(draw)
    writer.write(0, "def f(a, x, n):")
    for line in ("s = a", "t = x[1] * 0.5", f"y = {writer.pick('x.copy()', 'np.zeros(4)', 'x * a')}", "z = x * 0.5"):
        writer.write(1, line)
    writer.block(1, 2)
    writer.block(1, 2)
    writer.write(1, f"return {writer.pick('s + t * np.sum(y * z)', 's * t + y[0] * y[2] + z[1]', 'np.sum(y) * s')}")
    return "\n".join(writer.lines) + "\n"


@st.composite
def expressions(draw: Draw) -> str:
    """The text of a function of two numbers that is one expression, smooth, and runs on complex numbers."""

    def expression(depth: int) -> str:
        pick = st.sampled_from
        if depth == 0:
            return draw(pick(["x", "y", "0.5", "2", "1.7"]))
        one, other = expression(depth - 1), expression(draw(st.integers(0, depth - 1)))
        function = draw(pick(["sin", "cos", "tanh", "exp", "arctan", "cosh"]))
        forms = [f"({one}) + {other}", f"({one}) - ({other})", f"({one}) * ({other})", f"({one}) / (2.5 + np.sin({other}))"]
        forms += [f"np.{function}(np.sin({one}))", f"np.log(2 + np.cos({one}))", f"np.sqrt(3 + np.sin({one}))", f"-({one})"]
        forms += [f"(1.5 + np.sin({one})) ** ({other})", f"np.tanh({one}) ** 3"]
        return draw(pick(forms))

    return f"def f(x, y):\n    return {expression(draw(st.integers(1, 4)))}\n"
