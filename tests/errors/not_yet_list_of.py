import sourcediff as sd


def loss(w):
    return list(w)[0]


def run():
    sd.grad(loss).source
