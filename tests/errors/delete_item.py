import sourcediff as sd


def loss(w):
    del w[0]
    return w[0]


def run():
    sd.grad(loss).source
