"""sd.value_and_grad(dot, wrt=(0, 1)), declared for (an array of rank 1, an array of rank 1, int)"""
# ruff: noqa: E402, F811, I001 (the second half is kept as it was generated, with its own imports)

def dot(x, y, n: int):
    s = 0
    for i in range(n):
        s += x[i] * y[i]
    return s

# The derivative

import numpy as np


def dot_value_and_grad(x, y, n):
    s = 0
    for i in range(n):
        s += x[i] * y[i]
    x_bar = np.zeros_like(x)
    y_bar = np.zeros_like(y)
    for i in reversed(range(n)):
        y_bar[i] += x[i]  # s += x[i] * y[i]
        x_bar[i] += y[i]
    return s, (x_bar, y_bar)
