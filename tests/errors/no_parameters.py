import sourcediff as sd


def loss():
    return 1.0


def run():
    sd.grad(loss)
