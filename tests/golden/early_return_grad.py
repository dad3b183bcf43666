"""sd.grad(early_return, wrt=(0, 1))"""
# ruff: noqa: E402, F811, I001 (the second half is kept as it was generated, with its own imports)

def early_return(x: float, y: float):
    if x < 0.0:
        return y
    return x * y

# The derivative

def early_return_grad(x, y):
    x_bar = 0.0
    if x < 0.0:
        y_bar = 1.0
    else:
        x_bar = y  # return x * y
        y_bar = x
    return x_bar, y_bar
