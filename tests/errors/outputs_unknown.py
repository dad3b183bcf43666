import sourcediff as sd


def fill(A, x):
    A[:] = x


def run():
    sd.vjp(fill, wrt="x", outputs=("B",))
