"""sd.grad(gather, wrt=0), declared for (an array of rank 1)"""
# ruff: noqa: E402, F811, I001 (the second half is kept as it was generated, with its own imports)

def gather(x):
    return np.sum(x[1:] * x[:-1]) + x[0] * x[-1]

# The derivative

import numpy as np


def gather_grad(x):
    x_bar = np.zeros_like(x)  # return np.sum(x[1:] * x[:-1]) + x[0] * x[-1]
    x_bar[-1] += x[0]
    x_bar[0] += x[-1]
    x_bar[:-1] += x[1:]
    x_bar[1:] += x[:-1]
    return x_bar
