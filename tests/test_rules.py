"""Every rule of the registry against differences, its two halves against each other, its text against itself.

No rule is named here: a rule says itself where it is to be tried (`on=`).
"""

from __future__ import annotations

import ast
import linecache
import zlib

import gast
import numpy as np
import pytest

import sourcediff as sd
from sourcediff.python.lattice import UNKNOWN
from sourcediff.python.quote import constant, name
from sourcediff.python.valued import type_of
from sourcediff.rules import BindError, all_rules, bind, rule_for
from sourcediff.rules.forms import text_takes_result
from sourcediff.runtime import unbroadcast

DIFFERENTIABLE = [r for r in all_rules() if r.form in ("elementwise", "linear", "bilinear", "general") and r.pure]
COMPOSITIONS = [r for r in all_rules() if r.form == "composition"]


def sample_namespace():
    rng = np.random.default_rng(1)

    def draw(*shape):
        return rng.uniform(0.2, 1.8, shape) * rng.choice([-1.0, 1.0], shape)

    square = draw(3, 3) + 3 * np.eye(3)
    return {
        "np": np,
        "v": draw(4),
        "w": draw(4),
        "u": draw(3),
        "t": draw(3),
        "A": draw(3, 4),
        "C": draw(4, 3),
        "M": draw(3, 2),
        "B": draw(2, 3, 4),
        "D": draw(2, 4, 3),
        "S": square,
        "R": np.array([[1.0, -2.0, 0.5], [2.0, -4.0, 1.0], [0.3, 0.7, -0.4]]),  # singular
        "SS": np.stack([square, 2 * square.T]),
        "z": draw(4) + 1j * draw(4),
    }


def interval_calls(rule):
    """Calls of an elementwise rule: numbers, arrays, broadcasting; from the intervals that `on` gives."""
    variadic = isinstance(rule.on, list)
    count = len(rule.on) if variadic else len(rule.operands)
    on = rule.on if rule.on is not None else (-2, 2)
    intervals = list(on) if isinstance(on[0], tuple) else [on] * count
    rng = np.random.default_rng(zlib.crc32(rule.path.encode()))
    shapes = [()] * count, [(3, 4)] * count, [(4,), *[(3, 1)] * (count - 1)], [(), *[(4,)] * (count - 1)], [(4,), *[()] * (count - 1)]
    for shape in shapes if rule.kind != "python float" else shapes[:1] * 3:
        yield [float(a) if np.ndim(a) == 0 else a for a in (rng.uniform(*i, s) for i, s in zip(intervals, shape, strict=True))], {}


def calls_of(rule):
    if rule.form == "elementwise" and not (isinstance(rule.on, list) and isinstance(rule.on[0], str)):
        yield from interval_calls(rule)
        return
    assert rule.on, f"{rule.path} does not say where it is to be tried"
    for text in rule.on:
        args, options = eval(text, sample_namespace() | {"f": lambda *a, **k: (list(a), k)})
        yield args, options


def leaves(x):
    if isinstance(x, (list, tuple)):
        return [leaf for element in x for leaf in leaves(element)]
    return [x] if np.asarray(x).dtype.kind in "fc" else []


def rebuild(x, replace):
    """`x` with each floating-point leaf replaced; other leaves stay."""
    if isinstance(x, (list, tuple)):
        return type(x)(rebuild(e, replace) for e in x) if type(x) in (list, tuple) else [rebuild(e, replace) for e in x]
    return replace(x) if np.asarray(x).dtype.kind in "fc" else x


