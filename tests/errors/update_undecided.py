import sourcediff as sd


def loss(w):
    v = w
    v += 1.0
    return v * w


def run():
    sd.grad(loss).source
