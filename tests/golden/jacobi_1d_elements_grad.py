"""sd.grad(jacobi_1d_elements, wrt=0), declared for (an array of rank 1, int)"""
# ruff: noqa: E402, F811, I001 (the second half is kept as it was generated, with its own imports)

def jacobi_1d_elements(u, n):
    """The classic pair of loops over two arrays."""
    a = np.array(u)
    b = np.array(u)
    for _ in range(n):
        for i in range(1, len(a) - 1):
            b[i] = 0.33333 * (a[i - 1] + a[i] + a[i + 1])
        for i in range(1, len(a) - 1):
            a[i] = 0.33333 * (b[i - 1] + b[i] + b[i + 1])
    return np.sum(a * a)

# The derivative

import numpy as np


def jacobi_1d_elements_grad(u, n):
    a = np.array(u)
    b = np.array(u)
    for _ in range(n):
        t = len(a)  # for i in range(1, len(a) - 1):
        for i in range(1, t - 1):
            b[i] = 0.33333 * (a[i - 1] + a[i] + a[i + 1])
        for i2 in range(1, t - 1):
            # a[i] = 0.33333 * (b[i - 1] + b[i] + b[i + 1])
            a[i2] = 0.33333 * (b[i2 - 1] + b[i2] + b[i2 + 1])
    a_bar = 2 * a  # return np.sum(a * a)
    b_bar = np.zeros_like(b)
    for _ in reversed(range(n)):
        t2 = len(a)  # for i in range(1, len(a) - 1):
        for i2 in reversed(range(1, t2 - 1)):
            t_bar = a_bar[i2]  # a[i] = 0.33333 * (b[i - 1] + b[i] + b[i + 1])
            a_bar[i2] = 0.0
            t_bar2 = 0.33333 * t_bar
            b_bar[i2 + 1] += t_bar2
            b_bar[i2] += t_bar2
            b_bar[i2 - 1] += t_bar2
        for i in reversed(range(1, t2 - 1)):
            t_bar3 = b_bar[i]  # b[i] = 0.33333 * (a[i - 1] + a[i] + a[i + 1])
            b_bar[i] = 0.0
            t_bar4 = 0.33333 * t_bar3
            a_bar[i + 1] += t_bar4
            a_bar[i] += t_bar4
            a_bar[i - 1] += t_bar4
    return b_bar + a_bar
