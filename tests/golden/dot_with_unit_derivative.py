"""sd.derivative(dot_with_unit, wrt=0)"""
# ruff: noqa: E402, F811, I001 (the second half is kept as it was generated, with its own imports)

def dot_with_unit(t: float, b0: float, b1: float, b2: float):
    a0, a1, a2 = t, 0.0, 0.0
    return a0 * b0 + a1 * b1 + a2 * b2

# The derivative

def dot_with_unit_derivative(t, b0, b1, b2):
    return b0
