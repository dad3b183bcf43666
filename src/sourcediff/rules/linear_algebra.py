"""numpy.linalg. Stacks of matrices broadcast as NumPy's do; cotangents pair without conjugation, so that every transpose is a plain one."""

from __future__ import annotations

import numpy as np

from sourcediff.rules.forms import composition, forward, reverse, undefined
from sourcediff.runtime import expanded, known_equal, known_none, known_rank, known_real, unbroadcast


@reverse(np.linalg.inv, kind="float same rank", on=["f(S)", "f(SS)"])
def inv(y_bar, y, a):
    if known_rank(a, 2):
        return -y.T @ y_bar @ y.T
    return -np.swapaxes(y, -1, -2) @ y_bar @ np.swapaxes(y, -1, -2)


@forward(np.linalg.inv)
def inv_forward(y, a, a_dot):
    return -y @ a_dot @ y


@reverse(np.linalg.solve, kind="solve", on=["f(S, t)", "f(S, M)", "f(SS, SS)", "f(SS, t)", "f(SS, S)", "f(S, SS)"])
def solve(x_bar, x, a, b):
    if known_rank(a, 2) and known_rank(b, 1):
        b_bar = np.linalg.solve(a.T, x_bar)
        return -np.outer(b_bar, x), b_bar
    if known_rank(a, 2) and known_rank(b, 2):
        b_bar = np.linalg.solve(a.T, x_bar)
        return -b_bar @ x.T, b_bar
    return solve_left(x_bar, x, a, b), solve_right(x_bar, a, b)


def solve_left(x_bar, x, a, b):
    """The adjoint of a in np.linalg.solve(a, b), for any ranks."""
    if np.ndim(b) == 1:
        return unbroadcast(-np.expand_dims(solve_each(np.swapaxes(a, -1, -2), x_bar), -1) * np.expand_dims(x, -2), a)
    return unbroadcast(-np.linalg.solve(np.swapaxes(a, -1, -2), x_bar) @ np.swapaxes(x, -1, -2), a)


def solve_right(x_bar, a, b):
    """The adjoint of b in np.linalg.solve(a, b), for any ranks."""
    if np.ndim(b) == 1:
        return unbroadcast(solve_each(np.swapaxes(a, -1, -2), x_bar), b)
    return unbroadcast(np.linalg.solve(np.swapaxes(a, -1, -2), x_bar), b)


def solve_each(a, b):
    """The solutions for a stack of matrices and a stack of vectors."""
    return np.linalg.solve(a, np.expand_dims(b, -1))[..., 0]


def solve_tangent(a, b, right):
    """The tangent of the solution of a x = b for the tangent `right` of the right side."""
    return solve_each(a, right) if np.ndim(b) == 1 else np.linalg.solve(a, right)


@forward(np.linalg.solve)
def solve_forward(x, a, b, a_dot, b_dot):
    if a_dot is None:
        return np.linalg.solve(a, b_dot)
    if known_rank(a, 2):
        return -np.linalg.solve(a, a_dot @ x) if b_dot is None else np.linalg.solve(a, b_dot - a_dot @ x)
    product = np.matmul(a_dot, x) if np.ndim(b) > 1 else np.matmul(a_dot, np.expand_dims(x, -1))[..., 0]
    return solve_tangent(a, b, -product if b_dot is None else b_dot - product)


@reverse(np.linalg.det, kind="rank - 2", on=["f(S)", "f(SS)", "f(R)"])
def det(y_bar, a):
    if known_rank(a, 2):
        return y_bar * cofactors(a)
    return np.expand_dims(y_bar, (-2, -1)) * cofactors(a)


@forward(np.linalg.det)
def det_forward(y, a, a_dot):
    return np.sum(cofactors(a) * a_dot, axis=(-2, -1))


