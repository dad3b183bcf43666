import sourcediff as sd


def loss(w):
    return sorted([w, 2.0 * w])[0]


def run():
    sd.grad(loss).source
