import sourcediff as sd


def loss(w):
    w.scale: float = 2.0
    return w


def run():
    sd.grad(loss).source
