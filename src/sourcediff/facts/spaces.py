"""Which names have the same shape and dtype, without knowing either.

`y = np.sin(x) * 2.0` has the space of x, whatever x is: a cotangent of y fits x as it is, and nothing need be summed or
cast. Every number known to be a real scalar is in one space, SCALAR. What cannot be told is in a space of its own.
"""

from __future__ import annotations

import re
from typing import Any

import gast

from ..python.lattice import Array, Bool, Const, Float, Int, Real, Scalar, Type, is_real_scalar, rank_of, same_dtype
from .slices import axes_of
from .steady import Steady
from .uses import blocks

SCALAR = "()"
SAME = frozenset(
    {"np.copy", "np.zeros_like", "np.ones_like", "np.empty_like", "np.negative", "np.positive", "np.ndarray.copy", "np.roll", "np.flip"}
)
CHANGES_DTYPE = frozenset({"abs", "np.abs", "np.absolute", "np.real", "np.imag", "np.angle", "np.where"})
MANY = 6  # of arrays that are broadcast together: no more are kept in mind
_UNSEEN = "?"
_WORD = re.compile(r"[^\W\d]\w*")


def spaces(closed: Any) -> tuple[dict[str, str], set[str]]:
    """(name -> space, names whose space may change). Two names of one space have the same shape and dtype.

    A name in a space of its own that is assigned more than once may have another shape each time: nothing else is in its space.
    """
    table: dict[str, str] = {p: p for p in closed.parameters}
    for name, kind in closed.types.items():
        if isinstance(kind, Scalar) and kind.dtype.itemsize < 8:
            table[name] = f"{kind.dtype}()"  # a number that its gradient is cast to
        elif is_real_scalar(kind) or isinstance(kind, (Int, Bool)) or (isinstance(kind, Const) and isinstance(kind.value, bool)):
            table[name] = SCALAR
    definitions = list(_definitions(closed.tree.body))
    defined = {target for target, _ in definitions}
    table.update({n: n for n in closed.types if n not in defined and n not in table})  # what is read from outside
    fixed = set(table)
    changed = True
    while changed:
        changed = False
        for target, value in definitions:
            if target in fixed:
                continue
            old = table.get(target, _UNSEEN)
            new = space_of_value(closed, value, table, target)
            if new == _UNSEEN:
                continue
            merged = new if old in (_UNSEEN, new) else target
            if merged != old:
                table[target] = merged
                changed = True
                if merged == target:
                    fixed.add(target)
    return table, settled(closed, definitions, table)


def settled(closed: Any, definitions: list[Any], table: dict[str, str]) -> set[str]:
    """The names that have no lasting space; what was put into their spaces is taken out."""
    unstable: set[str] = set()
    counts: dict[str, int] = {}
    for target, value in definitions:
        counts[target] = counts.get(target, 0) + 1
        if target in closed.parameters and table[target] != SCALAR and space_of_value(closed, value, table, "?") != target:
            unstable.add(target)
    unstable |= {n for n, c in counts.items() if c > 1 and table.get(n) == n and n not in closed.parameters}
    steady = Steady(closed)
    for name, space in table.items():
        if name != space and (mentioned(space) & unstable or not steady.holds(name, mentioned(space))):
            table[name] = name
    return unstable


def mentioned(space: str) -> set[str]:
    """The names in the text of a space."""
    return set(_WORD.findall(space))


def _definitions(body: list[Any]) -> Any:
    for stmt in body:
        match stmt:
            case gast.Assign(targets=[gast.Name() as target]):
                yield target.id, stmt.value
            case gast.Assign(targets=[gast.Tuple() as target], value=gast.Tuple() as value):
                for t, v in zip(target.elts, value.elts, strict=True):
                    yield t.id, v
        for block in blocks(stmt):
            yield from _definitions(block)


