"""sd.grad(red_black_2d, wrt=(0, 1, 2)), declared for (an array of rank 2, an array of rank 2, float, int)"""
# ruff: noqa: E402, F811, I001 (the second half is kept as it was generated, with its own imports)

def red_black_2d(u, rhs, h, sweeps):
    n, m = u.shape
    u = u.copy()
    for _ in range(sweeps):
        for colour in range(2):
            for i in range(1, n - 1):
                for j in range(1 + (i + colour) % 2, m - 1, 2):
                    u[i, j] = 0.25 * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1] - h * h * rhs[i, j])
    return np.sum(u**2)

# The derivative

import numpy as np


def red_black_2d_grad(u, rhs, h, sweeps):
    t = u.shape  # n, m = u.shape
    n = t[0]
    m = t[1]
    u2 = np.copy(u)  # u = u.copy()
    for _ in range(sweeps):
        for colour in range(2):
            for i in range(1, n - 1):
                for j in range(1 + (i + colour) % 2, m - 1, 2):
                    # u[i, j] = 0.25 * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1] - h * h * rhs[i, j])
                    t2 = u2[i - 1, j] + u2[i + 1, j] + u2[i, j - 1] + u2[i, j + 1]
                    u2[i, j] = 0.25 * (t2 - h * h * rhs[i, j])
    u_bar = 2 * u2  # return np.sum(u**2)
    h_bar = 0.0
    rhs_bar = np.zeros_like(rhs)
    for _ in reversed(range(sweeps)):
        for colour in reversed(range(2)):
            for i in reversed(range(1, n - 1)):
                for j in reversed(range(1 + (i + colour) % 2, m - 1, 2)):
                    # u[i, j] = 0.25 * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1] - h * h * rhs[i, j])
                    t_bar = u_bar[i, j]
                    u_bar[i, j] = 0.0
                    t_bar2 = 0.25 * t_bar
                    t_bar3 = -t_bar2
                    rhs_bar[i, j] += t_bar3 * (h * h)
                    h_bar += 2 * t_bar3 * rhs[i, j] * h
                    u_bar[i, j + 1] += t_bar2
                    u_bar[i, j - 1] += t_bar2
                    u_bar[i + 1, j] += t_bar2
                    u_bar[i - 1, j] += t_bar2
    return u_bar, rhs_bar, h_bar
