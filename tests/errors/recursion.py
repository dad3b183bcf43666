import sourcediff as sd


def power(w, n):
    return 1.0 if n == 0 else w * power(w, n - 1)


def loss(w, n):
    return power(w, n)


def run():
    sd.grad(loss).source
