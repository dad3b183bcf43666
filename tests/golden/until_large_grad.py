"""sd.grad(until_large, wrt=0)"""
# ruff: noqa: E402, F811, I001 (the second half is kept as it was generated, with its own imports)

def until_large(x: float):
    y = 1.0
    for _ in range(10):
        y = y * x
        if y > 3.0:
            break
    return y * x

# The derivative

def until_large_grad(x):
    trips = 0
    y = 1.0
    ys = []
    for _ in range(10):
        trips += 1
        ys.append(y)
        y *= x
        if y > 3.0:
            break
    y_bar = x  # return y * x
    x_bar = y
    for _ in reversed(range(trips)):
        y = ys.pop()
        x_bar += y_bar * y  # y = y * x
        y_bar *= x
    return x_bar
