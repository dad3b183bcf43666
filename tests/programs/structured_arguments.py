"""Objects, named tuples, dicts and nests of them as arguments: the gradient is of the same structure and class."""

from dataclasses import dataclass
from types import SimpleNamespace
from typing import NamedTuple

import numpy as np

from tests.corpus import Program


@dataclass
class Layer:
    w: np.ndarray
    b: float
    size: int = 2
    name: str = "layer"

    def __call__(self, x):
        return np.tanh(self.w * x + self.b)

    @property
    def penalty(self):
        return np.sum(self.w**2) + self.b**2


@dataclass(frozen=True)
class Body:
    position: np.ndarray
    mass: float
    charge: float | None = None


@dataclass(slots=True)
class Box:
    side: float
    inside: dict


class Point(NamedTuple):
    x: float
    y: float
    label: int = 0


class Pendulum:
    """A class of the plain kind, with an attribute of the class and one that is computed."""

    gravity = 9.81

    def __init__(self, length, damping):
        self.length = length
        self.damping = damping

    @property
    def frequency(self):
        return np.sqrt(self.gravity / self.length)

    @staticmethod
    def restoring(angle):
        return np.sin(angle)

    def step(self, angle, speed, dt):
        speed = speed - dt * (self.frequency**2 * self.restoring(angle) + self.damping * speed)
        return angle + dt * speed, speed


def weights():
    return np.array([0.2, -0.4]), np.array([0.7, 0.3])


def layer_loss(layer, x):
    return np.sum(layer(x)) * layer.size + 0.1 * layer.penalty


def layers_in_order(layers, x):
    for layer in layers:
        x = layer(x)
    return np.sum(x * x)


def energy(bodies):
    total = 0.0
    for i in range(len(bodies)):
        total = total + bodies[i].mass * np.sum(bodies[i].position ** 2)
    return total


def box_volume(box):
    return box.side**3 * np.sum(box.inside["u"]) + box.inside["v"][1]


def points(p, q):
    x, y, _ = p
    return x * q.y - q[0] * y + (p.label + 1) * x


def point_replaced(p):
    moved = p._replace(x=p.x * p.y)
    return moved.x * moved[1]


def swing(pendulum, angle, n):
    speed = 0.0
    for _ in range(n):
        angle, speed = pendulum.step(angle, speed, 0.05)
    return angle**2 + speed**2


def namespace(options, x):
    y = options.scale * x
    if options.kind == "sine":
        y = np.sin(y)
    if options.offset is not None:
        y = y + options.offset
    return np.sum(y)


def tree(params, x):
    hidden = np.tanh(params["layers"][0].w * x + params["layers"][0].b)
    point = params["point"]
    return np.sum(hidden * params["scale"]) * point.x + params["pair"][0] * point.y


def unused_parts(params, x):
    return params["used"] * x


def list_of_dicts(rows):
    total = 0.0
    for row in rows:
        total = total + row["a"] * row["b"] ** 2
    return total


def list_of_dicts_by_index(rows, x):
    for k in range(len(rows)):
        x = np.tanh(rows[k]["w"] * x + rows[k]["b"])
    return np.sum(x)


def sum_over_dicts(rows):
    return sum(row["a"] ** 2 for row in rows)


def pairs(layers, x):
    for w, b in layers:
        x = np.tanh(w * x + b)
    return np.sum(x)


def ragged(rows):
    total = 0.0
    for row in rows:
        for value in row:
            total = total + value * value * row[0]
    return total


def ragged_by_index(rows):
    total = 0.0
    for i in range(len(rows)):
        for j in range(len(rows[i])):
            total = total + rows[i][j] ** 2 * (i + 1)
    return total


def nested_dict(params):
    inner = params["inner"]
    return inner["a"] * inner["b"] + params["c"] * inner["a"]


def dict_items(params):
    total = 0.0
    for key, value in params.items():
        if key != "skipped":
            total = total + value * value
    return total


def dict_of_dicts_out(params):
    return {"square": params["a"] ** 2, "parts": [params["a"], (params["b"] * 2.0, "text")], "all": params}


def named_out(p):
    return Point(p.x * p.y, p.y**2, p.label)


def layer_back(layer, x):
    return layer, layer.b * x


def written_part(params):
    params["w"][0] = params["w"][1] ** 2
    return np.sum(params["w"] ** 3) * params["b"]


def written_field(body):
    body.position[1:] *= body.mass
    return np.sum(body.position**2)


def written_in_loop(layers):
    for layer in layers:
        layer.w[0] = layer.w[0] * layer.w[1] + layer.b
    return np.sum(layers[0].w * layers[1].w)


W, V = weights()
LAYERS = [Layer(W, 0.1), Layer(V, -0.3, 3)]
X = np.array([1.0, 2.0])

PROGRAMS = [
    Program(layer_loss, (Layer(W, 0.3), X), (0, 1)),
    Program(layers_in_order, (LAYERS, X), (0, 1)),
    Program(energy, ([Body(W, 0.3), Body(V, 0.5, 1.5)],)),
    Program(box_volume, (Box(1.2, {"u": W, "v": [1.5, 2.5]}),)),
    Program(points, (Point(0.7, 1.2), Point(0.4, -0.5, 3)), (0, 1)),
    Program(point_replaced, (Point(0.7, 1.2),)),
    Program(swing, (Pendulum(1.3, 0.2), 0.4, 5), (0, 1)),
    Program(namespace, (SimpleNamespace(scale=0.7, kind="sine", offset=None), X), (0, 1)),
    Program(namespace, (SimpleNamespace(scale=0.7, kind="plain", offset=0.2), X), (0, 1), "namespace_with_offset"),
    Program(tree, ({"layers": [Layer(W, 0.1)], "point": Point(0.7, 1.2), "scale": V, "pair": (0.5, 2)}, X), (0, 1)),
    Program(unused_parts, ({"used": 0.7, "array": W, "list": [0.5, V], "object": Layer(W * 2, 0.1), "none": None}, 1.2), (0, 1)),
    Program(list_of_dicts, ([{"a": 0.5, "b": 0.7}, {"a": 1.5, "b": -0.2}],)),
    Program(list_of_dicts_by_index, ([{"w": W, "b": 0.1}, {"w": V, "b": 0.3}], X), (0, 1)),
    Program(sum_over_dicts, ([{"a": 0.5, "n": 3}, {"a": 1.5, "n": 4}],)),
    Program(pairs, ([(W, 0.1), (V, 0.3)], X), (0, 1)),
    Program(ragged, ([[0.5, 1.5], [2.0], [0.3, 0.2, 0.1]],)),
    Program(ragged_by_index, ([[0.5, 1.5], [2.0]],)),
    Program(nested_dict, ({"inner": {"a": 0.5, "b": 0.7}, "c": 1.1},)),
    Program(dict_items, ({"a": 0.5, "skipped": 0.7, "c": 1.1},)),
    Program(dict_of_dicts_out, ({"a": 0.5, "b": 0.7, "n": 3},)),
    Program(named_out, (Point(0.7, 1.2),)),
    Program(layer_back, (Layer(W, 0.3), 0.7), (0, 1)),
    Program(written_part, ({"w": W, "b": 0.7},)),
    Program(written_field, (Body(W, 0.3),)),
    Program(written_in_loop, ([Layer(W, 0.1), Layer(V, -0.3)],)),
]
