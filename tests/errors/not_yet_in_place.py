import numpy as np

import sourcediff as sd


def loss(w: np.ndarray):
    v = w * 2.0
    v.resize(2)
    return v[0]


def run():
    sd.grad(loss).source
