"""sd.grad(least_squares, wrt=(0, 1)), declared for (an array of rank 2, an array of rank 1)"""
# ruff: noqa: E402, F811, I001 (the second half is kept as it was generated, with its own imports)

def least_squares(A, b):
    x = np.linalg.solve(A, b)
    return np.sum(x * x)

# The derivative

import numpy as np


def least_squares_grad(A, b):
    x = np.linalg.solve(A, b)
    x_bar = 2 * x  # return np.sum(x * x)
    A_bar = -np.outer(np.linalg.solve(A.T, x_bar), x)  # x = np.linalg.solve(A, b)
    return A_bar, np.linalg.solve(A.T, x_bar)
