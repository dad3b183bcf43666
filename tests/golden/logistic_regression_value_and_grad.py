"""sd.value_and_grad(logistic_regression, wrt=0), declared for (an array of rank 1, an array of rank 2, an array of rank 1)"""
# ruff: noqa: E402, F811, I001 (the second half is kept as it was generated, with its own imports)

def logistic_regression(w, X, y):
    s = X @ w
    return np.mean(np.log(1.0 + np.exp(-y * s)))

# The derivative

import numpy as np
from sourcediff.runtime import unbroadcast


def logistic_regression_value_and_grad(w, X, y):
    s = X @ w
    t = -y  # return np.mean(np.log(1.0 + np.exp(-y * s)))
    t2 = t * s
    t3 = np.exp(t2)
    t4 = 1.0 + t3
    return np.mean(np.log(t4)), X.T @ unbroadcast(1.0 / t2.size / t4 * t3 * t, s)
