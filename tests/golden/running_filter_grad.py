"""sd.grad(running_filter, wrt=(0, 1)), declared for (an array of rank 1, float)"""
# ruff: noqa: E402, F811, I001 (the second half is kept as it was generated, with its own imports)

def running_filter(x, a):
    """Forward and backward over the same array."""
    y = x.copy()
    for i in range(1, len(y)):
        y[i] += a * y[i - 1]
    for i in reversed(range(len(y) - 1)):
        y[i] += a * y[i + 1]
    return np.sum(y * y)

# The derivative

import numpy as np


def running_filter_grad(x, a):
    y = np.copy(x)  # y = x.copy()
    t = len(y)  # for i in range(1, len(y)):
    ys = []
    for i in range(1, t):
        t2 = a * y[i - 1]  # y[i] += a * y[i - 1]
        ys.append(y[i])
        y[i] += t2
    t3 = len(y) - 1  # for i in reversed(range(len(y) - 1)):
    ys2 = []
    for i2 in reversed(range(t3)):
        t4 = a * y[i2 + 1]  # y[i] += a * y[i + 1]
        ys2.append(y[i2])
        y[i2] += t4
    y_bar = 2 * y  # return np.sum(y * y)
    a_bar = 0.0
    for i2 in range(t3):
        y[i2] = ys2.pop()
        t4_bar = y_bar[i2]  # y[i] += a * y[i + 1]
        a_bar += t4_bar * y[i2 + 1]
        y_bar[i2 + 1] += t4_bar * a
    for i in reversed(range(1, t)):
        y[i] = ys.pop()
        t2_bar = y_bar[i]  # y[i] += a * y[i - 1]
        a_bar += t2_bar * y[i - 1]
        y_bar[i - 1] += t2_bar * a
    return y_bar, a_bar
