"""Each form in which NumPy writes into an array, beside others that may see the same memory: a derivative that is right, or a refusal."""

from __future__ import annotations

import numpy as np
import pytest

import sourcediff as sd
from tests.judge import CHECKS, Problem, verdict
from tests.loading import load

X = np.array([0.3, 0.7, 1.1, 0.8, -0.4])
A = np.array([[0.6, -0.2, 1.3, 0.4], [0.05, 0.75, -0.9, 1.1], [0.85, 0.45, 0.15, 0.95]])

# Bodies of f(x, a), statements apart by semicolons.
RIGHT = """
y = x * 2; y[0:2], y[2:4] = y[2:4], y[0:2]; return np.sum(y * x)
y = x * 2; z = x * x; y[:], z[:] = z, y; return np.sum(y * z * x)
b = np.zeros(4); a.sum(0, None, b); return np.sum(b * b)
b = np.zeros(()); np.sum(x * x, out=b); return b * x[0]
b = np.zeros((3, 5)); np.multiply(a[:, :1], x, out=b); np.multiply(x, 2.0, b[0]); return np.sum(b * b)
b = np.zeros(8); np.concatenate([x, a[0, :3]], out=b); return np.sum(b * b)
b = np.zeros(3); np.einsum('ij,j->i', a, x[:4], out=b); return np.sum(b ** 3)
b = np.zeros(4); np.add.reduce(a * a, out=b); return np.sum(b * b)
y = x * 2; v = y[1:]; np.exp(v, out=v); return np.sum(y * y)
y = x * 2; v = y[1:4]; v.sort(); v[0] += y[0]; return np.sum(y * y * x)
y = a * 2; y.T.fill(x[0]); return np.sum(y * a)
y = a * 2; np.copyto(y.T, a.T * x[0]); return np.sum(y * a)
y = a * 2; y.reshape(-1)[1:5].sort(); return np.sum(y * a)
y = x * 2; np.copyto(y[1:], y[:-1]); return np.sum(y * x)
y = x * 2; y.put(2, x[0]); y.put(np.array([0, -1]), x[1:3], mode='wrap'); return np.sum(y * x)
y = a * 2; y.put([[0, 1], [5, 11]], x[:4]); y.put(-3, x[4]); return np.sum(y * a)
y = a * 2; np.place(y, (a > 0.5).astype(int), x); return np.sum(y * a)
y = a * 2; np.putmask(y, a > 0.5, a * a); np.putmask(y, a < 0, 3.0); return np.sum(y * a)
y = a[:, :3] * 2; np.fill_diagonal(y, [x[0], x[1]]); return np.sum(y * y)
y = np.zeros((2, 2, 2)); np.fill_diagonal(y, x[:2]); np.fill_diagonal(y[0], x[3]); return np.sum(y * y)
y = a * 2; y[0, :].sort(); y[:, 1].sort(); return np.sum(y * y * a)
y = a * 2; y.sort(0); y.sort(axis=1, kind='stable'); return np.sum(y * a)
y = x * 2; np.power.at(y, [0, 1], 2); np.power.at(y, 2, x[1]); return np.sum(y * y)
y = x * 2; np.add.at(y, [0, 0, 1], x[:3]); np.add.at(y, x > 0.5, x[0]); np.add.at(y, slice(1, 3), 2 * x[1:3]); return np.sum(y * y)
y = a * 2; np.multiply.at(y, np.array([0, 0, 2]), x[:4]); return np.sum(y * a)
y = a * 2; np.multiply.at(y, ([0, 0], [1, 1]), x[:2]); return np.sum(y * a)
y = a * 2; y.flat = x; y.flat[::5] = x[1]; y.flat[a.ravel() > 0.7] = x[2]; return np.sum(y * a)
y = a * 2; z = y.flat; z[3] = x[0]; z[4] *= z[3]; return np.sum(y * y)
y = a * 2; return np.sum(np.array(y.flat) * y.flat[3] + len(y.flat))
z = x + 1j * x[::-1]; np.multiply(z, z, out=z); z.real[:2] = x[:2] * 3; z.imag = 0.5; return np.real(np.sum(z * z * x))
z = x + 1j * x[::-1]; z.imag[x > 0.5] = x[0]; z.real[[0, 0]] = x[1:3]; z.imag[1:3] += z.real[:2]; return np.sum(np.abs(z) ** 2)
z = x * (1 + 2j); z.real.fill(x[0]); np.copyto(z.imag, x * x); return np.sum(np.abs(z) ** 2)
z = x * (1 + 2j); np.sin(x, out=z.real); return np.sum(np.abs(z) ** 2)
b = np.empty(5); y = np.square(x, out=b); y[0] = 3.0 * b[1]; return np.sum(b * b)
b = np.empty(5); y = np.square(x, b) + b; return np.sum(y * b)
b = np.empty(5); np.add(np.square(x, out=b), np.square(b, out=b), out=b); return np.sum(b * x)
b = np.arange(5); b *= 2; np.add(b, 1, out=b); b.fill(3); b.sort(); return np.sum(b * x)
b = np.zeros(5, bool); np.greater(x, 0.5, out=b); np.logical_not(b, out=b); return np.sum(x[b])
y = x * 2; np.clip(y, 0.1, 1.5, out=y); y.clip(min=x[0], out=y); return np.sum(y * x)
y = x * 2; y.round(1, y); y.cumsum(out=y); return np.sum(y * x)
y = np.ones((2, 5)); np.divide(x, y, out=y, where=[[True], [False]]); np.multiply(y, x, y, where=x > 0.5); return np.sum(y * y)
m = np.zeros(5); y = x * x; y[:2], m[0] = y[3:], y[1]; y[1] = m[0] = m[1] = y[4] + m[0]; return np.sum(y * y) + np.sum(m * m)
w = np.lib.stride_tricks.sliding_window_view(x, 2); y = x * 1.0; y[1:] += w[:, 0] * w[:, 1]; return np.sum(y * y)
y = np.resize(x, (2, 4)); return np.sum(y * a[:2])
i = np.argsort(x); y = x * 2; y[i] = x ** 2; y[i[1:3]] += x[:2]; return np.sum(y * x)
i = np.arange(5); i[1] = 0; y = x * 2; y[i] = x ** 2; z = x[i]; return np.sum(y * z)
y = a * 1.0; y[np.nonzero(a > 0.5)] = x[0]; y[np.diag_indices(3)] *= x[:3]; return np.sum(y * y)
y = a * 1.0; y[np.tril_indices(3)] **= 2; return np.sum(y * y)
y = x * 1.0; y -= y[0]; y *= y; y[1:] -= y[:-1]; y[::2] *= y[:3]; y[y > 0.1] **= 2; return np.sum(y * x)
"""

