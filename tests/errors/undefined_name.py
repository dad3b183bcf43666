import sourcediff as sd


def loss(w):
    return w * scale


def run():
    sd.grad(loss).source
