import sourcediff as sd


def loss(w, n):
    if n > 0:
        scale = 2.0
    return w * scale


def run():
    sd.grad(loss).source
