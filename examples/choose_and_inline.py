"""A program that takes F and gives dF/dx: which x, of functions that call functions, and of programs that no expression could hold.

The question is an old one of Lisp, Scheme and Clojure: a macro that differentiates `(* (foo x y) (bar x))`, where foo and bar are functions
of their own, without capturing a name; by several parameters, of which the user chooses; of vectors. And why not symbolically?
"""

import numpy as np

import sourcediff as sd


def foo(x, y):
    t = x * y  # the caller has a t of its own
    return np.sin(t)


def bar(x):
    x = x * x  # the parameter is bound again
    return x + 1.0


def product(x: float, y: float):
    t = foo(x, y) * bar(x)
    return t * t


print("By x alone, by name; then by both, in the order that is asked for. foo and bar are inlined, and no name means two things:\n")
print(sd.grad(product, wrt="x").source)
both = sd.grad(product, wrt=("y", "x"))
print(both.source)
t = np.sin(6.0) * 5.0
expected = 2 * t * np.cos(6.0) * 2.0 * 5.0, 2 * t * (np.cos(6.0) * 3.0 * 5.0 + np.sin(6.0) * 4.0)
np.testing.assert_allclose(both(2.0, 3.0), expected)


def spring_chain(positions: np.ndarray, rest: float):
    """The forces in a chain: a vector of a vector."""
    stretch = positions[1:] - positions[:-1] - rest
    return stretch + stretch**3


print("The Jacobian of a vector by a vector, and a direction pushed through it without forming it:\n")
positions = np.array([0.0, 1.2, 2.1, 3.4])
jacobian = sd.jacobian(spring_chain)(positions, 1.0)
print(jacobian.round(3))
direction = np.array([0.0, 0.0, 0.0, 1.0])
np.testing.assert_allclose(sd.jvp(spring_chain)(positions, 1.0, direction)[1], jacobian @ direction)


def cooling(power: float, steps: int):
    """A rod heated at one end, in small steps of time, until it is warm enough in the middle: how warm it is at the other end."""
    heat = np.zeros(8)
    for _ in range(steps):
        heat[0] += power
        for i in range(1, 8):
            flow = 0.3 * (heat[i - 1] - heat[i])
            if flow > 0.0:
                heat[i - 1] -= flow
                heat[i] += flow
        if heat[4] > 1.0:
            break
    return heat[7]


print("\nWhy not symbolically? Because a program is more than an expression. This one loops, branches, stops early and writes")
print("into an array, and so does its derivative. Written as one expression it would have thousands of terms:\n")
slope = sd.grad(cooling)
print(slope.source)
step = 1e-6
differences = (cooling(0.5 + step, 60) - cooling(0.5 - step, 60)) / (2 * step)
print(f"the slope {slope(0.5, 60):.6f}, by differences {differences:.6f}")
np.testing.assert_allclose(slope(0.5, 60), differences, rtol=1e-5)
