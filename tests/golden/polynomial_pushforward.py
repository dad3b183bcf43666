"""sd.pushforward(polynomial, wrt=0)"""
# ruff: noqa: E402, F811, I001 (the second half is kept as it was generated, with its own imports)

def polynomial(x: float):
    return 3.0 * x**3 - 2.0 * x + x / (1.0 + x)

# The derivative

from sourcediff.runtime import check_seed


def polynomial_pushforward(x):
    def push(x_dot):
        check_seed(x_dot, x, "x_dot")
        t5_2 = 1.0 + x
        return 3 * (3 * x_dot * x ** 2) - 2 * x_dot + (x_dot / t5_2 - x_dot * (x / t5_2) / t5_2)

    return 3.0 * x ** 3 - 2.0 * x + x / (1.0 + x), push
