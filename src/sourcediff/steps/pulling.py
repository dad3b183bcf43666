"""pullback and pushforward: the value now, and a function that hands cotangents back, or tangents on, as often as one likes.

`pull` uses nothing up: it pops copies of the saved lists, assigns to names of its own, and reads copies of what the caller
could change meanwhile.
"""

from __future__ import annotations

from typing import Any

import gast

from .. import runtime
from ..errors import problem
from ..facts.flow import Liveness
from ..facts.uses import Summaries, blocks, expressions, names_read, reads, stores, writes
from ..python import quote
from ..python.lattice import UNKNOWN, Array, is_scalar
from .forward import Forward
from .frame import Frame, check_seeds, kept_value, tangent_seeds, with_way_back
from .purity import is_sure_view
from .reverse import Reverse
from .tangents import Direction


def pullback(frame: Frame) -> list[Any]:
    body, value, pull = pulled(frame)
    return [*body, pull, frame.answer(value, quote.name(pull.name))]


def pulled(frame: Frame) -> tuple[list[Any], Any, Any]:
    """(the way there, the value, the definition of `pull`)."""
    closed = frame.closed
    work = Reverse(closed, frame.wrt)
    taken = views_of_restored(work)
    refuse_stale_views(work, taken)
    refuse_mirrors(work)
    primal = work.primal()
    value, bind = kept_value(frame, work)
    label = frame.seed or closed.names.fresh("value_bar")
    seed = quote.name(label)
    back = [*check_seeds(frame, closed.result, seed, label), *with_way_back(work, seed)]
    back.append(gast.Return(value=frame.together(work.gradients())))
    keep, back = independent(work, primal, back, taken)
    pull = gast.FunctionDef(
        name=closed.names.fresh("pull"),
        args=parameters([label]),
        body=back,
        decorator_list=[],
        returns=None,
        type_comment=None,
        type_params=[],
    )
    return [*primal, *bind, *keep], value, pull


def views_of_restored(work: Reverse) -> dict[str, Any]:
    """name → view, in the order of the text: the views that `pull` takes anew, of its own copies of the arrays that it restores."""
    found: dict[str, Any] = {}
    for stmt in work.closed.tree.body[:-1]:
        match stmt:
            case gast.Assign(targets=[gast.Name(id=name)], value=value) if work.memory.group(name) in work.plan.restored:
                if is_sure_view(work.closed, value, work.fresh) and all(map(work.there.is_fixed, {name, *names_read(value)})):
                    found[name] = value
    return found


def refuse_stale_views(work: Reverse, taken: dict[str, Any]) -> None:
    """A view taken on the way there sees what the array holds at the end, not what `pull` restores in its copy; and of two names for
    one array each would get a copy of its own."""
    for root in work.plan.restored:
        owners = work.memory.owners(root)
        for name in sorted(owners) if len(owners) > 1 else ():
            for spot in work.layout.definitions.get(name, ()):
                permuted = isinstance(spot.stmt.targets[0], gast.Tuple)
                if not (permuted or work.fresh(spot.stmt.value) or is_taken_anew(work, name, spot, taken)):
                    raise problem("pullback_of_views", spot.stmt, name=name)
    for name, stmt in work.memory.loads.items():
        if work.memory.group(name) in work.plan.restored and not work.layout.is_private(name) and name not in taken:
            raise problem("pullback_of_views", stmt, name=name)


def is_taken_anew(work: Reverse, name: str, spot: Any, taken: dict[str, Any]) -> bool:
    """Does the way back make this view itself?"""
    return name in taken or (work.layout.is_private(name) and id(spot.stmt) in work.plan.views)


def refuse_mirrors(work: Reverse) -> None:
    """Cotangents that share memory, and are made on the way there, serve one pull only."""
    for name, made in work.mirrors.allocations.items():
        if id(made) not in work.there.left_out or not is_plain_allocation(made):
            bound = work.layout.definitions.get(name)
            raise problem("pullback_of_views", bound[0].stmt if bound else work.closed.tree, name=name)


