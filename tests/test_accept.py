"""accept: what is refused, all of it together; what cannot run is gone."""

from __future__ import annotations

import pytest

from sourcediff.errors import UnsupportedError
from tests.syntax_stages import accepted, function_of, text_after

REFUSED = {
    "yield": "def f(x):\n    yield x",
    "async": "async def g(): pass\ndef f(x):\n    async def g(): pass\n    return x",
    "dynamic_code": "def f(x):\n    return eval('x')",
    "namespace_call": "def f(x):\n    return locals()['x']",
    "global_write": "def f(x):\n    global COUNT\n    COUNT = x\n    return x",
    "nonlocal_write": "def f(x):\n    k = x\n    def g():\n        nonlocal k\n        k = 2.0\n    g()\n    return k",
    "class_statement": "def f(x):\n    class T:\n        k = 2.0\n    return x",
    "try": "def f(x):\n    try:\n        return x\n    finally:\n        pass",
    "with": "def f(x):\n    with np.errstate():\n        return x",
    "match": "def f(x):\n    match x:\n        case 1:\n            return x",
    "delete_item": "def f(x):\n    del (x[0], x[1])\n    return x",
    "stored_generator": "def f(x):\n    g = (v for v in x)\n    return sum(g)",
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name):
    text = REFUSED[name]
    with pytest.raises(UnsupportedError) as caught:
        accepted(function_of(text[text.index("def f") :]))
    assert caught.value.name == name
    assert caught.value.place is not None


def test_all_findings_come_together():
    with pytest.raises(UnsupportedError) as caught:
        accepted(
            function_of("""
            def f(x):
                global A
                A = x
                del (x[0], x[1])
                return exec("y = 1")
        """)
        )
    assert [p.name for p in caught.value.problems] == ["global_write", "delete_item", "dynamic_code"]


def test_nested_functions_are_looked_at_too():
    with pytest.raises(UnsupportedError) as caught:
        accepted(function_of("def f(x):\n    g = lambda: eval('1')\n    return g()"))
    assert caught.value.name == "dynamic_code"


@pytest.mark.parametrize(
    "text",
    [
        "def f(x):\n    global W\n    return W * x",
        "def f(x):\n    eval = np.sin\n    return eval(x)",
        "def f(x, exec):\n    return exec(x)",
        "def f(x):\n    del x\n    return 1.0",
        "def f(x, *args, **kwargs):\n    return np.sum(*args, **kwargs) + {1, 2}.pop()",
        "def f(x):\n    return sum(v for v in x) + sum(list(v for v in x))",
        "def f(p):\n    return vars(p)['w']",
        "def f(x):\n    async_ = x\n    return (lambda v: v)(async_)",
    ],
)
def test_let_through(text):
    fn = function_of(text)
    assert accepted(fn) is fn


UNREACHABLE = {
    "behind return": ("return x * 2.0\nx = undefined(x)", "return x * 2.0"),
    "behind raise": ("raise ValueError(x)\nreturn eval('1')", "raise ValueError(x)"),
    "behind a break": ("for i in x:\n    break\n    yield i\nreturn x", "for i in x:\n    break\nreturn x"),
    "behind branches that both leave": ("if x:\n    return 1\nelse:\n    raise X\nreturn 2", "if x:\n    return 1\nelse:\n    raise X"),
    "behind an endless loop": ("while True:\n    x = g(x)\nreturn x", "while True:\n    x = g(x)"),
    "not behind an endless loop that is left": ("while True:\n    break\nreturn x", "while True:\n    break\nreturn x"),
}


@pytest.mark.parametrize("case", UNREACHABLE)
def test_code_that_cannot_run_is_dropped(case):
    before, after = ("def f(x):\n" + "\n".join("    " + line for line in text.split("\n")) for text in UNREACHABLE[case])
    assert text_after(accepted, before) == after
