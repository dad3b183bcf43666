"""sd.grad(triangular_solve, wrt=(0, 1)), declared for (an array of rank 2, an array of rank 1)"""
# ruff: noqa: E402, F811, I001 (the second half is kept as it was generated, with its own imports)

def triangular_solve(l, b):
    n = len(b)
    x = np.zeros(n)
    for i in range(n):
        x[i] = b[i]
        for j in range(i):
            x[i] -= l[i, j] * x[j]
        x[i] = x[i] / l[i, i]
    return np.sum(x * x)

# The derivative

import numpy as np


def triangular_solve_grad(l, b):
    n = len(b)
    x = np.zeros(n)
    xs = []
    xs2 = []
    xs3 = []
    for i in range(n):
        xs.append(x[i])
        x[i] = b[i]
        for j in range(i):
            t = l[i, j] * x[j]  # x[i] -= l[i, j] * x[j]
            xs2.append(x[i])
            x[i] -= t
        t2 = x[i] / l[i, i]  # x[i] = x[i] / l[i, i]
        xs3.append(x[i])
        x[i] = t2
    x_bar = 2 * x  # return np.sum(x * x)
    b_bar = np.zeros_like(b)
    l_bar = np.zeros_like(l)
    for i in reversed(range(n)):
        x[i] = xs3.pop()
        t2_bar = x_bar[i]  # x[i] = x[i] / l[i, i]
        t3 = l[i, i]
        l_bar[i, i] -= t2_bar * (x[i] / t3) / t3
        x_bar[i] = t2_bar / t3
        for j in reversed(range(i)):
            x[i] = xs2.pop()
            t_bar = -x_bar[i]  # x[i] -= l[i, j] * x[j]
            x_bar[j] += t_bar * l[i, j]
            l_bar[i, j] += t_bar * x[j]
        x[i] = xs.pop()
        t_bar2 = x_bar[i]  # x[i] = b[i]
        x_bar[i] = 0.0
        b_bar[i] += t_bar2
    return l_bar, b_bar
