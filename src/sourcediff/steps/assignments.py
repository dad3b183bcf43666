"""Assignments of ACCEPTED: one target each, unpacking one name at a time, `op=` only where it may write in place.

    a, b = b, a + b                     t = b
                                        t2 = a + b
                                        a = t
                                        b = t2

Python evaluates the value first, then base and index of each target, from left to right; an augmented assignment reads its
target before the value. Where taking apart would change what is read, temporaries hold it.
"""

from __future__ import annotations

from typing import Any

import gast

from ..python.quote import constant, expr, name, placed, rebuilt
from . import comprehensions
from .expressions import Expressions, has, is_starred
from .ordered import Lower, assign, index_parts, is_atom, with_index_parts

_SEQUENCES = (gast.Tuple, gast.List)


class Assignments(Expressions):
    def assignment(self, s: Any) -> None:
        (target, *others), value = s.targets, s.value
        if others:
            names = [t.id for t in s.targets if isinstance(t, gast.Name)]
            value = self.lower(value)
            if len(names) < len(s.targets) or (isinstance(value, gast.Name) and value.id in names):
                value = value if isinstance(value, gast.Constant) else self.keep(value)
            if not is_atom(value):  # it gets the first of the names
                self.store(target, value, s)
                value = name(target.id)
            else:
                self.store(target, value, s)
            for t in others:
                self.store(t, value, s)
        elif isinstance(target, gast.Name) and self.is_built(value):
            self.into(target.id, value)
        elif isinstance(target, _SEQUENCES):
            self.unpacking(target, value, s)
        elif isinstance(target, gast.Name):
            value = self.lower(value)
            self.out.append(s if value is s.value else rebuilt(s, value=value))
        else:
            value = self.lower(value)
            bound = len(self.bound)
            where, needs = self.lowered_apart(target)
            if needs:  # the value comes before base and index
                value = self._settled(value, self.bound[bound:])
                self.out += needs
            self.out.append(s if value is s.value and where is target else rebuilt(s, targets=[where], value=value))

    def store(self, target: Any, value: Any, s: Any) -> None:
        self.assignment(placed(rebuilt(s, targets=[target], value=value), s))

    def unpacking(self, target: Any, value: Any, s: Any) -> None:
        elements = target.elts
        if any(isinstance(t, gast.Starred) for t in elements):
            self.star_unpacking(elements, value)
        elif isinstance(value, _SEQUENCES) and len(value.elts) == len(elements) and not is_starred(value.elts):
            self.parallel(target, value, s)
        else:
            value = self.lower(value)
            whole = value if isinstance(value, gast.Name) else self.keep(value)
            if all(isinstance(t, gast.Name) for t in elements):
                unchanged = whole is s.value and target is s.targets[0] and isinstance(target, gast.Tuple)
                self.out.append(s if unchanged else rebuilt(s, targets=[_tuple(elements)], value=whole))
                return
            # The targets are stored to from left to right; an index may read what was stored before it.
            own = all(isinstance(t, (gast.Name, *_SEQUENCES)) for t in elements) and len(_targets(elements)) == len(set(_targets(elements)))
            parts = [t if own and isinstance(t, gast.Name) else name(self.names.fresh("t")) for t in elements]
            self.out.append(assign(_tuple(parts), whole, s))
            for t, part in zip(elements, parts, strict=True):
                if t is not part:
                    self.store(t, part, s)

    def parallel(self, target: Any, value: Any, s: Any) -> None:
        """`a, b = v, w`: a permutation of names as it is, others one after the other."""
        targets, values = target.elts, value.elts
        plain = all(isinstance(t, gast.Name) for t in targets)
        if plain and all(isinstance(v, gast.Name) for v in values) and {t.id for t in targets} == {v.id for v in values}:
            unchanged = isinstance(target, gast.Tuple) and isinstance(value, gast.Tuple)
            self.out.append(s if unchanged else rebuilt(s, targets=[_tuple(targets)], value=_tuple(values)))
            return
        if plain and all(self.is_independent(targets[:i], v) for i, v in enumerate(values)):
            for t, v in zip(targets, values, strict=True):
                self.store(t, v, s)
            return
        bound: set[str] = set()
        kept = []
        for v, t in zip(self.operands(values, self.lower), targets, strict=True):
            stays = isinstance(v, gast.Constant) or (isinstance(v, gast.Name) and v.id not in bound)
            kept.append(v if stays else self.keep(v))
            bound.update(_targets([t]))
        for t, v in zip(targets, kept, strict=True):
            self.store(t, v, s)

    def is_independent(self, before: list[Any], value: Any) -> bool:
        """Whether the value is the same after the assignments to the names `before`."""
        own = {t.id for t in before}
        if own & self.captured:
            return False
        return not own or own.isdisjoint(comprehensions.survey(value)[0])

    def star_unpacking(self, elements: list[Any], value: Any) -> None:
        """`a, *b, c = v`: by index from both ends, the middle as a list."""
        value = self.lower(value)
        whole = value if isinstance(value, gast.Name) and value.id not in _targets(elements) else self.keep(value)
        star = next(i for i, t in enumerate(elements) if isinstance(t, gast.Starred))
        for i, t in enumerate(elements):
            index = i if i < star else i - len(elements)
            part = expr("whole[index]", whole=whole, index=constant(index))
            if i == star:
                t, upper = t.value, constant(star + 1 - len(elements)) if star + 1 < len(elements) else None
                part = rebuilt(part, slice=gast.Slice(lower=constant(star), upper=upper, step=None))
                part = expr("[v for v in part]", part=part, v=self.names.fresh("v"))
                self.uses.update({part.elt.id: 2})
            self.assignment(assign(t, part))

    def augmented(self, s: Any) -> None:
        match s.target:
            case gast.Name():
                bound = len(self.bound)
                value, needs = self.lowered_apart(s.value)
                if s.target.id in self.bound[bound:]:  # Python has read the name before the value binds it
                    self.augmented_held(s, s.target, needs, value)
                    return
                self.out += needs
                self.out.append(s if value is s.value else rebuilt(s, value=value))
            case gast.Subscript():
                self.augmented_item(s)
            case _:
                # In place if the attribute is an array, so the operator is applied to a name that holds it.
                base = self.lower(s.target.value)
                where = rebuilt(s.target, value=base if is_atom(base) else self.keep(base))
                held = self.keep(where)
                value, needs = self.lowered_apart(s.value)
                self.out += [*needs, rebuilt(s, target=held, value=value), assign(where, held, s)]

    def augmented_item(self, s: Any) -> None:
        base, *index = self.operands([s.target.value, *index_parts(s.target.slice)], self.lower)
        base = base if is_atom(base) else self.keep(base)
        bound = len(self.bound)
        value, needs = self.lowered_apart(s.value)
        if needs:
            base, *index = (self._settled(part, self.bound[bound:]) for part in (base, *index))
        elif not isinstance(s.op, (gast.Add, gast.Sub)):  # the index is written twice once it is known what an item is
            index = [part if _is_arithmetic(part) else self.keep(part) for part in index]
        where = s.target
        if not all(map(_same, [base, *index], [where.value, *index_parts(where.slice)])):
            where = rebuilt(where, value=base, slice=with_index_parts(where.slice, iter(index)))
        if any(has(n, gast.Call) and base.id in comprehensions.survey(n)[0] | dict.fromkeys(self.captured) for n in needs):
            self.augmented_held(s, where, needs, value)
            return
        self.out += needs
        self.out.append(s if where is s.target and value is s.value else rebuilt(s, target=where, value=value))

    def augmented_held(self, s: Any, where: Any, needs: list[Any], value: Any) -> None:
        """The old value is read before what the new one needs may change it; a temporary holds it meanwhile."""
        held = self.keep(where)
        self.out += [*needs, rebuilt(s, target=held, value=value), assign(where, held, s)]

    def lowered_apart(self, node: Any, lower: Lower | None = None) -> tuple[Any, list[Any]]:
        """The node lowered, and the statements that it needs in front of it."""
        lowered: list[Any] = []
        needs = self.emitted(lambda: lowered.append((lower or self.lower)(node)))
        return lowered[0], needs


def _tuple(elements: list[Any]) -> Any:
    return gast.Tuple(elts=elements, ctx=gast.Load())


def _targets(elements: list[Any]) -> list[str]:
    """The names that these targets bind."""
    found: list[str] = []
    for t in elements:
        if isinstance(t, gast.Name):
            found.append(t.id)
        elif isinstance(t, gast.Starred):
            found += _targets([t.value])
        elif isinstance(t, _SEQUENCES):
            found += _targets(t.elts)
    return found


def _is_arithmetic(node: Any) -> bool:
    """Of names and numbers: evaluated twice it is the same."""
    match node:
        case gast.BinOp():
            return _is_arithmetic(node.left) and _is_arithmetic(node.right)
        case gast.UnaryOp():
            return _is_arithmetic(node.operand)
    return isinstance(node, (gast.Name, gast.Constant))


def _same(a: Any, b: Any) -> bool:
    return a is b
