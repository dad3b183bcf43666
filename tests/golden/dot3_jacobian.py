"""sd.jacobian(dot3, wrt=0, mode='forward'), declared for (an array of rank 1, an array of rank 1)"""
# ruff: noqa: E402, F811, I001 (the second half is kept as it was generated, with its own imports)

def dot3(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]

# The derivative

import numpy as np


def dot3_jacobian(a, b):
    t11_jacobian = np.zeros_like(a)
    t11_jacobian[0] = b[0]
    t11_jacobian[1] = b[1]
    t11_jacobian[2] = b[2]
    return t11_jacobian
