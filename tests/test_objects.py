"""Objects that the function makes or gets: what cannot be decided is refused, what it relied on is guarded, results keep their class."""

import operator
from collections import namedtuple
from dataclasses import dataclass
from types import SimpleNamespace

import pytest

import sourcediff as sd


@dataclass
class Body:
    pos: float
    vel: float


class Model:
    scale = 2.0

    def __init__(self, w):
        self.w = w
        self.seen = []

    def loss(self, x):
        return self.scale * self.w * x * x

    def remember(self, x):
        self.seen.append(x)
        return x * self.seen[-1]

    def count(self, x):
        self.w = x
        return x * self.w


Pair = namedtuple("Pair", ["a", "b"])
MODEL = Model(3.0)


def moved(x):
    b = Body(x, 2.0)
    for _ in range(2):
        b.pos += 0.1 * b.vel * x
    return b


def pair(x):
    return Pair(x * x, b=x)


def nest(x):
    return {"space": SimpleNamespace(v=x * x, w=[x, 2.0]), "model": Model(x)}


def test_results_keep_their_class():
    value, tangent = sd.jvp(moved)(0.7, 1.0)
    assert (value.pos, value.vel) == (pytest.approx(0.98), 2.0)
    assert isinstance(tangent, Body)
    assert tangent.pos == pytest.approx(1.4)
    assert sd.vjp(moved)(0.7, Body(1.0, 5.0))[1] == pytest.approx(1.4)
    assert sd.jvp(pair)(0.5, 1.0) == (Pair(0.25, 0.5), Pair(1.0, 1.0))
    value, tangent = sd.jvp(nest)(0.5, 1.0)
    assert value["space"] == SimpleNamespace(v=0.25, w=[0.5, 2.0])
    assert tangent["space"] == SimpleNamespace(v=1.0, w=[1.0, 0.0])
    assert type(value["model"]) is Model
    assert (value["model"].w, tangent["model"].w) == (0.5, 1.0)


def test_nothing_of_an_object_is_in_the_loop():
    source = sd.grad(lambda x: moved(x).pos).specialize(0.7).source
    assert "Body" not in source.split("return")[0].split("#")[0]
    assert "b.pos" not in "".join(line.split("#")[0] for line in source.splitlines())


def model_of(x):
    return MODEL.loss(x)


def test_a_global_object_is_read_when_the_derivative_runs():
    df = sd.grad(model_of)
    assert df(0.5) == 6.0
    MODEL.w = 5.0
    try:
        assert df(0.5) == 10.0
        assert "MODEL.w" in df.specialize(0.5).source
    finally:
        MODEL.w = 3.0


def test_a_method_that_is_replaced_changes_the_derivative(monkeypatch):
    df = sd.grad(model_of)
    assert df(0.5) == 6.0

    def loss(self, x):
        return self.w * x

    monkeypatch.setattr(Model, "loss", loss)
    assert df(0.5) == 3.0
    monkeypatch.undo()
    monkeypatch.setattr(Model, "scale", 4.0)
    assert df(0.5) == 12.0


def test_methods_are_differentiated():
    assert sd.grad(MODEL.loss)(0.5) == 6.0
    assert sd.grad(Model.loss, wrt=("self.w", "x"))(MODEL, 0.5) == (0.5, 6.0)


def chosen_and_written(x):
    one, other = Body(x, 1.0), Body(2.0, x)
    best = one if x > 0.5 else other
    best.pos = x * x
    return one.pos + other.pos


def swapped_in_a_loop(x, n):
    one, other = Body(x, 1.0), Body(2.0, x)
    for _ in range(n):
        one, other = other, one
        one.pos = one.pos * x
    return one.pos


def kept_from_the_last_trip(x, n):
    """`one` is `other` from the second trip on, and that is written."""
    one, other = Body(x, 1.0), Body(2.0, x)
    for k in range(n):
        one.pos = x * k
        if x > 0.5:
            one = other
    return other.pos


def grown_in_a_loop(x, n):
    table = {}
    for k in range(n):
        table[k] = x * k
    return table[0]


def made_and_used_after(x, n):
    for k in range(n):
        b = Body(x * k, 1.0)
    return b.pos


def set_in_a_set(x):
    return x * max({x, 2.0 * x})


def removed_from_a_set(x):
    s = set()
    s.add(x)
    return x * s.pop()


def remembered(x):
    return MODEL.remember(x)


def counted(x):
    return MODEL.count(x)


def handed_over(x):
    table = {"x": x}
    operator.setitem(table, "x", 2.0)
    return table["x"]


@pytest.mark.parametrize(
    ("f", "args", "name"),
    [
        (chosen_and_written, (0.7,), "object_undecided"),
        (swapped_in_a_loop, (0.7, 3), "object_undecided"),
        (kept_from_the_last_trip, (0.7, 3), "object_undecided"),
        (grown_in_a_loop, (0.7, 3), "unknown_key"),
        (made_and_used_after, (0.7, 3), "object_from_loop"),
        (set_in_a_set, (0.7,), "active_set"),
        (removed_from_a_set, (0.7,), "active_set"),
        (remembered, (0.7,), "container_write"),
        (counted, (0.7,), "attribute_write"),
        (handed_over, (0.7,), "object_as_value"),
    ],
)
def test_what_cannot_be_followed_is_refused(f, args, name):
    for transform in (sd.grad, sd.jvp):
        with pytest.raises(sd.DiffError) as caught:
            transform(f)(*args, *([1.0] if transform is sd.jvp else []))
        assert caught.value.name == name
