import sourcediff as sd


def loss(z):
    return z * z


def run():
    sd.grad(loss)(1.0 + 2.0j)
