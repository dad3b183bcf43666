"""sd.grad(huber, wrt=(0, 1))"""
# ruff: noqa: E402, F811, I001 (the second half is kept as it was generated, with its own imports)

def huber(x: float, delta: float):
    if abs(x) < delta:
        y = 0.5 * x * x
    else:
        y = delta * (abs(x) - 0.5 * delta)
    return y

# The derivative

def huber_grad(x, delta):
    c = abs(x) < delta  # if abs(x) < delta:
    if c:
        t = 0.5 * x  # y = 0.5 * x * x
    else:
        t2 = abs(x) - 0.5 * delta  # y = delta * (abs(x) - 0.5 * delta)
    delta_bar = 0.0
    if c:
        x_bar = t + 0.5 * x  # y = 0.5 * x * x
    else:
        delta_bar = t2 + -0.5 * delta  # y = delta * (abs(x) - 0.5 * delta)
        x_bar = delta * ((x > 0) - (x < 0))
    return x_bar, delta_bar
