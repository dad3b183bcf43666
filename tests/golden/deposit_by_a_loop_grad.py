"""sd.grad(deposit_by_a_loop, wrt=(0, 1)), declared for (an array of rank 1, an array of rank 1)"""
# ruff: noqa: E402, F811, I001 (the second half is kept as it was generated, with its own imports)

def deposit_by_a_loop(x, q):
    rho = np.zeros(6)
    for xi, qi in zip(x, q):
        cell = int(xi)
        part = xi - cell
        rho[cell] += qi * (1.0 - part)
        rho[cell + 1] += qi * part
    return np.sum(rho**2)

# The derivative

import numpy as np


def deposit_by_a_loop_grad(x, q):
    rho = np.zeros(6)
    for i in range(min(len(x), len(q))):
        t = x[i]
        t2 = q[i]
        cell = int(t)  # cell = int(xi)
        part = t - cell  # part = xi - cell
        rho[cell] += t2 * (1.0 - part)  # rho[cell] += qi * (1.0 - part)
        rho[cell + 1] += t2 * part  # rho[cell + 1] += qi * part
    rho_bar = 2 * rho  # return np.sum(rho**2)
    x_bar = np.zeros_like(x)
    q_bar = np.zeros_like(q)
    for i in reversed(range(min(len(x), len(q)))):
        t = x[i]
        cell = int(t)  # cell = int(xi)
        t_bar = rho_bar[cell + 1]  # rho[cell + 1] += qi * part
        t2 = q[i]  # for xi, qi in zip(x, q):
        part = t - cell  # part = xi - cell
        t_bar2 = rho_bar[cell]  # rho[cell] += qi * (1.0 - part)
        q_bar[i] += t_bar * part + t_bar2 * (1.0 - part)  # for xi, qi in zip(x, q):
        x_bar[i] += t_bar * t2 - t_bar2 * t2
    return x_bar, q_bar
