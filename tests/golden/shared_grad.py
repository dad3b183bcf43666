"""sd.grad(shared, wrt=(0, 1))"""
# ruff: noqa: E402, F811, I001 (the second half is kept as it was generated, with its own imports)

def shared(x: float, y: float):
    z = x * y
    w = z + math.exp(-z)
    return w * z

# The derivative

import math


def shared_grad(x, y):
    z = x * y
    t = math.exp(-z)  # w = z + math.exp(-z)
    w = z + t
    z_bar = w + z - z * t
    return z_bar * y, z_bar * x
