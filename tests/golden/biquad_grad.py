"""sd.grad(biquad, wrt=(0, 1, 2, 3, 4, 5)), declared for (an array of rank 1, float, float, float, float, float)"""
# ruff: noqa: E402, F811, I001 (the second half is kept as it was generated, with its own imports)

def biquad(x, b0, b1, b2, a1, a2):
    """A filter of second order, direct form II transposed: two numbers of state."""
    y = np.empty(len(x))
    z1 = z2 = 0.0
    for n in range(len(x)):
        y[n] = b0 * x[n] + z1
        z1 = b1 * x[n] - a1 * y[n] + z2
        z2 = b2 * x[n] - a2 * y[n]
    return np.sum(y * y)

# The derivative

import numpy as np


def biquad_grad(x, b0, b1, b2, a1, a2):
    t = len(x)  # y = np.empty(len(x))
    y = np.empty(t)
    z1 = 0.0
    z2 = 0.0
    for n in range(t):
        y[n] = b0 * x[n] + z1
        z1 = b1 * x[n] - a1 * y[n] + z2
        z2 = b2 * x[n] - a2 * y[n]
    y_bar = 2 * y  # return np.sum(y * y)
    x_bar = np.zeros_like(x)
    b0_bar = 0.0
    z1_bar = 0.0
    b1_bar = 0.0
    a1_bar = 0.0
    z2_bar = 0.0
    b2_bar = 0.0
    a2_bar = 0.0
    for n in reversed(range(t)):
        t_bar = -z2_bar  # z2 = b2 * x[n] - a2 * y[n]
        a2_bar += t_bar * y[n]
        y_bar[n] += t_bar * a2
        b2_bar += z2_bar * x[n]
        x_bar[n] += z2_bar * b2
        z2_bar = z1_bar  # z1 = b1 * x[n] - a1 * y[n] + z2
        t_bar2 = -z1_bar
        a1_bar += t_bar2 * y[n]
        y_bar[n] += t_bar2 * a1
        b1_bar += z1_bar * x[n]
        x_bar[n] += z1_bar * b1
        z1_bar = y_bar[n]  # y[n] = b0 * x[n] + z1
        t_bar3 = z1_bar
        b0_bar += z1_bar * x[n]
        x_bar[n] += z1_bar * b0
    return x_bar, b0_bar, b1_bar, b2_bar, a1_bar, a2_bar