def space_of_value(closed: Any, value: Any, table: dict[str, str], own: str) -> str:
    if isinstance(value, gast.Name):
        return table.get(value.id, _UNSEEN if value.id in closed.types else own)
    if isinstance(value, gast.Constant):
        return SCALAR if isinstance(value.value, (int, float)) else own
    if isinstance(value, gast.Subscript):
        return slot_space(closed, value, table, own)
    if isinstance(value, gast.Compare):
        return mask_space(closed, value, table) or own
    operation = closed.operation(value)
    if operation is None:
        return own
    rule = operation.rule
    if rule.path == "np.where":
        return selected_space(closed, operation.bound, table) or own
    if rule.path == "np.array" and isinstance(value, gast.Call):
        return literal_space(value.args[0], closed.types.get(own, Type())) or own
    if rule.path in ("np.argsort", "np.take_along_axis"):
        return ordered_space(closed, operation, table, own)
    if rule.path in SAME:
        first = next(iter(operation.bound.values()))
        return table.get(first.id, _UNSEEN) if isinstance(first, gast.Name) and is_alike(closed, operation, first, own) else own
    if not rule.pointwise or rule.form in ("constant", "linear") or (rule.path in CHANGES_DTYPE and not keeps_dtype(closed, operation)):
        return own
    kinds = {}
    for p in rule.operands:
        node = operation.bound.get(p)
        if isinstance(node, gast.Name):
            kinds[node.id] = table.get(node.id, _UNSEEN)
        elif not _weak(closed.type_of(node)):
            return own
    found = broadcast_space(closed, kinds, own)
    return own if found not in closed.parameters and _other_dtype(closed.types.get(found), closed.types.get(own)) else found


def is_alike(closed: Any, operation: Any, first: Any, own: str) -> bool:
    """Is what is made of the first operand sure to be of its shape and dtype?"""
    kind = closed.type_of(first)
    if "shape" in operation.bound or "dtype" in operation.bound:
        return False
    return isinstance(kind, Array) or operation.rule.path not in ("np.roll", "np.flip")


def _other_dtype(one: Any, other: Any) -> bool:
    """Are two arrays not known to have one dtype? Integers times 1.0 have the shape of the integers alone."""
    return isinstance(one, Array) and isinstance(other, Array) and not same_dtype(one.dtype, other.dtype)


def broadcast_space(closed: Any, kinds: dict[str, str], own: str) -> str:
    """The space of what an elementwise function makes of operands in these spaces."""
    arrays = {s for s in kinds.values() if s != SCALAR}
    if _UNSEEN in arrays:
        arrays.discard(_UNSEEN)
        if not arrays:
            return _UNSEEN
    if not arrays:
        return SCALAR
    if len(arrays) > 1:
        return spread_literal(closed, kinds, arrays) or joined_space(closed, kinds) or own
    (space,) = arrays
    for name, kind in kinds.items():
        if kind == SCALAR and not _weak_beside(closed, closed.types.get(name, Type()), kinds, space):
            return own
    return space


def keeps_dtype(closed: Any, operation: Any) -> bool:
    """Is the absolute value of an array of floats of its dtype?"""
    kind = closed.type_of(next(iter(operation.bound.values()), None))
    return "abs" in operation.rule.path and isinstance(kind, Array) and kind.dtype is not None and kind.dtype.kind == "f"


def joined_space(closed: Any, kinds: dict[str, str]) -> str | None:
    """The space of arrays that are broadcast together, all of one dtype: the same arrays give the same shape each time."""
    types = [closed.types.get(n, Type()) for n, s in kinds.items() if s != SCALAR]
    dtypes = [t.dtype for t in types if isinstance(t, Array)]
    if len(dtypes) < len(types) or any(not same_dtype(d, dtypes[0]) for d in dtypes) or dtypes[0] is None:
        return None
    if not all(
        _weak_beside(closed, closed.types.get(n, Type()), kinds, s)
        for n in kinds
        if kinds[n] == SCALAR
        for s in set(kinds.values()) - {SCALAR}
    ):
        return None
    parts = {p for s in kinds.values() if s != SCALAR for p in (s[1:-1].split(" & ") if s.startswith("<") and s.endswith(">") else [s])}
    return f"<{' & '.join(sorted(parts))}>" if len(parts) <= MANY else None


def mask_space(closed: Any, comparison: Any, table: dict[str, str]) -> str | None:
    """The space of `x > 0`, `x * y > 0`: of x's shape, of bools."""
    sides = {space_of_value(closed, side, table, "") for side in (comparison.left, *comparison.comparators)} - {SCALAR}
    if len(sides) != 1 or "" in sides:
        return None
    (space,) = sides
    return space if space == _UNSEEN else f"bool {space}"


