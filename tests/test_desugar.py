"""desugar: programs that it leaves alone, what it makes of the others, and that they still do the same."""

from __future__ import annotations

import inspect
import textwrap

import numpy as np
import pytest

from sourcediff.errors import DiffError
from sourcediff.python.names import Names, names_in
from sourcediff.steps.desugar import desugar
from tests.constructs import Case, constructs, mutations
from tests.random_syntax import program
from tests.syntax_stages import accepted, assert_equivalent, desugared, function_of, text_after

UNCHANGED = {
    "augmented item": """
        def f(x, v, i):
            x[i] *= v
            x[i + 1] /= v
            return x
    """,
    "straight line": """
        def f(x, w):
            y = x * w + np.sin(x)
            return y / 2.0
    """,
    "the way back over a range": """
        def f(x, n):
            x_bar = np.zeros_like(x)
            for i in reversed(range(n)):
                x_bar[i] += x[i] * 2.0
            return x_bar
    """,
    "a stack": """
        def f(x, w, n):
            xs = []
            for _ in range(n):
                xs.append(x)
                x = np.sin(x * w)
            w_bar = 0.0
            for _ in range(n):
                x = xs.pop()
                w_bar += x
            return w_bar
    """,
    "a permutation": """
        def f(a, b, c):
            a, b = b, a
            a, b, c = c, a, b
            return a, b, c
    """,
    "a loop with an exit": """
        def f(x, n):
            flag = False
            trips = 0
            for i in range(n):
                trips += 1
                x = x * 2.0
                flag = x > 10.0
                if not flag:
                    x = x + 1.0
                if flag:
                    break
            for _ in range(trips):
                x = x / 2.0
            return x
    """,
    "a counted while": """
        def f(x):
            trips = 0
            while abs(x) > 1.0 and trips < 100:
                trips += 1
                x = x / 2.0
            return x
    """,
    "updates": """
        def f(x, v, i):
            x += v
            x -= 2.0 * v
            x *= v
            x[i] += v
            x[i, 1:] -= v
            return x
    """,
    "branches with one return": """
        def f(x):
            if x > 0.0 and not x > 5.0:
                y = x
            elif x < -1.0:
                y = -x
            else:
                y = 2.0
            return y
    """,
    "calls with stars": """
        def f(*args, **kwargs):
            t = g(*args, **kwargs)
            a, b = t
            return {"a": a, **b}
    """,
    "a nested function": """
        def f(x):
            def g(v, k=2.0):
                return v * k
            return g(x)
    """,
}


@pytest.mark.parametrize("case", UNCHANGED)
def test_leaves_alone(case):
    fn = function_of(UNCHANGED[case])
    assert desugared(fn) is fn


