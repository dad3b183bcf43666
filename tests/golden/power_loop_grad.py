"""sd.grad(power_loop, wrt=0)"""
# ruff: noqa: E402, F811, I001 (the second half is kept as it was generated, with its own imports)

def power_loop(x: float, n: int):
    s = 1.0
    for _ in range(n):
        s = s * x
    return s

# The derivative

def power_loop_grad(x, n):
    s = 1.0
    ss = []
    for _ in range(n):
        ss.append(s)
        s *= x
    s_bar = 1.0
    x_bar = 0.0
    for _ in reversed(range(n)):
        s = ss.pop()
        x_bar += s_bar * s  # s = s * x
        s_bar *= x
    return x_bar
