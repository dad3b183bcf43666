"""sd.grad(soft_threshold, wrt=(0, 1)), declared for (an array of rank 1, float)"""
# ruff: noqa: E402, F811, I001 (the second half is kept as it was generated, with its own imports)

def soft_threshold(x, limit):
    y = x.copy()
    large = y > limit
    small = y < -limit
    y[large] -= limit
    y[small] += limit
    y[~(large | small)] = 0.0
    return np.sum(y * y) + np.sum(x[large])

# The derivative

import numpy as np


def soft_threshold_grad(x, limit):
    y = np.copy(x)  # y = x.copy()
    large = y > limit
    small = y < -limit
    y[large] -= limit
    y[small] += limit
    t = ~(large | small)  # y[~(large | small)] = 0.0
    y[t] = 0.0
    x_bar = np.zeros_like(x)  # return np.sum(y * y) + np.sum(x[large])
    x_bar[large] += 1.0
    y_bar = 2 * y
    y_bar[t] = 0.0  # y[~(large | small)] = 0.0
    x_bar += y_bar  # y = x.copy()
    return x_bar, np.sum(y_bar[small]) - np.sum(y_bar[large])
