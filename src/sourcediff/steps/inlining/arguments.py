"""Parameters as abstract values: of a structure (a tuple, a dict, an object) the parts are read into names, and it is these."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...python import quote
from ...python.lattice import Const, Dict, Items, Object, Tuple, Type
from ..signatures import identifier_of
from .values import Atom, Fields, Form, Known, Record, Seq, Value, literal

if TYPE_CHECKING:
    from .walk import Walk


class Arguments:
    """The parameters of the function that is walked.

    paths: name of a part -> how it is read from the parameter; structures: the names of what has parts.
    """

    def __init__(self, walk: Walk) -> None:
        self.walk = walk
        self.paths: dict[str, Any] = {}
        self.structures: set[str] = set()

    def parameter(self, name: str, kind: Type) -> Value:
        self.walk.types[name] = kind
        if isinstance(kind, Const):
            return Known(kind.value, quote.name(name))
        node = quote.name(name)
        return self.taken_apart(name, node, node, kind) or Atom(node, kind)

    def taken_apart(self, name: str, node: Any, path: Any, kind: Type) -> Value | None:
        """node: the name of a structure; path: how it is read from the parameter. None for what has no parts."""
        value = self._structure(name, node, path, kind)
        if value is not None:
            self.structures.add(node.id)
        return value

    def _structure(self, name: str, node: Any, path: Any, kind: Type) -> Value | None:
        match kind:
            case Tuple() | Items():
                names = kind.cls._fields if isinstance(kind, Tuple) and kind.cls is not None else None  # type: ignore[attr-defined]
                keys = range(len(kind.elements)) if names is None else names
                read = [(quote.expr("x[k]", x="x", k=k) if names is None else quote.expr(f"x.{k}")) for k in keys]
                parts = [self._part(f"{name}_{k}", node, path, r, t) for k, r, t in zip(keys, read, kind.elements, strict=True)]
                form = Form(kind.cls, node) if isinstance(kind, Tuple) and kind.cls is not None else None
                return Seq(tuple(parts), isinstance(kind, Items), form)
            case Dict(items=tuple() as items):
                reads = {k: quote.expr("x[k]", x="x", k=quote.constant(k)) for k, _ in items}
                return Record(tuple((k, self._part(f"{name}_{k}", node, path, reads[k], t)) for k, t in items))
            case Object():
                attributes = [(k, self._part(f"{name}_{k}", node, path, quote.expr(f"x.{k}"), t)) for k, t in kind.fields]
                return Fields(tuple(attributes), Form(kind.cls, node))
        return None

    def _part(self, base: str, whole: Any, path: Any, read: Any, kind: Type) -> Value:
        """The part of a structure that `read` reads from x."""
        inner = quote.fill(read, {"x": path})
        if isinstance(kind, Const):
            constant = kind.value is None or isinstance(kind.value, (bool, str))
            return literal(kind.value) if constant else Known(kind.value, inner)
        atom = self.walk.define(identifier_of(base) or "part", quote.fill(read, {"x": whole}), kind, fresh=False)
        value = self.taken_apart(atom.node.id, atom.node, inner, kind)
        if value is None:
            self.paths[atom.node.id] = inner
        return value or atom
