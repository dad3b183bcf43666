"""sd.vjp(polar, wrt=(0, 1))"""
# ruff: noqa: E402, F811, I001 (the second half is kept as it was generated, with its own imports)

def polar(x: float, y: float):
    return math.hypot(x, y), math.atan2(y, x)

# The derivative

import math
from sourcediff.runtime import check_seed


def polar_vjp(x, y, value_bar):
    t = math.hypot(x, y)  # return math.hypot(x, y), math.atan2(y, x)
    t2 = math.atan2(y, x)
    check_seed(value_bar, (t, t2), "value_bar")
    t_bar = value_bar[0]
    t2_bar = value_bar[1]
    y_bar = t2_bar * x / (x * x + y * y) + t_bar * y / t
    return (t, t2), (t_bar * x / t - t2_bar * y / (x * x + y * y), y_bar)
