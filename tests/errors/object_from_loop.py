import sourcediff as sd


class Model:
    def __init__(self, w):
        self.w = w


def loss(w, n):
    for k in range(n):
        model = Model(w * k)
    return model.w


def run():
    sd.grad(loss).source
