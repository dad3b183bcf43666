import sourcediff as sd


def loss(w):
    pair = (w, w)
    pair[0] = 2.0
    return pair[0] * pair[1]


def run():
    sd.grad(loss).source
