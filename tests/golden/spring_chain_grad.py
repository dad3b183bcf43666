"""sd.grad(spring_chain, wrt=0), declared for (an array of rank 1, an array of rank 1, float, float, float, int)"""
# ruff: noqa: E402, F811, I001 (the second half is kept as it was generated, with its own imports)

def spring_chain(x, v, k, rest, dt, n):
    """Symplectic steps by loops over springs and masses; the springs are stiffening."""
    x, v = x.copy(), v.copy()
    m = len(x)
    for _ in range(n):
        for i in range(m - 1):
            stretch = x[i + 1] - x[i] - rest
            pull = k * stretch + 0.5 * stretch**3
            v[i] += dt * pull
            v[i + 1] -= dt * pull
        for i in range(m):
            x[i] += dt * v[i]
    return np.sum(v**2) + x[-1] * x[0]

# The derivative

import numpy as np


def spring_chain_grad(x, v, k, rest, dt, n):
    x2 = np.copy(x)  # x, v = x.copy(), v.copy()
    v2 = np.copy(v)
    m = len(x2)  # m = len(x)
    x2s = []
    for _ in range(n):
        for i in range(m - 1):
            stretch = x2[i + 1] - x2[i] - rest  # stretch = x[i + 1] - x[i] - rest
            pull = k * stretch + 0.5 * stretch ** 3
            t = dt * pull  # v[i] += dt * pull
            v2[i] += t
            v2[i + 1] -= t  # v[i + 1] -= dt * pull
        for i2 in range(m):
            x2s.append(x2[i2])
            x2[i2] += dt * v2[i2]  # x[i] += dt * v[i]
    x_bar = np.zeros_like(x)  # return np.sum(v**2) + x[-1] * x[0]
    x_bar[0] += x2[-1]
    x_bar[-1] += x2[0]
    v2_bar = 2 * v2
    for _ in reversed(range(n)):
        for i2 in reversed(range(m)):
            x2[i2] = x2s.pop()
            v2_bar[i2] += x_bar[i2] * dt  # x[i] += dt * v[i]
        for i in reversed(range(m - 1)):
            pull_bar = v2_bar[i] * dt - v2_bar[i + 1] * dt  # v[i] += dt * pull
            stretch = x2[i + 1] - x2[i] - rest  # stretch = x[i + 1] - x[i] - rest
            # pull = k * stretch + 0.5 * stretch**3
            stretch_bar = 3 * (0.5 * pull_bar) * stretch ** 2 + pull_bar * k
            x_bar[i] -= stretch_bar  # stretch = x[i + 1] - x[i] - rest
            x_bar[i + 1] += stretch_bar
    return x_bar
