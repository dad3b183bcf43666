"""Jacobians of small functions: what is structurally zero or one is never computed.

Forward mode in C++ templates carries a vector of tangents through every operation, although most seeds are 0 and 1, and compilers do not
fold a dot product with a unit vector into one element. Here a tangent that is zero is a *fact* when the derivative is written: it has
no line in it.
"""

import ast
import math
import time

import numpy as np

import sourcediff as sd


def dot(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def along_x(s: float, b0: float, b1: float, b2: float):
    """A dot product with s times a unit vector."""
    return dot((s, 0.0, 0.0), (b0, b1, b2))


def rotate(r0, r1, r2, d0, d1, d2):
    """The vector d turned around r by the angle |r|, in radians (Rodrigues' formula)."""
    angle = math.sqrt(r0 * r0 + r1 * r1 + r2 * r2)
    c = math.cos(angle)
    s = math.sin(angle)
    a0 = r0 / angle
    a1 = r1 / angle
    a2 = r2 / angle
    along = (a0 * d0 + a1 * d1 + a2 * d2) * (1.0 - c)
    return (
        d0 * c + (a1 * d2 - a2 * d1) * s + a0 * along,
        d1 * c + (a2 * d0 - a0 * d2) * s + a1 * along,
        d2 * c + (a0 * d1 - a1 * d0) * s + a2 * along,
    )


def bundle_residual(
    r0: float, r1: float, r2: float, c0: float, c1: float, c2: float,  # the camera's rotation and centre
    f: float, u0: float, v0: float, k1: float, k2: float,  # its focal length, principal point and radial distortion
    x0: float, x1: float, x2: float, w: float,  # the point, and the weight of the observation
    m0: float, m1: float,  # where the point was seen
):  # fmt: skip
    """One observation of bundle adjustment: 15 variables, 2 residuals."""
    y0, y1, y2 = rotate(r0, r1, r2, x0 - c0, x1 - c1, x2 - c2)
    px = y0 / y2
    py = y1 / y2
    rho = px * px + py * py
    distortion = 1.0 + k1 * rho + k2 * rho * rho
    return w * (px * distortion * f + u0 - m0), w * (py * distortion * f + v0 - m1)


def two_rotations(p: np.ndarray, m: tuple[float, float, float]):
    """y = R(a) (R(r) d + t) - m with p = (a, t, r, d): 12 variables, 3 residuals."""
    q0, q1, q2 = rotate(p[6], p[7], p[8], p[9], p[10], p[11])
    y0, y1, y2 = rotate(p[0], p[1], p[2], q0 + p[3], q1 + p[4], q2 + p[5])
    return y0 - m[0], y1 - m[1], y2 - m[2]


def operations(source):
    """How many operations and calls a text without loops has."""
    return sum(isinstance(node, (ast.BinOp, ast.UnaryOp, ast.Call)) for node in ast.walk(ast.parse(source)))


def seconds_of(function, args, repeats=200, rounds=5):
    best = math.inf
    for _ in range(rounds):
        start = time.perf_counter()
        for _ in range(repeats):
            function(*args)
        best = min(best, (time.perf_counter() - start) / repeats)
    return best


print("The tangent of a dot product with a unit vector is one element:\n")
print(sd.jvp(along_x).source)
print(sd.jacobian(along_x, wrt=("s", "b0", "b1", "b2")).source)

numbers = np.random.default_rng(0).uniform(0.2, 0.6, 17).tolist()
bundle = sd.value_and_jacobian(bundle_residual, wrt=tuple(range(15)))
value, rows = bundle(*numbers)
print("The 2 by 15 Jacobian of the bundle-adjustment residual:\n")
print(np.round(rows, 2))
print("\nNo line computes the zeros, and the derivative by u0 is w itself:\n")
print("\n".join(bundle.source.splitlines()[-6:]))

step = 1e-6
for i in range(15):
    ahead, behind = ([*numbers[:i], numbers[i] + h, *numbers[i + 1 :]] for h in (step, -step))
    differences = (np.array(bundle_residual(*ahead)) - bundle_residual(*behind)) / (2 * step)
    np.testing.assert_allclose([row[i] for row in rows], differences, rtol=1e-6, atol=1e-8)

p, m = np.random.default_rng(1).uniform(0.2, 0.6, 12), (0.1, 0.2, 0.3)
rotations = sd.value_and_jacobian(two_rotations).specialize(p, m)
np.testing.assert_allclose(rotations(p, m)[1], sd.jacobian(two_rotations, mode="reverse")(p, m), rtol=1e-12)

print("\nWhat a Jacobian costs, the value included. One direction at a time, it would be 15 and 12 functions and more:\n")
for label, f, derivative, args in (
    ("bundle adjustment, 15 -> 2", bundle_residual, bundle, numbers),
    ("two rotations, 12 -> 3", two_rotations, rotations, (p, m)),
):
    ratio = seconds_of(derivative.function, args) / seconds_of(f, args)
    print(f"    {label:28}{operations(derivative.source):5} operations, {ratio:5.1f} times the function under plain Python")
