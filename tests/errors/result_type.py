import sourcediff as sd


def loss(w):
    return "text"


def run():
    sd.grad(loss).source
