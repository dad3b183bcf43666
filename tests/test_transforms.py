"""What the transforms accept, what they refuse at once, and which request they make of the pipeline."""

from __future__ import annotations

import functools
import inspect
import math

import numpy as np
import pytest

import sourcediff as sd
from sourcediff.python.lattice import UNKNOWN, Array, Float, Int, Object
from sourcediff.transforms import TRANSFORMS
from tests.fakes import install


@pytest.fixture
def machine(monkeypatch):
    return install(monkeypatch)


def f(x, y):
    return x * y


def g(x, n=2, *, k=1.0):
    return x * n * k


def rest(x, *args, **kwargs):
    return x


class Model:
    def __init__(self, w):
        self.w = w

    def loss(self, x):
        return self.w * x

    @sd.differentiable
    def both(self, x):
        return self.w * x

    @sd.grad
    def slope(self, x):
        return self.w * x


class Callable(Model):
    def __call__(self, x):
        return x


@pytest.mark.parametrize(
    ("wrt", "names", "single"),
    [(0, ("x",), True), ("y", ("y",), True), ((0, "y"), ("x", "y"), False), (("y",), ("y",), False), (np.int64(1), ("y",), True)],
)
def test_wrt_is_turned_into_names(machine, wrt, names, single):
    sd.grad(f, wrt=wrt)(1.0, 2.0)
    assert machine.requests[0].wrt == names
    assert machine.requests[0].single is single


@pytest.mark.parametrize("mode", TRANSFORMS)
def test_every_transform_names_its_function_and_mode(mode):
    df = TRANSFORMS[mode](f)
    assert (df.mode, df.__name__, df.original, df.wrt) == (mode, f"f_{mode}", f, "x")
    assert df.__module__ == __name__


@pytest.mark.parametrize(
    ("wrt", "name"),
    [
        ("z", "unknown_variable"),
        (2, "position_out_of_range"),
        (-1, "position_out_of_range"),
        (1.5, "variable_type"),
        (True, "variable_type"),
        (None, "variable_type"),
        ((), "no_variable"),
        ((0, "x"), "variable_twice"),
        ("x.w()", "variable_path"),
        ("x[y]", "variable_path"),
        (("x", "x.w"), "variable_twice"),
        ("z.w", "unknown_variable"),
    ],
)
def test_a_wrong_wrt_is_refused_at_once(wrt, name):
    with pytest.raises(sd.DiffError) as caught:
        sd.grad(f, wrt=wrt)
    assert caught.value.name == name


@pytest.mark.parametrize(
    ("function", "name"),
    [(lambda: 1.0, "no_parameters"), (3, "not_callable"), (Model, "not_a_function"), (dict().get, "no_rule"), (math.hypot, "any_number")],
)
def test_what_cannot_be_differentiated_is_refused_at_once(function, name):
    with pytest.raises(sd.DiffError) as caught:
        sd.grad(function)
    assert caught.value.name == name


@pytest.mark.parametrize(
    ("make", "name"),
    [
        (lambda: sd.grad(f, inputs_modified="never"), "option_choice"),
        (lambda: sd.grad(f, backend="cuda"), "option_choice"),
        (lambda: sd.grad(f, has_aux=1), "option_choice"),
        (lambda: sd.jacobian(f, mode="both"), "option_choice"),
        (lambda: sd.vjp(f, outputs="x"), "option_choice"),
        (lambda: sd.vjp(f, outputs=("z",)), "outputs_unknown"),
        (lambda: sd.derivative(f, wrt=("x", "y")), "one_variable"),
    ],
)
def test_a_wrong_option_is_refused_at_once(make, name):
    with pytest.raises(sd.DiffError) as caught:
        make()
    assert caught.value.name == name


def test_wrong_usage_is_also_the_error_that_python_users_expect():
    with pytest.raises(ValueError, match="has no parameter named 'z'"):
        sd.grad(f, wrt="z")
    with pytest.raises(TypeError, match="not callable"):
        sd.grad(3)


def test_without_a_function_a_transform_is_a_decorator(machine):
    @sd.grad(wrt="y")
    def h(x, y):
        return x * y

    assert isinstance(h, sd.Derivative)
    assert h.wrt == "y"

    @sd.grad
    def k(x):
        return x

    assert k(3.0) == 6.0


def test_positions_count_star_parameters_once(machine):
    assert sd.grad(rest, wrt=1).wrt == "args"
    assert sd.grad(rest, wrt=2).wrt == "kwargs"
    machine.bodies["rest_grad"] = "return args, kwargs"
    assert sd.grad(rest, wrt=(1, 2))(1.0, 2.0, 3.0, a=4.0) == ((2.0, 3.0), {"a": 4.0})


