import operator

import sourcediff as sd


def loss(w):
    return w * w


def run():
    sd.grad(operator.itemgetter(0)).source
