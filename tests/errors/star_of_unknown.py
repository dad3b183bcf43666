import sourcediff as sd


def product(a, b):
    return a * b


def loss(w):
    return product(*w)


def run():
    sd.grad(loss).source
