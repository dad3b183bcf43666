"""sd.grad(appended, wrt=0)"""
# ruff: noqa: E402, F811, I001 (the second half is kept as it was generated, with its own imports)

def appended(x: float, n: int):
    xs = []
    for _ in range(n):
        x = np.sin(x)
        xs.append(x)
    return np.sum(np.array(xs))

# The derivative

import numpy as np
from sourcediff.runtime import add_each, broadcast_like, zero_parts


def appended_grad(x, n):
    xs = []
    xs2 = []
    for _ in range(n):
        xs2.append(x)
        x = np.sin(x)
        xs.append(x)
    xs_bar = zero_parts(xs)  # return np.sum(np.array(xs))
    add_each(xs_bar, broadcast_like(1.0, np.array(xs)))
    x_bar = 0.0
    for _ in reversed(range(n)):
        x_bar += xs_bar.pop()  # xs.append(x)
        x = xs2.pop()
        x_bar *= np.cos(x)  # x = np.sin(x)
    return x_bar
