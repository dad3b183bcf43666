"""sd.grad(longest_path, wrt=0), declared for (an array of rank 2)"""
# ruff: noqa: E402, F811, I001 (the second half is kept as it was generated, with its own imports)

def longest_path(w):
    """The heaviest path through a grid, going right or down."""
    n, m = w.shape
    best = w.copy()
    for j in range(1, m):
        best[0, j] += best[0, j - 1]
    for i in range(1, n):
        best[i, 0] += best[i - 1, 0]
        for j in range(1, m):
            best[i, j] += max(best[i - 1, j], best[i, j - 1])
    return best[-1, -1]

# The derivative

import numpy as np


def longest_path_grad(w):
    t = w.shape  # n, m = w.shape
    n = t[0]
    m = t[1]
    best = np.copy(w)  # best = w.copy()
    for j in range(1, m):
        best[0, j] += best[0, j - 1]
    bests = []
    bests2 = []
    for i in range(1, n):
        t2 = best[i - 1, 0]  # best[i, 0] += best[i - 1, 0]
        bests.append(best[i, 0])
        best[i, 0] += t2
        for j2 in range(1, m):
            # best[i, j] += max(best[i - 1, j], best[i, j - 1])
            t3 = max(best[i - 1, j2], best[i, j2 - 1])
            bests2.append(best[i, j2])
            best[i, j2] += t3
    best_bar = np.zeros_like(w)  # return best[-1, -1]
    best_bar[-1, -1] += 1.0
    for i in reversed(range(1, n)):
        for j2 in reversed(range(1, m)):
            best[i, j2] = bests2.pop()
            t3_bar = best_bar[i, j2]  # best[i, j] += max(best[i - 1, j], best[i, j - 1])
            t4 = best[i - 1, j2]
            t5 = best[i, j2 - 1]
            best_bar[i, j2 - 1] += t3_bar if t5 > t4 else 0.0
            best_bar[i - 1, j2] += 0.0 if t5 > t4 else t3_bar
        best[i, 0] = bests.pop()
        best_bar[i - 1, 0] += best_bar[i, 0]  # best[i, 0] += best[i - 1, 0]
    for j in reversed(range(1, m)):
        best_bar[0, j - 1] += best_bar[0, j]  # best[0, j] += best[0, j - 1]
    return best_bar
