import sourcediff as sd


def loss(w):
    return w, None


def run():
    sd.grad(loss, backend="numba")
