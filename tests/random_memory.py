"""Random programs that write into memory, as text: aliases, views, stores, containers and loops around them.

Every program is `f(x, y, A, a, n)`: two arrays of four elements, a matrix of three rows and columns, a float, a trip count.
It is a tree of statements, so that a failure can be made smaller by leaving statements out. A construct of
`random_memory_constructs` writes some statements; each statement knows which construct wrote it.

What a program computes is analytic, or piecewise so: the complex step on the program itself is its derivative.
"""

from __future__ import annotations

import contextlib
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

Shape = tuple[int, ...]
Table = dict[str, "Construct"]
VECTOR, MATRIX = (4,), (3, 3)
CONSTANTS = ("0.5", "1.3", "2.0", "-0.7")
HEAD = "def f(x, y, A, a, n):"


@dataclass(frozen=True)
class Statement:
    """A line and what is indented below it."""

    text: str
    construct: str
    body: tuple[Statement, ...] = ()


@dataclass(frozen=True)
class Program:
    statements: tuple[Statement, ...]
    helpers: str = ""

    def lines(self) -> list[tuple[str, str]]:
        """(line, the construct that wrote it), helpers first."""
        return [(line, "") for line in self.helpers.splitlines()] + [(HEAD, "")] + _lines(self.statements, 1)

    @property
    def text(self) -> str:
        return "\n".join(line for line, _ in self.lines()) + "\n"

    @property
    def constructs(self) -> frozenset[str]:
        return frozenset(construct for _, construct in self.lines() if construct)


def _lines(statements: tuple[Statement, ...], depth: int) -> list[tuple[str, str]]:
    lines = []
    for statement in statements:
        lines.append(("    " * depth + statement.text, statement.construct))
        lines.extend(_lines(statement.body, depth + 1))
        if statement.text.endswith(":") and not statement.body:
            lines.append(("    " * (depth + 1) + "pass", ""))
    return lines


@dataclass
class Block:
    """Statements being written, and the arrays and numbers whose names are bound only in here."""

    statements: list[Statement] = field(default_factory=list)
    names: dict[str, Shape] = field(default_factory=dict)