class Case:
    """One call of one rule, with the rule applied by hand as the machine would."""

    def __init__(self, rule, args, options):
        self.rule = rule
        self.bound = rule.signature.bind(*args, **options)
        self.bound.apply_defaults()
        self.arguments = self.bound.arguments
        self.active = [p for p in rule.operands if leaves(self.arguments[p])]
        self.passed = rule.signature.bind(*args, **options)
        self.rng = np.random.default_rng(7)

    def run(self, **changes):
        bound = type(self.bound)(self.bound.signature, self.passed.arguments | changes)
        return self.rule.function(*bound.args, **bound.kwargs)

    def direction(self, x):
        def draw(leaf):
            d = self.rng.standard_normal(np.shape(leaf))
            if np.iscomplexobj(leaf):
                d = d + 1j * self.rng.standard_normal(np.shape(leaf))
            if isinstance(leaf, np.ndarray):
                return np.asarray(d, leaf.dtype)
            return complex(d) if np.iscomplexobj(leaf) else float(d)

        return rebuild(x, draw)

    def moved(self, dots, h):
        def move(x, d):
            if isinstance(x, (list, tuple)):
                return type(x)(move(a, b) for a, b in zip(x, d, strict=True))
            if np.asarray(x).dtype.kind not in "fc":
                return x
            return np.asarray(x + h * d) if isinstance(x, np.ndarray) else x + h * d

        return self.run(**{p: move(self.arguments[p], dots[p]) for p in dots})

    def tangent(self, y, dots):
        rule, arguments = self.rule, self.arguments
        if rule.form == "elementwise":
            total = 0
            partials = per_operand(rule, call(rule.partials.function, rule, arguments, [y]))
            for p, partial in zip(rule.operands, partials, strict=True):
                if p in dots and p in rule.sequences | variadic(rule):
                    total = total + sum(a * b for a, b in zip(partial, dots[p], strict=True))
                elif p in dots:
                    total = total + partial * dots[p]
            return total
        if rule.form == "linear":
            return self.run(**{p: dots.get(p, zeros(arguments[p])) for p in rule.operands if p in self.active})
        if rule.form == "bilinear":
            if variadic(rule):
                (p,) = rule.operands
                terms = [self.run(**{p: (*arguments[p][:k], d, *arguments[p][k + 1 :])}) for k, d in enumerate(dots[p])]
                return sum(terms[1:], terms[0])
            terms = [self.run(**{p: d}) for p, d in dots.items()]
            return sum(terms[1:], terms[0])
        tangents = {p + "_dot": dots.get(p) for p in rule.operands}
        return call(rule.forward.function, rule, arguments, [y], tangents)

    def adjoints(self, y, y_bar):
        rule = self.rule
        if rule.form == "elementwise":
            partials = per_operand(rule, call(rule.partials.function, rule, self.arguments, [y]))
            bars = [[y_bar * q for q in p] if isinstance(p, list) else y_bar * p for p in partials]
        else:
            first = [y_bar, y] if text_takes_result(rule.reverse) else [y_bar]
            bars = per_operand(rule, call(rule.reverse.function, rule, self.arguments, first))
        return {p: fitted(bar, self.arguments[p]) for p, bar in zip(rule.operands, bars, strict=True) if p in self.active}


def variadic(rule):
    return {p.name for p in rule.parameters if p.kind is p.VAR_POSITIONAL}


def per_operand(rule, result):
    return [result] if len(rule.operands) == 1 else list(result)


def call(function, rule, arguments, first, more=None):
    """A rule function on the arguments of the call."""
    stated = rule.signature
    positional = [
        a for p in stated.parameters.values() if p.kind in (p.POSITIONAL_OR_KEYWORD, p.POSITIONAL_ONLY) for a in [arguments[p.name]]
    ]
    starred = [a for p in stated.parameters.values() if p.kind is p.VAR_POSITIONAL for a in arguments[p.name]]
    if more:
        return function(*first, **arguments, **more)
    keywords = {p.name: arguments[p.name] for p in stated.parameters.values() if p.kind is p.KEYWORD_ONLY}
    return function(*first, *positional, *starred, **keywords)


def zeros(x):
    return rebuild(x, lambda leaf: leaf * 0)


def fitted(bar, x):
    if isinstance(x, (list, tuple)):
        return [fitted(bar[i], x[i]) for i in range(len(x))]
    return unbroadcast(np.asarray(bar) if isinstance(bar, list) else bar, x)


