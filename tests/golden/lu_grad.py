"""sd.grad(lu, wrt=0), declared for (an array of rank 2)"""
# ruff: noqa: E402, F811, I001 (the second half is kept as it was generated, with its own imports)

def lu(matrix):
    a = matrix.copy()
    n = len(a)
    for k in range(n):
        for i in range(k + 1, n):
            a[i, k] /= a[k, k]
            for j in range(k + 1, n):
                a[i, j] -= a[i, k] * a[k, j]
    return np.sum(a * a)

# The derivative

import numpy as np


def lu_grad(matrix):
    a = np.copy(matrix)  # a = matrix.copy()
    n = len(a)
    as_ = []
    as_2 = []
    for k in range(n):
        t = k + 1  # for i in range(k + 1, n):
        for i in range(t, n):
            t2 = a[i, k] / a[k, k]  # a[i, k] /= a[k, k]
            as_.append(a[i, k])
            a[i, k] = t2
            for j in range(t, n):
                t3 = a[i, k] * a[k, j]  # a[i, j] -= a[i, k] * a[k, j]
                as_2.append(a[i, j])
                a[i, j] -= t3
    a_bar = 2 * a  # return np.sum(a * a)
    for k in reversed(range(n)):
        t = k + 1  # for i in range(k + 1, n):
        for i in reversed(range(t, n)):
            for j in reversed(range(t, n)):
                a[i, j] = as_2.pop()
                t3_bar = -a_bar[i, j]  # a[i, j] -= a[i, k] * a[k, j]
                a_bar[k, j] += t3_bar * a[i, k]
                a_bar[i, k] += t3_bar * a[k, j]
            a[i, k] = as_.pop()
            t2_bar = a_bar[i, k]  # a[i, k] /= a[k, k]
            t4 = a[k, k]
            a_bar[i, k] = t2_bar / t4
            a_bar[k, k] -= t2_bar * (a[i, k] / t4) / t4
    return a_bar
