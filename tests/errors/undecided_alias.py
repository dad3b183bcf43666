import numpy as np

import sourcediff as sd


def loss(w):
    v = np.zeros(3)
    tail = v[1:]
    tail[0] = w
    return v[1] * w


def run():
    sd.grad(loss).source
