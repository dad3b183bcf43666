"""Products of vectors and matrices, and numpy.linalg.

Where ranks are known the text is that of a textbook; where they are not, a helper asks for them at run time. Stacks of matrices
broadcast, and the machine sums the adjoints back to the shapes of the operands. Cotangents pair without conjugation, so that
every transpose is a plain one.
"""

from __future__ import annotations

import numpy as np

from sourcediff.rules.forms import bilinear, forward, reverse, undefined
from sourcediff.runtime import expanded, known_equal, known_none, known_rank, known_real

PRODUCTS = ["f(v, w)", "f(A, v)", "f(u, A)", "f(A, A.T)", "f(A, C)"]


def matmul_left(y_bar, a, b):
    """The adjoint of a in a @ b, for any ranks; it may still have to be summed to a's shape."""
    if np.ndim(b) == 1:
        return np.multiply.outer(y_bar, b)
    if np.ndim(a) == 1:
        return np.matmul(b, np.expand_dims(y_bar, -1))[..., 0]
    return np.matmul(y_bar, np.swapaxes(b, -1, -2))


def matmul_right(y_bar, a, b):
    """The adjoint of b in a @ b, for any ranks; it may still have to be summed to b's shape."""
    if np.ndim(a) == 1:
        return y_bar * a if np.ndim(b) == 1 else np.expand_dims(a, -1) * np.expand_dims(y_bar, -2)
    if np.ndim(b) == 1:
        return np.matmul(np.swapaxes(a, -1, -2), np.expand_dims(y_bar, -1))[..., 0]
    return np.matmul(np.swapaxes(a, -1, -2), y_bar)


@bilinear(np.matmul, operator="@", kind="matmul", on=[*PRODUCTS, "f(B, C)", "f(A, D)", "f(B, v)", "f(v, D)", "f(B, D[0])"])
def matmul(y_bar, a, b):
    if known_rank(a, 2) and known_rank(b, 2):
        return y_bar @ b.T, a.T @ y_bar
    if known_rank(a, 2) and known_rank(b, 1):
        return np.outer(y_bar, b), a.T @ y_bar
    if known_rank(a, 1) and known_rank(b, 2):
        return b @ y_bar, np.outer(a, y_bar)
    if known_rank(a, 1) and known_rank(b, 1):
        return y_bar * b, y_bar * a
    return matmul_left(y_bar, a, b), matmul_right(y_bar, a, b)


def dot_left(y_bar, a, b):
    """The adjoint of a in np.dot(a, b), for any ranks."""
    if np.ndim(a) == 0 or np.ndim(b) == 0:
        return y_bar * b if np.ndim(a) > 0 else np.sum(y_bar * b)
    if np.ndim(b) == 1:
        return np.multiply.outer(y_bar, b)
    rest = list(range(np.ndim(a) - 1, np.ndim(y_bar)))
    kept = [i for i in range(np.ndim(b)) if i != np.ndim(b) - 2]
    return np.tensordot(y_bar, b, (rest, kept))


def dot_right(y_bar, a, b):
    """The adjoint of b in np.dot(a, b), for any ranks."""
    if np.ndim(a) == 0 or np.ndim(b) == 0:
        return y_bar * a if np.ndim(b) > 0 else np.sum(y_bar * a)
    summed = list(range(np.ndim(a) - 1))
    product = np.tensordot(a, y_bar, (summed, summed))
    return product if np.ndim(b) == 1 else np.moveaxis(product, 0, -2)


@bilinear(np.dot, kind="dot", on=[*PRODUCTS, "f(0.5, A)", "f(A, 0.5)", "f(0.5, 0.7)", "f(B, C)", "f(A, D)", "f(B, v)", "f(v, D)", "f(B, D)"])
def dot(y_bar, a, b):
    if known_rank(a, 2) and known_rank(b, 2):
        return y_bar @ b.T, a.T @ y_bar
    if known_rank(a, 2) and known_rank(b, 1):
        return np.outer(y_bar, b), a.T @ y_bar
    if known_rank(a, 1) and known_rank(b, 2):
        return b @ y_bar, np.outer(a, y_bar)
    if known_rank(a, 1) and known_rank(b, 1):
        return y_bar * b, y_bar * a
    return dot_left(y_bar, a, b), dot_right(y_bar, a, b)


