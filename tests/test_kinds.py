"""The predicted types against what NumPy and Python give, over many operands of each kind."""

from __future__ import annotations

import itertools
import operator
from fractions import Fraction

import gast
import numpy as np
import pytest
from test_rules import DIFFERENTIABLE, calls_of, rebuild

from sourcediff.facts.kinds import attribute_type, binary_type, index_type, result_type
from sourcediff.python.lattice import (
    UNKNOWN,
    Array,
    Bool,
    Complex,
    Const,
    Dict,
    Float,
    Int,
    List,
    Number,
    Other,
    Real,
    Scalar,
    Str,
    Tuple,
)
from sourcediff.python.quote import constant, expr, name
from sourcediff.python.valued import type_of
from sourcediff.rules import all_rules, bind, rule_for

VALUES = [
    True,
    3,
    2.5,
    1 + 2j,
    Fraction(1, 2),
    np.float64(0.5),
    np.float32(0.5),
    np.int64(3),
    np.int8(3),
    np.bool_(True),
    np.complex64(1),
    np.array(0.5),
    np.array([0.5, 1.5]),
    np.array([0.5, 1.5], np.float32),
    np.array([1, 2]),
    np.array([1, 2], np.int8),
    np.array([True, False]),
    np.array([1j, 2]),
    np.array([[0.5, 1.5]]),
]


def covers(predicted, value):
    """Whether a type may stand for a value. An array of unknown rank may be of rank 0, and then a scalar stands for it."""
    match predicted:
        case Array():
            if isinstance(value, np.generic):
                return predicted.rank is None and predicted.dtype in (None, value.dtype)
            return isinstance(value, np.ndarray) and predicted.dtype in (None, value.dtype) and predicted.rank in (None, value.ndim)
        case Scalar():
            return isinstance(value, np.generic) and value.dtype == predicted.dtype
        case Float() | Int() | Bool() | Complex() | Str():
            return type(value) is {Float: float, Int: int, Bool: bool, Complex: complex, Str: str}[type(predicted)]
        case Real():
            return type(value) in (int, float, np.float64)
        case Number() | Other():
            return isinstance(value, predicted.cls)
        case Const():
            return value is predicted.value or value == predicted.value
        case List():
            return isinstance(value, list) and all(covers(predicted.element, v) for v in value)
        case Tuple():
            return isinstance(value, tuple) and all(covers(p, v) for p, v in zip(predicted.elements, value, strict=True))
        case Dict():
            return isinstance(value, dict)
    return predicted is UNKNOWN


OPERATORS = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "//": operator.floordiv,
    "%": operator.mod,
    "**": operator.pow,
    "@": operator.matmul,
    "==": operator.eq,
    "<": operator.lt,
    "&": operator.and_,
}


@pytest.mark.parametrize("symbol", OPERATORS)
def test_operators(symbol):
    for a, b in itertools.product(VALUES, VALUES):
        try:
            with np.errstate(all="ignore"):
                value = OPERATORS[symbol](a, b)
        except (TypeError, ValueError, ZeroDivisionError):
            continue
        predicted = binary_type(symbol, type_of(a), type_of(b))
        assert covers(predicted, value), (a, b, predicted, value)
        loose = binary_type(symbol, forgotten(type_of(a)), type_of(b))
        assert covers(loose, value), (a, b, loose, value)


def forgotten(t):
    return Array(None, None) if isinstance(t, Array) else t


def test_scalar_programs_are_known():
    """What has to be known for scalar code to read well."""
    f, f8 = Float(), Scalar(np.dtype(float))
    assert all(binary_type(op, f, f) == f for op in "+ - * / // % **".split())
    assert binary_type("/", Int(), Int()) == f
    assert binary_type("*", f, f8) == f8
    assert binary_type("*", f, Array(np.dtype("f4"), 2)) == Array(np.dtype("f4"), 2)
    assert binary_type("+", Array(np.dtype("f4"), 1), Array(np.dtype("f8"), 2)) == Array(np.dtype("f8"), 2)
    assert binary_type("<", f, Int()) == Bool()
    assert binary_type("*", Array(), f) == Array()


