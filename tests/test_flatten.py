"""flatten: one operation a statement, conditions and indices whole, in Python's order.

That flattened programs do the same as the original ones is tested together with desugar, in test_desugar.py.
"""

from __future__ import annotations

import textwrap

import numpy as np
import pytest

from sourcediff.python.names import Names, names_in
from sourcediff.steps.flatten import flatten
from tests.syntax_stages import assert_equivalent, flattened, function_of, is_pure, text_after

UNCHANGED = {
    "one operation each": """
        def f(x, w):
            y = x * w
            z = np.linalg.norm(y)
            u = x[0]
            v = x.T
            return y, [z, (u, v)], -1.0
    """,
    "atoms are literals too": """
        def f(x):
            a = -1.0
            b = 2 * 3 + 1
            c = 1.0 + 2.0j
            d = x * -2.0
            e = np.sum(x, axis=-1)
            return d
    """,
    "conditions whole": """
        def f(x, n):
            c = x[0] > 0.0 and not n % 2 == 1
            if c:
                x = x * 2.0
            c2 = abs(x[0] * x[1] - n) > 1e-9 or np.all(x > 0.0)
            if c2:
                x = x + 1.0
            c3 = isinstance(x, (int, float)) and x.shape[0] < len(x) <= n
            assert x.ndim == 1
            return x
    """,
    "indices whole": """
        def f(x, i, n):
            y = x[i + 1, n - 1 - 2 * i, :, 1:-1, None, ...]
            z = x[len(x) - 1]
            u = x[: x.shape[0] // 2]
            x[i - 1] = y
            x[:, i] += z
            return u
    """,
    "displays of atoms": """
        def f(x, y):
            a = np.array([[x, 1.0], [2.0, y]])
            b = (x, y)
            d = {"x": x, **y}
            return a
    """,
    "loops": """
        def f(x, n):
            for i in range(n):
                x = x + 1.0
            for i in reversed(range(1, n)):
                x = x * 2.0
            for v in x:
                n = v
            for t in zip(x, x):
                a, b = t
            flag = False
            trips = 0
            while abs(n) > 1.0:
                trips += 1
                n = n / 2.0
                flag = n == 3.0
                if flag:
                    break
            return x
    """,
    "stacks and permutations": """
        def f(x, xs, a, b):
            xs.append(x)
            x = xs.pop()
            a, b = b, a
            x_bar = np.zeros_like(x)
            np.add.at(x_bar, a, b)
            return x_bar
    """,
    "effects": """
        def f(x):
            t = f"x = {x:.3f}"
            print(t, x)
            raise ValueError(f"{x * 2} is wrong", x + 1)
            return None
    """,
}


@pytest.mark.parametrize("case", UNCHANGED)
def test_leaves_alone(case):
    fn = function_of(UNCHANGED[case])
    assert flatten(fn, Names(names_in(fn.tree)), is_pure) is fn


