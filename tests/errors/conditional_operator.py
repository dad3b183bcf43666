import sourcediff as sd


class Model:
    def __init__(self, w):
        self.w = w

    def __lt__(self, other):
        return self.w * self.w < other.w


def loss(w):
    one, other = Model(w), Model(2.0)
    if w > 0.0 and one < other:
        return w
    return 2.0 * w


def run():
    sd.grad(loss).source