def nodes_of(rule, args, options):
    """The bound arguments of a call as nodes, the type of each name, and the type of each argument in order."""
    scope = {}

    def node(value, label):
        if value is None or isinstance(value, (bool, int, str)) and not isinstance(value, np.generic):
            return constant(value)
        if isinstance(value, tuple) and all(isinstance(v, int) for v in value):
            return gast.Tuple(elts=[constant(v) for v in value], ctx=gast.Load())
        scope[label] = type_of(value) if not isinstance(value, list) else Tuple(tuple(type_of(v) for v in value))
        return name(label)

    bound = bind(rule, [node(a, f"x{i}") for i, a in enumerate(args)], {k: node(v, k) for k, v in options.items()})
    types = []
    for n in bound.values():
        if isinstance(n, gast.Tuple) and any(isinstance(e, gast.Name) for e in n.elts):
            types.append(Tuple(tuple(scope.get(getattr(e, "id", ""), Int()) for e in n.elts)))
        else:
            types.append(scope.get(getattr(n, "id", ""), UNKNOWN))
    return bound, types, scope


def converted(x, dtype):
    return rebuild(x, lambda leaf: leaf.astype(dtype) if isinstance(leaf, np.ndarray) and leaf.dtype == float else leaf)


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int64])
@pytest.mark.parametrize("rule", [r for r in DIFFERENTIABLE if r.kind != "none"], ids=lambda r: f"{r.path}")
def test_calls_of_rules(rule, dtype):
    for args, options in calls_of(rule):
        args = [converted(a, dtype) for a in args]
        try:
            with np.errstate(all="ignore"):
                value = rule.function(*args, **options)
        except (TypeError, ValueError, ZeroDivisionError, np.linalg.LinAlgError):
            continue
        bound, types, scope = nodes_of(rule, args, options)
        predicted = result_type(rule, types, bound, lambda n, scope=scope: scope.get(n, UNKNOWN))
        assert covers(predicted, value), (args, options, predicted, value)
        loose = result_type(rule, [forgotten(t) for t in types], bound, lambda n, scope=scope: forgotten(scope.get(n, UNKNOWN)))
        assert covers(loose, value), (args, options, loose, value)


@pytest.mark.parametrize("rule", [r for r in all_rules() if isinstance(r.function, np.ufunc)], ids=lambda r: r.path)
def test_ufuncs(rule):
    for values in itertools.product(VALUES, repeat=rule.function.nin):
        if any(isinstance(v, Fraction) for v in values):
            continue
        try:
            with np.errstate(all="ignore"):
                value = rule.function(*values)
        except (TypeError, ValueError):
            continue
        bound = {str(i): name(f"x{i}") for i in range(len(values))}
        predicted = result_type(rule, [type_of(v) for v in values], bound)
        if rule.form not in ("constant", "undefined"):
            bound = bind(rule, list(bound.values()), {})
            predicted = result_type(rule, [type_of(v) for v in values], bound)
        assert covers(predicted, value), (values, predicted, value)


CREATION = [
    ("np.zeros(3)", Array(np.dtype(float), 1)),
    ("np.zeros(n)", Array(np.dtype(float), 1)),
    ("np.zeros((n, 3))", Array(np.dtype(float), 2)),
    ("np.zeros((2, 3), dtype='f4')", Array(np.dtype("f4"), 2)),
    ("np.zeros_like(v)", Array(np.dtype(float), 1)),
    ("np.ones_like(i)", Array(np.dtype(int), 1)),
    ("np.arange(3)", Array(np.dtype(int), 1)),
    ("np.arange(0.0, 3)", Array(np.dtype(float), 1)),
    ("np.eye(3)", Array(np.dtype(float), 2)),
    ("np.linspace(0.0, 1.0, 5)", Array(np.dtype(float), 1)),
    ("np.full(3, 0.5)", Array(np.dtype(float), 1)),
    ("np.array([1.0, 2.0])", Array(np.dtype(float), 1)),
    ("np.array([[1.0, 2], [x, 4]])", Array(np.dtype(float), 2)),
    ("np.array([v, v])", Array(np.dtype(float), 2)),
    ("np.argmax(v)", Scalar(np.dtype(int))),
    ("np.any(v)", Scalar(np.dtype(bool))),
    ("len(v)", Int()),
    ("np.shape(A)", Tuple((Int(), Int()))),
    ("np.sum(A)", Scalar(np.dtype(float))),
    ("np.sum(A, axis=0)", Array(np.dtype(float), 1)),
    ("np.mean(i)", Scalar(np.dtype(float))),
    ("np.dot(v, v)", Scalar(np.dtype(float))),
    ("A @ v", Array(np.dtype(float), 1)),
    ("np.exp(x)", Scalar(np.dtype(float))),
    ("math.exp(x)", Float()),
    ("max(x, 0.0)", Float()),
    ("abs(x)", Float()),
    ("sum(i)", UNKNOWN),
    ("np.where(v > 0.0, v, 0.0)", Array(np.dtype(float), 1)),
    ("np.clip(v, 0.0, 1.0)", Array(np.dtype(float), 1)),
]
SCOPE = {"np": np, "n": 3, "x": 0.5, "v": np.array([0.5, 1.5]), "i": np.array([1, 2]), "A": np.ones((2, 2)), "math": __import__("math")}


