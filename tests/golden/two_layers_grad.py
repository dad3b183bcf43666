"""sd.grad(two_layers, wrt=(0, 1)), declared for (an array of rank 2, an array of rank 2, an array of rank 1, an array of rank 1)"""
# ruff: noqa: E402, F811, I001 (the second half is kept as it was generated, with its own imports)

def two_layers(W1, W2, x, y):
    h = np.tanh(W1 @ x)
    r = W2 @ h - y
    return r @ r

# The derivative

import numpy as np
from sourcediff.runtime import unbroadcast


def two_layers_grad(W1, W2, x, y):
    h = np.tanh(W1 @ x)
    t = W2 @ h  # r = W2 @ h - y
    r = t - y
    t_bar = unbroadcast(2 * r, t)
    return np.outer(W2.T @ t_bar * (1 - h * h), x), np.outer(t_bar, h)
