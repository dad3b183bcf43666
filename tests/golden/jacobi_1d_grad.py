"""sd.grad(jacobi_1d, wrt=0), declared for (an array of rank 1, int)"""
# ruff: noqa: E402, F811, I001 (the second half is kept as it was generated, with its own imports)

def jacobi_1d(u, n):
    u = u.copy()
    for _ in range(n):
        u[1:-1] = (u[:-2] + u[1:-1] + u[2:]) / 3.0
    return np.sum(u * u)

# The derivative

import numpy as np


def jacobi_1d_grad(u, n):
    u2 = np.copy(u)  # u = u.copy()
    for _ in range(n):
        u2[1:-1] = (u2[:-2] + u2[1:-1] + u2[2:]) / 3.0  # u[1:-1] = (u[:-2] + u[1:-1] + u[2:]) / 3.0
    u_bar = 2 * u2  # return np.sum(u * u)
    for _ in reversed(range(n)):
        t_bar = u_bar[1:-1].copy()  # u[1:-1] = (u[:-2] + u[1:-1] + u[2:]) / 3.0
        u_bar[1:-1] = 0.0
        t_bar2 = t_bar / 3.0
        u_bar[2:] += t_bar2
        u_bar[1:-1] += t_bar2
        u_bar[:-2] += t_bar2
    return u_bar
