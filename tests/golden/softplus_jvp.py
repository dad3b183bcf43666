"""sd.jvp(softplus, wrt=(0, 1))"""
# ruff: noqa: E402, F811, I001 (the second half is kept as it was generated, with its own imports)

def softplus(x: float, y: float):
    return math.log(1 + math.exp(x * (x + y)))

# The derivative

import math


def softplus_jvp(x, y, x_dot, y_dot):
    t = x + y  # return math.log(1 + math.exp(x * (x + y)))
    t2 = math.exp(x * t)
    t3 = 1 + t2
    return math.log(t3), (x_dot * t + (x_dot + y_dot) * x) * t2 / t3