def is_plain_allocation(made: Any) -> bool:
    return getattr(made.value.func, "attr", "") == "zeros_like"


def independent(work: Reverse, primal: list[Any], back: list[Any], taken: dict[str, Any]) -> tuple[list[Any], list[Any]]:
    """(what is kept before `pull` is made, the body of `pull` that uses nothing up)."""
    closed = work.closed
    outside = set(closed.parameters).union(*(writes(s) for s in primal)) if primal else set(closed.parameters)
    assigned = set().union(*(writes(s) for s in back)) & outside
    popped = {n.func.value.id for s in back for n in gast.walk(s) if _is_pop(n)}
    holders = {holder: name for (_, name), holder in work.there.holders.items() if name and work.memory.group(name) in work.plan.restored}
    restored = ({n for n in outside if work.memory.group(n) in work.plan.restored} | holders.keys()) - taken.keys()
    frozen = {n for n in content_read(work, back) if n in outside and seen_by_caller(work, n)} - restored
    live = Liveness(
        gast.FunctionDef(name="pull", args=parameters([]), body=back, decorator_list=[], returns=None, type_comment=None, type_params=[])
    ).live_before()
    renamed: dict[str, Any] = {}
    keep: list[Any] = []
    keep_first: list[Any] = []
    opening: list[Any] = []

    def another(name: str) -> str:
        own = closed.names.fresh(name)
        closed.types[own] = closed.types.get(name, UNKNOWN)
        return own

    for name in sorted(assigned | popped | restored | frozen):
        source = name
        if name in frozen:
            source = another(name)
            keep.append(quote.stmt("o = k", o=source, k=copy_of(work, name)))
        if name in popped or name in restored or (name in assigned and name in live):
            own = another(name)
            if not is_bound(work, name):
                keep_first.append(quote.stmt("n = v", n=name, v=work.there.nothing(name)))
            text = "o = n.copy()" if name in popped or name in restored else "o = n"
            if name in popped and name in holders:
                text = "o = [v.copy() for v in n]"
            opening.append(quote.stmt(text, o=own, n=source))
            source = own
        elif name in assigned:
            source = another(name)
        renamed[name] = quote.name(source)
    for name, view in used_of(taken, back).items():
        own = another(name)
        opening.append(quote.stmt("o = v", o=own, v=quote.fill(view, renamed)))
        renamed[name] = quote.name(own)
    primal[:0] = keep_first
    return keep, [*opening, *quote.fill(back, renamed)]


def copy_of(work: Reverse, name: str) -> Any:
    """What a name holds, whatever the caller writes into it later."""
    is_array = isinstance(work.closed.types.get(name, UNKNOWN), Array)
    return quote.expr("n.copy()", n=name) if is_array else work.bars.helper(runtime.kept, quote.name(name))


def used_of(taken: dict[str, Any], back: list[Any]) -> dict[str, Any]:
    """Those of the views that the way back speaks of, or another view is taken of."""
    used = {n for s in back for n in reads(s) | stores(s)}.union(*map(names_read, taken.values()))
    return {name: view for name, view in taken.items() if name in used}


def is_bound(work: Reverse, name: str) -> bool:
    """Has the name a value wherever the way there ends?"""
    definitions = work.layout.definitions.get(name, ())
    return name in work.closed.parameters or not definitions or any(d.block.owner is None for d in definitions)


def seen_by_caller(work: Reverse, name: str) -> bool:
    """Could the caller write into this array between two pulls?"""
    if is_scalar(work.closed.types.get(name, UNKNOWN)):
        return False
    sharing = work.memory.sharing
    root = sharing.root(name)
    return root is not None and (root in sharing.escaping or root in sharing.returned)


