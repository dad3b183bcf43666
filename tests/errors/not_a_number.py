import sourcediff as sd


def loss(w, reduce):
    return reduce(w)


def run():
    sd.grad(loss, wrt="reduce")([1.0, 2.0], sum)