def pairing(a, b):
    return sum(np.sum(np.real(np.asarray(p) * np.asarray(q))) for p, q in zip(leaves(a), leaves(b), strict=True))


def vector(x):
    return np.concatenate([np.ravel(leaf) for leaf in leaves(x)])


def all_cases(rules):
    return [
        pytest.param(rule, args, options, id=f"{rule.path}-{rule.form}-{k}")
        for rule in rules
        for k, (args, options) in enumerate(calls_of(rule))
    ]


@pytest.mark.parametrize(("rule", "args", "options"), all_cases(DIFFERENTIABLE))
def test_rule(rule, args, options):
    case = Case(rule, args, options)
    y = case.run()
    subsets = [case.active] + ([[p] for p in case.active] if len(case.active) > 1 else [])
    for active in subsets:
        dots = {p: case.direction(case.arguments[p]) for p in active}
        y_dot = case.tangent(y, dots)
        steps = [(vector(case.moved(dots, h)) - vector(case.moved(dots, -h))) / (2 * h) for h in (2e-3, 1e-3, 5e-4)]
        first = [(4 * b - a) / 3 for a, b in zip(steps, steps[1:], strict=False)]
        expected = (16 * first[1] - first[0]) / 15
        tolerance = 1e-3 if any(leaf.dtype == np.float32 for leaf in map(np.asarray, leaves(y))) else 3e-8
        got = np.broadcast_to(y_dot, np.shape(y)) if not isinstance(y, (list, tuple)) else y_dot
        np.testing.assert_allclose(vector(got), expected, rtol=tolerance, atol=tolerance)
    dots = {p: case.direction(case.arguments[p]) for p in case.active}
    y_dot = case.tangent(y, dots)
    y_bar = case.direction(y)
    bars = case.adjoints(y, y_bar)
    left = pairing(y_bar, np.broadcast_to(y_dot, np.shape(y)) if not isinstance(y, (list, tuple)) else y_dot)
    right = sum(pairing(bars[p], dots[p]) for p in case.active)
    np.testing.assert_allclose(left, right, rtol=1e-5 if tolerance > 1e-6 else 1e-10, atol=1e-10)


@pytest.mark.parametrize("typed", [True, False], ids=["typed", "untyped"])
@pytest.mark.parametrize(("rule", "args", "options"), all_cases(DIFFERENTIABLE))
def test_text_means_what_the_function_means(rule, args, options, typed):
    """Each text of a rule, instantiated for a call, evaluates to what the rule function returns."""
    case = Case(rule, args, options)
    y = case.run()
    y_bar = case.direction(y)
    values = dict(case.arguments)
    dots = {p + "_dot": case.direction(case.arguments[p]) if p in case.active else None for p in rule.operands}
    with_a_zero = [dots | {p: None} for p in dots if sum(d is not None for d in dots.values()) > 1]
    for text, extra in ((rule.partials, {}), (rule.reverse, {}), *((rule.forward, d) for d in [dots, *with_a_zero])):
        if text is None:
            continue
        nodes, scope = bound_nodes(text, rule, values, extra, y, y_bar)
        types = {n: type_of(v) for n, v in scope.items()} if typed else {}
        written = text.instantiate(nodes, lambda node: types.get(getattr(node, "id", ""), UNKNOWN))
        if written is None:
            comprehends = any(isinstance(n, gast.ListComp) for s in text.body for n in gast.walk(s))
            assert not typed or comprehends or any(isinstance(n, gast.Tuple) for n in nodes.values()), "a typed call has a text"
            continue
        first = [y] if text is not rule.reverse else [y_bar, y] if text_takes_result(text) else [y_bar]
        expected = call(text.function, rule, values, first, extra)
        single = not isinstance(expected, tuple)
        for node, part in zip(written, [expected] if single else expected, strict=True):
            got = eval(ast.unparse(gast.gast_to_ast(gast.Expression(body=node))), text.function.__globals__ | scope)
            same(got, part)


