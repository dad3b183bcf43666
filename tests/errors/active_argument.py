import numpy as np

import sourcediff as sd


def loss(w):
    return np.sum(np.roll(np.ones(3), w)) * w


def run():
    sd.grad(loss).source
