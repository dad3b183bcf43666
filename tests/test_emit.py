"""Printing: text as a person writes it, which reads back as the tree it was printed from."""

import ast
import glob
import os
import subprocess
import sys
import sysconfig
import textwrap
import timeit

import gast
import pytest

from sourcediff.errors import StageError
from sourcediff.python import quote
from sourcediff.python.emit import to_ast, to_source
from sourcediff.python.wrapping import WIDTH

# Expressions that are printed just as they stand here.
EXPRESSIONS = """
x * (x + y)
x * y + z
(x + y) * z
x - (y - z)
x - y - z
x / (y * z)
-x
-x ** 2
(-x) ** 2
x ** -y
x ** y ** z
(x ** y) ** z
2 ** -1
-(x + y)
- -x
not x
not (x and y)
not x == y
x and (y or z)
x and y or z
x < y <= z
(x < y) < z
x is not None and y not in z
a if b else c
a if b else c if d else e
(a if b else c) if d else e
(a if b else c) + 1
x | y & z ^ ~w
(x | y) & z
x << 1 + y
a @ b.T
x[i]
x[i - 1]
x[1:-1, 0]
x[:, None]
x[i + 1:n - 1, ::2]
x[..., i]
x[i][j]
x[(i, j), k]
x[i,]
x[()]
x[*i, j]
(x + y)[0]
(x + y).sum()
(-x).real
(1).real
1.5 .real
x.real.sum(axis=0)
f(x)(y)
f(*a, x, *b, k=1, **c)
f(x for x in y)
f((x for x in y), z)
(lambda x: x)(1)
lambda: 0
lambda x, /, y=1, *a, z, w=2, **k: x if y else z
f(lambda x: x, y)
(x, y)
(x,)
()
[x, y, *z]
{}
{a: b, **c}
{a, b}
{*a}
[x + 1 for x in y if x if z]
[x for x, y in zip(a, b)]
[x for x in (y if a else b)]
{k: v for k in a for v in b}
{x for x in y}
(x for x in y)
[(x, y) for x in z]
(x := y + 1)
f((x := y))
"text"
'say "no"'
"it's"
"line\\nbreak"
b"bytes"
1e309
1e-05
1j
0.0 + 2j
None
...
f"{x}"
f"{x!r:>{w}.3f} and {{braces}}"
f'{d["k"]}'
f"{x + y}{ {a: b}}"
f"it's {x}"
f"{(lambda: 0)}"
f"{x if y else z}"
""".strip().splitlines()

EXACT = {"- -x": "--x", "1.5 .real": "(1.5).real", 'f"{x if y else z}"': 'f"{(x if y else z)}"'}


@pytest.mark.parametrize("text", EXPRESSIONS)
def test_expressions(text):
    node = gast.parse(text).body[0].value
    assert to_source(node) == EXACT.get(text, text)


# Statements that are printed just as they stand here, inside a function.
STATEMENTS = [
    "return x, y",
    "return (x,)",
    "return",
    "x = y = z",
    "x, y = y, x",
    "x[i] += y",
    "x.a: int = 3",
    "x: int",
    "(x): int = 1",
    "del x, y[0]",
    "raise",
    "raise E(x) from None",
    "assert x, 'it\\'s \"x\"'",
    "import a.b as c, d",
    "from . import a",
    "from ..b import c as d",
    "global a, b",
    "pass",
    "yield x",
    "x = yield",
    "return (yield x)",
    "print(x)",
    "if x:\n    pass\nelif y:\n    pass\nelse:\n    pass",
    "if x:\n    pass\nelse:\n    y = 1\n    if z:\n        pass",
    "for i, (j, *k) in x:\n    break\nelse:\n    continue",
    "while (x := f()):\n    pass\nelse:\n    pass",
    "with a as b, c() as (d, e), f:\n    pass",
    "try:\n    pass\nexcept (A, B) as e:\n    pass\nexcept C:\n    pass\nexcept:\n    pass\nelse:\n    pass\nfinally:\n    pass",
    "try:\n    pass\nexcept* A as e:\n    pass",
    "match x, y:\n    case [1, *_] | (2 as b):\n        pass\n    case {'k': None, **rest} if b:\n        pass\n"
    '    case C(a, k=-1.5) | C():\n        pass\n    case a.b | "t":\n        pass\n'
    "    case 1 | 2 as c:\n        pass\n    case _:\n        pass",
    "async def g():\n    await x\n    async for i in y:\n        pass\n    async with z:\n        pass",
    "x = 1\n\n@a.b(c)\ndef g(x: int, /, y: float = 1.0, *a, k, **b) -> C:\n    return x\n\ny = 2",
    "class C(A, k=B):\n    x = 1\n\n    def f(self):\n        pass",
    'def g(*args):\n    """One line."""',
]


