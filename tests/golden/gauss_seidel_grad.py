"""sd.grad(gauss_seidel, wrt=0), declared for (an array of rank 2, int)"""
# ruff: noqa: E402, F811, I001 (the second half is kept as it was generated, with its own imports)

def gauss_seidel(a, n):
    a = a.copy()
    rows, columns = a.shape
    for _ in range(n):
        for i in range(1, rows - 1):
            for j in range(1, columns - 1):
                a[i, j] = 0.25 * (a[i - 1, j] + a[i + 1, j] + a[i, j - 1] + a[i, j + 1])
    return np.sum(a * a)

# The derivative

import numpy as np


def gauss_seidel_grad(a, n):
    a2 = np.copy(a)  # a = a.copy()
    t = a2.shape  # rows, columns = a.shape
    rows = t[0]
    columns = t[1]
    for _ in range(n):
        for i in range(1, rows - 1):
            for j in range(1, columns - 1):
                # a[i, j] = 0.25 * (a[i - 1, j] + a[i + 1, j] + a[i, j - 1] + a[i, j + 1])
                t2 = a2[i - 1, j] + a2[i + 1, j] + a2[i, j - 1] + a2[i, j + 1]
                a2[i, j] = 0.25 * t2
    a_bar = 2 * a2  # return np.sum(a * a)
    for _ in reversed(range(n)):
        for i in reversed(range(1, rows - 1)):
            for j in reversed(range(1, columns - 1)):
                # a[i, j] = 0.25 * (a[i - 1, j] + a[i + 1, j] + a[i, j - 1] + a[i, j + 1])
                t_bar = a_bar[i, j]
                a_bar[i, j] = 0.0
                t2_bar = 0.25 * t_bar
                a_bar[i, j + 1] += t2_bar
                a_bar[i, j - 1] += t2_bar
                a_bar[i + 1, j] += t2_bar
                a_bar[i - 1, j] += t2_bar
    return a_bar
