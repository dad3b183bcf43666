"""sd.grad(sum_of_squares, wrt=0), declared for (an array of rank 1)"""
# ruff: noqa: E402, F811, I001 (the second half is kept as it was generated, with its own imports)

def sum_of_squares(x):
    return np.sum(x * x)

# The derivative

def sum_of_squares_grad(x):
    return 2 * x
