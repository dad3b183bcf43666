"""sd.grad(burgers, wrt=0), declared for (an array of rank 1, float, int)"""
# ruff: noqa: E402, F811, I001 (the second half is kept as it was generated, with its own imports)

def burgers(u, dt, n):
    """A nonlinear stencil: each step needs the field before it."""
    u = u.copy()
    for _ in range(n):
        u[1:-1] = u[1:-1] - dt * u[1:-1] * (u[2:] - u[:-2]) + 0.1 * (u[2:] - 2.0 * u[1:-1] + u[:-2])
    return np.sum(u**2)

# The derivative

import numpy as np


def burgers_grad(u, dt, n):
    u2 = np.copy(u)  # u = u.copy()
    ts = []
    ts2 = []
    for _ in range(n):
        # u[1:-1] = u[1:-1] - dt * u[1:-1] * (u[2:] - u[:-2]) + 0.1 * (u[2:] - 2.0 * u[1:-1] + u[:-2])
        t = dt * u2[1:-1]
        ts.append(t)
        t2 = u2[2:] - u2[:-2]
        ts2.append(t2)
        u2[1:-1] = u2[1:-1] - t * t2 + 0.1 * (u2[2:] - 2.0 * u2[1:-1] + u2[:-2])
    u_bar = 2 * u2  # return np.sum(u**2)
    for _ in reversed(range(n)):
        t2 = ts2.pop()
        # u[1:-1] = u[1:-1] - dt * u[1:-1] * (u[2:] - u[:-2]) + 0.1 * (u[2:] - 2.0 * u[1:-1] + u[:-2])
        t_bar = u_bar[1:-1].copy()
        u_bar[1:-1] = 0.0
        t_bar2 = 0.1 * t_bar
        u_bar[:-2] += t_bar2
        u_bar[1:-1] -= 2 * t_bar2
        u_bar[2:] += t_bar2
        t_bar3 = -t_bar
        t2_bar = t_bar3 * ts.pop()
        u_bar[:-2] -= t2_bar
        u_bar[2:] += t2_bar
        u_bar[1:-1] += t_bar3 * t2 * dt + t_bar
    return u_bar
