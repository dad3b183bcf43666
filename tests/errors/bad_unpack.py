import sourcediff as sd


def loss(w):
    a, b = w, w * w, 1.0
    return a * b


def run():
    sd.grad(loss).source