def content_read(work: Reverse, body: list[Any]) -> set[str]:
    found: set[str] = set()
    summaries = Summaries(work.pure)
    for stmt in body:
        for expression in expressions(stmt):
            found |= summaries(expression).content
        for block in blocks(stmt):
            found |= content_read(work, block)
    return found


def _is_pop(node: Any) -> bool:
    return (
        isinstance(node, gast.Call)
        and isinstance(node.func, gast.Attribute)
        and node.func.attr == "pop"
        and isinstance(node.func.value, gast.Name)
    )


def parameters(names: list[str]) -> Any:
    nodes = [gast.Name(id=n, ctx=gast.Param(), annotation=None, type_comment=None) for n in names]
    return gast.arguments(args=nodes, posonlyargs=[], vararg=None, kwonlyargs=[], kw_defaults=[], kwarg=None, defaults=[])


def written_arguments(work: Forward) -> set[str]:
    """The parameters that the program writes into, or into parts of."""
    closed, memory = work.closed, work.memory
    changed = {*memory.parameters_written, *memory.changed_lists([*closed.parameters, *closed.paths])}
    return {root for n in changed for root in (names_read(closed.paths[n]) if n in closed.paths else {n})}


def kept_arguments(frame: Frame, work: Forward, own: set[str], renamed: dict[str, Any]) -> tuple[list[Any], list[Any]]:
    """(what is kept before `push` is made, what each push begins with). own: what the pushed program assigns; renamed: its new names."""
    closed = frame.closed
    keep: list[Any] = []
    opening: list[Any] = []
    written = written_arguments(work)
    for p in closed.parameters:
        kind = closed.types.get(p, UNKNOWN)
        if is_scalar(kind) and p not in own:
            continue
        kept = closed.names.fresh(p)
        closed.types[kept] = kind
        keep.append(quote.stmt("o = k", o=kept, k=quote.name(p) if is_scalar(kind) else frame.helper(runtime.kept, quote.name(p))))
        source = quote.name(kept)
        if p in written:  # by each push, in memory of its own
            source = frame.helper(runtime.kept, source)
        elif p not in own:
            renamed[p] = source
            continue
        mine = renamed[p].id if p in renamed else closed.names.fresh(p)
        closed.types[mine] = kind
        opening.append(quote.stmt("o = k", o=mine, k=source))
        renamed[p] = quote.name(mine)
    return keep, opening


def pushforward(frame: Frame) -> list[Any]:
    """`push` runs the program with its tangents: what it reads is kept as it was."""
    closed = frame.closed
    from .jacobians import repeatable

    if not repeatable(closed.tree.body, frame):
        raise problem("not_repeatable", closed.tree.body[-1], function=frame.function_name)
    value = closed.tree.body[-1].value
    direction = Direction(tangent_seeds(frame))
    primal = closed.tree.body[:-1]
    work = Forward(closed, [direction])
    checks = [
        c
        for p in frame.wrt
        for c in check_seeds(frame, closed.variable(p), quote.name(frame.tangents[p]), frame.tangents[p], quote.expr(p))
    ]
    inner = work.body()
    work.written_body = inner
    body = [*checks, *inner, gast.Return(value=work.result_dots(direction))]
    own = set().union(*(writes(s) for s in inner)) if inner else set()
    renamed = {n: quote.name(closed.names.fresh(n)) for n in sorted(own) if n in set().union(*(writes(s) for s in primal), set())}
    for old, new in renamed.items():
        closed.types[new.id] = closed.types.get(old, UNKNOWN)
    keep, opening = kept_arguments(frame, work, own, renamed)
    push = gast.FunctionDef(
        name=closed.names.fresh("push"),
        args=parameters(list(frame.tangents.values())),
        body=[*opening, *quote.fill(body, renamed)],
        decorator_list=[],
        returns=None,
        type_comment=None,
        type_params=[],
    )
    return [*keep, *primal, push, frame.answer(value, quote.name(push.name))]


__all__ = ["pullback", "pulled", "pushforward"]
