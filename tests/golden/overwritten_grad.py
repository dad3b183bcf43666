"""sd.grad(overwritten, wrt=0)"""
# ruff: noqa: E402, F811, I001 (the second half is kept as it was generated, with its own imports)

def overwritten(x: float):
    x = x * x
    x = x + math.sin(x)
    return x * 2.0

# The derivative

import math


def overwritten_grad(x):
    return 2 * (2.0 + 2.0 * math.cos(x * x)) * x
