"""Where everything stands: positions of statements, the blocks around them, definitions, stores and scopes of names."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

import gast

from .uses import blocks, expressions, names_read, stores, target_names


@dataclass(eq=False)
class Block:
    """A list of statements and what is around it."""

    body: list[Any]
    owner: Any  # the compound statement, None for the function
    parent: Block | None
    loop: Any  # the innermost loop around it, None outside loops
    depth: int

    @property
    def in_loop(self) -> bool:
        return self.loop is not None


@dataclass(eq=False)
class Spot:
    """Where one statement stands."""

    stmt: Any
    block: Block
    start: int
    end: int = 0


@dataclass
class Layout:
    spots: dict[int, Spot] = field(default_factory=dict)
    block_of: dict[int, Block] = field(default_factory=dict)  # id(body) -> Block
    definitions: dict[str, list[Spot]] = field(default_factory=dict)
    writes_in_place: dict[str, list[Spot]] = field(default_factory=dict)
    scopes: dict[str, Block] = field(default_factory=dict)  # the innermost block that holds every occurrence

    def spot(self, stmt: Any) -> Spot:
        return self.spots[id(stmt)]

    def within(self, spot: Spot, block: Block) -> Spot | None:
        """The statement of `block` that contains the spot, or is it."""
        while spot.block is not block:
            if spot.block.owner is None:
                return None
            spot = self.spots[id(spot.block.owner)]
        return spot

    def contains(self, outer: Block, inner: Block) -> bool:
        while inner.depth > outer.depth and inner.parent is not None:
            inner = inner.parent
        return inner is outer

    def is_private(self, name: str) -> bool:
        """Does the name live and die inside one iteration of a loop?"""
        scope = self.scopes.get(name)
        return scope is not None and scope.in_loop

    def occurs(self, name: str, block: Block) -> None:
        """Widen the scope of a name to hold this block."""
        scope = self.scopes.get(name)
        if scope is None:
            self.scopes[name] = block
            return
        while not self.contains(scope, block):
            assert scope.parent is not None
            scope = scope.parent
        self.scopes[name] = scope


def layout(tree: Any, known: Callable[[str], bool], handed_on: Iterable[str] = ()) -> Layout:
    """known(name): is it a name of this function (not a global)? handed_on: names that an iteration hands to the next, and no
    statement before the loop sets."""
    table = Layout()
    counter = 0
    root = Block(tree.body, None, None, None, 0)
    for name in (*_parameter_names(tree), *handed_on):
        table.scopes[name] = root

    def occurs(name: str, block: Block) -> None:
        if known(name):
            table.occurs(name, block)

    def defined(name: str, block: Block, spot: Spot) -> None:
        occurs(name, block)
        table.definitions.setdefault(name, []).append(spot)

    def visit(block: Block) -> None:
        nonlocal counter
        table.block_of[id(block.body)] = block
        for stmt in block.body:
            counter += 1
            spot = table.spots[id(stmt)] = Spot(stmt, block, counter)
            for name in (n for e in expressions(stmt) for n in names_read(e)):
                occurs(name, block)
            for target in stmt.targets if isinstance(stmt, gast.Assign) else ():
                for name in target_names(target):
                    defined(name, block, spot)
            for name in stores(stmt) if not isinstance(stmt, (gast.If, gast.For, gast.While)) else ():
                table.writes_in_place.setdefault(name, []).append(spot)
            for body in blocks(stmt):
                loop = stmt if isinstance(stmt, (gast.For, gast.While)) else block.loop
                inner = Block(body, stmt, block, loop, block.depth + 1)
                if isinstance(stmt, gast.For):
                    defined(stmt.target.id, inner, spot)
                visit(inner)
            spot.end = counter

    visit(root)
    return table


def _parameter_names(tree: Any) -> list[str]:
    args = tree.args
    return [n.id for n in (*args.posonlyargs, *args.args, args.vararg, *args.kwonlyargs, args.kwarg) if n is not None]