@pytest.mark.parametrize(
    ("function", "mode", "expected"),
    [
        (f, "grad", "(x, y)"),
        (f, "jvp", "(x, y, x_dot)"),
        (f, "hvp", "(x, y, x_dot)"),
        (f, "vjp", "(x, y, value_bar)"),
        (f, "pullback", "(x, y)"),
        (g, "jvp", "(x, n=2, *, k=1.0, x_dot)"),
        (g, "vjp", "(x, n=2, *, k=1.0, value_bar)"),
        (rest, "jvp", "(x, *args, x_dot, **kwargs)"),
    ],
)
def test_tangents_and_seeds_follow_the_parameters(function, mode, expected):
    assert str(TRANSFORMS[mode](function).__signature__) == expected


def test_the_name_of_a_tangent_avoids_the_names_of_the_function(machine):
    def h(x, x_dot):
        value_bar = x * x_dot
        return value_bar

    assert list(inspect.signature(sd.jvp(h)).parameters) == ["x", "x_dot", "x_dot2"]
    assert list(inspect.signature(sd.vjp(h)).parameters) == ["x", "x_dot", "value_bar2"]
    machine.bodies["h_jvp"] = "return x_dot2"
    assert sd.jvp(h)(1.0, 2.0, x_dot2=5.0) == 5.0


def test_methods_partials_and_callable_objects(machine):
    m = Model(2.0)
    assert sd.grad(m.loss).wrt == "x"
    assert sd.grad(m.loss)(3.0) == 6.0
    assert machine.requests[-1].types == {"self": Object(Model, (("w", Float()),)), "x": Float()}
    assert sd.grad(Callable(1.0))(4.0) == 8.0
    p = sd.grad(functools.partial(f, 2.0))
    assert p.wrt == "y"
    assert p(5.0) == 10.0
    q = sd.grad(functools.partial(g, n=7))
    assert q(1.0) == 2.0
    assert machine.requests[-1].types["n"] == Int()
    assert str(inspect.signature(sd.jvp(functools.partial(g, n=7)))) == "(x, *, n=7, k=1.0, x_dot)"


def test_derivatives_as_methods(machine):
    m = Model(2.0)
    assert m.slope(3.0) == 6.0
    assert m.both(3.0) == 6.0
    assert m.both.grad(4.0) == 8.0
    assert m.both.grad.wrt == "x"
    assert sd.grad(m.both)(5.0) == 10.0
    assert Model.both.grad.wrt == "self"


def test_differentiable_keeps_the_function_and_adds_its_derivatives(machine):
    @sd.differentiable(wrt="y")
    def h(x, y):
        """About h."""
        return x * y

    assert (h(2.0, 3.0), h.__name__, h.__doc__) == (6.0, "h", "About h.")
    assert h.grad(2.0, 3.0) == 6.0
    assert h.source("grad") == h.grad.source
    assert h.grad is h.grad
    with pytest.raises(AttributeError):
        h.gradient  # noqa: B018
    with pytest.raises(sd.UsageError):
        sd.differentiable(h.__wrapped__, wrt="z")


def test_a_decorated_function_is_differentiated_as_it_is(machine):
    def twice(function):
        @functools.wraps(function)
        def wrapper(*args):
            return 2 * function(*args)

        return wrapper

    assert sd.grad(twice(f)).wrt == "args"


def test_a_cached_function_is_differentiated_inside_with_a_warning(machine):
    cached = functools.lru_cache(f)
    with pytest.warns(UserWarning, match="is cached") as caught:
        df = sd.grad(cached)
    assert df(1.0, 2.0) == 2.0
    assert caught[0].filename == __file__


def test_a_jitted_function_is_differentiated_through_its_python_function(machine):
    class Dispatcher:
        def __init__(self):
            self.py_func = f

        def __call__(self, *args):
            raise AssertionError("the compiled function was called")

    assert sd.grad(Dispatcher())(3.0, 1.0) == 6.0


def test_a_derivative_is_differentiated_by_reading_what_was_written(machine):
    second = sd.grad(sd.grad(f))
    assert second.__name__ == "f_grad_grad"
    second(1.0, 2.0)
    assert [r.mode for r in machine.requests] == ["grad", "grad"]
    assert machine.requests[1].function.__name__ == "f_grad"
    assert "def f_grad" in inspect.getsource(machine.requests[1].function)


def test_the_types_of_the_request_are_those_of_the_arguments(machine):
    sd.jvp(f)(np.ones((2, 3)), 1, np.ones((2, 3)))
    matrix = Array(np.dtype(float), 2)
    assert machine.requests[0].types == {"x": matrix, "y": Int(), "x_dot": matrix}
    sd.jvp(f).source  # noqa: B018
    assert machine.requests[1].types == {"x": UNKNOWN, "y": UNKNOWN, "x_dot": UNKNOWN}


def test_stop_gradient_is_the_identity():
    x = np.ones(3)
    assert sd.stop_gradient(x) is x


def test_a_function_with_a_rule_needs_no_source(machine):
    assert sd.grad(math.sin).__name__ == "sin_grad"
    assert sd.grad(np.sin).wrt == "x"
    assert list(sd.grad(np.where, wrt="x").__signature__.parameters) == ["condition", "x", "y"]
    assert sd.grad(abs).__name__ == "abs_grad"