CHANGED = {
    "augmented item, index once": ("x[g()] *= v\nreturn x", "t = g()\nx[t] *= v\nreturn x"),
    "augmented attribute": ("x.w *= v\nreturn x", "t = x.w\nt *= v\nx.w = t\nreturn x"),
    "chained assignment": ("a = b = x * 3.0\nreturn a * b", "a = x * 3.0\nb = a\nreturn a * b"),
    "chained assignment of an atom": ("a = b = 0.0\nreturn a * b", "a = 0.0\nb = 0.0\nreturn a * b"),
    "annotations": ("y: float = x\nz: float\nz = y\nreturn z", "y = x\nz = y\nreturn z"),
    "independent unpacking": ("a, b = x, 0.0\nreturn a * b", "a = x\nb = 0.0\nreturn a * b"),
    "dependent unpacking": ("a, b = b, a + b\nreturn a", "t = a + b\na = b\nb = t\nreturn a"),
    "swap of items": ("x[0], x[1] = x[1], x[0]\nreturn x", "t = x[1]\nt2 = x[0]\nx[0] = t\nx[1] = t2\nreturn x"),
    "unpacking": ("a, b = g(x)\nreturn a", "t = g(x)\na, b = t\nreturn a"),
    "nested unpacking": ("(a, b), c = x\nreturn a", "t, c = x\na, b = t\nreturn a"),
    "star unpacking": (
        "a, *b, c = x\nreturn b",
        "a = x[0]\nb = []\nfor v2 in x[1:-1]:\n    b.append(v2)\nc = x[-1]\nreturn b",
    ),
    "conditional expression": ("y = x if x > 0 else -x\nreturn y", "if x > 0:\n    y = x\nelse:\n    y = -x\nreturn y"),
    "conditional expression, returned": (
        "return x if x > 0 else -x",
        "if x > 0:\n    result = x\nelse:\n    result = -x\nreturn result",
    ),
    "or as a value": ("z = x or v * 2.0\nreturn z", "z = x\nif not z:\n    z = v * 2.0\nreturn z"),
    "and of truths": ("z = x > 0 and not v > 1\nreturn z", "z = x > 0 and (not v > 1)\nreturn z"),
    "operands keep their order": (
        "return g(x) + (h(x) if v else x)",
        "t2 = g(x)\nif v:\n    t = h(x)\nelse:\n    t = x\nreturn t2 + t",
    ),
    "walrus": ("if (y := x * x) > 1:\n    x = y\nreturn x", "y = x * x\nif y > 1:\n    x = y\nreturn x"),
    "walrus behind and": (
        "if v and (y := x) > 1:\n    x = y\nreturn x",
        "c = v\nif c:\n    y = x\n    c = y > 1\nif c:\n    x = y\nreturn x",
    ),
    "list comprehension": (
        "return [a * a for a in x if a > 0]",
        "t = []\nfor a in x:\n    if a > 0:\n        t.append(a * a)\nreturn t",
    ),
    "comprehension variables do not leak": (
        "k = v\ny = [k * x for k in v]\nreturn k",
        "k = v\ny = []\nfor k2 in v:\n    y.append(k2 * x)\nreturn k",
    ),
    "sum": ("return sum(a * b for a, b in zip(x, v))", "s = 0\nfor t in zip(x, v):\n    a, b = t\n    s = s + a * b\nreturn s"),
    "dict comprehension": ("return {k: x ** k for k in v}", "t = {}\nfor k in v:\n    t[k] = x ** k\nreturn t"),
    "any": (
        "return any(a > 0 for a in x)",
        "t = False\nflag = False\ntrips = 0\nfor a in x:\n    trips += 1\n    flag = a > 0\n    if flag:\n        t = True\n"
        "    if flag:\n        break\nreturn t",
    ),
    "another consumer": ("return max(a * a for a in x)", "t = []\nfor a in x:\n    t.append(a * a)\nreturn max(t)"),
    "lambda": ("g = lambda u, k=v: u * k\nreturn g(x)", "def lambda_(u, k=v):\n    return u * k\ng = lambda_\nreturn g(x)"),
    "loop over pairs": ("for a, b in x:\n    v = a\nreturn v", "for t in x:\n    a, b = t\n    v = a\nreturn v"),
    "loop over a generator": ("for a in (b * b for b in x):\n    v = a\nreturn v", "for b in x:\n    a = b * b\n    v = a\nreturn v"),
    "while": ("while x > 1:\n    x = x / 2\nreturn x", "trips = 0\nwhile x > 1:\n    trips += 1\n    x = x / 2\nreturn x"),
    "while with a walrus": (
        "while (y := g(x)) > 1:\n    x = y\nreturn x",
        "flag = False\ntrips = 0\nwhile True:\n    trips += 1\n    y = g(x)\n    flag = not y > 1\n    if not flag:\n        x = y\n"
        "    if flag:\n        break\nreturn x",
    ),
    "early return": (
        "if x < 0:\n    return v\ny = x * x\nreturn y + 1",
        "if x < 0:\n    result = v\nelse:\n    y = x * x\n    result = y + 1\nreturn result",
    ),
    "no return": ("x[0] = v", "x[0] = v\nreturn None"),
    "continue": (
        "for a in x:\n    if a > 1:\n        continue\n    v = v + a\nreturn v",
        "for a in x:\n    if not a > 1:\n        v = v + a\nreturn v",
    ),
    "break": (
        "for a in x:\n    if a > 1:\n        break\n    v = v + a\nreturn v",
        "flag = False\ntrips = 0\nfor a in x:\n    trips += 1\n    flag = a > 1\n    if not flag:\n        v = v + a\n"
        "    if flag:\n        break\nreturn v",
    ),
    "return inside a loop": (
        "for a in x:\n    if a > 1:\n        return a * 2\nreturn v",
        "flag = False\ntrips = 0\nfor a in x:\n    trips += 1\n    flag = a > 1\n    if flag:\n        result = a * 2\n"
        "    if flag:\n        break\nif not flag:\n    result = v\nreturn result",
    ),
    "else of a loop": (
        "for a in x:\n    if a > 1:\n        break\nelse:\n    v = 1\nreturn v",
        "flag = False\ntrips = 0\nfor a in x:\n    trips += 1\n    flag = a > 1\n    if flag:\n        break\n"
        "if not flag:\n    v = 1\nreturn v",
    ),
    "a flag only where code would be written twice": (
        "if x:\n    if v:\n        return 1\n    x = 2\nelse:\n    x = 3\nreturn x",
        "returned = False\nif x:\n    if v:\n        result = 1\n        returned = True\n    else:\n        x = 2\nelse:\n    x = 3\n"
        "if not returned:\n    result = x\nreturn result",
    ),
    "assertion with a message": (
        "assert x > 0, g(x)\nassert x, f'{x}'\nreturn x",
        "if not x > 0:\n    raise AssertionError(g(x))\nassert x, f'{x}'\nreturn x",
    ),
    "doc string and pass": ("'''What it does.'''\npass\nreturn x", "return x"),
    "decorated inner function": ("@g\ndef h(u):\n    return u\nreturn h(x)", "def h(u):\n    return u\nh = g(h)\nreturn h(x)"),
}


