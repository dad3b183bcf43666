"""Objects that are made in the function, and models from outside: methods, properties, operators, identity."""

import dataclasses
import functools
from collections import namedtuple
from dataclasses import dataclass, field, replace
from types import SimpleNamespace
from typing import NamedTuple

import numpy as np

from tests.corpus import Program


@dataclass
class Body:
    pos: float
    vel: float
    mass: float = 1.0

    def kinetic(self):
        return 0.5 * self.mass * self.vel**2

    def step(self, dt, k=1.0):
        self.vel = self.vel - dt * k * self.pos / self.mass
        self.pos += dt * self.vel


def oscillator(x, v):
    b = Body(x, v)
    for _ in range(5):
        b.step(0.1)
    return b.kinetic() + 0.5 * b.pos**2


def oscillator_replaced(x, v):
    b = Body(x, v, mass=2.0)
    for _ in range(4):
        b = replace(b, pos=b.pos + 0.1 * b.vel, vel=b.vel - 0.1 * np.sin(b.pos))
    return b.pos**2 + b.mass * b.vel


def two_bodies(x, v):
    """Two instances of a class in one loop: their attributes must not be mixed up."""
    a, b = Body(x, v), Body(v, x, 3.0)
    for k in range(3):
        force = a.pos - b.pos
        a.vel -= 0.1 * force / a.mass
        b.vel += 0.1 * force / b.mass
        a.pos += 0.1 * a.vel
        b.pos += 0.1 * b.vel
    return a.kinetic() + b.kinetic() * a.pos


def chain_of_masses(x):
    """A list of instances, over which loops of known length run."""
    bodies = [Body(x * (k + 1), 0.0) for k in range(3)]
    for _ in range(4):
        for i in range(1, len(bodies)):
            stretch = bodies[i].pos - bodies[i - 1].pos - 1.0
            bodies[i].vel -= 0.1 * stretch
            bodies[i - 1].vel += 0.1 * stretch
        for body in bodies:
            body.pos += 0.1 * body.vel
    return sum(body.kinetic() for body in bodies) + bodies[0].pos * bodies[-1].pos


def two_names(x):
    a = Body(x, 2.0)
    b = a
    b.pos = b.pos * 3.0
    a.vel = a.pos + b.vel
    return b.vel * a.pos


def swapped(x, y):
    a, b = Body(x, 1.0), Body(y, 2.0)
    a, b = b, a
    a.pos = a.pos**2
    return a.pos * b.vel + b.pos


def set_in_a_branch(x):
    b = Body(x, 1.0)
    if x > 0.5:
        b.pos = b.pos * 2.0
        b.mass = 3.0
    else:
        b.vel = -x
    return b.pos * b.vel * b.mass


def chosen_object(x, y):
    """Which of two objects is meant is known at run time only; it is read, and neither is written."""
    a, b = Body(x, 1.0), Body(y, 2.0)
    best = a if x > y else b
    return best.pos * best.vel + a.pos


def made_in_branches(x):
    if x > 1.0:
        b = Body(x, 1.0)
    else:
        b = Body(1.0, x * x)
    b.pos += b.vel
    return b.pos * b.kinetic()


def stopped_early(x):
    b = Body(x, 1.0)
    for k in range(20):
        b.step(0.2)
        if b.pos < 0.2:
            break
    return b.pos + b.vel * 2.0


def while_moving(x):
    b = Body(x, 2.0)
    while b.pos < 3.0:
        b.pos = b.pos + 0.3 * b.vel
        b.vel *= 0.99
    return b.pos * b.vel


def hygienic_names(b_pos, x):
    """Names of the function look like those that attributes get."""
    b = Body(x, b_pos)
    b_vel = b.vel * 2.0
    for _ in range(2):
        b.pos = b.pos * b_pos + b_vel
    return b.pos + b_vel