@pytest.mark.parametrize("text", STATEMENTS)
def test_statements(text):
    whole = "async def f():\n" if "await" in text else "def f():\n"
    whole += textwrap.indent(text, "    ") + "\n"
    printed = to_source(gast.parse(whole).body[0])
    quotes = printed.replace("'k'", '"k"')
    assert quotes == whole.replace("'k'", '"k"').replace("'it\\'s \"x\"'", repr('it\'s "x"'))


def test_modules_have_two_empty_lines_around_definitions():
    text = "import a\n\n\ndef f():\n    pass\n\n\ndef g():\n    pass\n"
    assert to_source(gast.parse(text).body) == text


@pytest.mark.parametrize("text", ["Two\n    lines.\n    ", 'quoted """', "back\\slash", "", 'ends with "', "größer", "tab\t"])
def test_docstrings(text):
    tree = quote.rebuilt(gast.parse("def f(): pass").body[0], body=[gast.Expr(value=quote.constant(text))])
    assert ast.get_docstring(to_ast(tree).body[0], clean=False) == text


def test_comments():
    tree = gast.parse("def f(x):\n    if x:\n        y = x\n        return y\n    return -x").body[0]
    branch, last = tree.body
    comments = {tree: ["The gradient.", "", "By x."], branch: "which way", branch.body[0]: ["y = x"], last: "c" * 90}
    assert to_source(tree, comments) == (
        "# The gradient.\n#\n# By x.\ndef f(x):\n    if x:  # which way\n        # y = x\n        y = x\n        return y\n"
        f"    # {'c' * 90}\n    return -x\n"
    )


def test_an_elif_with_a_comment_becomes_an_else():
    tree = gast.parse("if x:\n    pass\nelif y:\n    pass").body[0]
    assert to_source(tree, {tree.orelse[0]: "why"}) == "if x:\n    pass\nelse:\n    if y:  # why\n        pass\n"


WRAPPED = [
    """
    h_bar = (value_bar * np.exp(x_long_name) * (1 - np.tanh(another_long_name) ** 2)
             + second_bar / (1 + exponential ** 2))
    """,
    """
    call(alpha=first_array_name, beta=second_array_name, gamma=third_name, delta=fourth_one,
         epsilon=another_name(1, 2, 3))
    """,
    """
    return (np.concatenate([first_array_name, second_array_name * third_array_name, fourth_array]),
            another_name)
    """,
    """
    if (first_array_name > second_array_name and third_array_name < fourth_array_name
        or fifth_array_name != 1):
        pass
    """,
    """
    def function_of_many(first_argument, second_argument, third_argument=None, *, fourth_argument,
                         fifth_argument):
        pass
    """,
    """
    text = "a string, with (commas, and brackets] that is longer than a line can be and can not be broken"
    """,
]


@pytest.mark.parametrize("text", WRAPPED)
def test_long_lines(text):
    text = textwrap.dedent(text).lstrip("\n")
    assert to_source(gast.parse(text).body) == text


