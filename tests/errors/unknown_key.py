import sourcediff as sd


def loss(w):
    table = {w: 2.0}
    return table[w] * w


def run():
    sd.grad(loss).source
