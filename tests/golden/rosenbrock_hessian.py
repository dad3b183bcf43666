"""sd.hessian(rosenbrock, wrt=0), declared for (an array of rank 1)"""
# ruff: noqa: E402, F811, I001 (the second half is kept as it was generated, with its own imports)

def rosenbrock(x):
    return (1.0 - x[0]) ** 2 + 100.0 * (x[1] - x[0] ** 2) ** 2

# The derivative

import numpy as np
from sourcediff.runtime import stacked_columns, unit_directions


def rosenbrock_hessian(x):
    t = x[0]  # return (1.0 - x[0]) ** 2 + 100.0 * (x[1] - x[0] ** 2) ** 2
    t_bar = 200.0 * (x[1] - t ** 2)
    x_bar = np.zeros_like(x)
    t2 = 2 * t_bar
    x_bar[0] -= t2 * t
    x_bar[1] += t_bar
    x_bar[0] -= 2 * (1.0 - x[0])
    directions = unit_directions(x)
    columns = []
    for k in range(len(directions)):
        x_dot = directions[k]
        t = x[0]  # return (1.0 - x[0]) ** 2 + 100.0 * (x[1] - x[0] ** 2) ** 2
        t_dot = x_dot[0]
        t_bar = 200.0 * (x[1] - t ** 2)
        t_bar_dot = 200.0 * (x_dot[1] - 2 * t_dot * t)
        x_bar = np.zeros_like(x)
        x_bar_dot = np.zeros_like(x)
        t2 = 2 * t_bar
        x_bar_dot[0] -= 2 * t_bar_dot * t + t_dot * t2
        x_bar[0] -= t2 * t
        x_bar_dot[1] += t_bar_dot
        x_bar[1] += t_bar
        t3 = 2 * (1.0 - x[0])
        x_bar_dot[0] += 2 * x_dot[0]
        x_bar[0] -= t3
        columns.append(x_bar_dot)
    return stacked_columns(columns, x_bar, x)
