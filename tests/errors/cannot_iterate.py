import sourcediff as sd


def loss(w):
    total = 0.0
    for key in w.parts:
        total += key
    return total


def run():
    sd.grad(loss).source
