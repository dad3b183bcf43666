import sourcediff as sd


def loss(z, x):
    z.real = x
    return abs(z[0])


def run():
    sd.grad(loss, wrt="x").source
