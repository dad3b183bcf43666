"""Small models written as classes: layers, optimisers, particles, circuits, numbers with operators of their own.

An object is made inside the function from its arguments, or is itself an argument (a dataclass, whose gradient has its structure).
"""

from dataclasses import dataclass

import numpy as np

from tests.corpus import Program

rng = np.random.default_rng(36)
X = rng.uniform(-1.0, 1.0, (4, 2))
T = rng.uniform(-1.0, 1.0, 4)
W = rng.uniform(-1.0, 1.0, (2, 3))
B = rng.uniform(-1.0, 1.0, 3)
V = rng.uniform(-1.0, 1.0, 3)
U = rng.uniform(-1.0, 1.0, 5)


class Dense:
    def __init__(self, w, b):
        self.w = w
        self.b = b

    def __call__(self, x):
        return x @ self.w + self.b


class TanhDense(Dense):
    def __call__(self, x):
        return np.tanh(super().__call__(x))


class Network:
    def __init__(self, layers):
        self.layers = layers

    def predict(self, x):
        for layer in self.layers:
            x = layer(x)
        return x

    def loss(self, x, t):
        r = self.predict(x) - t
        return np.mean(r * r)


def two_layers(w, b, v, x, t):
    return Network([TanhDense(w, b), Dense(v, 0.1)]).loss(x, t)


class Descent:
    """Momentum: the velocity is state."""

    rate = 0.1

    def __init__(self, decay):
        self.decay = decay
        self.velocity = 0.0

    def step(self, x, slope):
        self.velocity = self.decay * self.velocity - self.rate * slope
        return x + self.velocity


def optimised(x, decay, n):
    optimiser = Descent(decay)
    for _ in range(n):
        x = optimiser.step(x, 4.0 * x**3 - 2.0 * x)
    return x * x


class Adam:
    """Moments in buffers that are written in place."""

    def __init__(self, shape, rate=0.1, beta1=0.9, beta2=0.99):
        self.rate, self.beta1, self.beta2 = rate, beta1, beta2
        self.m = np.zeros(shape)
        self.v = np.zeros(shape)
        self.steps = 0

    def update(self, x, g):
        self.steps += 1
        self.m *= self.beta1
        self.m += (1.0 - self.beta1) * g
        self.v *= self.beta2
        self.v += (1.0 - self.beta2) * g**2
        x -= self.rate * (self.m / (1.0 - self.beta1**self.steps)) / (np.sqrt(self.v / (1.0 - self.beta2**self.steps)) + 1e-3)


def adam_steps(x0, target, n):
    x = x0.copy()
    adam = Adam(x0.shape)
    for _ in range(n):
        adam.update(x, x - target + np.sin(x))
    return np.sum((x - target) ** 2)


class Dual:
    """A number with a slope, by operators."""

    def __init__(self, value, slope=0.0):
        self.value = value
        self.slope = slope

    def __add__(self, other):
        return Dual(self.value + other.value, self.slope + other.slope)

    def __mul__(self, other):
        return Dual(self.value * other.value, self.slope * other.value + self.value * other.slope)

    def __neg__(self):
        return Dual(-self.value, -self.slope)

    def __sub__(self, other):
        return self + -other


def slope_by_operators(x, y):
    a, b = Dual(x, 1.0), Dual(y)
    c = a * a * b - b * b + a
    return c.slope * c.value


@dataclass(frozen=True)
class Vec:
    x: float
    y: float

    def __add__(self, other):
        return Vec(self.x + other.x, self.y + other.y)

    def __rmul__(self, k):
        return Vec(k * self.x, k * self.y)

    @property
    def norm2(self):
        return self.x**2 + self.y**2


def orbit(x, y, vx, vy, h, n):
    place, speed = Vec(x, y), Vec(vx, vy)
    for _ in range(n):
        pull = -1.0 / place.norm2**1.5
        speed = speed + h * (pull * place)
        place = place + h * speed
    return place.x * place.y + speed.norm2