@bilinear(np.outer, kind="rank 2", on=["f(v, w)", "f(A, v)", "f(0.5, v)"])
def outer(y_bar, a, b):
    if known_rank(a, 1) and known_rank(b, 1):
        return y_bar @ b, a @ y_bar
    return np.reshape(y_bar @ np.ravel(b), np.shape(a)), np.reshape(np.ravel(a) @ y_bar, np.shape(b))


@bilinear(np.multiply.outer, kind="unknown", on=["f(v, w)", "f(A, v)", "f(0.5, v)", "f(v, A)"])
def multiply_outer(y_bar, a, b):
    return np.tensordot(y_bar, b, np.ndim(b)), np.tensordot(a, y_bar, np.ndim(a))


@bilinear(np.inner, kind="inner", on=["f(v, w)", "f(A, v)", "f(A, A)", "f(0.5, v)", "f(v, 0.5)", "f(B, A)"])
def inner(y_bar, a, b):
    if known_rank(a, 1) and known_rank(b, 1):
        return y_bar * b, y_bar * a
    return inner_left(y_bar, a, b), inner_right(y_bar, a, b)


def inner_left(y_bar, a, b):
    """The adjoint of a in np.inner(a, b), for any ranks."""
    if np.ndim(a) == 0 or np.ndim(b) == 0:
        return y_bar * b if np.ndim(a) > 0 else np.sum(y_bar * b)
    return np.tensordot(y_bar, b, np.ndim(b) - 1)


def inner_right(y_bar, a, b):
    """The adjoint of b in np.inner(a, b), for any ranks."""
    if np.ndim(a) == 0 or np.ndim(b) == 0:
        return y_bar * a if np.ndim(b) > 0 else np.sum(y_bar * a)
    rest = list(range(np.ndim(a) - 1))
    return np.tensordot(y_bar, a, (rest, rest))


@bilinear(np.vdot, kind="scalar", on=["f(v, w)", "f(A, A)"])
def vdot(y_bar, a, b):
    if known_real(a) and known_real(b):
        return y_bar * b, y_bar * a
    return np.conj(y_bar) * np.conj(b), y_bar * np.conj(a)


@bilinear(np.kron, kind="promoted", on=["f(v, w)", "f(A, S)"])
def kron(y_bar, a, b):
    return kron_left(y_bar, a, b), kron_right(y_bar, a, b)


def kron_blocks(y_bar, a, b):
    """y_bar with an axis of a and one of b in turn, and the shapes of a and b at its rank."""
    rank = np.ndim(y_bar)
    shape_a = (1,) * (rank - np.ndim(a)) + np.shape(a)
    shape_b = (1,) * (rank - np.ndim(b)) + np.shape(b)
    return np.reshape(y_bar, [n for pair in zip(shape_a, shape_b, strict=True) for n in pair]), shape_a, shape_b


def kron_left(y_bar, a, b):
    """The adjoint of a in np.kron(a, b)."""
    blocks, _, shape_b = kron_blocks(y_bar, a, b)
    rank = len(shape_b)
    return np.reshape(np.tensordot(blocks, np.reshape(b, shape_b), (list(range(1, 2 * rank, 2)), list(range(rank)))), np.shape(a))


def kron_right(y_bar, a, b):
    """The adjoint of b in np.kron(a, b)."""
    blocks, shape_a, _ = kron_blocks(y_bar, a, b)
    rank = len(shape_a)
    return np.reshape(np.tensordot(blocks, np.reshape(a, shape_a), (list(range(0, 2 * rank, 2)), list(range(rank)))), np.shape(b))


def contracted(axes, a, b):
    """The axes that np.tensordot(a, b, axes) sums, of a and of b, none negative."""
    if np.ndim(axes) == 0:
        return list(range(np.ndim(a) - axes, np.ndim(a))), list(range(axes))
    of_a, of_b = ([x] if np.ndim(x) == 0 else list(x) for x in axes)
    return [i % np.ndim(a) for i in of_a], [i % np.ndim(b) for i in of_b]


def tensordot_left(y_bar, a, b, axes):
    """The adjoint of a in np.tensordot(a, b, axes)."""
    of_a, of_b = contracted(axes, a, b)
    free_a = [i for i in range(np.ndim(a)) if i not in of_a]
    free_b = [i for i in range(np.ndim(b)) if i not in of_b]
    product = np.tensordot(y_bar, b, (list(range(len(free_a), np.ndim(y_bar))), free_b))
    by_axis_of_b = [of_a[of_b.index(i)] for i in sorted(of_b)]
    return np.transpose(product, np.argsort(free_a + by_axis_of_b))