class Model:
    scale = 2.0

    def __init__(self, w, bias):
        self.w = w
        self.__bias = bias

    def __call__(self, x):
        return self.layer(x) + self.layer(self.layer(x))

    def layer(self, x):
        return np.tanh(self.w * x + self.__bias)

    @property
    def strength(self):
        return self.w**2 * self.scale

    @strength.setter
    def strength(self, value):
        self.w = np.sqrt(value / self.scale)

    @classmethod
    def doubled(cls, w):
        return cls(2.0 * w, cls.scale)

    @staticmethod
    def square(v):
        return v * v


class Sharp(Model):
    scale = 3.0

    def __init__(self, w, bias, power=2):
        super().__init__(w, bias)
        self.power = power

    def layer(self, x):
        return super().layer(x) ** self.power

    @property
    def strength(self):
        return super().strength + 1.0


GLOBAL = Model(1.5, 0.1)
SHARP = Sharp(0.7, 0.2)
LAYERS = [Model(0.5, 0.1), Sharp(1.2, 0.3), np.sin]


def local_model(x, w):
    m = Model(w, 0.1)
    m.strength = m.strength + 1.0
    return m(x) * m.strength + Model.doubled(w).layer(x) + Model.square(x)


def inherited(x, w):
    m = Sharp(w, 0.2)
    return m(x) + m.strength


def global_model(x):
    return GLOBAL(x) + GLOBAL.strength * SHARP.layer(x) + SHARP.strength * x


def global_layers(x):
    for layer in LAYERS:
        x = layer(x)
    return x


class V2:
    def __init__(self, a, b):
        self.a, self.b = a, b

    def __add__(self, other):
        return V2(self.a + other.a, self.b + other.b)

    def __radd__(self, other):
        return self if other == 0 else V2(self.a + other, self.b + other)

    def __sub__(self, other):
        return self + -other

    def __neg__(self):
        return V2(-self.a, -self.b)

    def __mul__(self, k):
        if isinstance(k, V2):
            return self.a * k.a + self.b * k.b
        return V2(self.a * k, self.b * k)

    def __rmul__(self, k):
        return self * k

    def __matmul__(self, other):
        return self.a * other.b - self.b * other.a

    def __getitem__(self, k):
        return self.a if k == 0 else self.b

    def __setitem__(self, k, v):
        if k == 0:
            self.a = v
        else:
            self.b = v

    def __iadd__(self, other):
        self.a += other.a
        self.b += other.b
        return self

    def __abs__(self):
        return np.sqrt(self.a**2 + self.b**2)

    def __len__(self):
        return 2

    def __eq__(self, other):
        return self.a == other.a and self.b == other.b

    def __lt__(self, other):
        return abs(self) < abs(other)

    def __iter__(self):
        return iter((self.a, self.b))


def operators(x, y):
    u, v = V2(x, y), V2(y, 2.0)
    w = 2.0 * u - v * x
    return w * u + (u @ v) * abs(w) + w[0] * w[1] + len(w) * x


def operators_in_place(x, y):
    u = V2(x, y)
    v = u
    for _ in range(3):
        u += V2(0.1 * u.b, x)
    u[1] = u[0] * y
    a, b = v
    return a * b + sum([u, v, V2(x, x)]).a


def compared(x, y):
    u, v = V2(x, y), V2(y, x * y)
    if u < v:
        u = v
    if u == v:
        return u.a * v.b
    return u.b


def carried_vector(x):
    u = V2(x, 1.0)
    total = V2(0.0, 0.0)
    for k in range(4):
        u = u * 0.5 + V2(np.sin(u.b), x)
        total = total + u
    return total.a * total.b


def nested_objects(x):
    state = SimpleNamespace(position=V2(x, 1.0), speed=V2(0.5, x), time=0.0)
    for _ in range(3):
        state.position = state.position + state.speed * 0.1
        state.speed.a = state.speed.a - 0.1 * state.position.a
        state.time += 0.1
    return abs(state.position) * state.time + state.speed.a


Point = namedtuple("Point", ["x", "y"], defaults=[1.5])


class Pose(NamedTuple):
    x: float
    angle: float = 0.3

    def moved(self, d):
        return self._replace(x=self.x + d * np.cos(self.angle))


