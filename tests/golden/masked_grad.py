"""sd.grad(masked, wrt=0), declared for (an array of rank 1)"""
# ruff: noqa: E402, F811, I001 (the second half is kept as it was generated, with its own imports)

def masked(x):
    return np.sum(np.where(x > 0.0, x * x, np.exp(x)))

# The derivative

import numpy as np


def masked_grad(x):
    t = x > 0.0  # return np.sum(np.where(x > 0.0, x * x, np.exp(x)))
    return np.where(t, 0, 1.0) * np.exp(x) + 2 * np.where(t, 1.0, 0) * x
