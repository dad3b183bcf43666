"""Constructs of random programs that write into memory: loops, branches, exits."""

from __future__ import annotations

from tests.random_memory import MATRIX, VECTOR, Table, Writer, entering

FLOW: Table = {}
construct = entering(FLOW)


@construct("loop")
def _(w: Writer) -> None:
    with w.loop() as i:
        w.write(
            w.pick(
                f"{w.vector()}[{i}] {w.pick('=', '+=', '*=')} {w.small()}",
                f"{w.matrix()}[{i}] {w.pick('=', '+=')} {w.array(3)}",
                f"u[{i} + 1] = np.sin(u[{i}] + {w.number(0)})",
            )
        )
        w.statements(w.pick(1, 2))


@construct("nested loops")
def _(w: Writer) -> None:
    with w.loop() as i, w.loop() as j:
        w.write(f"{w.matrix()}[{i}, {j}] {w.pick('=', '+=', '*=')} {w.small()}")
        w.statements(w.pick(0, 1))
        w.write(f"{w.local(())} += {w.matrix()}[{j}, {i}] * {w.number(0)}")


@construct("while")
def _(w: Writer) -> None:
    k = w.new("k")
    w.write(f"{k} = 0")
    with w.loop(w.pick(f"while {k} < n:", f"while {k} < 3 and {w.condition()}:")):
        w.write(f"{k} += 1", f"{w.element()} {w.pick('=', '+=')} {w.small()}")
        w.statements(w.pick(1, 2))


@construct("branch")
def _(w: Writer) -> None:
    with w.below(f"if {w.condition()}:"):
        w.statements(w.pick(1, 2))
        w.write(f"{w.element()} {w.pick('=', '*=')} {w.small()}")
    if w.chance(0.5):
        with w.below("else:"):
            w.write(f"{w.local(())} += {w.small()}")
            w.statements(1)


@construct("early return")
def _(w: Writer) -> None:
    with w.below(f"if {w.condition()}:"):
        w.change(w.vector(), VECTOR)
        w.write(w.result)


def leave(w: Writer, text: str) -> None:
    with w.loop():
        w.change(w.vector(), VECTOR)
        with w.below(f"if {w.condition()}:"):
            w.statements(w.pick(0, 1))
            w.write(text)
        w.use(w.pick(*w.names(MATRIX)), MATRIX)
        w.statements(w.pick(0, 1))


@construct("break")
def _(w: Writer) -> None:
    leave(w, "break")


@construct("continue")
def _(w: Writer) -> None:
    leave(w, "continue")


@construct("return from a loop")
def _(w: Writer) -> None:
    leave(w, w.result)
