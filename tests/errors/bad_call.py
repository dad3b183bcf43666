import sourcediff as sd


def affine(w, b):
    return w + b


def loss(w):
    return affine(w)


def run():
    sd.grad(loss).source