def ordered_space(closed: Any, operation: Any, table: dict[str, str], own: str) -> str:
    """The space of `order = np.argsort(x)`: of x's shape, of indices; that of `np.take_along_axis(x, order)` is x's again."""
    first: Any
    second: Any
    first, second = [*operation.bound.values(), None][:2]
    if not isinstance(first, gast.Name):
        return own
    space = table.get(first.id, _UNSEEN)
    if operation.rule.path == "np.argsort":
        rank = rank_of(closed.types.get(first.id, Type()))
        flat = isinstance(second, gast.Constant) and second.value is None
        return own if rank is None or (flat and rank != 1) else space if space == _UNSEEN else f"order {space}"
    ordered = isinstance(second, gast.Name) and table.get(second.id) in (f"order {space}", _UNSEEN)
    return space if ordered else own


def selected_space(closed: Any, bound: dict[str, Any], table: dict[str, str]) -> str | None:
    """The space of `np.where(mask, x, y)` where mask and operands are of one shape."""
    mask, *operands = bound.values()
    if not isinstance(mask, gast.Name):
        return None
    kinds = {n.id: table.get(n.id, _UNSEEN) for n in operands if isinstance(n, gast.Name)}
    if not all(isinstance(n, gast.Name) or _weak(closed.type_of(n)) for n in operands):
        return None
    space = broadcast_space(closed, kinds, "")
    return space if space not in ("", SCALAR) and table.get(mask.id) == f"bool {space}" else None


def literal_space(display: Any, kind: Type) -> str | None:
    """The space of `np.array([a, b, c])` of numbers: its shape is written there."""
    if not isinstance(kind, Array) or kind.dtype is None or kind.rank is None:
        return None
    shape: list[str] = []
    while isinstance(display, (gast.List, gast.Tuple)) and display.elts and len(shape) < kind.rank:
        shape.append(str(len(display.elts)))
        display = display.elts[0]
    return f"{kind.dtype}({', '.join(shape)})" if len(shape) == kind.rank else None


def has_literal_shape(space: str) -> bool:
    """Is every length of the space written out, and none of them 1?"""
    inside = space.partition("(")[2].rstrip(")")
    return bool(inside) and all(n.strip().isdigit() and int(n) > 1 for n in inside.split(","))


def slot_space(closed: Any, slot: Any, table: dict[str, str], own: str) -> str:
    """The space of `x[1:-1, k]`: slices that trim as much have the same length, whichever end they trim."""
    if not isinstance(slot.value, gast.Name) or not isinstance(closed.types.get(slot.value.id), Array):
        return own
    base = table.get(slot.value.id, _UNSEEN)
    if base == _UNSEEN:
        return base
    axes = axes_of(slot.slice, closed.type_of)
    if base == own or axes is None:
        return own
    while axes and axes[-1] == "0":
        axes.pop()
    return f"{base}[{', '.join(axes)}]" if axes else base


def spread_literal(closed: Any, kinds: dict[str, str], arrays: set[str]) -> str | None:
    """Beside an array of literal shape without 1, arrays of no more dimensions and the same dtype change neither."""
    literal = {s for s in arrays if has_literal_shape(s)}
    if len(literal) != 1:
        return None
    (space,) = literal
    types = [closed.types.get(n, Type()) for n, s in kinds.items() if s != SCALAR]
    first = next(closed.types[n] for n, s in kinds.items() if s == space)
    for kind in types:
        if not isinstance(kind, Array) or kind.rank is None or kind.rank > first.rank or not same_dtype(kind.dtype, first.dtype):
            return None
    return space


def _weak(kind: Type) -> bool:
    """Does the number take on the dtype of the array beside it?"""
    return isinstance(kind, (Float, Int, Bool)) or (isinstance(kind, Const) and isinstance(kind.value, bool))


def _weak_beside(closed: Any, kind: Type, kinds: dict[str, str], space: str) -> bool:
    if _weak(kind):
        return True
    arrays = [closed.types.get(n, Type()) for n, s in kinds.items() if s == space]
    size = kind.dtype.itemsize if isinstance(kind, Scalar) else 8
    return isinstance(kind, (Scalar, Real)) and any(
        isinstance(a, Array) and a.dtype is not None and a.dtype.itemsize >= size for a in arrays
    )
