"""sd.value_and_grad(newton, wrt=0)"""
# ruff: noqa: E402, F811, I001 (the second half is kept as it was generated, with its own imports)

def newton(a: float):
    x = a
    while abs(x * x - a) > 1e-12:
        x = 0.5 * (x + a / x)
    return x

# The derivative

def newton_value_and_grad(a):
    trips = 0
    x = a
    xs = []
    while abs(x * x - a) > 1e-12:
        trips += 1
        xs.append(x)
        x = 0.5 * (x + a / x)
    value = x
    x_bar = 1.0
    a_bar = 0.0
    for _ in range(trips):
        x = xs.pop()
        x_bar = 0.5 * x_bar  # x = 0.5 * (x + a / x)
        a_bar += x_bar / x
        x_bar = x_bar - x_bar * (a / x) / x
    a_bar += x_bar
    return value, a_bar
