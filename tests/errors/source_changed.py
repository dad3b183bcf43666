import sourcediff as sd


def loss(w):
    return w * w


def run():
    loss.__code__ = loss.__code__.replace(co_consts=(None, 3.0))
    sd.grad(loss).source