def tensordot_right(y_bar, a, b, axes):
    """The adjoint of b in np.tensordot(a, b, axes)."""
    of_a, of_b = contracted(axes, a, b)
    free_a = [i for i in range(np.ndim(a)) if i not in of_a]
    free_b = [i for i in range(np.ndim(b)) if i not in of_b]
    product = np.tensordot(a, y_bar, (free_a, list(range(len(free_a)))))
    by_axis_of_a = [of_b[of_a.index(i)] for i in sorted(of_a)]
    return np.transpose(product, np.argsort(by_axis_of_a + free_b))


@bilinear(
    np.tensordot,
    operands=("a", "b"),
    kind="promoted",
    on=["f(A, C, 1)", "f(A, A)", "f(B, D, axes=([0, 2], [0, 1]))", "f(v, w, 0)", "f(A, B, ([1], [-1]))", "f(B, B, ([0, 2, 1], [0, 2, 1]))"],
)
def tensordot(y_bar, a, b, axes=2):
    return tensordot_left(y_bar, a, b, axes), tensordot_right(y_bar, a, b, axes)


# ---- numpy.linalg ----


@reverse(np.linalg.inv, kind="float same rank", on=["f(S)", "f(SS)"])
def inv(y_bar, y, a):
    if known_rank(a, 2):
        return -y.T @ y_bar @ y.T
    return -np.swapaxes(y, -1, -2) @ y_bar @ np.swapaxes(y, -1, -2)


@forward(np.linalg.inv)
def inv_forward(y, a, a_dot):
    return -y @ a_dot @ y


@reverse(np.linalg.solve, kind="solve", on=["f(S, t)", "f(S, M)", "f(SS, SS)"])
def solve(x_bar, x, a, b):
    if known_rank(a, 2) and known_rank(b, 1):
        b_bar = np.linalg.solve(a.T, x_bar)
        return -np.outer(b_bar, x), b_bar
    if known_rank(a, 2) and known_rank(b, 2):
        b_bar = np.linalg.solve(a.T, x_bar)
        return -b_bar @ x.T, b_bar
    return solve_left(x_bar, x, a, b), np.linalg.solve(np.swapaxes(a, -1, -2), x_bar)


def solve_left(x_bar, x, a, b):
    """The adjoint of a in np.linalg.solve(a, b), for any ranks."""
    b_bar = np.linalg.solve(np.swapaxes(a, -1, -2), x_bar)
    if np.ndim(b) == 1:
        return -np.expand_dims(b_bar, -1) * np.expand_dims(x, -2)
    return -b_bar @ np.swapaxes(x, -1, -2)


@forward(np.linalg.solve)
def solve_forward(x, a, b, a_dot, b_dot):
    if a_dot is None:
        return np.linalg.solve(a, b_dot)
    if b_dot is None:
        return -np.linalg.solve(a, np.matmul(a_dot, x))
    return np.linalg.solve(a, b_dot - np.matmul(a_dot, x))


@reverse(np.linalg.det, kind="rank - 2", on=["f(S)", "f(SS)"])
def det(y_bar, y, a):
    if known_rank(a, 2):
        return y_bar * y * np.linalg.inv(a).T
    return np.expand_dims(y_bar * y, (-2, -1)) * np.swapaxes(np.linalg.inv(a), -1, -2)


@forward(np.linalg.det)
def det_forward(y, a, a_dot):
    return y * np.trace(np.linalg.solve(a, a_dot), axis1=-2, axis2=-1)


@reverse(np.linalg.slogdet, kind="pair", on=["f(S)", "f(SS)"])
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
NORMS += ["f(v, -np.inf)", "f(v, 3)", "f(A, 1, axis=0)", "f(A, 1)", "f(A, np.inf)", "f(B, axis=(0, 2))", "f(A, 2.5, axis=1)", "f(A, keepdims=True)"]


@reverse(np.linalg.norm, operands=("x",), kind="real reduction", on=NORMS)
def norm(y_bar, y, x, ord=None, axis=None, keepdims=False):
    if known_none(ord) or known_equal(ord, "fro") or (known_equal(ord, 2) and known_rank(x, 1)):
        if axis is None or keepdims:
            return y_bar / (y + (y == 0)) * (x if known_real(x) else x.conjugate())
        return np.expand_dims(y_bar / (y + (y == 0)), axis) * (x if known_real(x) else x.conjugate())
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
    direction = np.sign(x).conjugate()
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
