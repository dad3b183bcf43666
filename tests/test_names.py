"""Names: fresh ones, bound and free ones, dotted ones."""

import abc
import collections
import dataclasses
import enum
import functools
import math

import gast
import numpy as np
import pytest

from sourcediff.python.function import Namespace
from sourcediff.python.names import Names, bound_names, free_names, names_in, parameter_names
from sourcediff.python.quote import expr
from sourcediff.python.resolve import dotted, resolve


@pytest.mark.parametrize(
    "requests, given",
    [
        ("t t t", "t t2 t3"),
        ("x x", "x4 x5"),
        ("log10 log10 log10", "log10 log10_2 log10_3"),
        ("x2", "x2_2"),
        ("lambda lambda", "lambda_ lambda_2"),
        ("None", "None_"),
        ("match", "match"),
    ],
)
def test_fresh(requests, given):
    names = Names(["x", "x2", "x3"])
    assert [names.fresh(r) for r in requests.split()] == given.split()


def test_names_remember():
    names = Names()
    names.take("a", "b")
    other = names.copy()
    assert names.fresh("a") == "a2"
    assert "a2" in names
    assert "a2" not in other
    assert other.fresh("a") == "a2"
    assert not other.is_free("a")
    assert not other.is_free("if")
    assert other.is_free("c")


# source of a function f, its bound names, its free names
SCOPES = [
    ("def f(a, /, b, *c, d=e, **g): return h", "a b c d g", "h"),
    ("def f(x):\n y = x\n z += y\n w: float = u\n del v\n return p.q", "x y z w v", "u p"),
    ("def f():\n for i, (j, *k) in l: pass\n while (m := n): o[i].p = q", "i j k m", "l n o q"),
    ("def f():\n with a as (b, c[d]): pass\n try: pass\n except E as e: pass", "b e", "a c d E"),
    ("def f():\n import a.b, c as d\n from e import g, h as i", "a d g i", ""),
    ("def f(x):\n def g(y=z):\n  return x + y + w + v\n v = 1\n return g", "x g v", "z w"),
    ("def f(x):\n return lambda y, z=u: x + y + w", "x", "u w"),
    ("def f(x):\n return [y + w for y in x for z in y if (q := z)]", "x q", "w"),
    ("def f(x):\n return {k: v for k, v in k}", "x", "k"),
    ("def f(x):\n global g\n g = x\n h = 1", "x h", "g"),
    ("def f(x):\n def g():\n  nonlocal x\n  x = 1\n return g", "x g", ""),
    ("def f(x):\n match x:\n  case [a, *b] | {'k': c, **d} | C(e) as g: return h", "x a b c d e g", "h C"),
    ("def f(x):\n class C(B, k=m):\n  n = 1\n  def o(self): return p\n return C", "x C", "B m p"),
    ("def f(x):\n @d\n def g(): pass\n return g(x=y)", "x g", "d y"),
]


@pytest.mark.parametrize("text, bound, free", SCOPES)
def test_scopes(text, bound, free):
    tree = gast.parse(text).body[0]
    assert bound_names(tree) == set(bound.split())
    assert free_names(tree) == set(free.split())
    assert bound_names(tree) | free_names(tree) <= names_in(tree)


def test_names_in_knows_every_role():
    text = "def f(a):\n import b.c as d, e.g\n def h(i): pass\n try: pass\n except j as k: pass\n return [l for m in n.o(p=q)]"
    assert names_in(gast.parse(text)) == set("f a d e h i j k l m n q".split())
    assert names_in(gast.parse("x = y\nz").body) == set("xyz")


def test_parameters_in_order():
    tree = gast.parse("def f(a, /, b, *c, d, **e): pass").body[0]
    assert parameter_names(tree.args) == list("abcde")


RAN = []


class Meta(type):
    def __getattr__(cls, name):
        RAN.append(name)


class Made(metaclass=Meta):
    stored = 4


class Plain:
    stored = 3

    def __init__(self):
        self.w = 2

    def method(self):
        pass

    @property
    def computed(self):
        RAN.append("computed")

    @functools.cached_property
    def once(self):
        RAN.append("once")

    @staticmethod
    def static():
        pass

    @classmethod
    def of_class(cls):
        pass


class Guessing:
    def __getattr__(self, name):
        RAN.append(name)


class Lying:
    def __getattribute__(self, name):
        RAN.append(name)
        return 1


class Slots:
    __slots__ = ("full", "empty")

    def __init__(self):
        self.full = 1


class Abstract(abc.ABC):
    stored = 5


class Colour(enum.Enum):
    RED = 1


@dataclasses.dataclass(frozen=True)
class Data:
    x: float = 1.5


Pair = collections.namedtuple("Pair", "u v")
plain, guessing, lying, slots, pair, data = Plain(), Guessing(), Lying(), Slots(), Pair(7, 8), Data()
generator, array, part = np.random.default_rng(0), np.zeros(3), functools.partial(math.sin, 1.0)

FOUND = [
    ("np.linalg.norm", np.linalg.norm, "module"),
    ("math.pi", math.pi, "module"),
    ("abs", abs, "builtin"),
    ("np", np, "global"),
    ("np.add.reduce", np.add.reduce, "instance"),
    ("np.float64.mro", np.float64.mro, None),
    ("plain.w", 2, "instance"),
    ("plain.stored", 3, "instance"),
    ("plain.method", plain.method, "instance"),
    ("plain.method.__func__", Plain.method, "instance"),
    ("plain.static", Plain.static, "instance"),
    ("plain.of_class", Plain.of_class, "instance"),
    ("plain.computed", None, None),
    ("plain.once", None, None),
    ("plain.missing", None, None),
    ("Plain.method", Plain.method, "class"),
    ("Plain.stored", 3, "class"),
    ("Plain.__name__", "Plain", "class"),
    ("Plain.computed", None, None),
    ("Made.stored", 4, "class"),
    ("Made.missing", None, None),
    ("Abstract.stored", 5, "class"),
    ("Colour.RED", Colour.RED, "class"),
    ("guessing.x", None, None),
    ("lying.x", None, None),
    ("slots.full", 1, "instance"),
    ("slots.empty", None, None),
    ("pair.v", 8, "instance"),
    ("data.x", 1.5, "instance"),
    ("part.func", math.sin, "instance"),
    ("generator.normal", generator.normal, "instance"),
    ("array.T", None, None),
    ("dict.fromkeys", dict.fromkeys, "class"),
    ("nothing", None, None),
    ("np.nothing", None, None),
    ("math.sin.x", None, None),
    ("abs(x)", None, None),
]


@pytest.mark.parametrize("text, value, kind", FOUND)
def test_resolve(text, value, kind):
    RAN.clear()
    found = resolve(expr(text), Namespace(globals()))
    if kind is None:
        assert found is None
    else:
        assert found == (text, value, kind)
    assert RAN == []


def test_the_nearest_meaning_counts():
    cells = closure_cells(1, lambda: 2)
    namespace = Namespace({"x": 0, "y": 0, "abs": 5}, cells, {"x": 9})
    assert [resolve(expr(name), namespace)[1:] for name in ("x", "y", "abs")] == [(9, "helper"), (1, "cell"), (5, "global")]


def closure_cells(y, _):
    return dict(zip(("y",), (lambda: y).__closure__, strict=True))


def test_dotted():
    assert dotted(expr("a.b.c")) == "a.b.c"
    assert dotted(expr("a().b")) is None
