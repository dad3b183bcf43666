import sourcediff as sd


def loss(w):
    return eval("w * w")


def run():
    sd.grad(loss).source