CHANGED = {
    "an expression": ("return np.exp(-x * x) / 2.0", "t = -x\nt2 = t * x\nt3 = np.exp(t2)\nt4 = t3 / 2.0\nreturn t4"),
    "the name assigned to comes last": ("y = np.exp(x[i] * v)\nreturn y", "t = x[i]\nt2 = t * v\ny = np.exp(t2)\nreturn y"),
    "receiver of a method": ("return (x * v).reshape(2, 3).sum(axis=0)", "t = x * v\nt2 = t.reshape(2, 3)\nt3 = t2.sum(axis=0)\nreturn t3"),
    "a method on an attribute of a local": ("y = x.T.dot(v)\nreturn y", "t = x.T\ny = t.dot(v)\nreturn y"),
    "a module's attribute as an operand": ("y = np.pi * x\nreturn y", "t = np.pi\ny = t * x\nreturn y"),
    "a display with an operation in it": (
        "y = np.array([[x, 1.0], [x * v, v]])\nreturn y",
        "t = x * v\ny = np.array([[x, 1.0], [t, v]])\nreturn y",
    ),
    "a called item": ("y = v['sin'](x)(i)\nreturn y", "t = v['sin']\nt2 = t(x)\ny = t2(i)\nreturn y"),
    "a condition": ("if x[0] > v:\n    x = v\nreturn x", "c = x[0] > v\nif c:\n    x = v\nreturn x"),
    "a condition that is a flag": ("if not i:\n    x = v\nreturn x", "c = not i\nif c:\n    x = v\nreturn x"),
    "an unknown call in a condition": ("if step(x) > v:\n    x = v\nreturn x", "t = step(x)\nc = t > v\nif c:\n    x = v\nreturn x"),
    "what it may change is read before": (
        "if x[0] > step(x):\n    x = v\nreturn x",
        "t2 = x[0]\nt = step(x)\nc = t2 > t\nif c:\n    x = v\nreturn x",
    ),
    "an unknown call behind and": (
        "if i > 0 and step(x) > v:\n    x = v\nreturn x",
        "c = i > 0\nif c:\n    t = step(x)\n    c = t > v\nif c:\n    x = v\nreturn x",
    ),
    "an unknown call behind or": (
        "if i > 0 or step(x):\n    x = v\nreturn x",
        "c = i > 0\nc2 = not c\nif c2:\n    t = step(x)\n    c = t\nif c:\n    x = v\nreturn x",
    ),
    "an unknown call in a chain": ("y = i < step(x) < v\nreturn y", "t = step(x)\ny = i < t < v\nreturn y"),
    "an unknown call at the end of a chain": (
        "y = i < v < step(x)\nreturn y",
        "c = i < v\nif c:\n    t = step(x)\n    c = v < t\ny = c\nreturn y",
    ),
    "a mask": ("y = x[x < 0.0]\nx[x > v] = 0.0\nreturn y", "t = x < 0.0\ny = x[t]\nt2 = x > v\nx[t2] = 0.0\nreturn y"),
    "an item in an index": ("y = x[v[i] + 1]\nreturn y", "t = v[i]\ny = x[t + 1]\nreturn y"),
    "a list as index": ("y = x[[0, 0, 2]]\nreturn y", "t = [0, 0, 2]\ny = x[t]\nreturn y"),
    "a store": ("x[i + 1] = x[i] * v", "t = x[i]\nt2 = t * v\nx[i + 1] = t2\nreturn None"),
    "an accumulation": ("x[i] += v * 2.0\nreturn x", "t = v * 2.0\nx[i] += t\nreturn x"),
    "an accumulation of a call that may write there": ("x[i] += step(x)\nreturn x", "t2 = x[i]\nt = step(x)\nt2 += t\nx[i] = t2\nreturn x"),
    "bounds of a range": (
        "for j in range(len(x) - 1):\n    v = j\nreturn v",
        "t = len(x)\nt2 = t - 1\nfor j in range(t2):\n    v = j\nreturn v",
    ),
    "flag and trips stay at their loop": (
        "for j in range(len(x)):\n    if v > 1:\n        break\nreturn v",
        "t = len(x)\nflag = False\ntrips = 0\nfor j in range(t):\n    trips += 1\n    flag = v > 1\n    if flag:\n        break\nreturn v",
    ),
    "default of a nested function": (
        "def g(a, k=v * 2):\n    return a * k + 1\nreturn g",
        "t = v * 2\n\ndef g(a, k=t):\n    t2 = a * k\n    t3 = t2 + 1\n    return t3\nreturn g",
    ),
    "text": ("y = f'{x * 2:.{i}f}'\nreturn y", "t = x * 2\ny = f'{t:.{i}f}'\nreturn y"),
}


def _function(body: str) -> str:
    return "def f(x, v, i):\n" + textwrap.indent(body, "    ")


