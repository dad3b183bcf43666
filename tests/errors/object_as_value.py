import sourcediff as sd


class Model:
    def __init__(self, w):
        self.w = w


def loss(w):
    return Model(w)


def run():
    sd.grad(loss).source
