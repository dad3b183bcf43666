"""sd.grad(calls, wrt=(0, 1))"""
# ruff: noqa: E402, F811, I001 (the second half is kept as it was generated, with its own imports)

def calls(x: float, y: float):
    return square(x + y) * square(y)

# The derivative

def calls_grad(x, y):
    t = x + y  # return square(x + y) * square(y)
    x_bar = 2 * (y * y) * t  # return v * v
    return x_bar, 2 * (t * t) * y + x_bar
