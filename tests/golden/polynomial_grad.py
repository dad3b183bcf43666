"""sd.grad(polynomial, wrt=0)"""
# ruff: noqa: E402, F811, I001 (the second half is kept as it was generated, with its own imports)

def polynomial(x: float):
    return 3.0 * x**3 - 2.0 * x + x / (1.0 + x)

# The derivative

def polynomial_grad(x):
    t = 1.0 + x  # return 3.0 * x**3 - 2.0 * x + x / (1.0 + x)
    return 1.0 / t - x / t / t - 2.0 + 9.0 * x ** 2
