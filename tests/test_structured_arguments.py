"""Paths in wrt, Jacobians of structures, sd.flatten: with the structures that users' programs have."""

from collections import OrderedDict
from types import SimpleNamespace

import numpy as np
import pytest

import sourcediff as sd
from tests import structures as st
from tests.programs.structured_arguments import (
    Body,
    Box,
    Layer,
    Pendulum,
    Point,
    box_volume,
    layer_loss,
    layers_in_order,
    list_of_dicts,
    nested_dict,
    points,
    swing,
    tree,
)

W, V = np.array([0.2, -0.4]), np.array([0.7, 0.3])
X = np.array([1.0, 2.0])
TREE = {"layers": [Layer(W, 0.1)], "point": Point(0.7, 1.2), "scale": V, "pair": (0.5, 2)}


@pytest.mark.parametrize(
    ("f", "args", "whole", "path", "part"),
    [
        (layer_loss, (Layer(W, 0.3), X), "layer", "layer.w", lambda g: g.w),
        (layers_in_order, ([Layer(W, 0.1), Layer(V, 0.3)], X), "layers", "layers[1].b", lambda g: g[1].b),
        (points, (Point(0.7, 1.2), Point(0.4, 0.5)), "q", "q.y", lambda g: g.y),
        (points, (Point(0.7, 1.2), Point(0.4, 0.5)), "q", "q[1]", lambda g: g.y),
        (tree, (TREE, X), "params", "params['layers'][0].w", lambda g: g["layers"][0].w),
        (tree, (TREE, X), "params", "params['pair'][0]", lambda g: g["pair"][0]),
        (tree, (TREE, X), "params", "params['point']", lambda g: g["point"]),
        (box_volume, (Box(1.2, {"u": W, "v": [1.5, 2.5]}),), "box", "box.inside['v'][1]", lambda g: g.inside["v"][1]),
        (list_of_dicts, ([{"a": 0.5, "b": 0.7}, {"a": 1.5, "b": -0.2}],), "rows", "rows[1]['b']", lambda g: g[1]["b"]),
        (lambda xs: xs[0] * xs[1], ([0.5, 0.7],), "xs", "xs[0]", lambda g: g[0]),
    ],
)
def test_a_path_gives_that_part_of_the_gradient(f, args, whole, path, part):
    expected = part(sd.grad(f, wrt=whole)(*args))
    assert not st.difference(sd.grad(f, wrt=path)(*args), expected)
    _, bar = sd.vjp(f, wrt=path)(*args, 2.0)
    assert not st.difference(bar, st.map_leaves(lambda leaf: None if leaf is None else 2.0 * leaf, expected), 1e-12)
    dot = st.random_like(part_of(args, f, path), np.random.default_rng(1))
    _, value_dot = sd.jvp(f, wrt=path)(*args, dot)
    assert value_dot == pytest.approx(st.pairing(expected, dot))
    assert not st.difference(sd.jacobian(f, wrt=path)(*args), expected, 1e-12)
    sd.check_grads(f, *args, wrt=path)


def part_of(args, f, path):
    names = f.__code__.co_varnames[: len(args)]
    return eval(path, dict(zip(names, args, strict=True)))


def test_several_paths_and_names_keep_their_order():
    layer = Layer(W, 0.3)
    whole, by_x = sd.grad(layer_loss, wrt=("layer", "x"))(layer, X)
    assert not st.difference(sd.grad(layer_loss, wrt=("layer.b", "x", "layer.w"))(layer, X), (whole.b, by_x, whole.w))


def test_the_tangent_is_named_after_the_path():
    assert list(sd.jvp(nested_dict, wrt="params['inner']['a']").__signature__.parameters) == ["params", "params_inner_a_dot"]


def test_paths_into_self():
    pendulum = Pendulum(1.3, 0.2)

    def stepped(length):
        return Pendulum(length, 0.2).step(0.4, 0.1, 0.05)[0]

    by_length = sd.derivative(pendulum.step, wrt="self.length")(0.4, 0.1, 0.05)
    assert by_length[0] == pytest.approx((stepped(1.3 + 1e-6) - stepped(1.3 - 1e-6)) / 2e-6, rel=1e-6)
    assert isinstance(sd.grad(lambda p, a: swing(p, a, 2))(pendulum, 0.4), Pendulum)
    sd.check_grads(pendulum.step, 0.4, 0.1, 0.05, wrt=("self.length", "angle"))


