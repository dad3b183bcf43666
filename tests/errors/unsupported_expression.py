import sourcediff as sd


def loss(w):
    return w * len({w, 2.0 * w})


def run():
    sd.grad(loss).source
