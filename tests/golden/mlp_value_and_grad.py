"""sd.value_and_grad(mlp, wrt=(0, 1, 2, 3)), declared for (an array of rank 2, an array of rank 1, an array of rank 2, an array of rank 1, an array of rank 2, an array of rank 2)"""
# ruff: noqa: E402, F811, I001 (the second half is kept as it was generated, with its own imports)

def mlp(W1, b1, W2, b2, X, Y):
    h = np.tanh(X @ W1 + b1)
    z = h @ W2 + b2
    zmax = np.max(z, axis=1, keepdims=True)
    lse = np.log(np.sum(np.exp(z - zmax), axis=1, keepdims=True)) + zmax
    return -np.mean(np.sum(Y * (z - lse), axis=1))

# The derivative

import numpy as np
from sourcediff.runtime import broadcast_like, unbroadcast


def mlp_value_and_grad(W1, b1, W2, b2, X, Y):
    t = X @ W1  # h = np.tanh(X @ W1 + b1)
    h = np.tanh(t + b1)
    t2 = h @ W2  # z = h @ W2 + b2
    z = t2 + b2
    zmax = np.max(z, axis=1, keepdims=True)
    t3 = np.exp(z - zmax)  # lse = np.log(np.sum(np.exp(z - zmax), axis=1, keepdims=True)) + zmax
    t4 = np.sum(t3, axis=1, keepdims=True)
    lse = np.log(t4) + zmax
    t5 = z - lse  # return -np.mean(np.sum(Y * (z - lse), axis=1))
    t6 = Y * t5
    t7 = np.sum(t6, axis=1)
    t5_bar = unbroadcast(broadcast_like(-1.0 / t7.size, t6) * Y, t5)
    lse_bar = unbroadcast(-t5_bar, lse)
    # lse = np.log(np.sum(np.exp(z - zmax), axis=1, keepdims=True)) + zmax
    t_bar = unbroadcast(lse_bar, t4) / t4 * t3
    z_bar = unbroadcast(t5_bar, z) + unbroadcast(t_bar, z)
    zmax_bar = unbroadcast(lse_bar, zmax) + unbroadcast(-t_bar, zmax)
    # zmax = np.max(z, axis=1, keepdims=True)
    z_bar = z_bar + np.where(z == zmax, zmax_bar / np.sum(z == zmax, axis=1, keepdims=True), 0)
    t2_bar = unbroadcast(z_bar, t2)  # z = h @ W2 + b2
    b2_bar = unbroadcast(z_bar, b2)
    t_bar2 = t2_bar @ W2.T * (1 - h * h)  # h = np.tanh(X @ W1 + b1)
    b1_bar = unbroadcast(t_bar2, b1)
    return -np.mean(t7), (X.T @ unbroadcast(t_bar2, t), b1_bar, h.T @ t2_bar, b2_bar)
