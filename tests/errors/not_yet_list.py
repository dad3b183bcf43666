import sourcediff as sd


def loss(w: list):
    w[0] = 2.0
    return w[0]


def run():
    sd.grad(loss).source
