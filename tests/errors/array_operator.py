import sourcediff as sd


class Model:
    def __init__(self, w):
        self.w = w

    def __rmul__(self, k):
        return self.w * k


def loss(w):
    return w * Model(2.0)


def run():
    sd.grad(loss).source
