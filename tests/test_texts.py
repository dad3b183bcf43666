"""The texts that rules write into derivatives, as a person would write them."""

from __future__ import annotations

import ast
import math

import gast
import numpy as np
import pytest

from sourcediff.python.lattice import UNKNOWN, Array, Const, Float, Int, Scalar
from sourcediff.python.quote import expr
from sourcediff.rules import BindError, bind, bind_method, rule_for, rule_for_attribute, rule_for_method, rule_for_operator
from sourcediff.rules.forms import REGISTRY, text_takes_result

F, V, M = Float(), Array(np.dtype(float), 1), Array(np.dtype(float), 2)


def written(text, bindings, types):
    parts = text.instantiate(bindings, lambda n: types.get(getattr(n, "id", ""), UNKNOWN))
    return None if parts is None else ", ".join(ast.unparse(gast.gast_to_ast(p)) for p in parts)


def texts_of(call, types, rule=None, bound=None):
    """The partials or adjoints of a call, with y for the result and y_bar for its cotangent."""
    node = expr(call)
    if rule is None:
        rule = rule_for(eval(ast.unparse(gast.gast_to_ast(node.func)), {"np": np, "math": math}))
        bound = bind(rule, node.args, {k.arg: k.value for k in node.keywords})
    text = rule.partials or rule.reverse
    names = text.function.__code__.co_varnames
    first = {names[0]: "y" if rule.partials else "y_bar"}
    if rule.reverse and text_takes_result(text):
        first[names[1]] = "y"
    return written(text, {k: expr(v) for k, v in first.items()} | bound, types)


TEXTS = [
    ("np.tanh(x)", {}, "1 - y * y"),
    ("np.exp(x)", {}, "y"),
    ("np.log(x)", {}, "1 / x"),
    ("np.sqrt(x)", {}, "1 / (2 * y)"),
    ("np.multiply(a, b)", {}, "b, a"),
    ("np.divide(a, b)", {}, "1 / b, -y / b"),
    ("math.hypot(a, b, c)", {}, "[a / y, b / y, c / y]"),
    ("math.log(x)", {}, "1 / x, 0"),
    ("np.sum(x)", {}, "y_bar"),
    ("np.sum(x, axis=0)", {}, "np.expand_dims(y_bar, 0)"),
    ("np.sum(x, k)", {}, None),
    ("np.sum(x, k)", {"k": Int()}, "np.expand_dims(y_bar, k)"),
    ("np.sum(x, k)", {"k": Const(None)}, "y_bar"),
    ("np.sum(x, axis=k, keepdims=True)", {}, "y_bar"),
    ("np.mean(x)", {}, "y_bar / np.size(x)"),
    ("np.mean(x)", {"x": V}, "y_bar / x.size"),
    ("np.matmul(a, b)", {"a": M, "b": M}, "y_bar @ b.T, a.T @ y_bar"),
    ("np.matmul(a, b)", {"a": M, "b": V}, "np.outer(y_bar, b), a.T @ y_bar"),
    ("np.dot(a, b)", {"a": V, "b": V}, "y_bar * b, y_bar * a"),
    ("np.matmul(a, b)", {}, "matmul_left(y_bar, a, b), matmul_right(y_bar, a, b)"),
    ("np.outer(a, b)", {"a": V, "b": V}, "y_bar @ b, a @ y_bar"),
    ("np.einsum('ij,jk->ik', a, b)", {}, "[np.einsum('ik,jk->ij', y_bar, b), np.einsum('ik,ij->jk', y_bar, a)]"),
    (
        "np.maximum(x, 0.0)",
        {"x": V},
        "np.where(x == 0.0, y_bar / 2, np.where(x > 0.0, y_bar, 0)), np.where(x == 0.0, y_bar / 2, np.where(x < 0.0, y_bar, 0))",
    ),
    ("np.abs(x)", {"x": V}, "y_bar * np.sign(x)"),
    ("np.abs(x)", {}, "y_bar * phase(x).conjugate()"),
    ("abs(x)", {"x": F}, "y_bar * ((x > 0) - (x < 0))"),
    ("max(a, b)", {}, "[0.0 if b > a else y_bar, y_bar if b > a else 0.0]"),
    ("np.reshape(x, (2, 3))", {"x": V}, "np.reshape(y_bar, x.shape)"),
    ("np.transpose(x)", {"x": M}, "y_bar.T"),
    ("np.linalg.norm(x)", {"x": V}, "y_bar / (y + (y == 0)) * x"),
    ("np.linalg.inv(x)", {"x": M}, "-y.T @ y_bar @ y.T"),
    ("np.linalg.solve(a, b)", {"a": M, "b": V}, "-np.outer(np.linalg.solve(a.T, y_bar), y), np.linalg.solve(a.T, y_bar)"),
    ("np.stack([a, b])", {}, "y_bar"),
    ("np.where(c, a, b)", {}, "np.where(c, y_bar, 0), np.where(c, 0, y_bar)"),
    ("np.roll(x, 2)", {}, "np.roll(y_bar, -2, None)"),
    ("np.array([a, b])", {}, "y_bar"),
    ("sum([a, b])", {}, "[y_bar, y_bar], y_bar"),
]


@pytest.mark.parametrize(("call", "types", "expected"), TEXTS)
def test_text(call, types, expected):
    text = texts_of(call, types)
    assert text == expected
    assert texts_of(call, types) == text  # the second from the cache


