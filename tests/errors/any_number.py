import math

import sourcediff as sd


def run():
    sd.grad(math.hypot)
