"""sd.grad(local_function, wrt=0)"""
# ruff: noqa: E402, F811, I001 (the second half is kept as it was generated, with its own imports)

def local_function(x: float):
    def g(u):
        return u * x

    return g(x) + g(2.0)

# The derivative

def local_function_grad(x):
    return 2.0 + 2 * x
