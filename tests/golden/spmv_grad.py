"""sd.grad(spmv, wrt=(0, 1)), declared for (an array of rank 1, an array of rank 1, an array of rank 1, an array of rank 1)"""
# ruff: noqa: E402, F811, I001 (the second half is kept as it was generated, with its own imports)

def spmv(data, x, indices, indptr):
    """A sparse matrix in rows times a vector."""
    y = np.zeros(len(indptr) - 1)
    for i in range(len(y)):
        for k in range(indptr[i], indptr[i + 1]):
            y[i] += data[k] * x[indices[k]]
    return np.sum(y * y)

# The derivative

import numpy as np


def spmv_grad(data, x, indices, indptr):
    y = np.zeros(len(indptr) - 1)
    t = len(y)  # for i in range(len(y)):
    for i in range(t):
        for k in range(indptr[i], indptr[i + 1]):
            y[i] += data[k] * x[indices[k]]
    y_bar = 2 * y  # return np.sum(y * y)
    data_bar = np.zeros_like(data)
    x_bar = np.zeros_like(x)
    for i in reversed(range(t)):
        for k in reversed(range(indptr[i], indptr[i + 1])):
            t_bar = y_bar[i]  # y[i] += data[k] * x[indices[k]]
            t2 = indices[k]
            x_bar[t2] += t_bar * data[k]
            data_bar[k] += t_bar * x[t2]
    return data_bar, x_bar
