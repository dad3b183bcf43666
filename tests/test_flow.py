"""Liveness, and what statements read, bind and store."""

from __future__ import annotations

from typing import Any

import gast
import numpy as np
import pytest
from tidying_tools import parse_function

from sourcediff.facts.flow import Liveness, reads, stores, writes
from sourcediff.facts.sharing import Sharing
from sourcediff.facts.uses import Summaries, captured_names, free_names
from sourcediff.python.lattice import UNKNOWN, Array, Float


def statement(text: str) -> Any:
    return gast.parse(text).body[0]


@pytest.mark.parametrize(
    ("text", "read", "bound", "stored"),
    [
        ("x = y", "y", "x", ""),
        ("x, y = y, x", "x y", "x y", ""),
        ("x += y", "x y", "x", "x"),
        ("x[i] = y", "x i y", "", "x"),
        ("x[i][j] = y", "x i j y", "", "x"),
        ("x[i] += y", "x i y", "", "x"),
        ("x.data = y", "x y", "", "x"),
        ("xs.append(v)", "xs v", "", "xs"),
        ("v = xs.pop()", "xs", "v", "xs"),
        ("y = a * xs.pop()", "xs a", "y", "xs"),
        ("np.add.at(x, i, v)", "np x i v", "", "x"),
        ("np.add(a, b, out=c)", "np a b c", "", "c"),
        ("for i in range(n):\n    x[i] = i\nelse:\n    y = 1", "range n x i", "i y", "x"),
        ("while x < y:\n    x = x + z", "x y z", "x", ""),
        ("if c:\n    x = 1\nelse:\n    z[0] = y", "c z y", "x", "z"),
        ("def g(u, k=d):\n    t = u * w\n    return t", "w d", "g", ""),
        ("return f(x, key=y)", "f x y", "", ""),
        ("with h as k:\n    x = y", "h k y", "h k x", ""),
        ("t = [i * s for i in x]", "i s x", "t", ""),
    ],
)
def test_reads_writes_stores(text: str, read: str, bound: str, stored: str) -> None:
    stmt = statement(text)
    assert reads(stmt) == set(read.split())
    assert writes(stmt) == set(bound.split())
    assert stores(stmt) == set(stored.split())


def test_free_and_captured_names() -> None:
    tree = parse_function("def f(x):\n    t = x\n    def g(u):\n        return u * t\n    return g")
    assert free_names(tree.body[1]) == {"t"}
    assert captured_names(tree) == {"t"}


def test_shape_reads_are_told_apart() -> None:
    summaries = Summaries(lambda call: True)
    summary = summaries(gast.parse("np.zeros_like(a) + unbroadcast(g, x) + c.shape[0] + len(d) + e.sum()").body[0].value)
    assert summary.shape == {"a", "x", "c", "d"}
    assert summary.content >= {"g", "e"}


def live_after_each(source: str, names: str) -> list[set[str]]:
    tree = parse_function(source)
    live = Liveness(tree)
    wanted = set(names.split())
    return [
        live.live_after(stmt) & wanted for stmt in gast.walk(tree) if isinstance(stmt, (gast.Assign, gast.AugAssign, gast.For, gast.While))
    ]


def test_straight_line() -> None:
    assert live_after_each("def f(x):\n    y = x * 2\n    z = y + x\n    return z", "x y z") == [{"x", "y"}, {"z"}]


def test_back_edge_of_a_loop() -> None:
    (loop, inner) = live_after_each("def f(s, n, w):\n    for i in range(n):\n        s = s * w\n    return s", "s n w")
    assert loop == {"s"}
    assert inner == {"s", "w"}


def test_the_test_of_a_while_is_live_at_its_end() -> None:
    (_, inner) = live_after_each("def f(x, y):\n    while x < y:\n        x = x + 1.0\n    return 1", "x y")
    assert inner == {"x", "y"}


