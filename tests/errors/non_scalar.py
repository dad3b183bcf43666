import numpy as np

import sourcediff as sd


def loss(w: np.ndarray):
    return w * w


def run():
    sd.grad(loss).source
