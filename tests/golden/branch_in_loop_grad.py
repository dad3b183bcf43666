"""sd.grad(branch_in_loop, wrt=0), declared for (an array of rank 1, int)"""
# ruff: noqa: E402, F811, I001 (the second half is kept as it was generated, with its own imports)

def branch_in_loop(x, n: int):
    m = x[0]
    s = 0.0
    for i in range(1, n):
        if x[i] > m:
            m = x[i]
        else:
            s = s + m * x[i]
    return s * m

# The derivative

import numpy as np


def branch_in_loop_grad(x, n):
    m = x[0]
    s = 0.0
    cs = []
    ms = []
    for i in range(1, n):
        c = x[i] > m  # if x[i] > m:
        cs.append(c)
        if c:
            ms.append(m)
            m = x[i]
        else:
            s += m * x[i]
    s_bar = m  # return s * m
    m_bar = 1.0 * s
    x_bar = np.zeros_like(x)
    for i in reversed(range(1, n)):
        if cs.pop():
            m = ms.pop()
            x_bar[i] += m_bar  # m = x[i]
            m_bar = 0.0
        else:
            m_bar += s_bar * x[i]  # s = s + m * x[i]
            x_bar[i] += s_bar * m
    x_bar[0] += m_bar  # m = x[0]
    return x_bar
