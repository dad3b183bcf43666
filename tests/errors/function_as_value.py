import numpy as np

import sourcediff as sd


def loss(w):
    return np.vectorize(lambda v: v * v)(w)


def run():
    sd.grad(loss).source
