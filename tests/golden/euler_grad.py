"""sd.grad(euler, wrt=(0, 1))"""
# ruff: noqa: E402, F811, I001 (the second half is kept as it was generated, with its own imports)

def euler(y: float, k: float, n: int):
    for _ in range(n):
        y = y + 0.1 * rhs(y, k)
    return y

# The derivative

def euler_grad(y, k, n):
    ys = []
    for _ in range(n):
        ys.append(y)
        y = y + 0.1 * (-k * y)  # y = y + 0.1 * rhs(y, k)
    y_bar = 1.0
    k_bar = 0.0
    for _ in reversed(range(n)):
        y = ys.pop()
        t_bar = 0.1 * y_bar  # y = y + 0.1 * rhs(y, k)
        y_bar -= t_bar * k  # return -k * y
        k_bar -= t_bar * y
    return y_bar, k_bar
