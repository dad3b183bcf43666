import sourcediff as sd


def loss(w):
    return locals()["w"] * 2.0


def run():
    sd.grad(loss).source
