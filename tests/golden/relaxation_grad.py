"""sd.grad(relaxation, wrt=0), declared for (an array of rank 2, int)"""
# ruff: noqa: E402, F811, I001 (the second half is kept as it was generated, with its own imports)

def relaxation(A0, n: int):
    A = A0.copy()
    for _ in range(n):
        A[1:-1, 1:-1] = 0.25 * (A[1:-1, :-2] + A[1:-1, 2:] + A[2:, 1:-1] + A[:-2, 1:-1])
    return np.sum(A * A)

# The derivative

import numpy as np


def relaxation_grad(A0, n):
    A = np.copy(A0)  # A = A0.copy()
    for _ in range(n):
        A[1:-1, 1:-1] = 0.25 * (A[1:-1, :-2] + A[1:-1, 2:] + A[2:, 1:-1] + A[:-2, 1:-1])
    A_bar = 2 * A  # return np.sum(A * A)
    for _ in reversed(range(n)):
        # A[1:-1, 1:-1] = 0.25 * (A[1:-1, :-2] + A[1:-1, 2:] + A[2:, 1:-1] + A[:-2, 1:-1])
        t_bar = A_bar[1:-1, 1:-1].copy()
        A_bar[1:-1, 1:-1] = 0.0
        t_bar2 = 0.25 * t_bar
        A_bar[:-2, 1:-1] += t_bar2
        A_bar[2:, 1:-1] += t_bar2
        A_bar[1:-1, 2:] += t_bar2
        A_bar[1:-1, :-2] += t_bar2
    return A_bar