def _function(body: str) -> str:
    return "def f(x, v, *more):\n" + textwrap.indent(body, "    ")


@pytest.mark.parametrize("case", CHANGED)
def test_becomes(case):
    before, after = CHANGED[case]
    lines = [line for line in text_after(desugared, _function(before)).split("\n") if line.strip()]
    expected = text_after(lambda fn: fn, _function(after)).split("\n")
    assert lines == [line for line in expected if line.strip()]


@pytest.mark.parametrize("case", CHANGED)
def test_its_own_output_stays(case):
    plain = desugared(function_of(_function(CHANGED[case][0])))
    again = desugar(accepted(plain), Names(names_in(plain.tree)))
    assert again is plain


@pytest.mark.parametrize("text", ["sum", "any", "all"])
def test_consumers_of_other_meaning_are_only_called(text):
    source = f"def f(x, {text}):\n    return {text}(v for v in x)"
    assert f"return {text}(t)" in text_after(desugared, source)


def test_a_lambda_keeps_the_variable_of_its_own_comprehension():
    assert_equivalent(
        """
        def f(n):
            fs = []
            for k in range(n):
                fs = fs + [lambda: (j, k) for j in range(k + 1)]
            return [g() for g in fs]
        """,
        (4,),
    )


NASTY = {
    "order of operands": "return tick(1, a) + (tick(2, b) if tick(3, a) else tick(4, b)) * tick(5, 2)",
    "order in a call": "return max(tick(1, a), *[tick(2, v) for v in (a, b)], key=(tick(3, abs) if a else None))",
    "order in a store": "x[tick(2, 0)] = tick(1, a) if a else 2\nreturn x",
    "order in an augmented store": "x[tick(1, 0)] *= (tick(2, a) if b else tick(3, b))\nreturn x",
    "order in a dict": "return {tick(1, 'k'): (tick(2, a) if a else 0), tick(3, 'm'): tick(4, b)}",
    "order in a slice": "return x[tick(1, 0):(tick(2, 2) if a else 1):tick(3, 1)]",
    "short circuits": "return (tick(1, 0) and tick(2, 1)) or (tick(3, 0) or tick(4, a)) and tick(5, b)",
    "chain stops": "return tick(1, 1) < tick(2, 0) < tick(3, 5), tick(4, 1) < (y := tick(5, 2)) < (tick(6, 3) if y else 0)",
    "walrus rebinds an operand": "return a + (a := tick(1, 5)) + a",
    "walrus rebinds an index": "i = 0\nx[i] = (i := 1)\nx[i] += (i := 0) + 3\nreturn x, i",
    "walrus rebinds what is updated": "a += (a := 10)\nreturn a",
    "value read before the target's walrus": "x[(a := 0)] = a\nreturn x",
    "unpacking stores in order": "i = 0\ni, x[i] = 1, 7.0\nreturn x, i",
    "an update reads first": "x[0] += poke(x, 5.0)\nx[1] *= (poke(x, 2.0) if a else 1.0)\nreturn x",
    "unused conditional with effects": "a = a if tick(1, a) else a\ntick(2, 1) if b else tick(3, 1)\ntick(4, 0) and tick(5, 0)\nreturn a",
    "nested generators stop": "return any(tick(v, v > 1) for u in (0, 1, 2) for v in (u, u + 1)), all(tick(v, v < 2) for v in (1, 2, 3))",
    "sum with a start": "return sum((v for v in x), tick(1, 10)), sum((v * v for v in x if v > 1), start=a)",
    "generators are lazy in for": "for v in (tick(u, u) for u in (1, 2, 3)):\n    if v == 2:\n        break\nreturn v",
    "else of while with a walrus": (
        "while (y := tick(1, a)) > 0:\n    a = a - 1\n    if a == b:\n        break\nelse:\n    return y, 'else'\nreturn y, a"
    ),
    "exits of nested loops": (
        "for i in range(3):\n    for j in range(3):\n        if j == tick(1, b):\n            break\n"
        "        if i * j > a:\n            return i, j\n"
        "        if j == 1:\n            continue\n        a = a + 1\n"
        "    else:\n        continue\n    b = b + 1\nelse:\n    return 'else', a, b\nreturn a, b"
    ),
    "continue in both branches": (
        "for i in range(5):\n    if i % 2:\n        if i == 3:\n            continue\n        a = a + 1\n"
        "    else:\n        if i == 2:\n            break\n        a = a + 2\n"
        "    b = b + a\nreturn a, b"
    ),
    "return from an endless loop": "while True:\n    a = a + 1\n    if a > 5:\n        return a",
    "break from an endless loop with else": "while True:\n    a = a + 1\n    if a > 5:\n        break\nelse:\n    a = 100\nreturn a",
    "the same array under two names": "p = q = [a, b]\np.append(1)\nreturn q, p is q",
    "default of a lambda": "k = a\nf1 = lambda u, k=k: u + k\nk = 100\nreturn f1(1), (lambda *u, **w: (u, w))(1, 2, z=3)",
    "closure sees a later value": "k = a\nf1 = lambda u: u + k\nk = 100\nreturn f1(1)",
    "comprehension in its own variable": "x = [v + w for v in x for w in [v * v for v in (v, 2)]]\nreturn x",
    "starred displays": "return [*x, a, *(b, a)], (*x, a), {**{'p': a}, 'q': b}",
    "starred index": "m = np.ones((2, 3))\nm[*x[:2]] = 5.0\nreturn m[(*x[:2],)]",
    "raise and assert": "assert b, tick(1, 'no')\nif a > 1:\n    raise ValueError(f'{a} is too much')\nreturn a",
    "conditional in an f-string": "return f'{(tick(1, a) if a else b)!r:>{tick(2, 5)}} {tick(3, b)}'",
    "in-place update through another name": "y = np.array(x) * 1.0\nz = y\nz *= 2.0\nz -= 1.0\nreturn y",
    "star unpacking": "p, *q, r = x\n(s, *t), u = (x, a)\nreturn p, q, r, s, t, u",
}