@pytest.mark.parametrize(("text", "expected"), CREATION)
def test_known_results(text, expected):
    def of_name(identifier):
        return type_of(SCOPE[identifier])

    node = expr(text)
    value = eval(text, dict(SCOPE))
    if isinstance(node, gast.BinOp):
        predicted = binary_type("@", of_name(node.left.id), of_name(node.right.id))
    else:
        from sourcediff.facts.kinds import expression_type

        rule = rule_for(eval(gast_text(node.func), dict(SCOPE)))
        bound = bind(rule, node.args, {k.arg: k.value for k in node.keywords})
        types = [Array(np.dtype(bool), 1) if isinstance(n, gast.Compare) else expression_type(n, of_name) for n in bound.values()]
        predicted = result_type(rule, types, bound, of_name)
    assert predicted == expected
    assert covers(predicted, value)


def gast_text(node):
    return node.id if isinstance(node, gast.Name) else f"{gast_text(node.value)}.{node.attr}"


INDICES = (
    "0|-1|i|i + 1|i - 2 * 1|:|1:|::2|None|...|(0, 0)|(0, slice(None))|ints|mask|(0, ints)|(ints, ints)|(None, 0)|(..., 0)|[0, 1]|grid|n8"
)
BASES = {"v": np.arange(4.0), "A": np.ones((4, 4)), "B": np.ones((4, 4, 4), np.float32), "l": [1.0, 2.0, 3.0], "t": (1.0, 2, "a")}


@pytest.mark.parametrize("base", BASES)
@pytest.mark.parametrize("index", INDICES.split("|"))
def test_subscripts(base, index):
    names = {
        "i": 1,
        "ints": np.array([0, 2, 2]),
        "mask": np.array([True, False, True, True]),
        "grid": np.array([[0, 1], [1, 2]]),
        "n8": np.int8(1),
    }
    index = index.replace("(0, slice(None))", "0, :")
    try:
        value = eval(f"{base}[{index}]", BASES | names)
    except (TypeError, IndexError):
        pytest.skip("not a subscript of this value")
    node = expr(f"{base}[{index}]")
    types = {n: type_of(v) for n, v in (BASES | names).items()} | {"l": List(Float())}
    predicted = index_type(types[base], node.slice, types.__getitem__)
    assert covers(predicted, value), (predicted, value)
    if index in ("0", ":", "i", "i + 1", "0, :", "ints", "mask", "None") and base != "t":
        assert predicted is not UNKNOWN
    loose = index_type(forgotten(types[base]), node.slice, types.__getitem__)
    assert covers(loose, value)


@pytest.mark.parametrize("value", [v for v in VALUES if not isinstance(v, Fraction)], ids=repr)
@pytest.mark.parametrize("attribute", ["shape", "ndim", "size", "T", "real", "imag", "dtype"])
def test_attributes(value, attribute):
    if not hasattr(value, attribute):
        pytest.skip("no such attribute")
    assert covers(attribute_type(type_of(value), attribute), getattr(value, attribute))
