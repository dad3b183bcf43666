import sourcediff as sd


def loss(w, x):
    return w * x


def run():
    sd.derivative(loss, wrt=("w", "x"))
