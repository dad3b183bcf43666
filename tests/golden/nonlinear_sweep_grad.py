"""sd.grad(nonlinear_sweep, wrt=0), declared for (an array of rank 1, int)"""
# ruff: noqa: E402, F811, I001 (the second half is kept as it was generated, with its own imports)

def nonlinear_sweep(x, n: int):
    u = x.copy()
    for _ in range(n):
        for i in range(1, len(u) - 1):
            u[i] = 0.5 * u[i - 1] * u[i + 1] + 0.1 * u[i] * u[i]
    return np.sum(u * u)

# The derivative

import numpy as np


def nonlinear_sweep_grad(x, n):
    u = np.copy(x)  # u = x.copy()
    us = []
    for _ in range(n):
        for i in range(1, len(u) - 1):
            # u[i] = 0.5 * u[i - 1] * u[i + 1] + 0.1 * u[i] * u[i]
            t = 0.5 * u[i - 1] * u[i + 1] + 0.1 * u[i] * u[i]
            us.append(u[i])
            u[i] = t
    u_bar = 2 * u  # return np.sum(u * u)
    for _ in reversed(range(n)):
        for i in reversed(range(1, len(u) - 1)):
            u[i] = us.pop()
            t_bar = u_bar[i]  # u[i] = 0.5 * u[i - 1] * u[i + 1] + 0.1 * u[i] * u[i]
            u_bar[i] = t_bar * (0.1 * u[i]) + 0.1 * (t_bar * u[i])
            u_bar[i + 1] += t_bar * (0.5 * u[i - 1])
            u_bar[i - 1] += 0.5 * (t_bar * u[i + 1])
    return u_bar
