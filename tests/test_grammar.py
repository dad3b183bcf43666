"""The shape language: what fits, what does not, and how a misfit is reported."""

import timeit

import gast
import pytest

from sourcediff.errors import StageError
from sourcediff.python.grammar import Grammar
from sourcediff.python.quote import expr, stmt

TINY = Grammar(
    "TINY",
    function="FunctionDef(body=[stmt, ..., Return(value=atom)], decorator_list=[])",
    stmt="Assign(targets=[Name], value=value) | Expr(value=Call) | For(target=Name, body=[stmt, stmt, ...], orelse=[])",
    value="atom | BinOp(left=atom, op=Add | Mult, right=atom) | Call(func=Name, args=[atom, ...], keywords=[]) | Slice(step=atom | None)",
    atom="Name | literal | UnaryOp(op=USub, operand=literal)",
    literal=lambda node: isinstance(node, gast.Constant) and isinstance(node.value, (int, float)),
)
LARGER = TINY.but("LARGER", stmt="| Pass | Return(value=None)", value="| Attribute(value=any, attr='T')", literal="Constant(value=1)")


def function(body):
    return gast.parse("def f(x):\n    " + body.replace("\n", "\n    ")).body[0]


@pytest.mark.parametrize(
    "body", ["return x", "y = x\nreturn -1.0", "for i in x:\n    y = i * x\n    g(y)\nreturn y", "y = x + 1\ny = g(y, -1, 2.5)\nreturn y"]
)
def test_inside(body):
    TINY.verify(function(body), "step")


@pytest.mark.parametrize(
    "body, found, expected",
    [
        ("y = x", "Assign(value=Name)", "function (body of FunctionDef)"),
        ("y = x * (x + 1)\nreturn y", "BinOp(left=Name, op=Add, right=Constant)", "atom"),
        ("y = x - 1\nreturn y", "Sub()", "value (op of BinOp)"),
        ("y = g(x, lambda: 0)\nreturn y", "Lambda(args=arguments)", "atom"),
        ("y = g(x, k=1)\nreturn y", "[keyword(arg='k', value=Constant)]", "a list of 0 in value (keywords of Call)"),
        ("for i in x:\n    return i\nreturn x", "Return(value=Name)", "stmt"),
        ("while x:\n    pass\nreturn x", "While(test=Name)", "stmt"),
        ("y = z = x\nreturn x", "[Name(id='y'), Name(id='z')]", "a list of 1 in stmt (targets of Assign)"),
        ("return 'a'", "Constant(value='a')", "atom"),
    ],
)
def test_outside(body, found, expected):
    with pytest.raises(StageError) as error:
        TINY.verify(function(body), "flatten")
    first = str(error.value).splitlines()[0]
    assert first == f"the step flatten gave a program outside TINY: {found} where {expected} is due"
    assert error.value.name == "grammar"


def test_but_changes_and_adds():
    LARGER.verify(function("pass\ny = x.T\nreturn 1"), "step")
    assert LARGER.fits(stmt("return"), "stmt")
    assert not TINY.fits(stmt("return"), "stmt")
    assert not LARGER.fits(expr("x.S"), "value")
    assert not LARGER.fits(expr("2"), "atom")
    assert LARGER.fits(expr("1"), "atom")
    assert not LARGER.fits(expr("True"), "atom")  # a constant is compared with its type


def test_lists_with_a_beginning_and_an_end():
    grammar = Grammar("G", start="Tuple(elts=[Constant, Name, ..., Starred])")
    for text, fits in [("(1, *x)", True), ("(1, a, b, *x)", True), ("(*x, 1)", False), ("(1, a, 2, *x)", False), ("(1,)", False)]:
        assert grammar.fits(expr(text), "start") == fits


@pytest.mark.parametrize(
    "rules, error",
    [
        ({"a": "Nothing"}, NameError),
        ({"a": "Name(nothing=any)"}, NameError),
        ({"a": "b"}, NameError),
        ({"a": "Name('x')"}, SyntaxError),
        ({"a": "List(elts=[...])"}, SyntaxError),
        ({"a": "List(elts=[any, ..., any, ...])"}, SyntaxError),
        ({"a": "Name + Name"}, SyntaxError),
    ],
)
def test_a_grammar_that_is_wrong_itself(rules, error):
    with pytest.raises(error):
        Grammar("WRONG", **rules).fits(expr("[x]"), "a")


def test_a_predicate_takes_no_alternatives():
    with pytest.raises(TypeError):
        TINY.but("WRONG", literal="| Name")


def test_what_fitted_is_not_looked_at_again():
    looked_at = []

    def leaf(node):
        looked_at.append(node)
        return True

    grammar = Grammar("COUNTED", start="FunctionDef(body=[stmt, ...])", stmt="Expr(value=leaf)", leaf=leaf)
    tree = gast.parse("def f():\n    a\n    b").body[0]
    grammar.verify(tree, "one")
    grammar.verify(tree, "two")
    assert len(looked_at) == 2
    grammar.but("OTHER", stmt="| Pass").verify(tree, "three")
    assert len(looked_at) == 4


def test_verifying_is_fast():
    text = "def f(x):\n" + "".join(f"    t = g(x, {i})\n    y = t * x\n" for i in range(20)) + "    return y"
    trees = [gast.parse(text).body[0] for _ in range(20)]
    TINY.verify(trees.pop(), "warm")
    times = []
    for tree in trees:
        start = timeit.default_timer()
        TINY.verify(tree, "step")
        times.append(timeit.default_timer() - start)
    assert min(times) < 0.001
