"""sd.grad(horner, wrt=0)"""
# ruff: noqa: E402, F811, I001 (the second half is kept as it was generated, with its own imports)

def horner(x: float, coefficients: list[float]):
    p = 0.0
    for c in coefficients:
        p = p * x + c
    return p

# The derivative

def horner_grad(x, coefficients):
    p = 0.0
    ps = []
    for i in range(len(coefficients)):
        c = coefficients[i]
        ps.append(p)
        p = p * x + c
    p_bar = 1.0
    x_bar = 0.0
    for i in reversed(range(len(coefficients))):
        p = ps.pop()
        t_bar = p_bar  # p = p * x + c
        p_bar *= x
        x_bar += t_bar * p
    return x_bar
