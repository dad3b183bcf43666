import sourcediff as sd


def loss(w, squash):
    return squash(w)


def run():
    sd.grad(loss).source