@pytest.mark.parametrize("args", [(0, 1, [0, 1, 2]), (2, 1, [1, 0, 2]), (3, 0, [1, 0, 1])])
@pytest.mark.parametrize("case", NASTY)
def test_nasty_programs_are_equivalent(case, args):
    def poke(array, value):
        array[0] = value
        return value

    assert_equivalent("def f(a, b, x):\n" + textwrap.indent(NASTY[case], "    "), args, poke=poke)


@pytest.mark.parametrize("many", [10, 30, 100])
def test_many_early_exits_do_not_nest_without_end(many):
    exits = ["return s", "break", "continue"]
    body = "\n".join(f"        s += {i}\n        if x == {i}:\n            {exits[i % 3]}" for i in range(many))
    text = f"def f(x):\n    s = 0\n    for j in range(5):\n{body}\n        s += x\n    return x + s"
    for x in (-1, 3, 4, 5, 23, 24, 25, 26, 27, 97, 98, 99):
        assert_equivalent(text, (x,))


def _runs(case: Case) -> bool:
    """Whether f is a plain function with a text of its own: no closure, lambda, decorated or built-in function."""
    return case.id not in ("C33", "D05", "D06", "O06", "O08")


@pytest.mark.parametrize("case", [c for c in (*constructs(), *mutations()) if _runs(c)], ids=lambda c: c.id)
def test_constructs_are_equivalent(case):
    module = case.module()
    text = inspect.getsource(module.f)
    scope = {k: v for k, v in vars(module).items() if not k.startswith("__")} | {"GRAD": lambda g: g}
    try:
        assert_equivalent(text, case.make_args(module), whole="pass", **scope)
    except DiffError as error:
        assert error.name != "grammar", error


@pytest.mark.parametrize("seed", range(150))
def test_random_programs_are_equivalent(seed):
    log = []

    def bump(items, value):
        items[0] = (items[0] + 1) % 7
        log.append(value)
        return value

    assert_equivalent(program(seed), (1, 2, 0, [1, 2]), bump=bump)


def test_array_arguments_are_left_alone_by_the_stages():
    x = np.arange(3.0)
    assert_equivalent("def f(x):\n    y = x.copy()\n    y *= 2.0\n    return y", (x,))
    assert x.tolist() == [0.0, 1.0, 2.0]
