"""sd.grad(sum_of_squares, wrt=0)"""
# ruff: noqa: E402, F811, I001 (the second half is kept as it was generated, with its own imports)

def sum_of_squares(x):
    return np.sum(x * x)

# The derivative

import numpy as np
from sourcediff.runtime import check_scalar


def sum_of_squares_grad(x):
    check_scalar(np.sum(x * x), "sum_of_squares")
    return 2.0 * x