@pytest.mark.parametrize(
    ("wrt", "name"),
    [
        ("params['v']", "variable_path"),
        ("params.w", "variable_path"),
        ("params['pair'][1]", "integer_argument"),
        ("params['layers'][0].name", "not_a_number"),
        ("params['point'].label", "integer_argument"),
    ],
)
def test_a_path_that_leads_to_no_number_is_refused(wrt, name):
    with pytest.raises(sd.DiffError) as caught:
        sd.grad(tree, wrt=wrt)(TREE, X)
    assert caught.value.name == name


def test_without_types_a_path_is_refused():
    with pytest.raises(sd.UnsupportedError) as caught:
        sd.grad(nested_dict, wrt="params['c']").function  # noqa: B018
    assert caught.value.name == "variable_path_types"
    assert "params_scale" in sd.grad(tree, wrt="params['scale']").specialize(TREE, X).source


def test_objects_that_are_not_taken_apart_are_refused():
    with pytest.raises(sd.DiffError) as caught:
        sd.grad(lambda p: p["a"] * 2.0)(OrderedDict(a=1.0))
    assert caught.value.name == "not_a_number"
    with pytest.raises(sd.DiffError) as caught:
        sd.grad(lambda p: p.n * 2.0)(SimpleNamespace(n=3, name="x"))
    assert caught.value.name == "no_float_leaf"


def test_the_init_of_a_class_does_not_run_for_its_gradient():
    class Checked:
        def __init__(self, a):
            assert a > 0
            self.a = a

    assert sd.grad(lambda c: -(c.a**2))(Checked(3.0)).a == -6.0


def test_an_object_of_more_attributes_is_of_another_type():
    body = SimpleNamespace(a=2.0)
    df = sd.grad(lambda p: p.a**2)
    assert df(body).a == 4.0
    body.b = 1.0
    assert vars(df(body)) == {"a": 4.0, "b": 0.0}
    body.b = "text"
    assert vars(df(body)) == {"a": 4.0, "b": None}


def test_an_object_that_holds_itself():
    class Node:
        def __init__(self, value):
            self.value = value
            self.next = self

    assert sd.grad(lambda x, node: x * 3.0)(2.0, Node(1.0)) == 3.0


# -- Jacobians


def test_jacobian_has_the_structure_of_the_value_outside_and_of_the_variable_inside():
    def f(p, x):
        return {"a": p.w * p.b, "c": (p.b * x, np.sum(p.w))}

    found = sd.jacobian(f, wrt=(0, 1))(Layer(W, 0.3), 2.0)
    assert set(found) == {"a", "c"}
    layer, by_x = found["a"]
    assert isinstance(layer, Layer)
    assert (layer.size, layer.name) == (None, None)
    assert np.allclose(layer.w, 0.3 * np.eye(2))
    assert np.allclose(layer.b, W)
    assert np.allclose(by_x, 0.0)
    assert found["c"][0][0].b == 2.0
    assert isinstance(found["c"][0][0].b, float)
    assert np.allclose(found["c"][1][0].w, 1.0)


@pytest.mark.parametrize("mode", ["forward", "reverse"])
def test_jacobian_by_a_dict(mode):
    found = sd.jacobian(lambda p: p["w"] ** 2 * p["b"], mode=mode)({"w": W, "b": 0.3, "n": 2})
    assert np.allclose(found["w"], np.diag(2 * W * 0.3))
    assert np.allclose(found["b"], W**2)
    assert found["n"] is None


def test_hessian_and_hvp_of_structures():
    def f(p):
        return np.sum(p["w"] ** 2) * p["b"] + p["n"]

    point = {"w": W, "b": 0.3, "n": 2}
    hessian = sd.hessian(f)(point)
    assert np.allclose(hessian["w"]["w"], 0.6 * np.eye(2))
    assert np.allclose(hessian["w"]["b"], 2 * W)
    assert np.allclose(hessian["b"]["w"], 2 * W)
    assert hessian["b"]["b"] == 0.0
    assert hessian["n"] is None
    product = sd.hvp(f)(point, {"w": np.array([1.0, 0.0]), "b": 2.0, "n": None})
    assert np.allclose(product["w"], [0.6 + 4 * W[0], 4 * W[1]])
    assert product["b"] == pytest.approx(2 * W[0])
    assert product["n"] is None


def test_jacobian_by_a_list_is_a_list():
    assert sd.jacobian(lambda xs: xs[0] * xs[1])([1.0, 2.0]) == [2.0, 1.0]
    assert sd.hessian(lambda xs: xs[0] * xs[1])([1.0, 2.0]) == [[0.0, 1.0], [1.0, 0.0]]
    with pytest.raises(TypeError, match="written for its parts"):
        sd.jacobian(lambda xs: xs[0] * xs[1]).function([1.0, 2.0])


# -- flatten


