import sourcediff as sd


def loss(w):
    return w * w


def run():
    sd.grad(loss).source
