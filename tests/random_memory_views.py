"""Constructs of random programs that write into memory: views, aliases, swaps."""

from __future__ import annotations

from tests.random_memory import MATRIX, VECTOR, Table, Writer, entering

VIEWS: Table = {}
construct = entering(VIEWS)

# views and aliases


@construct("y = x")
def _(w: Writer) -> None:
    shape = w.pick(VECTOR, MATRIX)
    p = w.bind("p", shape, w.recent(shape))
    w.use(p, shape)


@construct("local bound to another array")
def _(w: Writer) -> None:
    u = w.local(VECTOR)
    w.write(f"{u} = {w.pick(w.vector(), w.vector() + '[::-1]', w.vector() + '[:]', w.array(4))}")
    w.use(u, VECTOR)


@construct("y = x[1:]")
def _(w: Writer) -> None:
    part, length = w.pick(("1:", 3), (":-1", 3), ("1:3", 2), ("::-1", 4), ("::-2", 2), ("::2", 2), ("2:", 2))
    w.use(w.bind("p", (length,), f"{w.vector()}[{part}]"), (length,))


@construct("row or column of a matrix")
def _(w: Writer) -> None:
    p = w.bind("p", (3,), f"{w.matrix()}[{w.pick(w.index(), ':, ' + w.index())}]")
    w.use(p, (3,))


@construct("x.T")
def _(w: Writer) -> None:
    w.use(w.bind("P", MATRIX, f"{w.matrix()}.T"), MATRIX)


@construct("reshape")
def _(w: Writer) -> None:
    value, shape = w.pick(
        (f"{w.matrix()}.reshape(9)", (9,)), (f"{w.vector()}.reshape(2, 2)", (2, 2)), (f"np.reshape({w.matrix()}, -1)", (9,))
    )
    w.use(w.bind("p", shape, value), shape)


@construct("ravel")
def _(w: Writer) -> None:
    w.use(w.bind("p", (9,), w.pick(f"{w.matrix()}.ravel()", f"np.ravel({w.matrix()})")), (9,))


@construct("x.real")
def _(w: Writer) -> None:
    w.use(w.bind("p", VECTOR, f"{w.vector()}.real"), VECTOR)


@construct("np.asarray")
def _(w: Writer) -> None:
    w.use(w.bind("p", VECTOR, f"np.asarray({w.vector()})"), VECTOR)


@construct("view of a view")
def _(w: Writer) -> None:
    value, shape = w.pick(
        (f"{w.vector()}[1:][:2]", (2,)),
        (f"{w.matrix()}[1:][0]", (3,)),
        (f"{w.matrix()}.T[{w.index()}]", (3,)),
        (f"{w.vector()}[::-1][1:]", (3,)),
    )
    if w.chance(0.5):
        p = w.bind("p", (3,), f"{w.vector()}[1:]")
        value, shape = w.pick((f"{p}[::-1]", (3,)), (f"{p}[1:]", (2,)))
    w.use(w.bind("p", shape, value), shape)


@construct("for row in A")
def _(w: Writer) -> None:
    row = w.new("row")
    with w.loop(f"for {row} in {w.pick(w.matrix(), w.matrix() + '.T', w.matrix() + '[1:]', 'reversed(' + w.matrix() + ')')}:", {row: (3,)}):
        w.use(row, (3,))
        w.statements(w.pick(0, 1))


@construct("callee that writes into its argument")
def _(w: Writer) -> None:
    w.write(
        w.pick(
            f"scale_into({w.part(w.pick(2, 3, 4))}, {w.number(0)})",
            f"smooth_into({w.part(w.pick(3, 4))})",
            f"scale_into({w.matrix()}.T, {w.number(0)})",
        )
    )


@construct("callee that returns a written argument or a view")
def _(w: Writer) -> None:
    value, length = w.pick(
        (f"added_to({w.part(3)}, {w.part(3)})", 3), (f"added_to({w.vector()}, {w.part(4)})", 4), (f"tail_of({w.vector()})", 3)
    )
    w.use(w.bind("p", (length,), value), (length,))


@construct("y = x, then y += 1")
def _(w: Writer) -> None:
    p = w.bind("p", VECTOR, w.vector())
    w.write(f"{p} {w.pick('+=', '-=', '*=')} {w.pick('1', w.number(0), w.array(4))}")


@construct("view kept from an earlier iteration")
def _(w: Writer) -> None:
    u, B = w.vector(), w.matrix()
    value, next_value, shape = w.pick((f"{u}[:2]", "{u}[{i}:{i} + 2]", (2,)), (f"{B}[0]", "{B}[{i}]", (3,)), (f"{u}[1:]", "{u}[:3]", (3,)))
    p = w.bind("p", shape, value)
    with w.loop() as i:
        w.use(p, shape)
        w.write(f"{p} = {next_value.format(u=u, B=B, i=i)}")
        w.statements(w.pick(0, 1))


@construct("name chosen by if")
def _(w: Writer) -> None:
    p = w.new("p")
    one, other = w.pick((w.vector(), w.vector()), (w.vector(), w.array(4)), (w.part(4), w.part(4)))
    with w.below(f"if {w.condition()}:"):
        w.write(f"{p} = {one}")
    with w.below("else:"):
        w.write(f"{p} = {other}")
    w.know(p, VECTOR)
    w.use(p, VECTOR)


@construct("name chosen by a conditional expression")
def _(w: Writer) -> None:
    p = w.bind("p", VECTOR, f"{w.vector()} if {w.condition()} else {w.pick(w.vector(), w.vector(), w.array(4))}")
    w.use(p, VECTOR)


# swaps


def swap_of_buffers(w: Writer) -> str:
    return w.pick("u, v = v, u", "u, v = v, u", "v, u = u, v", "x, y = y, x", "u, x = x, u")


@construct("buffers swapped")
def _(w: Writer) -> None:
    w.write(swap_of_buffers(w))
    w.use("u", VECTOR)


@construct("buffers swapped in a loop")
def _(w: Writer) -> None:
    with w.loop():
        w.write(
            w.pick(f"v[1:] = np.sin(u[:-1] + {w.number(0)})", f"v[1:-1] = 0.3 * (u[2:] + u[:-2]) * {w.small()}", f"v[:] = {w.array(4)}")
        )
        w.statements(w.pick(0, 1))
        w.write(swap_of_buffers(w))


@construct("buffers swapped in a branch")
def _(w: Writer) -> None:
    with w.below(f"if {w.condition()}:"):
        w.write(swap_of_buffers(w))
        w.statements(w.pick(0, 1))
    w.change("u", VECTOR)


@construct("buffers swapped in while")
def _(w: Writer) -> None:
    k = w.new("k")
    w.write(f"{k} = 0")
    with w.loop(f"while {k} < {w.pick('n', '2')}:"):
        w.write(f"{k} += 1")
        w.change("u", VECTOR)
        w.write(swap_of_buffers(w))
        w.statements(w.pick(0, 1))


@construct("elements swapped")
def _(w: Writer) -> None:
    u, B, i = w.vector(), w.matrix(), w.index()
    swaps = [f"{u}[0], {u}[2] = {u}[2], {u}[0]", f"{u}[{i}], {u}[-1] = {u}[-1], {u}[{i}]", f"{u}[1], {B}[{i}, 0] = {B}[{i}, 0], {u}[1]"]
    swaps += [f"{u}[0], {u}[1], {u}[3] = {u}[3], {u}[0], {u}[1]", f"{u}[0], s = s, {u}[0]"]
    w.write(w.pick(*swaps))
