"""Functions that make arrays, copy them, and change their dtype."""

from __future__ import annotations

import numpy as np

from sourcediff.rules.forms import constant, forward, linear, reverse, undefined
from sourcediff.runtime import known_inexact, known_scalar, unbroadcast

ORDERS = ("C", "F", "A", "K")


@linear(
    np.array,
    operands=("object",),
    sequences=("object",),
    besides={"copy": (True,), "order": ORDERS},
    kind="array",
    on=["f([0.5, 2.0])", "f([[0.5, 1.0], [2.0, 3.0]])", "f(v)", "f(0.5)", "f([v, w])"],
)
@linear(np.asarray, operands=("object",), sequences=("object",), kind="array", view=True, on=["f([0.5, 2.0])", "f(v)", "f(v, float)"])
def array(y_bar, object, dtype=None):
    if dtype is None or known_inexact(dtype):
        return y_bar
    return y_bar if np.issubdtype(dtype, np.inexact) else np.zeros_like(y_bar)


@linear(np.ascontiguousarray, sequences=("a",), kind="array", view=True, on=["f([0.5, 2.0])", "f(v)"])
@linear(np.asfortranarray, sequences=("a",), kind="array", view=True, on=["f([0.5, 2.0])", "f(A)"])
def ascontiguousarray(y_bar, a):
    return y_bar


@linear(np.copy, besides={"order": ORDERS}, kind="copied", pointwise=True, on=["f(v)", "f(0.5)"])
def copy(y_bar, a):
    return y_bar


@linear(
    np.ndarray.astype,
    operands=("a",),
    besides={"copy": (True,), "order": ORDERS},
    kind="cast",
    pointwise=True,
    on=["f(v, float)", "f(v, np.float64)"],
)
def astype(y_bar, a, dtype):
    if known_inexact(dtype):
        return y_bar
    return y_bar if np.issubdtype(dtype, np.inexact) else np.zeros_like(y_bar)


@linear(np.float64, kind="numpy number", pointwise=True, on=["f(0.5)", "f(v)"])
@linear(np.float32, kind="numpy number", pointwise=True, on=["f(0.5)"])
@linear(np.complex128, kind="numpy number", pointwise=True, on=["f(0.5)", "f(z)"])
def number(y_bar, x):
    return y_bar


@linear(np.ndarray.item, kind="item", operands=("a",), on=["f(np.array(0.5))", "f(np.array([0.5]))", "f(v, 2)"])
def item(y_bar, a, *args):
    if len(args) == 0:
        return np.reshape(y_bar, np.shape(a))
    return np.reshape(
        np.where(np.arange(np.size(a)) == np.ravel_multi_index(args, a.shape) if len(args) > 1 else np.arange(a.size) == args[0], y_bar, 0),
        a.shape,
    )


@linear(np.ndarray.tolist, kind="nested list", operands=("a",), on=["f(v)", "f(A)"])
def tolist(y_bar, a):
    return np.array(y_bar)


@linear(np.full, operands=("fill_value",), kind="full", on=["f(3, 0.5)", "f((2, 4), v)"])
def full(y_bar, shape, fill_value, dtype=None):
    return np.sum(y_bar) if known_scalar(fill_value) else unbroadcast(y_bar, fill_value)


@linear(np.full_like, operands=("fill_value",), inert=("a",), kind="like", on=["f(v, 0.5)", "f(A, v)"])
def full_like(y_bar, a, fill_value, dtype=None, shape=None):
    return np.sum(y_bar) if known_scalar(fill_value) else unbroadcast(y_bar, fill_value)