REFUSED = {
    "y = x * 2.0; y.resize(3); return np.sum(y)": "not_yet_in_place",
    "y = x * 2.0; np.multiply.at(y, np.array([[0, 1], [1, 0]]), 2.0); return np.sum(y)": "not_yet_in_place",
    "b = np.empty(5, int); np.multiply(x, x, out=b); return np.sum(b * x)": "bad_call",
    "y = x * 2.0; y.imag = x; return np.sum(y)": "bad_call",
    "b = np.empty(5); np.modf(x, out=(b, b)); return np.sum(b)": "call_not_covered",
}


def function(body):
    lines = "".join(f"    {line}\n" for line in body.split("; "))
    return load("in_place", f"def f(x, a):\n{lines}").f


@pytest.mark.parametrize("mode", ["reverse", "forward", "pairing"])
@pytest.mark.parametrize("body", RIGHT.strip().split("\n"))
def test_right(body, mode):
    found = verdict(lambda: CHECKS[mode](Problem(function(body), (X.copy(), A.copy()), (0, 1))))
    assert found.kind == "right", found.detail


@pytest.mark.parametrize("body", RIGHT.strip().split("\n"))
def test_again_right_or_refused(body):
    found = verdict(lambda: CHECKS["second"](Problem(function(body), (X.copy(), A.copy()), (0, 1))))
    assert found.kind in ("right", "refused"), found.detail


@pytest.mark.parametrize("body", REFUSED)
def test_refused(body):
    with pytest.raises(sd.DiffError) as caught:
        sd.grad(function(body), wrt=0)(X.copy(), A.copy())
    assert caught.value.name == REFUSED[body]


def test_a_masked_division_by_zero_leaves_no_nan():
    def f(x, y):
        return np.sum(np.divide(x, y, out=np.zeros(3), where=y != 0.0))

    x_bar, y_bar = sd.grad(f, wrt=("x", "y"))(np.ones(3), np.array([2.0, 0.0, 4.0]))
    np.testing.assert_allclose(x_bar, [0.5, 0.0, 0.25])
    np.testing.assert_allclose(y_bar, [-0.25, 0.0, -0.0625])


def test_comments_and_errors_show_the_users_line():
    def f(x):
        y = x * 2.0
        y.sort()
        return y[0]

    assert "# y.sort()" in sd.grad(f).source
    assert "in_place" not in sd.grad(f).source
