"""All constructs of the random programs that write into memory, and the programs made of them."""

from __future__ import annotations

from tests import random_memory
from tests.random_memory import Program
from tests.random_memory_containers import CONTAINERS
from tests.random_memory_flow import FLOW
from tests.random_memory_stores import STORES
from tests.random_memory_views import VIEWS

TABLE = VIEWS | CONTAINERS | STORES | FLOW

HELPERS = """
def scale_into(p, k):
    p *= np.cos(k)


def smooth_into(p):
    for i in range(1, len(p)):
        p[i] = np.sin(p[i] + p[i - 1])


def added_to(p, q):
    p += np.tanh(q)
    return p


def tail_of(p):
    return p[1:]


class Cell:
    def __init__(self, state, rate):
        self.state = state
        self.rate = rate

    def step(self, k):
        self.state[1:] += self.rate * k
        self.rate = self.rate * 0.5

    def turn(self):
        self.state = np.sin(self.state[::-1])


"""


def program(seed: int) -> Program:
    """The program of this seed, always the same."""
    return random_memory.program(seed, TABLE, HELPERS)
