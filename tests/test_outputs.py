"""Arguments that count as results, and what becomes of the caller's arrays."""

import copy
import inspect

import numpy as np
import pytest

import sourcediff as sd
from tests import oracles
from tests import structures as st


def relax(A, w):
    for i in range(1, A.shape[0] - 1):
        A[i] = w * (A[i - 1] * A[i + 1] + A[i])


def scale(A, s):
    A *= s
    return np.sum(A**2)


def swap(A, B, c):
    A[:] = B * c
    B[0] = A[1] ** 2


def overwritten(A, x):
    A[...] = x * x


def rebound(A, s):
    A[0] = s * A[1]
    A = A * 2.0
    return A


def stacked(values, x):
    values.append(x * values[0])
    values[1] = x


def untouched(A, s):
    return s * A[0]


def inside(params, s):
    params["w"][0] = s * params["w"][1]


def with_aux(A, s):
    A[0] = s * A[1]
    return A[0] ** 2, "text"


X = np.array([0.3, 0.5, 0.7, 1.1])
CASES = [
    (relax, (X, 0.6), ("A",)),
    (scale, (X, 0.6), ("A",)),
    (swap, (X, 2 * X, 0.5), ("A", "B")),
    (swap, (X, 2 * X, 0.5), ("B",)),
    (overwritten, (X, X + 1.0), ("A",)),
    (rebound, (X, 0.5), ("A",)),
    (stacked, ([0.5, 0.7], 1.5), ("values",)),
    (untouched, (X, 0.5), ("A",)),
    (inside, ({"w": X}, 0.5), ("params",)),
]
IDS = [f"{f.__name__}-{'-'.join(outputs)}" for f, _, outputs in CASES]


def as_returned(f, outputs):
    """f as a function that returns what counts as its value."""

    def g(*args):
        args = copy.deepcopy(args)
        returned = f(*args)
        named = dict(zip(inspect.signature(f).parameters, args, strict=True))
        values = ([] if returned is None else [returned]) + [named[name] for name in outputs]
        return values[0] if len(values) == 1 else tuple(values)

    return g


def positions(args):
    return tuple(k for k, a in enumerate(args) if st.has_floats(a))


def same(a, b, tolerance=1e-12):
    assert not st.difference(a, b, tolerance)


@pytest.mark.parametrize(("f", "args", "outputs"), CASES, ids=IDS)
@pytest.mark.parametrize("modified", ["allow", "copy"])
class TestOutputs:
    def test_jvp(self, f, args, outputs, modified):
        g = as_returned(f, outputs)
        dots = tuple(st.random_like(a, np.random.default_rng(k)) for k, a in enumerate(args))
        before = copy.deepcopy((args, dots))
        mine = copy.deepcopy(args)
        value, value_dot = sd.jvp(f, wrt=positions(args), outputs=outputs, inputs_modified=modified)(*mine, *dots)
        same(value, g(*args))
        assert not oracles.directional(g, args, dots).disagreement(st.flat(value_dot))
        same(dots, before[1])
        self.left(f, args, mine, modified)

    def test_vjp(self, f, args, outputs, modified):
        g = as_returned(f, outputs)
        mine = copy.deepcopy(args)
        seed = st.ones_like(g(*args))
        value, bars = sd.vjp(f, wrt=positions(args), outputs=outputs, inputs_modified=modified)(*mine, seed)
        same(value, g(*args))
        assert not st.difference_in_form(bars, args)
        assert not oracles.gradient(g, args).disagreement(st.flat(bars))
        assert not st.shared_memory(mine, seed, bars)
        self.left(f, args, mine, modified)

    def test_pullback_any_number_of_times(self, f, args, outputs, modified):
        g = as_returned(f, outputs)
        mine = copy.deepcopy(args)
        value, pull = sd.pullback(f, wrt=positions(args), outputs=outputs, inputs_modified=modified)(*mine)
        same(value, g(*args))
        self.left(f, args, mine, modified)
        seed = st.ones_like(g(*args))
        st.map_leaves(lambda leaf: leaf.fill(7.0) if isinstance(leaf, np.ndarray) else None, (value, mine))
        for _ in range(2):
            assert not oracles.gradient(g, args).disagreement(st.flat(pull(seed)))

    def test_second_order(self, f, args, outputs, modified):
        first = sd.vjp(f, wrt=positions(args), outputs=outputs, inputs_modified=modified)
        seed = st.ones_like(as_returned(f, outputs)(*args))
        dots = tuple(st.random_like(a, np.random.default_rng(k)) for k, a in enumerate(args))
        try:
            _, (_, bars_dot) = sd.jvp(first, wrt=positions(args))(*copy.deepcopy(args), seed, *dots)
        except sd.UnsupportedError as error:
            pytest.skip(str(error))
        estimate = oracles.directional(lambda *a: first(*copy.deepcopy(a), seed)[1], args, dots)
        assert not estimate.disagreement(st.flat(bars_dot), 1e-5)

    def left(self, f, args, mine, modified):
        """The call changes the caller's arrays exactly as f does, or not at all."""
        expected = copy.deepcopy(args)
        if modified == "allow":
            f(*expected)
        same(mine, expected)


@pytest.mark.parametrize("modified", ["allow", "copy"])
@pytest.mark.parametrize("mode", ["forward", "reverse"])
def test_jacobian(mode, modified):
    g = as_returned(relax, ("A",))
    mine = X.copy()
    value, (by_a, by_w) = sd.value_and_jacobian(relax, wrt=("A", "w"), outputs=("A",), inputs_modified=modified, mode=mode)(mine, 0.6)
    same(value, g(X, 0.6))
    for k, unit in enumerate(np.eye(4)):
        assert not oracles.directional(g, (X, 0.6), (unit, 0.0)).disagreement(by_a[:, k])
    assert not oracles.directional(g, (X, 0.6), (np.zeros(4), 1.0)).disagreement(by_w)
    TestOutputs().left(relax, (X, 0.6), (mine, 0.6), modified)


def test_aux_stands_beside():
    value, bar, aux = sd.vjp(with_aux, wrt="s", outputs=("A",), has_aux=True)(X.copy(), 0.5, (1.0, np.ones(4)))
    assert value[0] == 0.0625
    assert bar == pytest.approx(0.5 * 0.5 + 0.5)
    assert aux == "text"


def test_untyped():
    value, bar = sd.vjp(relax, outputs=("A",)).function(X.copy(), 0.6, np.ones(4))
    same((value, bar), sd.vjp(relax, outputs=("A",))(X.copy(), 0.6, np.ones(4)))


def test_shared_memory_is_refused():
    both = np.ones(4)
    with pytest.raises(ValueError, match="share memory"):
        sd.vjp(swap, outputs=("A",), inputs_modified="copy")(both, both, 0.5, np.ones(4))
    with pytest.raises(ValueError, match="share memory"):
        sd.vjp(scale, outputs=("A",))(both, 0.5, (1.0, both))
    with pytest.raises(ValueError, match="share memory"):
        sd.grad(lambda A, p: scale(A, 0.5) + np.sum(p["w"]))(both, {"w": both})


def test_copies_under_grad():
    mine = X.copy()
    assert np.allclose(sd.grad(scale, inputs_modified="copy")(mine, 0.6), 2 * 0.36 * X)
    same(mine, X)
