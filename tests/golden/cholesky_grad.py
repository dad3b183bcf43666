"""sd.grad(cholesky, wrt=0), declared for (an array of rank 2)"""
# ruff: noqa: E402, F811, I001 (the second half is kept as it was generated, with its own imports)

def cholesky(a):
    n = a.shape[0]
    l = np.zeros_like(a)
    for i in range(n):
        for j in range(i + 1):
            s = a[i, j]
            for k in range(j):
                s -= l[i, k] * l[j, k]
            if i == j:
                l[i, j] = np.sqrt(s)
            else:
                l[i, j] = s / l[j, j]
    return np.sum(l * l * l)

# The derivative

import numpy as np


def cholesky_grad(a):
    n = a.shape[0]
    l = np.zeros_like(a)
    ss = []
    ts = []
    for i in range(n):
        for j in range(i + 1):
            s = a[i, j]
            for k in range(j):
                s -= l[i, k] * l[j, k]
            ss.append(s)
            if i == j:
                t = np.sqrt(s)  # l[i, j] = np.sqrt(s)
                ts.append(t)
                l[i, j] = t
            else:
                l[i, j] = s / l[j, j]
    l_bar = l * l  # return np.sum(l * l * l)
    l_bar += 2 * l * l
    a_bar = np.zeros_like(a)
    for i in reversed(range(n)):
        for j in reversed(range(i + 1)):
            s = ss.pop()
            if i == j:
                l[i, j] = 0.0
                s_bar = l_bar[i, j] / (2 * ts.pop())  # l[i, j] = np.sqrt(s)
            else:
                l[i, j] = 0.0
                t_bar = l_bar[i, j]  # l[i, j] = s / l[j, j]
                t2 = l[j, j]
                s_bar = t_bar / t2
                l_bar[j, j] -= t_bar * (s / t2) / t2
            for k in reversed(range(j)):
                t_bar2 = -s_bar  # s -= l[i, k] * l[j, k]
                l_bar[j, k] += t_bar2 * l[i, k]
                l_bar[i, k] += t_bar2 * l[j, k]
            a_bar[i, j] += s_bar  # s = a[i, j]
    return a_bar
