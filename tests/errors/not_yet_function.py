import numpy as np

import sourcediff as sd


def loss(w):
    return sum(w[i] for i in np.ndindex(3))


def run():
    sd.grad(loss).source
