"""Constructs of random programs that write into memory: stores of every kind, NumPy functions that write."""

from __future__ import annotations

from tests.random_memory import VECTOR, Table, Writer, entering

STORES: Table = {}
construct = entering(STORES)

LISTS = {2: ("[2, 0]", "[3, 1]", "[0, 0]"), 3: ("[3, 0, 1]", "[1, 1, 2]", "[0, 3, 0]")}


@construct("number bound anew")
def _(w: Writer) -> None:
    name = w.local(())
    w.write(w.pick(f"{name} = {w.number()}", f"{name} {w.pick('+=', '-=', '*=')} {w.small()}", f"s, t = t, s + {w.small()}"))


@construct("x[i] = v")
def _(w: Writer) -> None:
    w.write(f"{w.element()} = {w.small()}")


@construct("x[a:b] = v")
def _(w: Writer) -> None:
    length = w.pick(2, 3, 4)
    place = w.part(length)
    place = place if place.endswith("]") else f"{place}[:]"
    w.write(f"{place} = {w.pick(w.array(length), w.small())}")


@construct("x[::-1] = v")
def _(w: Writer) -> None:
    part, length = w.pick(("::-1", 4), ("::-2", 2), ("2::-1", 3), (":0:-1", 3))
    w.write(f"{w.vector()}[{part}] {w.pick('=', '+=')} {w.pick(w.array(length), w.small())}")


@construct("x[...] = v")
def _(w: Writer) -> None:
    B = w.matrix()
    forms = [
        f"{w.vector()}[...] = {w.array(4)}",
        f"{B}[...] = {w.square()}",
        f"{B}[..., {w.index()}] = {w.array(3)}",
        f"{B}[{w.index()}, ...] *= {w.small()}",
    ]
    w.write(w.pick(*forms))


@construct("x[np.newaxis] = v")
def _(w: Writer) -> None:
    B = w.matrix()
    forms = [
        f"{w.vector()}[np.newaxis, :] = {w.array(4)}",
        f"{B}[:, {w.index()}][:, np.newaxis] *= {w.small()}",
        f"{B}[None, 1:] += {w.array(3)}",
    ]
    forms += [f"{B}[:] = {w.part(3)}[:, None] * {w.part(3)}", f"{w.vector()}[1:, None] *= ({w.array(3)})[:, None]"]
    w.write(w.pick(*forms))


@construct("x[[2, 0]] = v")
def _(w: Writer) -> None:
    length = w.pick(2, 3)
    index = w.pick(*LISTS[length])
    if w.chance(0.3):
        w.write(f"{w.matrix()}[{w.pick('[0, 2], [1, 1]', '[0, 2]', ':, [2, 0]')}] {w.pick('=', '+=', '*=')} {w.small()}")
    else:
        w.write(f"{w.vector()}[{w.pick(index, f'np.array({index})')}] {w.pick('=', '+=', '-=', '*=')} {w.pick(w.array(length), w.small())}")


@construct("x[mask] = v")
def _(w: Writer) -> None:
    u, level = w.pick(w.vector(), w.matrix()), w.pick("0.1307", "-0.2113", "0.4709")
    mask = f"{u} > {level}"
    if w.chance(0.4):
        mask = w.hold("mask", mask)
    w.write(
        w.pick(
            f"{u}[{mask}] = {w.small()}",
            f"{u}[{mask}] {w.pick('+=', '*=')} {w.small()}",
            f"{u}[{mask}] = np.sin({u}[{mask}]) * {w.number(0)}",
        )
    )


@construct("x[1, :] = v, several axes")
def _(w: Writer) -> None:
    B, i, j = w.matrix(), w.index(), w.index()
    forms = [
        f"{B}[{i}, :] = {w.array(3)}",
        f"{B}[:, {i}] = {w.array(3)}",
        f"{B}[1:, ::2] = {B}[:2, 1:] * {w.number(0)}",
        f"{B}[{i}, 1:] = {w.array(2)}",
    ]
    forms += [f"{B}[{i}, {j}] = {B}[{j}, {i}] * {w.small()}", f"{B}[{i}][{j}] = {w.small()}", f"{B}[::-1, {i}] = {w.array(3)}"]
    w.write(w.pick(*forms))


def store_with(operator: str) -> None:
    @construct(f"{operator} on items, slices, arrays")
    def _(w: Writer) -> None:
        length = w.pick(2, 3, 4)
        place = w.pick(w.part(length), w.part(length), w.element())
        value = w.array(length) if place != w.element() and "[" not in place else w.small()
        w.write(f"{place} {operator} {value if w.chance(0.7) else w.small()}")


for _operator in ("+=", "-=", "*="):
    store_with(_operator)


@construct("/= on items, slices, arrays")
def _(w: Writer) -> None:
    length = w.pick(2, 3, 4)
    w.write(
        w.pick(
            f"{w.element()} /= 2.0 + {w.small()}",
            f"{w.part(length)} /= 2.0 + {w.small()}",
            f"{w.part(length)} /= 2.5 + np.sin({w.array(length)})",
        )
    )


