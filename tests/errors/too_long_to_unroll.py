import sourcediff as sd


FUNCTIONS = [lambda v, k=k: k * v for k in range(1000)]


def loss(w):
    total = 0.0
    for f in tuple(FUNCTIONS):
        total += f(w)
    return total


def run():
    sd.grad(loss).source
