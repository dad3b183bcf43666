"""Stores through what has no name of the user's: a view made for the statement alone, `x.flat`, `z.real`, `z.imag`.

    A[i].fill(x[0])           A[i] = x[0]
    z.imag[0] = v             z[0] = z[0].real + 1j * v
    x.flat = v                x[...] = v

Each is a store into the array behind it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import gast

from ...python import quote
from ...python.lattice import UNKNOWN, Array, Int, List, Scalar, dtype_of, rank_of
from ...rules import in_place
from .expression_types import OPERATORS, expression_type
from .frames import is_temporary
from .values import Atom, Method, Value, type_of

if TYPE_CHECKING:
    from .walk import Walk


def store_whole(walk: Walk, out: Atom, value: Value, node: Any) -> Value:
    """out[...] = value; gives `out` as it is then."""
    where = place_of(walk, out)
    if where is None:
        walk.emit(quote.stmt("x[...] = v", x=out.node, v=walk.as_node(value, node)), node)
        return out
    walk.emit(quote.stmt("p = v", p=where, v=walk.as_node(value, node)), node)
    return walk.define("t", where, out.type, node, fresh=False)


def place_of(walk: Walk, view: Any) -> Any:
    """x[i] where a name stands for a view `t = x[i]` that was made for this statement alone: to store into all of t is to store there."""
    made = _made_for_this(walk, view)
    kind = walk.types.get(getattr(made.value, "id", "")) if isinstance(made, gast.Subscript) else None
    if kind is not UNKNOWN and not isinstance(kind, Array):
        return None
    parts = made.slice.elts if isinstance(made.slice, gast.Tuple) else [made.slice]
    if kind is UNKNOWN and not any(isinstance(p, gast.Slice) for p in parts):
        return None  # an item of a list, for all we know
    return made if all(_is_basic(walk, p) for p in parts) else None


def _is_basic(walk: Walk, part: Any) -> bool:
    """A part of an index that makes a view: a slice, an integer, None, an ellipsis."""
    if isinstance(part, (gast.Slice, gast.Constant)):
        return True
    kind = expression_type(walk, part)
    return isinstance(kind, Int) or (isinstance(kind, Scalar) and kind.dtype.kind in "iu")


def _made_for_this(walk: Walk, view: Any) -> Any:
    """The expression that a temporary of flatten stands for, if nothing that it reads was assigned or written since."""
    name = getattr(getattr(view, "node", None), "id", "")
    if not name or not is_temporary(name):
        return None
    since: set[str] = set()
    for statement in reversed(walk.block):
        target = statement.targets[0] if isinstance(statement, gast.Assign) else None
        if isinstance(target, gast.Name) and target.id == name:
            read = {n.id for n in gast.walk(statement.value) if isinstance(n, gast.Name)}
            return None if read & since else statement.value
        if not isinstance(target, gast.Name):
            return None
        since.add(target.id)
    return None


def stands_for_place(walk: Walk, base: Value) -> bool:
    """Is it x.flat, or a view that has no name of the user's?"""
    return isinstance(base, Method) and base.name == "flat" or _made_for_this(walk, base) is not None


# -- whole stores and updates of temporaries


def is_whole(index: Any) -> bool:
    """`[...]` and `[:]`"""
    if isinstance(index, gast.Slice):
        return index.lower is None and index.upper is None and index.step is None
    return isinstance(index, gast.Constant) and index.value is Ellipsis


# -- x.flat, z.real, z.imag


def flat_item(walk: Walk, flat: Method, index: Any, node: Any, hint: str = "t") -> Value:
    """x.flat[index]"""
    return _run(walk, in_place.flat_item, [flat.receiver, _flat_place(walk, flat, index, node)], node, hint)


def as_array(walk: Walk, value: Value, node: Any) -> Value:
    """x.flat, where it is read as a whole: its elements in a row."""
    if isinstance(value, Method) and value.name == "flat":
        return _run(walk, in_place.flat_copy, [value.receiver], node)
    return value


def _flat_place(walk: Walk, flat: Method, index: Any, node: Any) -> Value:
    """Where in x the index of x.flat points to: in a row x the index itself."""
    array = flat.receiver
    if rank_of(type_of(array)) == 1:
        return Atom(index, expression_type(walk, index))
    if isinstance(index, gast.Slice):
        bounds = [quote.constant(None) if b is None else b for b in (index.lower, index.upper, index.step)]
        index = gast.Call(func=quote.name(walk.spelling.builtin("slice")), args=bounds, keywords=[])
    return _run(walk, in_place.flat_place, [array, Atom(index, expression_type(walk, index))], node)


