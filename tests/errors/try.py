import sourcediff as sd


def loss(w):
    try:
        return 1.0 / w
    except ZeroDivisionError:
        return 0.0


def run():
    sd.grad(loss).source