@linear(
    np.linspace,
    operands=("start", "stop"),
    besides={"retstep": (False,)},
    kind="linspace",
    on=["f(0.5, 2.0)", "f(0.5, 2.0, 5)", "f(0.5, 2.0, 5, endpoint=False)", "f(v, w, 5)", "f(0.5, A, 3)"],
)
def linspace(y_bar, start, stop, num=50, endpoint=True):
    if not (known_scalar(start) and known_scalar(stop)):
        return (
            unbroadcast(np.tensordot(np.linspace(1, 0, num, endpoint), y_bar, 1), start),
            unbroadcast(np.tensordot(np.linspace(0, 1, num, endpoint), y_bar, 1), stop),
        )
    return np.sum(y_bar * np.linspace(1, 0, num, endpoint)), np.sum(y_bar * np.linspace(0, 1, num, endpoint))


@reverse(np.arange, operands=("start", "step"), inert=("stop",), kind="arange", on=["f(0.5, 2.0)", "f(0.5, 2.2, 0.5)"])
def arange(y_bar, start, stop=None, step=1, dtype=None):
    if stop is None:
        return 0, 0
    return np.sum(y_bar), np.sum(y_bar * np.arange(len(y_bar)))


@forward(np.arange)
def arange_forward(y, start, start_dot, step_dot, stop=None, step=1, dtype=None):
    if stop is None:
        return np.zeros(len(y))
    if step_dot is None:
        return start_dot * np.ones(len(y))
    if start_dot is None:
        return step_dot * np.arange(len(y))
    return start_dot + step_dot * np.arange(len(y))


@linear(np.meshgrid, sequences=("xi",), kind="grids", on=["f(v, w)", "f(v, w[:2], indexing='ij')", "f(v, w[:2], u)"])
def meshgrid(y_bar, *xi, indexing="xy"):
    return meshgrid_adjoint(y_bar, xi, indexing)


def meshgrid_adjoint(y_bar, xi, indexing):
    """The adjoint of each axis of a grid: the sum over all other axes."""
    out = []
    for k in range(len(xi)):
        along = 1 - k if indexing == "xy" and k < 2 and len(xi) > 1 else k
        out.append(np.sum(y_bar[k], axis=tuple(i for i in range(np.ndim(y_bar[k])) if i != along)))
    return out


constant(np.zeros, np.ones, np.empty, kind="zeros", takes=lambda shape, dtype=float, order="C": None)
constant(np.zeros_like, np.ones_like, np.empty_like, kind="like", takes=lambda a, dtype=None, order="K", subok=True, shape=None: None)
constant(np.eye, np.identity, kind="eye", takes=lambda N, M=None, k=0, dtype=float: None)  # noqa: N803 NumPy's own name
constant(np.shape, np.ndim, np.size, kind="shape")
constant(np.result_type, np.dtype, np.finfo, np.iinfo, np.can_cast, np.promote_types, np.issubdtype)
constant(np.shares_memory, np.may_share_memory, kind="bool")
constant(np.bool_, np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32, np.uint64, kind="numpy number")
constant(np.errstate, np.set_printoptions, pure=False)

# ---- random numbers are constants, drawn once and in order ----

_DRAWS = "beta binomial choice chisquare exponential gamma geometric gumbel laplace logistic lognormal multinomial multivariate_normal"
_DRAWS += " normal pareto poisson power rayleigh standard_cauchy standard_exponential standard_gamma standard_normal standard_t triangular"
_DRAWS += " uniform vonmises wald weibull zipf bytes"
for _owner in (np.random, np.random.Generator, np.random.RandomState):
    for _name in _DRAWS.split():
        constant(getattr(_owner, _name), pure=False)
for _owner in (np.random, np.random.RandomState):
    constant(_owner.rand, _owner.randn, _owner.randint, _owner.random_sample, _owner.random, _owner.seed, pure=False)
constant(np.random.Generator.integers, np.random.Generator.random, np.random.default_rng, pure=False)
for _owner in (np.random, np.random.Generator, np.random.RandomState):
    for _name in ("permutation", "shuffle", "choice"):
        undefined(getattr(_owner, _name), "it moves elements at random; index with a permutation of range(len(x)) instead", pure=False)
