import numpy as np

import sourcediff as sd


def loss(w):
    return w * (np.sin == np.cos)


def run():
    sd.grad(loss).source
