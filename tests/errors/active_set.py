import sourcediff as sd


def loss(w):
    return sum({v * w for v in (1.0, 2.0)})


def run():
    sd.grad(loss).source