def store_through(walk: Walk, base: Value, index: Any, value: Value, node: Any) -> bool:
    """`base[index] = value`, where base is x.flat, z.real, z.imag or a view without a name: is it written as a store into x or z?"""
    if isinstance(base, Method) and base.name == "flat":
        _run(walk, in_place.flat_store, [base.receiver, _flat_place(walk, base, index, node), value], node)
        return True
    part = part_of(walk, base)
    if part is not None:
        store_part(walk, *part, index, value, node)
        return True
    where = place_of(walk, base) if is_whole(index) else None
    if isinstance(index, gast.Slice) and not isinstance(type_of(base), Array):
        where = None  # `x[1:][:] = v` of a list changes nothing
    if where is not None:
        walk.emit(quote.stmt("p = v", p=where, v=walk.as_node(value, node)), node)
    return where is not None


def update_through(walk: Walk, base: Value, index: Any, op: Any, value: Value, node: Any) -> bool:
    """The same for `base[index] += value` and its like; index None: `base += value`."""
    if isinstance(base, Method) and base.name == "flat":
        spot = _flat_place(walk, base, index, node)
        new = _operation(walk, op, _run(walk, in_place.flat_item, [base.receiver, spot], node), value, node)
        _run(walk, in_place.flat_store, [base.receiver, spot, new], node)
        return True
    part = part_of(walk, base)
    if part is not None:
        owner, name = part
        assert isinstance(base, Atom)
        old: Value = base
        if index is None:
            walk.part_updates[base.node.id] = (owner.node.id, name)
        else:
            item = quote.expr("x[i]", x=base.node, i=index)
            old = walk.define("t", item, expression_type(walk, item), node)
        store_part(walk, owner, name, index or quote.constant(Ellipsis), _operation(walk, op, old, value, node), node)
        return True
    where = place_of(walk, base) if isinstance(type_of(base), Array) and (index is None or is_whole(index)) else None
    if where is None:
        return False
    if isinstance(op, (gast.Add, gast.Sub)):
        walk.emit(gast.AugAssign(target=where, op=op, value=walk.as_node(value, node)), node)
    else:  # CLOSED updates by adding only
        walk.emit(quote.stmt("p = v", p=where, v=_operation(walk, op, base, value, node).node), node)
    return True


def assign_attribute(walk: Walk, owner: Value, name: str, value: Value, node: Any) -> None:
    """`x.flat = v`, `z.real = v`, `z.imag = v`; other attributes are those of objects."""
    if not isinstance(owner, Atom) or isinstance(owner.type, List) or name not in ("flat", "real", "imag"):
        raise walk.problem("not_yet_objects", node)
    if name == "flat":
        _run(walk, in_place.flat_fill, [owner, value], node)
    elif walk.part_updates.get(getattr(walk.as_node(value), "id", "")) != (walk.as_node(owner).id, name):
        store_part(walk, owner, name, quote.constant(Ellipsis), value, node)


def part_of(walk: Walk, base: Value) -> tuple[Atom, str] | None:
    """(z, "imag") of a temporary that stands for z.imag; z may be unknown."""
    made = _made_for_this(walk, base)
    if not (isinstance(made, gast.Call) and isinstance(made.func, gast.Attribute) and len(made.args) == 1):
        return None
    owner, function = made.args[0], made.func.attr
    if function not in ("real", "imag") or not isinstance(owner, gast.Name):
        return None
    return Atom(owner, walk.types.get(owner.id, UNKNOWN)), function


def store_part(walk: Walk, owner: Atom, part: str, index: Any, value: Value, node: Any) -> None:
    """z.real[index] = value or z.imag[index] = value"""
    dtype = dtype_of(owner.type)
    if dtype is None:
        raise walk.problem("part_undecided", node, name=walk.as_node(owner).id, part=part)
    if dtype.kind == "c" and is_whole(index):
        _run(walk, in_place.real_store if part == "real" else in_place.imag_store, [owner, value], node)
    elif dtype.kind == "c":
        definition = in_place.real_item_store if part == "real" else in_place.imag_item_store
        _run(walk, definition, [owner, Atom(index), value], node)
    elif part == "real":
        walk.emit(quote.stmt("x[i] = v", x=owner.node, i=index, v=walk.as_node(value, node)), node)
    else:
        raise walk.problem("bad_call", node, name="imag", detail="the imaginary part of a real array cannot be written")


def _operation(walk: Walk, op: Any, old: Value, value: Value, node: Any) -> Atom:
    from ...facts import kinds

    return walk.define("t", walk.operation(op, old, value), kinds.binary_type(OPERATORS[type(op)], type_of(old), type_of(value)), node)


def _run(walk: Walk, definition: Any, args: list[Value], node: Any, hint: str = "t") -> Value:
    from .in_place import run

    return run(walk, definition, args, {}, node, hint)
