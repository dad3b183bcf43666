import numpy as np

import sourcediff as sd


def loss(w: np.ndarray):
    return w.byteswap()[0]


def run():
    sd.grad(loss).source