@dataclass
class Oscillator:
    mass: float
    stiffness: float
    damping: float = 0.1

    @property
    def frequency(self):
        return np.sqrt(self.stiffness / self.mass)

    def force(self, x, v):
        return -self.stiffness * x - self.damping * v


def oscillation(system, x, h, n):
    v = 0.0
    for _ in range(n):
        v += h * system.force(x, v) / system.mass
        x += h * v
    return x * system.frequency


class RunningMean:
    """A filter with a ring of past samples."""

    def __init__(self, length):
        self.ring = np.zeros(length)
        self.at = 0

    def push(self, x):
        self.ring[self.at] = x
        self.at = (self.at + 1) % len(self.ring)
        return np.mean(self.ring)


def smoothed(u):
    mean = RunningMean(3)
    total = 0.0
    for x in u:
        total += mean.push(x * x) ** 2
    return total


class Cell:
    """A recurrent cell whose state is an attribute."""

    def __init__(self, w, b):
        self.w, self.b = w, b
        self.h = np.zeros(len(b))

    def step(self, x):
        self.h = np.tanh(x @ self.w + self.b + 0.5 * self.h)
        return self.h

    @staticmethod
    def energy(h):
        return np.sum(h * h)

    @classmethod
    def plain(cls, w):
        return cls(w, np.zeros(w.shape[1]))


def recurrent(w, b, x):
    cell = Cell(w, b)
    total = 0.0
    for row in x:
        total += cell.energy(cell.step(row))
    return total + Cell.energy(Cell.plain(w).step(x[0]))


class Shape:
    scale = 2.0

    def area(self):
        raise NotImplementedError

    def cost(self):
        return self.scale * self.area() ** 2


class Disc(Shape):
    def __init__(self, radius):
        self.radius = radius

    def area(self):
        return np.pi * self.radius**2


class Box(Shape):
    scale = 3.0

    def __init__(self, width, height):
        self.width, self.height = width, height

    def area(self):
        return self.width * self.height


def total_cost(r, w, h):
    return sum(shape.cost() for shape in [Disc(r), Box(w, h), Box(h, r)])


class Grid:
    """A field with boundary conditions; the solver writes into it."""

    def __init__(self, u, left, right):
        self.u = u.copy()
        self.u[0], self.u[-1] = left, right

    def relax(self, n):
        for _ in range(n):
            self.u[1:-1] = 0.5 * (self.u[:-2] + self.u[2:])
        return self

    @property
    def energy(self):
        return np.sum(np.diff(self.u) ** 2)


def relaxed_energy(u, left, right, n):
    return Grid(u, left, right).relax(n).energy


@dataclass
class Params:
    w: np.ndarray
    b: np.ndarray
    scale: float


def with_params(p, x):
    hidden = np.tanh(x @ p.w + p.b)
    return p.scale * np.sum(hidden**2)


PROGRAMS = [
    Program(two_layers, (W, B, V, X, T), (0, 1, 2)),
    Program(two_layers, (W, B, V, X, T), (0, 1, 2, 3, 4), name="two_layers_all"),
    Program(optimised, (0.9, 0.5, 3), (0, 1)),
    Program(adam_steps, (V, B, 2), (0, 1)),
    Program(slope_by_operators, (0.7, 1.3), (0, 1)),
    Program(orbit, (1.0, 0.1, 0.2, 0.9, 0.1, 3), (0, 1, 2, 3, 4)),
    Program(oscillation, (Oscillator(1.3, 2.0), 0.7, 0.1, 3), (0, 1, 2)),
    Program(smoothed, (U,)),
    Program(recurrent, (W, B, X), (0, 1, 2)),
    Program(total_cost, (0.7, 1.1, 0.6), (0, 1, 2)),
    Program(relaxed_energy, (U, 0.3, -0.8, 3), (0, 1, 2)),
    Program(with_params, (Params(W, B, 0.7), X), (0, 1)),
]
