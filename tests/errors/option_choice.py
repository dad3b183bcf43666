import sourcediff as sd


def loss(w):
    return w


def run():
    sd.jacobian(loss, mode="backwards")