@construct("**= on items, slices, arrays")
def _(w: Writer) -> None:
    place = w.pick(w.element(), w.part(w.pick(2, 3, 4)), w.matrix())
    if w.chance(0.5):
        w.write(f"{place} **= {w.pick('2', '3')}")
    else:
        u = w.vector()
        w.write(f"{u}[...] = 1.5 + np.sin({u})", f"{u} **= {w.small()}")


@construct("//= or %= on items, slices, arrays")
def _(w: Writer) -> None:
    place = w.pick(w.element(), w.part(w.pick(2, 3, 4)))
    w.write(f"{place} {w.pick('//=', '%=', '%=')} {w.pick('0.7001', '1.3003', '1.3 + 0.2 * ' + w.small())}")


@construct("@= on matrices")
def _(w: Writer) -> None:
    B = w.matrix()
    w.write(f"{B} @= {w.pick(w.matrix(), w.matrix() + '.T', 'np.tanh(' + w.matrix() + ')')}", f"{B} *= 0.3")


# functions that write


@construct("out= of ufuncs")
def _(w: Writer) -> None:
    length = w.pick(2, 3, 4)
    one, other, out = w.part(length), w.part(length), w.part(length)
    forms = [
        f"np.sin({one}, out={out})",
        f"np.multiply({one}, {other}, out={out})",
        f"np.add({one}, {w.number(0)}, out={out})",
        f"np.tanh({one}, {out})",
    ]
    forms += [f"np.subtract({one}, {other}, out={one})", f"np.cos({w.matrix()}, out={w.matrix()})"]
    form = w.pick(*forms)
    w.write(form if w.chance(0.8) else f"{w.new('p')} = {form}")


@construct("np.add.at")
def _(w: Writer) -> None:
    index = w.pick("[0, 2, 0]", "[1, 1, 3]", "np.array([2, 0, 0])")
    w.write(f"np.{w.pick('add', 'add', 'subtract')}.at({w.vector()}, {index}, {w.pick(w.array(3), w.small())})")


@construct("fill")
def _(w: Writer) -> None:
    w.write(f"{w.pick(w.vector(), w.matrix(), w.part(3), w.part(2))}.fill({w.small()})")


@construct("sort")
def _(w: Writer) -> None:
    u = w.vector()
    spread = f"{u} += np.array([0.0, 0.017, 0.0311, 0.0457]) * {w.pick('1.0', '(2.0 + np.cos(a))')}"  # no ties
    w.write(spread, w.pick(f"{u}.sort()", f"{u}[1:].sort()", f"{u}[::-1].sort()", f"{u}[:] = np.sort({u})"))
    w.read(u, VECTOR)


@construct("np.copyto")
def _(w: Writer) -> None:
    length = w.pick(2, 3, 4)
    w.write(f"np.copyto({w.part(length)}, {w.pick(w.array(length), w.part(length), w.small())})")


@construct("put")
def _(w: Writer) -> None:
    u = w.vector()
    value = w.pick(w.array(2), w.small())
    w.write(w.pick(f"np.put({u}, [0, 2], {value})", f"{u}.put([3, 1], {value})", f"np.put({w.matrix()}, [1, 7], {value})"))


@construct("fill_diagonal")
def _(w: Writer) -> None:
    w.write(f"np.fill_diagonal({w.pick(w.matrix(), w.matrix() + '.T')}, {w.pick(w.small(), w.array(3))})")


@construct("diagonal read")
def _(w: Writer) -> None:
    B = w.matrix()
    w.write(f"s += np.sum({w.pick(f'np.diagonal({B})', f'{B}.diagonal()', f'np.diag({B})')} * {w.part(3)})")


@construct("broadcast_to read")
def _(w: Writer) -> None:
    w.write(
        w.pick(
            f"{w.matrix()}[...] = np.broadcast_to({w.part(3)}, (3, 3)) * {w.number(0)}",
            f"t = t + np.sum(np.broadcast_to({w.part(3)}, (3, 3)) * {w.matrix()})",
        )
    )


@construct("argument overwritten")
def _(w: Writer) -> None:
    x = w.pick("x", "y")
    w.write(
        w.pick(
            f"{x}[{w.index()}] = {w.small()}",
            f"{x} *= {w.small()}",
            f"A[{w.index()}] = {w.array(3)}",
            f"{x}[1:] = {w.array(3)}",
            f"A += {w.square()}",
        )
    )


@construct("chained assignment")
def _(w: Writer) -> None:
    p, q = w.new("p"), w.new("q")
    w.write(w.pick(f"{p} = {q} = {w.array(4)}", f"{p} = {q} = {w.vector()}", f"{w.element()} = {w.element()} = {w.small()}; {p} = {q} = u"))
    w.know(p, VECTOR)
    w.know(q, VECTOR)
    w.use(p, VECTOR)
    w.read(q, VECTOR)


@construct("x.flat")
def _(w: Writer) -> None:
    w.write(
        w.pick(
            f"{w.matrix()}.flat[{w.pick('0', '4', '7')}] {w.pick('=', '+=')} {w.small()}",
            f"{w.matrix()}.flat = {w.small()}",
            f"{w.matrix()}.flat[1:4] = {w.array(3)}",
        )
    )
