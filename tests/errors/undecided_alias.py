import numpy as np

import sourcediff as sd


def loss(w):
    A = np.zeros((3, 3))
    d = np.diagonal(A)
    A[0, 0] = w
    return np.sum(d * w)


def run():
    sd.grad(loss).source
