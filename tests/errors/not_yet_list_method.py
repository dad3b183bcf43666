import sourcediff as sd


def loss(w):
    values = [w]
    values.insert(0, w * w)
    return values[0]


def run():
    sd.grad(loss).source
