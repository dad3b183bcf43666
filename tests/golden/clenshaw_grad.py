"""sd.grad(clenshaw, wrt=(0, 1)), declared for (an array of rank 1, float)"""
# ruff: noqa: E402, F811, I001 (the second half is kept as it was generated, with its own imports)

def clenshaw(c, x):
    """A Chebyshev series at a point."""
    n = len(c)
    b = np.zeros(n + 2)
    for k in range(n - 1, 0, -1):
        b[k] = c[k] + 2.0 * x * b[k + 1] - b[k + 2]
    return c[0] + x * b[1] - b[2]

# The derivative

import numpy as np


def clenshaw_grad(c, x):
    n = len(c)
    b = np.zeros(n + 2)
    t = n - 1  # for k in range(n - 1, 0, -1):
    for k in range(t, 0, -1):
        b[k] = c[k] + 2.0 * x * b[k + 1] - b[k + 2]
    x_bar = b[1]  # return c[0] + x * b[1] - b[2]
    b_bar = np.zeros_like(b)
    b_bar[2] -= 1.0
    b_bar[1] += x
    c_bar = np.zeros_like(c)
    c_bar[0] += 1.0
    for k in reversed(range(t, 0, -1)):
        t_bar = b_bar[k]  # b[k] = c[k] + 2.0 * x * b[k + 1] - b[k + 2]
        b_bar[k + 2] -= t_bar
        b_bar[k + 1] += t_bar * (2.0 * x)
        x_bar += 2 * t_bar * b[k + 1]
        c_bar[k] += t_bar
    return c_bar, x_bar
