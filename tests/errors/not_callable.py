import sourcediff as sd


def run():
    sd.grad(3.0)