def cofactors(a):
    """The gradient of each determinant in a stack of matrices. A singular matrix has one too, though it has no inverse."""
    y = np.linalg.det(a)
    if np.all(y != 0):
        return np.expand_dims(y, (-2, -1)) * np.swapaxes(np.linalg.inv(a), -1, -2)
    u, s, vh = np.linalg.svd(a)
    others = np.stack([np.prod(np.delete(s, k, axis=-1), axis=-1) for k in range(s.shape[-1])], axis=-1)
    sign = np.expand_dims(np.linalg.det(u) * np.linalg.det(vh), (-2, -1))
    return sign * (np.conj(u) * np.expand_dims(others, -2)) @ np.conj(vh)


def cofactors_tangent(a, a_dot):
    """The tangent of cofactors(a): their Jacobian is symmetric, so that this is the adjoint as well.

    Along singular vectors it is a sum of products of all singular values but two, which needs no inverse.
    """
    u, s, vh = np.linalg.svd(a)
    turned = np.swapaxes(np.conj(u), -1, -2) @ a_dot @ np.swapaxes(np.conj(vh), -1, -2)
    n = s.shape[-1]
    others = np.zeros(np.shape(a), s.dtype)
    for i in range(n):
        for j in range(i):
            others[..., i, j] = others[..., j, i] = np.prod(np.delete(s, (i, j), axis=-1), axis=-1)
    inner = -others * np.swapaxes(turned, -1, -2)
    diagonal = np.sum(others * np.expand_dims(np.diagonal(turned, axis1=-2, axis2=-1), -2), axis=-1)
    inner[..., np.arange(n), np.arange(n)] = diagonal
    sign = np.expand_dims(np.linalg.det(u) * np.linalg.det(vh), (-2, -1))
    return sign * (np.conj(u) @ inner @ np.conj(vh))


@reverse(cofactors, kind="float same rank", on=["f(S)", "f(SS)", "f(R)"])
def cofactors_(y_bar, a):
    return cofactors_tangent(a, y_bar)


@forward(cofactors)
def cofactors_forward(y, a, a_dot):
    return cofactors_tangent(a, a_dot)


@composition(cofactors_tangent, kind="unknown", on=["f(S, np.ones((3, 3)))", "f(SS, S)"])
def cofactors_tangent_of_regular(a, a_dot):
    # from the third derivative on, of regular matrices only: another has no inverse, and NumPy says so
    inverse = np.swapaxes(np.linalg.inv(a), -1, -2)
    trace = np.expand_dims(np.sum(inverse * a_dot, axis=(-2, -1)), (-2, -1))
    return np.expand_dims(np.linalg.det(a), (-2, -1)) * (trace * inverse - inverse @ np.swapaxes(a_dot, -1, -2) @ inverse)


@reverse(np.linalg.slogdet, kind="slogdet", real=True, on=["f(S)", "f(SS)"])
def slogdet(y_bar, a):
    if known_rank(a, 2):
        return y_bar[1] * np.linalg.inv(a).T
    return np.expand_dims(y_bar[1], (-2, -1)) * np.swapaxes(np.linalg.inv(a), -1, -2)


@forward(np.linalg.slogdet)
def slogdet_forward(y, a, a_dot):
    return np.zeros_like(y[0]), np.trace(np.linalg.solve(a, a_dot), axis1=-2, axis2=-1)


@reverse(np.linalg.cholesky, kind="float same rank", on=["f(S @ S.T + S.T @ S)"])
def cholesky(y_bar, y, a):
    return cholesky_adjoint(y_bar, y)


def cholesky_adjoint(y_bar, y):
    """For L L^T = a: the adjoint of the lower triangle of a, which is all that NumPy reads."""
    upper = np.swapaxes(y, -1, -2)
    product = upper @ y_bar
    inner = np.linalg.solve(upper, 0.5 * (np.tril(product) + np.tril(product, -1)))
    whole = np.swapaxes(np.linalg.solve(upper, np.swapaxes(inner, -1, -2)), -1, -2)
    symmetric = 0.5 * (whole + np.swapaxes(whole, -1, -2))
    return np.tril(symmetric) + np.tril(symmetric, -1)


@forward(np.linalg.cholesky)
def cholesky_forward(y, a, a_dot):
    return cholesky_tangent(y, a_dot)