def test_a_branch_keeps_what_the_other_way_needs() -> None:
    source = "def f(c, x):\n    y = x\n    if c:\n        y = 1.0\n    return y"
    assert live_after_each(source, "c x y") == [{"c", "y"}, {"y"}]


def test_break_leads_behind_the_loop() -> None:
    source = "def f(n, x):\n    for i in range(n):\n        y = x\n        if y:\n            break\n        x = 2\n    return y"
    tree = parse_function(source)
    live = Liveness(tree)
    assert "y" in live.live_after(tree.body[0].body[0])
    assert "x" in live.live_after(tree.body[0].body[2])


def test_captured_names_are_live_everywhere() -> None:
    source = "def f(x):\n    t = x\n    def g(u):\n        return u * t\n    t = 2.0\n    y = g(1.0)\n    return y"
    assert all("t" in live for live in live_after_each(source, "t"))


def strong(source: str, types: dict[str, Any]) -> tuple[Any, Liveness]:
    tree = parse_function(source)

    def type_of(name: str) -> Any:
        return types.get(name, UNKNOWN)

    def pure(call: Any) -> bool:
        return True

    return tree, Liveness(tree, Summaries(pure), Sharing(tree, type_of, pure, pure), type_of)


def test_a_counter_that_counts_for_nobody_is_dead() -> None:
    tree, live = strong("def f(x, n):\n    k = 0\n    for i in range(n):\n        k += 1\n    return x", {})
    assert not any(live.is_live(stmt) for stmt in tree.body[:2])


def test_a_swap_moves_needs_and_reads_nothing() -> None:
    source = """
    def f(n, x):
        a = np.zeros(n)
        b = np.zeros(n)
        for i in range(n):
            a[i] = b[i] + x
            a, b = b, a
        z = np.zeros_like(a)
        return z
    """
    array = Array(np.dtype(float), 1)
    tree, live = strong(source, {"a": array, "b": array, "x": Float()})
    store, swap = tree.body[2].body
    assert not live.is_live(store)
    assert live.is_live(swap)


def test_a_store_is_live_through_an_alias() -> None:
    source = "def f(n):\n    a = np.zeros(n)\n    b = a[1:]\n    a[0] = 1.0\n    return b"
    tree = parse_function(source)

    def fresh(call: Any) -> bool:
        return True

    sharing = Sharing(tree, lambda name: UNKNOWN, fresh, fresh)
    assert sharing.family("a") >= {"a", "b"}
    live = Liveness(tree, Summaries(fresh), sharing)
    assert live.is_live(tree.body[2])


@pytest.mark.parametrize(
    ("statements", "one", "other", "together"),
    [
        ("p = x", "p", "x", True),
        ("p = x + 1", "p", "x", False),
        ("p = x.T", "p", "x", True),
        ("p = x.shape", "p", "x", False),
        ("p = [x]", "p", "x", True),
        ("p = []\np.append(x)", "p", "x", True),
        ("p = fresh(x)", "p", "x", False),
        ("p = view(x)", "p", "x", True),
        ("p, q = x, y", "p", "y", False),
        ("p, q = x, y", "q", "y", True),
        ("for p in x:\n    pass", "p", "x", True),
        ("p = fresh(y)\np[0] = x", "p", "x", True),
        ("p = fresh(y)\np[0] += x", "p", "x", False),
        ("p = unknown(x)\nq = unknown(y)", "p", "y", True),
    ],
)
def test_sharing(statements: str, one: str, other: str, together: bool) -> None:
    body = "".join("    " + line + "\n" for line in statements.splitlines())
    tree = parse_function("def f(x, y):\n" + body + "    return None")

    def is_fresh(call: Any) -> bool:
        return getattr(call.func, "id", "") == "fresh"

    sharing = Sharing(tree, lambda name: UNKNOWN, lambda call: getattr(call.func, "id", "") in ("fresh", "view"), is_fresh)
    assert (other in sharing.family(one)) is together
