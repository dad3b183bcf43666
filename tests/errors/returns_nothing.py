import sourcediff as sd


def loss(w):
    w * w


def run():
    sd.grad(loss).source
