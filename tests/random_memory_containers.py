"""Constructs of random programs that write into memory: lists, dicts, tuples and objects that hold arrays."""

from __future__ import annotations

from tests.random_memory import MATRIX, VECTOR, Table, Writer, entering

CONTAINERS: Table = {}
construct = entering(CONTAINERS)


@construct("list of arrays, appended, then one array")
def _(w: Writer) -> None:
    rows = w.hold("rows", "[]")
    with w.loop(w.pick("for {} in range(3):", "for {} in range(1, 4):").format(w.new("j"))):
        w.write(f"{rows}.append({w.pick(w.array(3), w.part(3) + '.copy()', w.part(3))})")
        w.statements(w.pick(0, 1))
    if w.chance(0.3):
        w.change(w.bind("p", (3,), f"{rows}[{w.pick('0', '1', '-1')}]"), (3,))
    P = w.bind("P", MATRIX, f"{w.pick('np.array', 'np.stack')}({rows})")
    w.use(P, MATRIX)


@construct("list appended and popped")
def _(w: Writer) -> None:
    kept = w.hold("kept", "[]")
    with w.loop():
        w.write(f"{kept}.append({w.pick(w.array(4), w.vector(), w.vector() + '.copy()')})")
        w.statements(w.pick(0, 1))
    with w.below(f"while {kept}:"):
        p = w.bind("p", VECTOR, f"{kept}.pop()")
        w.use(p, VECTOR)


@construct("list of numbers")
def _(w: Writer) -> None:
    kept = w.hold("kept", f"[{w.small()}]")
    with w.loop():
        w.write(f"{kept}.append({kept}[-1] * {w.small()} + {w.element()})")
    w.write(
        w.pick(
            f"s += np.sum(np.array({kept}))", f"s = s + sum({kept})", f"t = t * {kept}[0] + {kept}[-1]", f"s += {kept}.pop() * {kept}[0]"
        )
    )


@construct("list of arrays, items written")
def _(w: Writer) -> None:
    both = w.hold("both", f"[{w.vector()}, {w.pick(w.vector(), w.array(4))}]")
    k = w.pick("0", "1", "-1")
    w.write(f"{both}[{k}][{w.index()}] {w.pick('=', '+=', '*=')} {w.small()}")
    if w.chance(0.5):
        w.write(w.pick(f"{both}[0] = {w.array(4)}", f"{both}[0], {both}[1] = {both}[1], {both}[0]", f"{both}[1] += {both}[0]"))
    w.read(w.bind("p", VECTOR, f"{both}[{w.pick('0', '1')}]"), VECTOR)


@construct("for over a list of arrays")
def _(w: Writer) -> None:
    p = w.new("p")
    one, other = w.vector(), w.pick(w.vector(), w.vector() + "[::-1]", w.array(4))
    head = w.pick(f"for {p} in [{one}, {other}]:", f"for {p} in ({one}, {other}):", f"for {p}, k in zip([{one}, {other}], (0.5, a)):")
    with w.loop(head, {p: VECTOR}):
        w.use(p, VECTOR)
        w.statements(w.pick(0, 1))


@construct("dict of arrays")
def _(w: Writer) -> None:
    d = w.hold("d", f"{{'p': {w.vector()}, 'q': {w.pick(w.vector(), w.array(4))}}}")
    for _ in range(w.pick(1, 2)):
        w.write(
            w.pick(
                f"{d}['p'][{w.index()}] = {w.small()}",
                f"{d}['q'] = {d}['p'] * {w.number(0)}",
                f"{d}['q'] += {w.number(0)}",
                f"{d}['r'] = {d}['p'][1:]",
                f"{d}['p'] = {d}['q']",
            )
        )
    w.use(w.bind("p", VECTOR, f"{d}[{w.pick(repr('p'), repr('q'))}]"), VECTOR)
    if w.chance(0.3):
        p = w.new("p")
        with w.loop(f"for {p} in {d}.values():"):
            w.write(f"{p}[1:3] *= {w.small()}")


@construct("tuple of arrays")
def _(w: Writer) -> None:
    pair = w.hold("pair", f"({w.vector()}, {w.part(4)})")
    w.write(f"{pair}[{w.pick('0', '1')}][{w.index()}] {w.pick('=', '+=', '*=')} {w.small()}")
    p, q = w.new("p"), w.new("q")
    w.write(f"{p}, {q} = {pair}")
    w.know(p, VECTOR)
    w.know(q, VECTOR)
    w.use(p, VECTOR)


@construct("object with attributes")
def _(w: Writer) -> None:
    cell = w.hold("cell", f"Cell({w.pick(w.vector(), w.array(4))}, {w.number(0)})")
    with w.loop() if w.chance(0.5) else w.below(f"if {w.condition()}:"):
        w.write(f"{cell}.step({w.number(0)})")
        if w.chance(0.5):
            w.write(w.pick(f"{cell}.turn()", f"{cell}.state[0] = {w.small()}", f"{cell}.rate += s", f"{cell}.state *= {w.small()}"))
    w.write(f"s += {cell}.rate * np.sum({cell}.state)")
