import numpy as np

import sourcediff as sd


class Model:
    def __init__(self, w):
        self.w = w


def loss(w):
    return np.sum(Model(w))


def run():
    sd.grad(loss).source
