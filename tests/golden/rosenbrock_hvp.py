"""sd.hvp(rosenbrock, wrt=0), declared for (an array of rank 1)"""
# ruff: noqa: E402, F811, I001 (the second half is kept as it was generated, with its own imports)

def rosenbrock(x):
    return (1.0 - x[0]) ** 2 + 100.0 * (x[1] - x[0] ** 2) ** 2

# The derivative

import numpy as np
from sourcediff.runtime import check_seed


def rosenbrock_hvp(x, x_dot):
    check_seed(x_dot, x, "x_dot")
    t = x[0]  # return (1.0 - x[0]) ** 2 + 100.0 * (x[1] - x[0] ** 2) ** 2
    t_dot = x_dot[0]
    t_bar = 200.0 * (x[1] - t ** 2)
    t_bar_dot = 200.0 * (x_dot[1] - 2 * t_dot * t)
    x_bar_dot = np.zeros_like(x)
    x_bar_dot[0] -= 2 * t_bar_dot * t + t_dot * (2 * t_bar)
    x_bar_dot[1] += t_bar_dot
    x_bar_dot[0] += 2 * x_dot[0]
    return x_bar_dot
