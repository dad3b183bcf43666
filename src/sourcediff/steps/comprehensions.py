"""Comprehensions and consumed generators, written as loops.

    ys = [f(v) for v in x if v > 0]         t = []
                                            for v in x:
                                                if v > 0:
                                                    t.append(f(v))
                                            ys = t

Of the consumers, `sum` adds up without a list, and `any` and `all` stop early; every other one is given the list.
What is made here is ordinary Python, which the caller desugars in its turn. The variable of a comprehension is its own:
it keeps its name where the function uses that name for nothing else, and is renamed otherwise. A lambda that captures
it must see the variable of this very comprehension, so the comprehension then becomes a nested function.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast

from ..python.names import Names, free_names, parameter_names
from ..python.quote import constant, expr, name, placed, rebuilt, stmt

KINDS = (gast.ListComp, gast.GeneratorExp, gast.DictComp, gast.SetComp)

_FOR = stmt("for target in iterable:\n    pass")
_BREAK = stmt("break")
_IF = stmt("if test:\n    pass")


def as_list(comp: Any, result: str, names: Names, uses: dict[str, int]) -> list[Any]:
    """Statements after which the name `result` holds the list."""
    element, generators = _own_variables([comp.elt], comp, names, uses)
    body = placed(stmt("result.append(value)", result=result, value=element[0]), comp.elt)
    return [placed(stmt("result = []", result=result), comp), *loops(generators, [body])]


def as_dict(comp: Any, result: str, names: Names, uses: dict[str, int]) -> list[Any]:
    (key, value), generators = _own_variables([comp.key, comp.value], comp, names, uses)
    body = []
    if not isinstance(key, (gast.Name, gast.Constant)):  # the key comes first, in a store the value would
        kept = names.fresh("t")
        body.append(stmt("kept = key", kept=kept, key=key))
        key = name(kept)
    body.append(placed(stmt("result[key] = value", result=result, key=key, value=value), comp.value))
    return [placed(stmt("result = {}", result=result), comp), *loops(generators, body)]


def as_sum(comp: Any, start: Any, result: str, names: Names, uses: dict[str, int]) -> list[Any]:
    first, before = comp.generators[0], []
    if start is not None and not isinstance(start, gast.Constant):  # the first iterable comes before it
        kept = names.fresh("t")
        before = [stmt("kept = iterable", kept=kept, iterable=first.iter)]
        comp = rebuilt(comp, generators=[rebuilt(first, iter=name(kept)), *comp.generators[1:]])
    element, generators = _own_variables([comp.elt], comp, names, uses)
    body = placed(stmt("result = result + value", result=result, value=element[0]), comp.elt)
    begin = stmt("result = start", result=result, start=constant(0) if start is None else start)
    return [*before, placed(begin, comp), *loops(generators, [body])]


def as_search(comp: Any, sought: bool, result: str, names: Names, uses: dict[str, int]) -> list[Any]:
    """`any` (the first element that is true, if there is one) or `all` (that is false) of a generator."""
    element, generators = _own_variables([comp.elt], comp, names, uses)
    found = element[0] if sought else expr("not value", value=element[0])
    body = stmts_if(placed(found, comp.elt), [stmt("result = sought", result=result, sought=sought), _BREAK])
    for generator in reversed(generators[1:]):
        seen = name(result) if sought else expr("not result", result=result)
        body = [*loops([generator], body), *stmts_if(seen, [_BREAK])]
    return [placed(stmt("result = start", result=result, start=not sought), comp), *loops(generators[:1], body)]


def loops(generators: list[Any], body: list[Any]) -> list[Any]:
    """The loops and conditions of a comprehension around `body`."""
    for generator in reversed(generators):
        for test in reversed(generator.ifs):
            body = stmts_if(test, body)
        body = [placed(rebuilt(_FOR, target=generator.target, iter=generator.iter, body=body), generator.iter)]
    return body


def over_generator(loop: Any, names: Names, uses: dict[str, int]) -> Any:
    """`for y in (e for v in x if c): …`: the elements are made as the loop asks for them."""
    element, generators = _own_variables([loop.iter.elt], loop.iter, names, uses)
    body = [placed(stmt("target = value", target=loop.target, value=element[0]), loop), *loop.body]
    return rebuilt(loops(generators, body)[0], orelse=loop.orelse)


def stmts_if(test: Any, body: list[Any]) -> list[Any]:
    return [placed(rebuilt(_IF, test=test, body=body), test)]


def variables(comp: Any) -> set[str]:
    """The names that the `for`s of a comprehension bind."""
    found: set[str] = set()
    pending = [g.target for g in comp.generators]
    while pending:
        target = pending.pop()
        if isinstance(target, gast.Name):
            found.add(target.id)
        elif isinstance(target, gast.Starred):
            pending.append(target.value)
        elif isinstance(target, (gast.Tuple, gast.List)):
            pending += target.elts
    return found


def captures(comp: Any) -> bool:
    """Whether a lambda inside reads a variable of the comprehension when it is called."""
    lambdas = [n for n in gast.walk(comp) if isinstance(n, gast.Lambda)]
    own = variables(comp) if lambdas else set()
    return any(own & free_names(rebuilt(f, args=_without_defaults(f.args))) for f in lambdas)


def survey(tree: Any) -> tuple[dict[str, int], list[Any]]:
    """How often each name occurs in a tree, and the functions defined in it."""
    uses: dict[str, int] = {}
    functions = []
    pending = [tree]
    while pending:
        node = pending.pop()
        kind = type(node)
        if kind is gast.Name:
            uses[node.id] = uses.get(node.id, 0) + 1
            continue
        if kind in (gast.FunctionDef, gast.Lambda) and node is not tree:
            functions.append(node)
        for field in node._fields:
            value = getattr(node, field, None)
            if isinstance(value, gast.AST):
                pending.append(value)
            elif isinstance(value, list):
                pending += [item for item in value if isinstance(item, gast.AST)]
    return uses, functions


def _own_variables(parts: list[Any], comp: Any, names: Names, uses: dict[str, int]) -> tuple[list[Any], list[Any]]:
    """The parts and the generators of a comprehension with its variables under names that nothing else uses."""
    inside = survey(comp)[0]
    renamed = {v: names.fresh(v) for v in sorted(variables(comp)) if inside[v] != uses.get(v)}
    if not renamed:
        return parts, comp.generators
    for old, new in renamed.items():
        uses[old] -= inside[old]
        uses[new] = inside[old]
    generators = []
    for i, g in enumerate(comp.generators):
        iterable = _renamed(g.iter, renamed) if i else g.iter
        generators.append(rebuilt(g, target=_renamed(g.target, renamed), iter=iterable, ifs=[_renamed(c, renamed) for c in g.ifs]))
    return [_renamed(p, renamed) for p in parts], generators


def _renamed(node: Any, new: dict[str, str]) -> Any:
    """The node with names replaced where they mean the variables of the comprehension around it."""
    match node:
        case gast.Name():
            return rebuilt(node, id=new[node.id]) if node.id in new else node
        case gast.Lambda():
            own = set(parameter_names(node.args))
            args = _with_defaults(node.args, lambda d: _renamed(d, new))
            return rebuilt(node, args=args, body=_renamed(node.body, {k: v for k, v in new.items() if k not in own}))
        case gast.ListComp() | gast.SetComp() | gast.GeneratorExp() | gast.DictComp():
            inner = {k: v for k, v in new.items() if k not in variables(node)}
            first = node.generators[0]
            fields = {f: _renamed(getattr(node, f), inner) for f in ("elt", "key", "value") if hasattr(node, f)}
            rest = [_renamed(g, inner) for g in node.generators]
            return rebuilt(node, generators=[rebuilt(rest[0], iter=_renamed(first.iter, new)), *rest[1:]], **fields)
        case gast.AST():
            fields = {f: _renamed(getattr(node, f, None), new) for f in node._fields}
            return rebuilt(node, **fields) if any(fields[f] is not getattr(node, f, None) for f in fields) else node
        case list():
            items = [_renamed(item, new) for item in node]
            return node if all(a is b for a, b in zip(items, node, strict=True)) else items
    return node


def _without_defaults(arguments: Any) -> Any:
    return rebuilt(arguments, defaults=[], kw_defaults=[])


def _with_defaults(arguments: Any, change: Callable[[Any], Any]) -> Any:
    keyword = [None if d is None else change(d) for d in arguments.kw_defaults]
    return rebuilt(arguments, defaults=list(map(change, arguments.defaults)), kw_defaults=keyword)