def named_tuples(x):
    p = Point(x)
    q = p._replace(x=p.y * x)
    a, b = q
    pose = Pose(x)
    for _ in range(2):
        pose = pose.moved(a)
    return a * b + p.x + q[0] * q.y + pose.x * pose.angle


@dataclass
class Settings:
    rate: float
    table: dict = field(default_factory=dict)
    name: str = "plain"
    total: float = field(init=False)
    offset: dataclasses.InitVar[float] = 0.5

    def __post_init__(self, offset):
        self.total = self.rate + offset
        self.table["rate"] = self.rate**2


@dataclass(frozen=True, order=True)
class Rate:
    value: float
    label: str = "r"

    @functools.cached_property
    def squared(self):
        return self.value**2


def dataclass_features(x):
    s = Settings(x, offset=2.0)
    t = Settings(x * x)
    r, q = Rate(x), Rate(x, "r")
    kept = s.table["rate"] * t.total if s.name == "plain" else x
    if r == q and not r < q:
        kept = kept * r.value
    return kept + len(t.table)


def loop_with_flag(x):
    """A flag and a text among the attributes: known where no iteration changes them."""
    s = SimpleNamespace(value=x, first=True, mode="sin")
    for _ in range(3):
        if s.first:
            s.value = s.value * 2.0
            s.first = False
        elif s.mode == "sin":
            s.value = np.sin(s.value)
    return s.value


class Counter:
    def __init__(self):
        self.calls = 0
        self.last = None

    def record(self, v):
        self.calls += 1
        self.last = v
        return v * self.calls


def recorder(x):
    c = Counter()
    y = c.record(x) + c.record(x * x)
    return y * c.last + c.calls


class Cell:
    """A recurrent cell whose state is an array that is updated in place."""

    def __init__(self, weights, size):
        self.weights = weights
        self.state = np.zeros(size)

    def __call__(self, x):
        self.state[:] = np.tanh(self.weights * self.state + x)
        return self.state.sum()


def recurrent_cell(w, x):
    cell = Cell(w, 3)
    loss = 0.0
    for k in range(3):
        loss += cell(x * (k + 1))
    return loss


PROGRAMS = [
    Program(oscillator, (0.7, 1.2), (0, 1)),
    Program(oscillator_replaced, (0.7, 1.2), (0, 1)),
    Program(two_bodies, (0.7, 1.2), (0, 1)),
    Program(chain_of_masses, (0.7,)),
    Program(two_names, (0.7,)),
    Program(swapped, (0.7, 1.2), (0, 1)),
    Program(set_in_a_branch, (0.7,)),
    Program(set_in_a_branch, (0.3,), name="set_in_the_other_branch"),
    Program(chosen_object, (0.7, 1.2), (0, 1)),
    Program(chosen_object, (1.7, 1.2), (0, 1), name="chosen_other_object"),
    Program(made_in_branches, (0.7,)),
    Program(made_in_branches, (1.7,), name="made_in_the_other_branch"),
    Program(stopped_early, (0.9,)),
    Program(while_moving, (0.9,)),
    Program(hygienic_names, (0.7, 1.2), (0, 1)),
    Program(local_model, (0.7, 1.2), (0, 1)),
    Program(inherited, (0.7, 1.2), (0, 1)),
    Program(global_model, (0.7,)),
    Program(global_layers, (0.7,)),
    Program(operators, (0.7, 1.2), (0, 1)),
    Program(operators_in_place, (0.7, 1.2), (0, 1)),
    Program(compared, (0.7, 1.2), (0, 1)),
    Program(compared, (1.7, 1.2), (0, 1), name="compared_otherwise"),
    Program(carried_vector, (0.7,)),
    Program(nested_objects, (0.7,)),
    Program(named_tuples, (0.7,)),
    Program(dataclass_features, (0.7,)),
    Program(loop_with_flag, (0.7,)),
    Program(recorder, (0.7,)),
    Program(recurrent_cell, (0.7, np.array([0.1, -0.2, 0.4])), (0, 1)),
]