class Writer:
    """Writes one program; `random` decides everything. Names of arrays are known with their shapes, block by block."""

    def __init__(self, source: random.Random, table: Table) -> None:
        self.random = source
        self.table = table
        self.blocks = [Block(names={"x": VECTOR, "y": VECTOR, "A": MATRIX, "a": ()})]
        self.loops: list[str] = []  # variables of the loops around, all from 0 to 2
        self.construct = ""
        self.count = 0
        self.budget = 0  # constructs still to be written
        self.result = ""  # every return of the program

    # writing

    def pick(self, *choices: Any) -> Any:
        return self.random.choice(choices)

    def chance(self, share: float) -> bool:
        return self.random.random() < share

    def write(self, *texts: str) -> None:
        self.blocks[-1].statements.extend(Statement(text, self.construct) for text in texts)

    def new(self, base: str) -> str:
        self.count += 1
        return f"{base}{self.count}"

    def bind(self, base: str, shape: Shape, value: str) -> str:
        """A new name, known from here to the end of the block."""
        name = self.new(base)
        self.write(f"{name} = {value}")
        self.know(name, shape)
        return name

    def hold(self, base: str, value: str) -> str:
        """A new name of a container: no array, so not among the names."""
        name = self.new(base)
        self.write(f"{name} = {value}")
        return name

    def know(self, name: str, shape: Shape) -> None:
        self.blocks[-1].names[name] = shape

    @contextlib.contextmanager
    def below(self, head: str) -> Iterator[None]:
        """What is written in the `with` block stands indented below `head`."""
        construct = self.construct
        self.blocks.append(Block())
        yield
        body = tuple(self.blocks.pop().statements)
        self.blocks[-1].statements.append(Statement(head, construct, body))

    @contextlib.contextmanager
    def loop(self, head: str = "", names: dict[str, Shape] | None = None) -> Iterator[str]:
        """A loop over a range, or with the given head; gives the loop variable ("" where the head has none of ours)."""
        i = "" if head else self.new("i")
        head = head or f"for {i} in {self.pick('range(3)', 'range(n)', 'range(2, -1, -1)', 'range(1, 3)')}:"
        with self.below(head):
            self.blocks[-1].names.update(names or {})
            self.loops.extend([i] if i else [])
            yield i
            del self.loops[len(self.loops) - bool(i) :]

    # arrays that there are

    def names(self, shape: Shape) -> list[str]:
        return [name for block in self.blocks for name, known in block.names.items() if known == shape]

    def vector(self) -> str:
        """The name of an array of four elements, the recent ones more often."""
        return self.recent(VECTOR)

    def matrix(self) -> str:
        return self.recent(MATRIX)

    def recent(self, shape: Shape) -> str:
        names = self.names(shape)
        return self.pick(*names, *names[-3:])

    def local(self, shape: Shape) -> str:
        """A name that may be bound anew: one of those of the function's first block."""
        return self.pick(*(name for name in ("u", "v", "B", "s", "t") if self.blocks[0].names[name] == shape))

    def index(self) -> str:
        inside = [text for i in self.loops for text in (i, f"2 - {i}", f"-1 - {i}")]
        return self.pick("0", "1", "2", "-1", *inside)

    def element(self) -> str:
        return self.pick(f"{self.vector()}[{self.index()}]", f"{self.matrix()}[{self.index()}, {self.index()}]", self._any_element())

    def _any_element(self) -> str:
        views = [(name, shape) for block in self.blocks for name, shape in block.names.items() if shape]
        name, shape = self.random.choice(views)
        return f"{name}[{', '.join(str(self.random.randrange(n)) for n in shape)}]"

    def part(self, length: int) -> str:
        """A place with `length` elements in a row: what may be read, and stored to."""
        u, B, i = self.vector(), self.matrix(), self.index()
        places = {
            4: [u, f"{u}[:]", f"{u}[::-1]"],
            3: [f"{u}[1:]", f"{u}[:-1]", f"{u}[:0:-1]", f"{B}[{i}]", f"{B}[:, {i}]", f"{B}[{i}, ::-1]"],
            2: [f"{u}[1:3]", f"{u}[::2]", f"{u}[2:]", f"{u}[::-2]", f"{B}[{i}, 1:]", f"{B}[:2, {i}]", f"{u}[:2]"],
        }[length]
        return self.pick(*places, *self.names((length,)))

    # expressions

    def number(self, size: int = 2) -> str:
        if size == 0:
            return self.pick(*self.names(()), *CONSTANTS, self.element(), self.element())
        one, other = self.number(size - 1), self.number(0)
        forms = [f"({one}) * {other}", f"{one} + {other}", f"{other} - ({one})", f"np.sin({one})", f"np.tanh({one})"]
        forms += [f"np.sum({self.part(self.pick(2, 3, 4))}) * {other}", f"np.exp(-0.3 * ({one}) ** 2)", one]
        return self.pick(*forms)

    def small(self) -> str:
        """A number that stays between -1 and 1."""
        return f"np.{self.pick('sin', 'tanh', 'cos')}({self.number(1)})"

    def array(self, length: int) -> str:
        """An expression with `length` elements."""
        one, other, factor = self.part(length), self.part(length), self.number(0)
        forms = [f"{one} * {factor}", f"{one} + {other} * 0.5", f"np.sin({one} * {other})", f"np.tanh({one})", f"np.cos({one}) * {other}"]
        return self.pick(*forms)

    def square(self) -> str:
        """An expression with three rows and columns."""
        one, other = self.matrix(), self.matrix()
        forms = [f"{one} * {self.number(0)}", f"np.sin({one}) + {other}.T", f"{one} @ {other} * 0.3", f"np.tanh({one} * {other})"]
        forms += [f"np.outer({self.part(3)}, {self.part(3)})", f"np.cos({one}) * {self.part(3)}"]
        return self.pick(*forms)

    def condition(self) -> str:
        """A test that complex numbers pass as floats do: by their real parts, never at a tie."""
        inside = [f"{i} {test}" for i in self.loops for test in ("% 2 == 1", "> 0", "!= 1")]
        return self.pick("n % 2 == 0", "n > 1", *inside, f"{self.element()} > {self.pick('0.1307', '-0.2113', '0.4709')}")

    # statements

    def read(self, name: str, shape: Shape) -> None:
        """Let the result depend on the array `name`."""
        total = {2: f"np.sum({name} * {self.part(2)})", 3: f"np.sum({name} * {self.part(3)})"}.get(shape[0], f"np.sum(np.sin({name}))")
        total = total if len(shape) == 1 else f"np.sum({name} * {self.number(0)})"
        self.write(f"{self.local(())} {self.pick('+=', '-=')} {total}")

    def change(self, name: str, shape: Shape) -> None:
        """Write into the array `name`."""
        where = ", ".join(str(self.random.randrange(n)) for n in shape)
        forms = [f"{name}[{where}] {self.pick('=', '+=', '*=')} {self.small()}", f"{name} *= {self.small()}", f"{name} += {self.number(0)}"]
        forms += [f"{name}[...] = np.sin({name}) * {self.number(0)}", f"{name}[1:] {self.pick('=', '+=')} {self.small()}"]
        self.write(self.pick(*forms))

    def use(self, name: str, shape: Shape) -> None:
        """Write into the array `name`, read it, or both."""
        self.change(name, shape)
        if self.chance(0.6):
            self.read(name, shape)

    def statements(self, count: int) -> None:
        """So many constructs, each some statements, while the budget lasts."""
        for _ in range(count):
            if self.budget > 0:
                self.budget -= 1
                outer = self.construct
                self.construct = self.pick(*self.table)
                self.table[self.construct](self)
                self.construct = outer


