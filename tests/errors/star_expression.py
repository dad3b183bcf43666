import sourcediff as sd


def loss(w):
    return sum([*w, 1.0])


def run():
    sd.grad(loss).source
