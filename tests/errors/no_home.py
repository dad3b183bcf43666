import numpy as np

import sourcediff as sd


def made(scale):
    class Model:
        def __init__(self):
            self.scale = np.array([scale])

    model = Model()

    def loss(w):
        return w * model.scale[0]

    return loss


def run():
    sd.grad(made(2.0)).save("unused.py")