def cholesky_tangent(y, a_dot):
    symmetric = np.tril(a_dot) + np.swapaxes(np.tril(a_dot, -1), -1, -2)
    inner = np.linalg.solve(y, np.swapaxes(np.linalg.solve(y, symmetric), -1, -2))
    return y @ (0.5 * (np.tril(inner) + np.tril(inner, -1)))


# ---- norms: at 0 they give 0 ----

NORMS = ["f(v)", "f(A)", "f(A, axis=0)", "f(A, axis=1, keepdims=True)", "f(v, 1)", "f(v, 2)", "f(A, 'fro')", "f(z)", "f(v, np.inf)"]
NORMS += [
    "f(v, -np.inf)",
    "f(v, 3)",
    "f(A, 1, axis=0)",
    "f(A, 1)",
    "f(A, np.inf)",
    "f(B, axis=(0, 2))",
    "f(A, 2.5, axis=1)",
    "f(A, keepdims=True)",
]


@reverse(np.linalg.norm, operands=("x",), kind="real reduction", on=NORMS)
def norm(y_bar, y, x, ord=None, axis=None, keepdims=False):
    if known_none(ord) or known_equal(ord, "fro") or (known_equal(ord, 2) and known_rank(x, 1)):
        if axis is None or keepdims:
            return y_bar / (y + (y == 0)) * (x if known_real(x) else np.conj(x))
        return np.expand_dims(y_bar / (y + (y == 0)), axis) * (x if known_real(x) else np.conj(x))
    return expanded(y_bar, x, axis, keepdims) * norm_gradient(x, ord, axis)


@forward(np.linalg.norm)
def norm_forward(y, x, x_dot, ord=None, axis=None, keepdims=False):
    if known_none(ord) or known_equal(ord, "fro") or (known_equal(ord, 2) and known_rank(x, 1)):
        product = x * x_dot if known_real(x) else np.real(x.conjugate() * x_dot)
        if axis is None and not keepdims:
            return np.sum(product) / (y + (y == 0))
        return np.sum(product, axis=axis, keepdims=keepdims) / (y + (y == 0))
    return np.sum(np.real(norm_gradient(x, ord, axis) * x_dot), axis=axis, keepdims=keepdims)


def norm_gradient(x, ord, axis):
    """The gradient of a norm of order `ord`, with the shape of x: sums of powers, and the extremes, of vectors and matrices."""
    if ord is None or (isinstance(ord, str) and ord == "fro"):
        y = np.linalg.norm(x, axis=axis, keepdims=True)
        return np.conj(x) / (y + (y == 0))
    size = np.abs(x)
    direction = np.conj(x) / (size + (size == 0))
    if isinstance(axis, tuple) or (axis is None and np.ndim(x) == 2):
        rows, columns = (-2, -1) if axis is None else axis
        if ord not in (1, -1, np.inf, -np.inf):
            raise ValueError(f"the derivative of the matrix norm of order {ord!r} is not known")
        inner, outer = (rows, columns) if abs(ord) == 1 else (columns, rows)
        sums = np.sum(size, axis=inner, keepdims=True)
        extreme = np.max(sums, axis=outer, keepdims=True) if ord > 0 else np.min(sums, axis=outer, keepdims=True)
        return direction * (sums == extreme) / np.sum(sums == extreme, axis=outer, keepdims=True)
    if ord in (np.inf, -np.inf):
        extreme = np.max(size, axis=axis, keepdims=True) if ord > 0 else np.min(size, axis=axis, keepdims=True)
        return direction * (size == extreme) / np.sum(size == extreme, axis=axis, keepdims=True)
    if ord == 0:
        return 0 * direction
    if ord == 1:
        return direction
    total = np.sum(size**ord, axis=axis, keepdims=True) ** ((1 - ord) / ord)
    return direction * size ** (ord - 1) * total


for _function in (np.linalg.svd, np.linalg.eig, np.linalg.eigh, np.linalg.qr, np.linalg.pinv, np.linalg.lstsq):
    undefined(_function, "its derivative is not written yet")
