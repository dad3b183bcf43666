import sourcediff as sd


def loss(w):
    values = [w]
    for v in values:
        values.append(v)
    return values[0]


def run():
    sd.grad(loss).source
