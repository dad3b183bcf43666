"""Products of vectors and matrices.

Where ranks are known the text is that of a textbook; where they are not, a helper asks for them at run time. Stacks of matrices
broadcast; the helpers sum the adjoints back to the shapes of the operands. Cotangents pair without conjugation, so that every
transpose is a plain one.
"""

from __future__ import annotations

import numpy as np

from sourcediff.rules.forms import bilinear
from sourcediff.runtime import known_rank, known_real, unbroadcast

PRODUCTS = ["f(v, w)", "f(A, v)", "f(u, A)", "f(A, A.T)", "f(A, C)"]


def matmul_left(y_bar, a, b):
    """The adjoint of a in a @ b, for any ranks."""
    if np.ndim(b) == 1:
        return np.multiply.outer(y_bar, b)
    if np.ndim(a) == 1:
        return unbroadcast(np.matmul(b, np.expand_dims(y_bar, -1))[..., 0], a)
    return unbroadcast(np.matmul(y_bar, np.swapaxes(b, -1, -2)), a)


def matmul_right(y_bar, a, b):
    """The adjoint of b in a @ b, for any ranks."""
    if np.ndim(a) == 1:
        return y_bar * a if np.ndim(b) == 1 else np.expand_dims(a, -1) * np.expand_dims(y_bar, -2)
    if np.ndim(b) == 1:
        return unbroadcast(np.matmul(np.swapaxes(a, -1, -2), np.expand_dims(y_bar, -1))[..., 0], b)
    return unbroadcast(np.matmul(np.swapaxes(a, -1, -2), y_bar), b)


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


@bilinear(
    np.dot, kind="dot", on=[*PRODUCTS, "f(0.5, A)", "f(A, 0.5)", "f(0.5, 0.7)", "f(B, C)", "f(A, D)", "f(B, v)", "f(v, D)", "f(B, D)"]
)
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


# the helpers are linear in each of their two operands too: all three come from one trilinear form


@bilinear(tensordot_left, operands=("y_bar", "b"), inert=("a",), on=["f(np.tensordot(B, D, ([0, 2], [0, 1])), B, D, ([0, 2], [0, 1]))"])
def tensordot_left_(a_bar, y_bar, a, b, axes):
    return np.tensordot(a_bar, b, axes), tensordot_right(y_bar, a_bar, b, axes)


@bilinear(tensordot_right, operands=("y_bar", "a"), inert=("b",), on=["f(np.tensordot(B, D, ([0, 2], [0, 1])), B, D, ([0, 2], [0, 1]))"])
def tensordot_right_(b_bar, y_bar, a, b, axes):
    return np.tensordot(a, b_bar, axes), tensordot_left(y_bar, a, b_bar, axes)


@bilinear(kron_left, operands=("y_bar", "b"), inert=("a",), on=["f(np.kron(A, S), A, S)"])
def kron_left_(a_bar, y_bar, a, b):
    return np.kron(a_bar, b), kron_right(y_bar, a_bar, b)


@bilinear(kron_right, operands=("y_bar", "a"), inert=("b",), on=["f(np.kron(A, S), A, S)"])
def kron_right_(b_bar, y_bar, a, b):
    return np.kron(a, b_bar), kron_left(y_bar, a, b_bar)