@pytest.mark.parametrize("case", CHANGED)
def test_becomes(case):
    before, after = CHANGED[case]
    lines = text_after(flattened, _function(before), step=lambda a: 1.0).split("\n")
    expected = text_after(lambda fn: fn, _function(after)).split("\n")
    assert [line for line in lines if line.strip()] == [line for line in expected if line.strip()]


def test_a_while_with_an_unknown_call_tests_first_thing_in_an_endless_loop():
    text = """
        def f(x):
            while step(x) > 1.0:
                x = x / 2.0
                if x == 3.0:
                    break
            return x
    """
    expected = """
        def f(x):
            flag = False
            trips = 0
            flag2 = False
            trips2 = 0
            while True:
                trips2 += 1
                t = step(x)
                flag2 = not t > 1.0
                c = not flag2
                if c:
                    trips += 1
                    x = x / 2.0
                    flag = x == 3.0
                    flag2 = flag
                if flag2:
                    break
            return x
    """
    assert text_after(flattened, text, step=lambda a: a) == textwrap.dedent(expected).strip()
    for x in (0.5, 6.0, 40.0):
        assert_equivalent(text, (x,), step=lambda a: a)


def test_a_pure_function_under_another_name_is_pure_and_a_shadowed_one_is_not():
    whole = "def f(x):\n    c = size(x) > 1\n    return c"
    fn = function_of(whole, size=len)
    assert flatten(fn, Names(names_in(fn.tree)), is_pure) is fn
    shadowed = "def f(x, len):\n    c = len(x) > 1\n    return c"
    assert "t = len(x)" in text_after(flattened, shadowed)


NASTY = {
    "an update whose value writes there": "x[0] += poke(x, 5.0)\nx[1] -= x[0] * poke(x, 1.0)\nreturn x",
    "a chain whose middle writes": "return x[0] < poke(x, 2.0) < x[0] + 1, x",
    "conditions that write": "if x[0] < 1 and poke(x, 3.0) > x[0] - 1 or poke(x, 0.0):\n    return x, 1\nreturn x, 2",
    "an index that writes": "y = [1, 2, 3]\nreturn y[len(y) - 1], y[len(y) - 1] + y.pop() + y[len(y) - 1], y",
    "two indices of which one writes": "m = {(0, 2): 1, (1, 2): 5}\ny = [1, 2]\nreturn m[len(y) - 1, y.pop()]",
    "arguments in order": "return max(x[0], poke(x, 4.0), x[0]), x",
    "a while whose test writes": "n = 0\nwhile poke(x, x[0] + 1) < 5 and n < 10:\n    n += 1\n    if n == b:\n        break\n"
    "else:\n    return n, x\nreturn x, n",
    "an assertion that writes": "assert poke(x, 2.0) > x[0] - 1, 'message'\nreturn x",
    "a slice that writes": "return x[len(x) - 2:poke(x, 3)], x",
    "methods": "y = np.array(x) * 1.0\nreturn (y + a).reshape(3, 1).T.tolist(), y.sum() + y.max() * y.mean()",
}


@pytest.mark.parametrize("args", [(0, 1, [0, 1, 2]), (2, 3, [3, 0, 2])])
@pytest.mark.parametrize("case", NASTY)
def test_nasty_programs_are_equivalent(case, args):
    def poke(array, value):
        array[0] = value
        return value

    assert_equivalent("def f(a, b, x):\n" + textwrap.indent(NASTY[case], "    "), args, poke=poke)


def test_arrays():
    assert_equivalent(
        """
        def f(A, b):
            n = len(b)
            L = A.copy()
            for k in range(n - 1):
                L[k + 1:, k] /= L[k, k]
                L[k + 1:, k + 1:] -= np.outer(L[k + 1:, k], L[k, k + 1:])
            y = b * 1.0
            y[y > 0.5] *= 2.0
            return L, y[[0, 0, -1]] @ A[0, ::-1][:n]
        """,
        (np.array([[4.0, 1.0, 2.0], [1.0, 3.0, 0.5], [0.2, 0.1, 5.0]]), np.array([0.3, 0.7, 1.1])),
    )
