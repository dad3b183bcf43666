import sourcediff as sd


class Model:
    def __init__(self, w):
        if w > 0.0:
            self.w = w


def loss(w):
    return Model(w).w


def run():
    sd.grad(loss).source
