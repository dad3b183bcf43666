import numpy as np

import sourcediff as sd


def loss(w, smooth):
    squash = np.tanh if smooth else np.sign
    return squash(w)


def run():
    sd.grad(loss).source
