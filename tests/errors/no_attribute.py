import sourcediff as sd


class Model:
    scale = 2.0


model = Model()


def loss(w):
    return w * model.scales


def run():
    sd.grad(loss).source
