"""sd.grad(masked, wrt=0), declared for (an array of rank 1)"""
# ruff: noqa: E402, F811, I001 (the second half is kept as it was generated, with its own imports)

def masked(x):
    return np.sum(np.where(x > 0.0, x * x, np.exp(x)))

# The derivative

import numpy as np
from sourcediff.runtime import broadcast_like
from sourcediff.runtime import unbroadcast


def masked_grad(x):
    t = x > 0.0  # return np.sum(np.where(x > 0.0, x * x, np.exp(x)))
    t2 = np.exp(x)
    t3 = np.where(t, x * x, t2)
    x_bar = unbroadcast(np.where(t, 0, broadcast_like(1.0, t3)), x) * t2
    x_bar = x_bar + 2 * unbroadcast(np.where(t, broadcast_like(1.0, t3), 0), x) * x
    return x_bar
