"""sd.value_and_grad(recurrence, wrt=(0, 1)), declared for (an array of rank 1, float)"""
# ruff: noqa: E402, F811, I001 (the second half is kept as it was generated, with its own imports)

def recurrence(x, a: float):
    n = len(x)
    y = np.zeros(n)
    y[0] = x[0]
    for i in range(1, n):
        y[i] = a * y[i - 1] + x[i] ** 2
    return np.sum(y)

# The derivative

import numpy as np


def recurrence_value_and_grad(x, a):
    n = len(x)
    y = np.zeros(n)
    y[0] = x[0]
    for i in range(1, n):
        y[i] = a * y[i - 1] + x[i] ** 2
    y_bar = np.ones_like(y)  # return np.sum(y)
    a_bar = 0.0
    x_bar = np.zeros_like(x)
    for i in reversed(range(1, n)):
        t_bar = y_bar[i]  # y[i] = a * y[i - 1] + x[i] ** 2
        x_bar[i] += 2 * t_bar * x[i]
        a_bar += t_bar * y[i - 1]
        y_bar[i - 1] += t_bar * a
    x_bar[0] += y_bar[0]  # y[0] = x[0]
    return np.sum(y), (x_bar, a_bar)