Construct = Callable[[Writer], None]


def entering(table: Table) -> Callable[[str], Callable[[Construct], Construct]]:
    """A decorator `construct(name)` that enters what it decorates into the table."""

    def construct(name: str) -> Callable[[Construct], Construct]:
        def enter(write: Construct) -> Construct:
            table[name] = write
            return write

        return enter

    return construct


STARTS_OF_VECTORS = (
    "x.copy()",
    "np.zeros_like(x)",
    "x * a",
    "y",
    "np.tanh(x)",
    "x[::-1]",
    "np.empty_like(y)",
    "y + x",
    "np.full_like(y, 0.3)",
)
STARTS_OF_MATRICES = ("A.copy()", "np.zeros_like(A)", "A * a", "A", "A.T", "np.outer(x[1:], y[:3])", "np.array([x[1:], y[:3], A[0]])")
RESULTS = (
    "s * t + np.sum(u * v) + np.sum(B * A)",
    "s + np.sum(u) * t + np.sum(x * y) + np.sum(B[0] * A[1])",
    "np.sum(np.sin(u) * y) + s * np.sum(v) + t * np.sum(A * B)",
)
MORE_RESULTS = ("u * s + v * t", "(s, u * t, B)", "u", "(s + t, v, A)")


def program(seed: int, table: Table, helpers: str) -> Program:
    """The program of this seed."""
    writer = Writer(random.Random(seed), table)
    writer.write("s = a * np.sum(x * y)", f"t = {writer.small()}")
    for name, starts, shape in (("u", STARTS_OF_VECTORS, VECTOR), ("v", STARTS_OF_VECTORS, VECTOR), ("B", STARTS_OF_MATRICES, MATRIX)):
        start = writer.pick(*starts)
        writer.write(f"{name} = {start}" + (f"; {name}[:] = {writer.array(4)}" if "empty" in start else ""))
    writer.blocks[0].names.update({"s": (), "t": (), "u": VECTOR, "v": VECTOR, "B": MATRIX})
    writer.result = f"return {writer.pick(*RESULTS, *RESULTS, writer.pick(*MORE_RESULTS))}"
    writer.budget = writer.random.randint(4, 9)
    writer.statements(9)
    writer.write(writer.result)
    return Program(tuple(writer.blocks[0].statements), helpers)
