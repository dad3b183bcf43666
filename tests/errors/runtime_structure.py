import sourcediff as sd


def loss(w, n):
    if n > 0:
        pair = (w, w)
    else:
        pair = (w, w, w)
    return sum(pair)


def run():
    sd.grad(loss).source
