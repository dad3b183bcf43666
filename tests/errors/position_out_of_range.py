import sourcediff as sd


def loss(w, x):
    return w * x


def run():
    sd.grad(loss, wrt=2)
