import sourcediff as sd


def loss(w):
    pairs = []
    for k in range(3):
        pairs.append((w, k))
    return pairs[0][0]


def run():
    sd.grad(loss).source
