"""sd.jvp(iterated_sine, wrt=0)"""
# ruff: noqa: E402, F811, I001 (the second half is kept as it was generated, with its own imports)

def iterated_sine(x: float, w: float, n: int):
    for _ in range(n):
        x = np.sin(x * w)
    return x

# The derivative

import numpy as np


def iterated_sine_jvp(x, w, n, x_dot):
    for _ in range(n):
        t = x * w  # x = np.sin(x * w)
        x = np.sin(t)
        x_dot = x_dot * w * np.cos(t)
    return x, x_dot
