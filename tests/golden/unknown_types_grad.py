"""sd.grad(unknown_types, wrt=(0, 1))"""
# ruff: noqa: E402, F811, I001 (the second half is kept as it was generated, with its own imports)

def unknown_types(x, y):
    return np.sin(x) * y + x

# The derivative

import numpy as np
from sourcediff.runtime import check_scalar, owned, unbroadcast


def unknown_types_grad(x, y):
    t = np.sin(x)  # return np.sin(x) * y + x
    t2 = t * y
    check_scalar(t2 + x, "unknown_types")
    t2_bar = unbroadcast(1.0, t2)
    x_bar = unbroadcast(1.0, x) + unbroadcast(t2_bar * y, x) * np.cos(x)
    return owned(x_bar, x), unbroadcast(t2_bar * t, y)
