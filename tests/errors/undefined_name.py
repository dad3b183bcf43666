import sourcediff as sd


def loss(w):
    return w * scale  # noqa: F821 - it is not defined: that is the example


def run():
    sd.grad(loss).source
