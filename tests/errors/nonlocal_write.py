import sourcediff as sd


def loss(w):
    total = 0.0

    def add(v):
        nonlocal total
        total = total + v

    add(w)
    return total


def run():
    sd.grad(loss).source
