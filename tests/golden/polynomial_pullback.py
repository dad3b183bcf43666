"""sd.pullback(polynomial, wrt=0)"""
# ruff: noqa: E402, F811, I001 (the second half is kept as it was generated, with its own imports)

def polynomial(x: float):
    return 3.0 * x**3 - 2.0 * x + x / (1.0 + x)

# The derivative

from sourcediff.runtime import check_seed


def polynomial_pullback(x):
    t = 1.0 + x  # return 3.0 * x**3 - 2.0 * x + x / (1.0 + x)
    t2 = x / t
    t3 = 3.0 * x ** 3 - 2.0 * x + t2

    def pull(value_bar):
        check_seed(value_bar, t3, "value_bar")
        t_bar = 3.0 * value_bar
        return value_bar / t - value_bar * t2 / t + -2 * value_bar + 3 * t_bar * x ** 2

    return t3, pull
