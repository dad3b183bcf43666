"""sd.grad(changed_condition, wrt=0)"""
# ruff: noqa: E402, F811, I001 (the second half is kept as it was generated, with its own imports)

def changed_condition(x: float):
    if x > 1.0:
        x = x * x
    else:
        x = math.exp(x)
    return x * x

# The derivative

import math


def changed_condition_grad(x):
    c = x > 1.0  # if x > 1.0:
    if c:
        x2 = x * x  # x = x * x
    else:
        x2_2 = math.exp(x)  # x = math.exp(x)
        x2 = x2_2
    x2_bar = 2 * x2  # return x * x
    if c:
        x_bar = 2 * x2_bar * x  # x = x * x
    else:
        x_bar = x2_bar * x2_2  # x = math.exp(x)
    return x_bar
