"""sd.grad(softplus, wrt=(0, 1))"""
# ruff: noqa: E402, F811, I001 (the second half is kept as it was generated, with its own imports)

def softplus(x: float, y: float):
    return math.log(1 + math.exp(x * (x + y)))

# The derivative

import math


def softplus_grad(x, y):
    t = x + y  # return math.log(1 + math.exp(x * (x + y)))
    t2 = math.exp(x * t)
    t_bar = t2 / (1 + t2)
    y_bar = t_bar * x
    return t_bar * t + y_bar, y_bar