def test_long_lines_fit_at_any_depth():
    term = "coefficient[i - 1] * np.exp(-exponent[i] * (position[i] - centre[i]) ** 2)"
    for text in (f"x = {' + '.join([term] * 5)}", f"f({', '.join([term] * 5)})", f"return g([{', '.join([term] * 3)}], k={term})"):
        for depth in range(6):
            head = "".join("    " * d + "if a:\n" for d in range(depth))
            tree = gast.parse(head + "    " * depth + text).body
            assert all(len(line) <= WIDTH for line in to_source(tree).splitlines())


@pytest.mark.parametrize(
    "tree",
    [
        gast.Constant(value=-1.0, kind=None),
        gast.BinOp(left=gast.Constant(value=-1.0, kind=None), op=gast.Pow(), right=gast.Constant(value=2, kind=None)),
        gast.Constant(value=1 + 2j, kind=None),
        gast.Constant(value=float("nan"), kind=None),
        quote.name("not a name"),
        quote.name("x + y"),
        gast.Return(value=quote.name("x\ny")),
    ],
)
def test_what_does_not_read_back_is_our_fault(tree):
    with pytest.raises(StageError) as error:
        to_source(tree)
    assert error.value.name == "printed_wrong"


def test_to_ast_compiles_trees_without_contexts():
    tree = quote.stmt("def f(x, i):\n    y = x.copy()\n    y[i], z = i, 2\n    del z\n    return y")
    assert all(not isinstance(getattr(node, "ctx", None), gast.Del) for node in gast.walk(quote.name("x")))
    scope = {}
    exec(compile(to_ast(tree), "made", "exec"), scope)
    assert scope["f"]([1, 2], 0) == [0, 2]


def test_the_standard_library_reads_back():
    folder = sysconfig.get_paths()["stdlib"]
    paths = sorted(glob.glob(os.path.join(folder, "[a-d]*.py"))) + sorted(glob.glob(os.path.join(folder, "test", "test_[gp]*.py")))[:25]
    for path in paths:
        with open(path, encoding="utf-8", errors="ignore") as file:
            text = file.read()
        try:
            tree = gast.parse(text)
        except SyntaxError:
            continue
        to_source(tree.body)


OLD_NAMES_GONE = """
import ast, sys
if hasattr(ast, "__getattr__"):
    del ast.__getattr__
for name in ("Num", "Str", "Bytes", "NameConstant", "Ellipsis"):
    if name in vars(ast):
        delattr(ast, name)
for name in ("s", "n"):
    if name in vars(ast.Constant):
        delattr(ast.Constant, name)
"""
RARE = """
import gast
from sourcediff.python.emit import to_source
text = "[f'{x}' + 'a' for x, y in z if x]; {1, -2.5, 'a', b'c', ..., None}; (lambda x=1: {k: v for k in 'x'}); f(i for i in (y := 3))"
for statement in gast.parse(text).body:
    to_source(statement)
"""


@pytest.mark.parametrize("before", ["", OLD_NAMES_GONE], ids=["as it is", "as in 3.14"])
def test_astor_is_silent_and_needs_no_old_names(before):
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)}
    done = subprocess.run([sys.executable, "-W", "error", "-c", before + RARE], env=environment, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


def test_astor_is_not_imported_for_common_code():
    code = (
        "import sys, gast; from sourcediff.python.emit import to_source\n"
        "to_source(gast.parse('x = f(y) + 1').body)\nassert 'astor' not in sys.modules"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)}
    assert subprocess.run([sys.executable, "-c", code], env=environment).returncode == 0


def test_printing_is_fast():
    lines = [f"    a{i} = np.exp(x[{i}] * y) + a{i - 1} / (2.0 - x ** 2)" for i in range(40)]
    tree = gast.parse("def f(x, y):\n" + "\n".join(lines)).body[0]
    assert min(timeit.repeat(lambda: to_source(tree), number=1, repeat=20)) < 0.006  # 1 ms on a machine of 2024
