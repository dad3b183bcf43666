"""sd.grad(elements, wrt=0), declared for (an array of rank 1)"""
# ruff: noqa: E402, F811, I001 (the second half is kept as it was generated, with its own imports)

def elements(x):
    y = np.zeros(3)
    y[0] = x[0] * x[1]
    y[1] = y[0] + x[2]
    y[2] = y[1] * y[0]
    return np.sum(y)

# The derivative

import numpy as np


def elements_grad(x):
    y = np.zeros(3)
    t = x[0]  # y[0] = x[0] * x[1]
    t2 = x[1]
    y[0] = t * t2
    y[1] = y[0] + x[2]
    y_bar = np.ones_like(y)  # return np.sum(y)
    t_bar = y_bar[2]  # y[2] = y[1] * y[0]
    y_bar[0] += t_bar * y[1]
    y_bar[1] += t_bar * y[0]
    t_bar2 = y_bar[1]  # y[1] = y[0] + x[2]
    x_bar = np.zeros_like(x)
    x_bar[2] += t_bar2
    y_bar[0] += t_bar2
    t_bar3 = y_bar[0]  # y[0] = x[0] * x[1]
    x_bar[1] += t_bar3 * t
    x_bar[0] += t_bar3 * t2
    return x_bar
