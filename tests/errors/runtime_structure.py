import sourcediff as sd


def loss(w, n):
    nest = w
    for _ in range(n):
        nest = (nest, w)
    return nest[0]


def run():
    sd.grad(loss).source
