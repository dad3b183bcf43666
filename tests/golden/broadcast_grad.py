"""sd.grad(broadcast, wrt=(0, 1)), declared for (an array of rank 2, an array of rank 1)"""
# ruff: noqa: E402, F811, I001 (the second half is kept as it was generated, with its own imports)

def broadcast(a, b):
    return np.sum((a + b) ** 2)

# The derivative

from sourcediff.runtime import owned, unbroadcast


def broadcast_grad(a, b):
    t_bar = 2 * (a + b)  # return np.sum((a + b) ** 2)
    return owned(unbroadcast(t_bar, a), a), unbroadcast(t_bar, b)
