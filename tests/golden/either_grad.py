"""sd.grad(either, wrt=0)"""
# ruff: noqa: E402, F811, I001 (the second half is kept as it was generated, with its own imports)

def either(x: float):
    return (x * x if x > 0.0 else -3.0 * x) * x

# The derivative

def either_grad(x):
    c = x > 0.0  # return (x * x if x > 0.0 else -3.0 * x) * x
    if c:
        t = x * x
    else:
        t = -3.0 * x
    if c:
        x_bar = t + 2 * x * x
    else:
        x_bar = t - 3 * x
    return x_bar
