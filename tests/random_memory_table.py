"""All constructs of the random programs that write into memory, and the programs made of them."""

from __future__ import annotations

from tests import random_memory
from tests.random_memory import Program
from tests.random_memory_stores import STORES
from tests.random_memory_views import HELPERS, VIEWS

TABLE = VIEWS | STORES


def program(seed: int) -> Program:
    """The program of this seed, always the same."""
    return random_memory.program(seed, TABLE, HELPERS)
