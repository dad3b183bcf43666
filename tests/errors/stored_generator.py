import sourcediff as sd


def loss(w):
    terms = (v * w for v in (1.0, 2.0))
    return sum(terms)


def run():
    sd.grad(loss).source
