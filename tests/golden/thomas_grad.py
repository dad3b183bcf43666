"""sd.grad(thomas, wrt=(0, 1, 2, 3)), declared for (an array of rank 1, an array of rank 1, an array of rank 1, an array of rank 1)"""
# ruff: noqa: E402, F811, I001 (the second half is kept as it was generated, with its own imports)

def thomas(lower, diagonal, upper, right):
    """A tridiagonal system, with the two sweeps into copies of its right side and upper diagonal."""
    n = len(diagonal)
    c, d = upper.copy(), right.copy()
    c[0] = upper[0] / diagonal[0]
    d[0] = right[0] / diagonal[0]
    for i in range(1, n):
        m = diagonal[i] - lower[i] * c[i - 1]
        c[i] = upper[i] / m
        d[i] = (right[i] - lower[i] * d[i - 1]) / m
    x = np.zeros(n)
    x[-1] = d[-1]
    for i in range(n - 2, -1, -1):
        x[i] = d[i] - c[i] * x[i + 1]
    return np.sum(x * x)

# The derivative

import numpy as np


def thomas_grad(lower, diagonal, upper, right):
    n = len(diagonal)
    c = np.copy(upper)  # c, d = upper.copy(), right.copy()
    d = np.copy(right)
    t = diagonal[0]  # c[0] = upper[0] / diagonal[0]
    t2 = upper[0] / t
    c[0] = t2
    t3 = diagonal[0]  # d[0] = right[0] / diagonal[0]
    t4 = right[0] / t3
    d[0] = t4
    ts = []
    for i in range(1, n):
        t5 = c[i - 1]  # m = diagonal[i] - lower[i] * c[i - 1]
        ts.append(t5)
        m = diagonal[i] - lower[i] * t5
        c[i] = upper[i] / m
        d[i] = (right[i] - lower[i] * d[i - 1]) / m
    x = np.zeros(n)
    x[-1] = d[-1]
    t6 = n - 2  # for i in range(n - 2, -1, -1):
    for i2 in range(t6, -1, -1):
        x[i2] = d[i2] - c[i2] * x[i2 + 1]  # x[i] = d[i] - c[i] * x[i + 1]
    x_bar = 2 * x  # return np.sum(x * x)
    d_bar = np.zeros_like(right)
    c_bar = np.zeros_like(upper)
    for i2 in reversed(range(t6, -1, -1)):
        t_bar = x_bar[i2]  # x[i] = d[i] - c[i] * x[i + 1]
        x_bar[i2] = 0.0
        t_bar2 = -t_bar
        x_bar[i2 + 1] += t_bar2 * c[i2]
        c_bar[i2] += t_bar2 * x[i2 + 1]
        d_bar[i2] += t_bar
    d_bar[-1] += x_bar[-1]  # x[-1] = d[-1]
    diagonal_bar = np.zeros_like(diagonal)
    lower_bar = np.zeros_like(lower)
    upper_bar = np.zeros_like(upper)
    right_bar = np.zeros_like(right)
    for i in reversed(range(1, n)):
        t5 = ts.pop()
        t_bar3 = d_bar[i]  # d[i] = (right[i] - lower[i] * d[i - 1]) / m
        d_bar[i] = 0.0
        t7 = lower[i]  # m = diagonal[i] - lower[i] * c[i - 1]
        m = diagonal[i] - t7 * t5
        t8 = lower[i]  # d[i] = (right[i] - lower[i] * d[i - 1]) / m
        t9 = d[i - 1]
        t_bar4 = t_bar3 / m
        t_bar5 = -t_bar4
        d_bar[i - 1] += t_bar5 * t8
        lower_bar[i] += t_bar5 * t9
        right_bar[i] += t_bar4
        t_bar6 = c_bar[i]  # c[i] = upper[i] / m
        c_bar[i] = 0.0
        m_bar = -t_bar3 * ((right[i] - t8 * t9) / m) / m - t_bar6 * (upper[i] / m) / m
        upper_bar[i] += t_bar6 / m
        t_bar7 = -m_bar  # m = diagonal[i] - lower[i] * c[i - 1]
        c_bar[i - 1] += t_bar7 * t7
        lower_bar[i] += t_bar7 * t5
        diagonal_bar[i] += m_bar
    t4_bar = d_bar[0]  # d[0] = right[0] / diagonal[0]
    d_bar[0] = 0.0
    diagonal_bar[0] -= t4_bar * t4 / t3
    right_bar[0] += t4_bar / t3
    t2_bar = c_bar[0]  # c[0] = upper[0] / diagonal[0]
    c_bar[0] = 0.0
    diagonal_bar[0] -= t2_bar * t2 / t
    upper_bar[0] += t2_bar / t
    right_bar += d_bar  # c, d = upper.copy(), right.copy()
    upper_bar += c_bar
    return lower_bar, diagonal_bar, upper_bar, right_bar
