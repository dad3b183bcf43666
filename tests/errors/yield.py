import sourcediff as sd


def loss(w):
    yield w * w


def run():
    sd.grad(loss).source