class Odd:
    def __init__(self, a):
        self.a = a


@pytest.mark.parametrize(
    "structure",
    [
        0.5,
        W,
        [0.5, W, 3],
        (0.5, "text", None),
        {"w": np.ones((2, 3)), "b": 0.5, "n": 3, "deep": [{"x": 1.5}]},
        Point(0.5, 1.5),
        Body(W, 0.3),
        Box(1.2, {"u": W, "v": [1.5, 2.5]}),
        SimpleNamespace(a=1.0, b=W),
        np.float32(0.5),
        {"z": 1.0 + 2.0j, "x": 0.5},
        {"empty": np.zeros(0), "none": []},
    ],
)
def test_flatten_and_back(structure):
    vector, restore = sd.flatten(structure)
    assert vector.ndim == 1
    assert vector.size == st.flat(structure).size
    assert not st.difference(restore(vector), structure)
    doubled = restore(2 * vector)
    assert np.allclose(st.flat(doubled), 2 * st.flat(structure))
    assert type(doubled) is type(structure)
    assert not st.shared_memory(structure, doubled, vector)


def test_flatten_keeps_precision_and_checks_the_length():
    _, restore = sd.flatten({"a": np.ones(2, np.float32), "b": np.float32(1.0), "c": 1.0})
    back = restore(np.array([1.0, 2.0, 3.0, 4.0]))
    assert (back["a"].dtype, type(back["b"]), type(back["c"])) == (np.float32, np.float32, float)
    with pytest.raises(ValueError, match=r"must have shape \(4,\)"):
        restore(np.zeros(3))


def test_flatten_of_a_gradient_has_the_order_of_the_argument():
    start = {"layers": [Layer(W, 0.1), Layer(V, 0.3)], "n": 3}

    def loss(params):
        return layers_in_order(params["layers"], X)

    vector, restore = sd.flatten(start)
    gradient, _ = sd.flatten(sd.grad(loss)(start))
    for k, unit in enumerate(np.eye(vector.size)):
        slope = (loss(restore(vector + 1e-6 * unit)) - loss(restore(vector - 1e-6 * unit))) / 2e-6
        assert gradient[k] == pytest.approx(slope, rel=1e-6)


# -- declared types


def declared(p: Point, body: Body, x: float):
    return p.x * x + np.sum(body.position) * body.mass * p.y


def test_annotations_of_dataclasses_and_named_tuples_declare_their_fields():
    args = (Point(0.7, 1.2), Body(W, 0.3), 2.0)
    df = sd.value_and_grad(declared, wrt=(0, 1, 2))
    assert "_replace" in df.source
    assert not st.difference(df.function(*args), df(*args), 1e-12)
    assert not st.difference(sd.grad(declared, wrt="p.y").function(*args), df(*args)[1][0].y, 1e-12)
    assert "p: Point, body: Body, x: float" in df.function.__doc__


# -- objects that share something


def test_one_object_passed_twice():
    def either(p, q):
        return p.a * 2.0 if p is q else p.a * q.a

    with pytest.raises(sd.UnsupportedError) as caught:
        sd.grad(either)(Odd(2.0), Odd(3.0))
    assert caught.value.name == "object_undecided"


def test_an_argument_whose_attributes_are_replaced_is_refused():
    def bump(p):
        p.a = p.a * 2.0
        return p.a

    with pytest.raises(sd.UnsupportedError) as caught:
        sd.grad(bump)(Odd(2.0))
    assert caught.value.name == "argument_changed"


def test_a_nested_derivative_reads_objects_of_the_code_around():
    def f(p, x):
        return sd.grad(lambda y: p.a * y**2)(x) * p.a

    assert sd.grad(f)(Odd(2.0), 1.5).a == pytest.approx(2 * 2.0 * 2 * 1.5)
    g = lambda p: sd.grad(lambda q: q.a**3)(p).a * p.a  # noqa: E731
    assert sd.grad(g)(Odd(2.0)).a == pytest.approx(9 * 4.0)
    h = lambda p: sd.grad(lambda q: q.a**3, wrt="q.a")(p) * p.a  # noqa: E731
    assert sd.grad(h)(Odd(2.0)).a == pytest.approx(9 * 4.0)


def test_a_loop_over_the_keys_of_an_unknown_dict_is_refused():
    def f(p):
        s = 0.0
        for k in p:
            s = s + p[k] ** 2
        return s

    assert sd.grad(f)({"a": 1.0, "b": 2.0}) == {"a": 2.0, "b": 4.0}
    with pytest.raises(sd.UnsupportedError) as caught:
        sd.grad(f).function  # noqa: B018
    assert caught.value.name == "cannot_iterate"
