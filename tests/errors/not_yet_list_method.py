import sourcediff as sd


def loss(w):
    values = [w, w * w]
    return values[values.index(w)]


def run():
    sd.grad(loss).source
