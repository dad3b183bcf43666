"""sd.grad(least_squares, wrt=(0, 1)), declared for (an array of rank 2, an array of rank 1)"""
# ruff: noqa: E402, F811, I001 (the second half is kept as it was generated, with its own imports)

def least_squares(A, b):
    x = np.linalg.solve(A, b)
    return np.sum(x * x)

# The derivative

import numpy as np
from sourcediff.runtime import owned


def least_squares_grad(A, b):
    x = np.linalg.solve(A, b)
    b_bar = np.linalg.solve(A.T, 2 * x)
    return -np.outer(b_bar, x), owned(b_bar, b)