def bound_nodes(text, rule, values, extra, y, y_bar):
    scope = dict(extra)
    names = text.function.__code__.co_varnames
    scope[names[0]] = y if text is not rule.reverse else y_bar
    if text is rule.reverse and text_takes_result(text):
        scope[names[1]] = y
    nodes = {}
    stars = variadic(rule)
    for p, value in list(values.items()) + [(k, v) for k, v in extra.items() if k in text.names]:
        if p in stars or (p.removesuffix("_dot") in stars and p in extra):
            elements = [f"{p}_{i}" for i in range(len(value))]
            scope |= dict(zip(elements, value, strict=True))
            nodes[p] = gast.Tuple(elts=[name(e) for e in elements], ctx=gast.Load())
        elif value is None or (isinstance(value, (bool, int, str)) and not isinstance(value, np.generic)):
            nodes[p] = constant(value)
        else:
            scope[p] = value
            nodes[p] = name(p)
    return nodes | {n: name(n) for n in names[:2] if n in scope and n not in nodes}, scope


def same(got, expected):
    if isinstance(expected, (list, tuple)):
        for a, b in zip(got, expected, strict=True):
            same(a, b)
    else:
        np.testing.assert_allclose(got, expected, rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize(
    "rule",
    [r for r in DIFFERENTIABLE if r.form == "elementwise" and r.kind == "ufunc" and not isinstance(r.on, list)],
    ids=lambda r: r.path,
)
def test_holomorphic(rule):
    """Rules of functions that NumPy extends to complex numbers hold there too."""
    args = next(interval_calls(rule))[0]
    args = [np.array(a + 0.1j * (k + 1)) for k, a in enumerate(args)]
    try:
        rule.function(*args)
    except TypeError:
        pytest.skip("not defined for complex numbers")
    case = Case(rule, args, {})
    dots = {p: case.direction(case.arguments[p]) for p in case.active}
    h = 1e-4
    expected = (8 * (case.moved(dots, h) - case.moved(dots, -h)) - case.moved(dots, 2 * h) + case.moved(dots, -2 * h)) / (12 * h)
    np.testing.assert_allclose(case.tangent(case.run(), dots), expected, rtol=1e-8)


@pytest.mark.parametrize(("rule", "args", "options"), all_cases(DIFFERENTIABLE))
def test_single_precision_stays(rule, args, options):
    """Tangents of float32 arrays are float32 where the value is."""
    single = [
        rebuild(a, lambda leaf: leaf.astype(np.float32) if isinstance(leaf, np.ndarray) and leaf.dtype == float else leaf) for a in args
    ]
    case = Case(
        rule, single, {k: v.astype(np.float32) if isinstance(v, np.ndarray) and v.dtype == float else v for k, v in options.items()}
    )
    y = case.run()
    if not isinstance(y, np.ndarray) or y.dtype != np.float32:
        pytest.skip("the value is not a float32 array")
    if any(np.asarray(leaf).dtype == float for p in case.active for leaf in leaves(case.arguments[p])):
        pytest.skip("a Python float is among the operands")
    y_dot = case.tangent(y, {p: case.direction(case.arguments[p]) for p in case.active})
    assert np.result_type(y_dot) in (np.float32, np.bool_) or not isinstance(y_dot, np.ndarray)


@pytest.mark.parametrize(("rule", "args", "options"), all_cases(COMPOSITIONS))
def test_composition(rule, args, options):
    np.testing.assert_allclose(rule.definition(*args, **options), rule.function(*args, **options))


@pytest.mark.parametrize("rule", all_rules(), ids=lambda r: r.path)
def test_declaration(rule):
    assert rule_for(rule.function) is rule
    assert rule.form != "undefined" or rule.reason
    assert set(rule.operands) <= set(rule.signature.parameters)
    assert all(text is None or text.body for text in (rule.partials, rule.reverse, rule.forward))
    assert (rule.form != "general") or (rule.reverse and rule.forward)


def test_other_names_of_parameters():
    """np.clip has two names for each bound; one argument cannot be given under both."""
    x, low = name("x"), constant(0)
    assert bind(rule_for(np.clip), [x], {"min": low})["a_min"] is low
    with pytest.raises(BindError, match="two names"):
        bind(rule_for(np.clip), [x], {"min": low, "a_min": low})


@pytest.mark.parametrize(
    "call", ["x.clip(min=0)", "x.clip(0)", "x.clip(0, 1)", "x.clip(max=1)", "np.clip(x, None, 1)", "np.clip(x, 0, None)"]
)
def test_one_bound_is_enough(call):
    source = f"def f(x):\n    return np.sum(x * {call})\n"
    f = function_of(source)
    x = np.array([-0.5, 0.3, 1.7])
    h = 1e-6
    expected = [(f(x + h * e) - f(x - h * e)) / (2 * h) for e in np.eye(3)]
    np.testing.assert_allclose(sd.grad(f)(x), expected, rtol=1e-8)
    np.testing.assert_allclose([sd.jvp(f)(x, e)[1] for e in np.eye(3)], expected, rtol=1e-8)


def function_of(source):
    file = f"<{source}>"
    linecache.cache[file] = (len(source), None, source.splitlines(True), file)
    scope = {"np": np}
    exec(compile(source, file, "exec"), scope)
    return scope["f"]


OPTIONS = ["np.sum([x[0], x[1] * x[2]])", "np.mean((x[0], x[1]))", "np.max([x, 2 * x], axis=0)", "np.clip(x, a_min=0, a_max=None)"]
OPTIONS += ["np.array(x, copy=True, order='F')", "x.copy(order='C')", "x.astype(float, copy=True)", "np.sort(x, kind='stable')"]
OPTIONS += ["np.std(x, correction=1)", "np.einsum('i,i', x, x, optimize=True)", "np.pad(x, 1, constant_values=0)", "np.add.reduce(x)"]
OPTIONS += ["np.average(x, weights=[1.0, 2.0, 3.0])", "np.linspace(x[0], 1.0, num=4, retstep=False)", "np.sort([x, -x], axis=None)"]
OPTIONS += ["np.linspace(x, 0.5, 3)", "np.bincount([0, 2, 2], weights=x)", "np.maximum.reduce(x)", "divmod(x[0], 0.3)[1]", "np.modf(x)[0]"]


@pytest.mark.parametrize("call", OPTIONS)
def test_options(call):
    f = function_of(f"def f(x):\n    t = {call}\n    return np.sum(t * t)\n")
    x, h = np.array([-0.51, 0.37, 1.73]), 1e-6
    expected = [(f(x + h * e) - f(x - h * e)) / (2 * h) for e in np.eye(3)]
    np.testing.assert_allclose(sd.grad(f)(x), expected, rtol=1e-7, atol=1e-8)
    np.testing.assert_allclose([sd.jvp(f)(x, e)[1] for e in np.eye(3)], expected, rtol=1e-7, atol=1e-8)


REFUSED = [
    "np.sort(x, kind=k)",
    "np.array(x, copy=False)",
    "x.astype(float, copy=False)",
    "np.pad(x, 1, constant_values=2.0)",
    "np.unique(x)",
]
REFUSED += ["np.nan_to_num(x, copy=False)", "np.ix_(x)[0]", "np.sum(x, dtype=int)", "np.linspace(x[0], 1.0, 4, retstep=True)[0]"]


@pytest.mark.parametrize("call", REFUSED)
def test_an_option_that_no_rule_covers_is_refused(call):
    f = function_of(f"def f(x, k='stable'):\n    return np.sum({call})\n")
    with pytest.raises(sd.DiffError):
        sd.grad(f)(np.array([0.5, 2.0]))
