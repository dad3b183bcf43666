import numpy as np

import sourcediff as sd


def loss(w: np.ndarray):
    return float(w.tobytes().hex())


def run():
    sd.grad(loss).source
