"""The function that docs/architecture.md shows after each step."""

import numpy as np


def scaled(v, w):
    return v * w


def loss(x: float, w: float, n: int):
    for i in range(n):
        x = np.sin(scaled(x, w))
    return x * x if x > 0 else -x
