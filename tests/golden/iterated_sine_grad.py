"""sd.grad(iterated_sine, wrt=(0, 1))"""
# ruff: noqa: E402, F811, I001 (the second half is kept as it was generated, with its own imports)

def iterated_sine(x: float, w: float, n: int):
    for _ in range(n):
        x = np.sin(x * w)
    return x

# The derivative

import numpy as np


def iterated_sine_grad(x, w, n):
    xs = []
    for _ in range(n):
        xs.append(x)
        x = np.sin(x * w)
    x_bar = 1.0
    w_bar = 0.0
    for _ in reversed(range(n)):
        x = xs.pop()
        t_bar = x_bar * np.cos(x * w)  # x = np.sin(x * w)
        x_bar = t_bar * w
        w_bar += t_bar * x
    return x_bar, w_bar