@pytest.mark.parametrize(
    ("exponent", "expected"),
    [
        ("2", "2 * x"),
        ("3", "3 * x ** 2"),
        ("1", "1"),
        ("0", "0"),
        ("0.5", "0.5 * x ** (-0.5)"),
        ("-1", "-x ** (-2)"),
        ("n", "n * x ** (n - (n != 0))"),
    ],
)
def test_power(exponent, expected):
    rule = rule_for_operator("**")
    bound = {"z": expr("y"), "base": expr("x"), "exp": expr(exponent)}
    assert written(rule.partials, bound, {}).split(", ")[0] == expected


def test_free_names_are_filled_where_the_user_calls_them_otherwise():
    text = rule_for(np.sin).partials
    (part,) = text.instantiate({"y": expr("y"), "x": expr("np"), "np": expr("numpy")}, lambda n: UNKNOWN)
    assert ast.unparse(gast.gast_to_ast(part)) == "numpy.cos(np)"
    assert text.free == {"np": np}


def test_literals_that_compare_equal_are_told_apart():
    rule = rule_for_operator("**")
    for exponent, expected in (("2", "2 * x"), ("2.0", "2.0 * x ** 1.0"), ("True", None)):
        text = written(rule.partials, {"z": expr("y"), "base": expr("x"), "exp": expr(exponent)}, {})
        assert expected is None or text.startswith(expected) or text.startswith("2.0 * x")


def test_runtime_call():
    from sourcediff.rules.calls import runtime_call

    rule = rule_for(np.sum)
    bound = {"y_bar": expr("s_bar")} | bind(rule, [expr("x"), expr("k")], {"keepdims": expr("True")})
    shown = ast.unparse(gast.gast_to_ast(runtime_call(expr("sum_"), rule.reverse, bound)))
    assert shown == "sum_(s_bar, x, k, keepdims=True, where=True)"
    rule = rule_for(max)
    bound = {"z_bar": expr("m_bar"), "z": expr("m")} | bind(rule, [expr("a"), expr("b")], {})
    assert ast.unparse(gast.gast_to_ast(runtime_call(expr("max_"), rule.reverse, bound))) == "max_(m_bar, m, a, b)"


METHODS = [
    ("reshape", ["2", "3"], "np.reshape", {"shape": "(2, 3)"}),
    ("reshape", ["(2, 3)"], "np.reshape", {"shape": "(2, 3)"}),
    ("reshape", ["-1"], "np.reshape", {"shape": "-1"}),
    ("transpose", [], "np.transpose", {"axes": "None"}),
    ("transpose", ["1", "0"], "np.transpose", {"axes": "(1, 0)"}),
    ("sum", ["0"], "np.sum", {"axis": "0", "keepdims": "False"}),
    ("clip", ["0.0", "1.0"], "np.clip", {"a_min": "0.0", "a_max": "1.0"}),
    ("dot", ["b"], "np.dot", {"b": "b"}),
    ("copy", [], "np.copy", {}),
    ("flatten", [], "np.ndarray.flatten", {"order": "'C'"}),
    ("astype", ["float"], "np.ndarray.astype", {"dtype": "float"}),
    ("conj", [], "np.conjugate", {}),
]


@pytest.mark.parametrize(("method", "args", "path", "expected"), METHODS)
def test_method(method, args, path, expected):
    rule, bound = bind_method(method, expr("x"), [expr(a) for a in args], {})
    assert rule.path == path
    shown = {k: ast.unparse(gast.gast_to_ast(v)) for k, v in bound.items()}
    assert shown.pop(rule.parameters[0].name) == "x"
    assert {k: shown[k] for k in expected} == expected


def test_every_method_has_a_rule():
    from sourcediff.rules.calls import METHOD_NAMES

    assert [m for m in sorted(METHOD_NAMES) if rule_for_method(m) is None] == []
    assert rule_for_method("fill") is None
    assert rule_for_attribute("T").path == "np.transpose"
    assert rule_for_attribute("shape").form == "constant"
    assert rule_for_attribute("base") is None


def test_calls_that_a_rule_does_not_cover():
    for call in ("np.sum(x, dtype=float)", "np.exp(x, out=y)", "np.sum()", "np.sum(x, 0, None)", "max(a, key=f)", "np.sum(*xs)"):
        node = expr(call)
        rule = rule_for(eval(ast.unparse(gast.gast_to_ast(node.func)), {"np": np}))
        with pytest.raises(BindError):
            bind(rule, node.args, {k.arg: k.value for k in node.keywords})


def test_lookup_is_by_identity():
    def exp(x):
        return x

    assert rule_for(exp) is None
    assert rule_for(np.amax) is rule_for(np.max)
    assert rule_for(np.add.at).path == "np.add.at"
    assert rule_for(np.random.rand).pure is False
    assert rule_for(Scalar) is None
    assert rule_for_operator("-", 1).path == "np.negative"
    assert rule_for_operator("@").path == "np.matmul"
    assert all(id(rule.function) == key or rule.function is not None for key, rule in REGISTRY.items())


def test_import_reads_no_rule():
    """The text of a rule is read when a call first needs it."""
    import subprocess
    import sys

    code = (
        "import sourcediff.rules as r;"
        "print(sum('body' in t.__dict__ for x in r.all_rules() for t in (x.partials, x.reverse, x.forward) if t))"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env={"PYTHONPATH": ":".join(sys.path)})
    assert shown.stdout.strip() == "0"
