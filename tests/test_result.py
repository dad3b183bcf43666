"""The Derivative: dispatch by types, guards, liveness, source, pickling, threads."""

from __future__ import annotations

import copy
import inspect
import linecache
import os
import pickle
import subprocess
import sys
import threading
import traceback
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

import sourcediff as sd
from sourcediff.declared import declared_type
from sourcediff.family import MEMBERS
from sourcediff.python.lattice import UNKNOWN, Array, Bool, Const, Dict, Float, Int, List, Scalar, Tuple
from tests.fakes import install

SCALE = 1.0
TABLE = np.arange(3.0)


@pytest.fixture
def machine(monkeypatch):
    return install(monkeypatch)


def f(x, y=2):
    return x * y


def typed(x: float, a: np.ndarray, n: int = 3):
    return x * a[0] * n


@sd.grad
def decorated(x):
    return x * x


@sd.differentiable
def with_derivatives(x):
    return x * x


def test_nothing_is_generated_before_it_is_needed(machine):
    df = sd.grad(f)
    assert str(df.__signature__) == "(x, y=2)"
    assert repr(df) == "<grad of f by x>"
    assert df.__doc__ == "The gradient of f by x."
    assert machine.requests == []


def test_a_call_generates_once_for_each_combination_of_types(machine):
    df = sd.grad(f)
    assert (df(1.0), df(2.0), df(3.0, 4), df(x=5.0, y=1)) == (2.0, 4.0, 6.0, 10.0)
    assert len(machine.requests) == 1
    df(1.0, 2.0)
    df(1.0)
    df(np.ones(2))
    df(np.ones(3))
    df(np.ones((2, 2)))
    df(np.ones(2, dtype=np.float32))
    assert len(machine.requests) == 5


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (True, False),
        (None, 1),
        ("a", "b"),
        (1, 1.0),
        (1.0, np.float64(1.0)),
        (np.float64(1), np.float32(1)),
        (np.ones(1), np.ones((1, 1))),
        (np.ones(1), np.ones(1, dtype=complex)),
        (len, abs),
        ((1.0,), (1.0, 1.0)),
        ((1.0,), (1,)),
        ({"a": 1.0}, {"b": 1.0}),
        ({"a": 1.0}, {"a": None}),
        ([1.0], (1.0,)),
    ],
)
def test_what_tells_types_apart(machine, one, other):
    df = sd.grad(f)
    for y in (one, other, one, other):
        df(1.0, y)
    assert len(machine.requests) == 2


def test_the_length_of_a_list_tells_nothing_apart(machine):
    df = sd.grad(f)
    df(1.0, [1.0])
    df(1.0, [1, 2.0])
    assert len(machine.requests) == 1
    assert machine.requests[0].types["y"] == List(UNKNOWN)


def test_declared_elements_of_a_list_are_compared(machine):
    def h(x, ys: list[float]):
        return x

    dh = sd.grad(h)
    dh(1.0, [1.0, 2.0])
    dh(1.0, [])
    dh(1.0, [1.0, 2])
    assert [r.types["ys"] for r in machine.requests] == [List(Float()), List(UNKNOWN)]
    special = sd.grad(f).specialize(1.0, [1.0])
    special(1.0, [2.0])
    assert machine.requests[-1].types["y"] == List(Float())


def test_the_table_is_bounded(machine):
    df = sd.grad(f)
    for k in range(MEMBERS + 10):
        df(1.0, f"option {k}")
    assert len(df._family._members) == MEMBERS


def test_alternating_types_stay_right(machine):
    df = sd.grad(f)
    machine.bodies["f_grad"] = "return y"
    for _ in range(3):
        assert df(1.0, True) is True
        assert df(1.0, False) is False


@pytest.mark.parametrize(
    ("value", "name"),
    [
        (3, "integer_argument"),
        (np.arange(3), "integer_argument"),
        (np.int64(3), "integer_argument"),
        (True, "not_a_number"),
        (None, "not_a_number"),
        ("text", "not_a_number"),
        (len, "not_a_number"),
        (np.array([True]), "not_a_number"),
        (object(), "not_a_number"),
        ((1, "a"), "no_float_leaf"),
        ({"a": 1}, "no_float_leaf"),
    ],
)
def test_a_chosen_argument_without_derivative_is_an_error_at_the_call(machine, value, name):
    with pytest.raises(TypeError) as caught:
        sd.grad(f)(value)
    assert caught.value.name == name
    assert machine.requests == []


def test_arguments_are_bound_as_python_does(machine):
    df = sd.grad(f)
    for call in (lambda: df(), lambda: df(1.0, 2, 3), lambda: df(1.0, z=3), lambda: df(1.0, x=1.0)):
        with pytest.raises(TypeError, match=r"f_grad\(\)"):
            call()


def test_all_kinds_of_parameters(machine):
    def h(a, _b, /, c, *args, d, _e=4, **kwargs):
        return a

    machine.bodies["h_grad"] = "return a, _b, c, args, d, _e, kwargs"
    dh = sd.grad(h)
    for _ in range(2):
        assert dh(1.0, 2, 3, 5, 6, d=7, type=8, a=9) == (1.0, 2, 3, (5, 6), 7, 4, {"type": 8, "a": 9})


def test_parameters_with_the_names_of_builtins(machine):
    def h(type, float=1.0, len=2, Exception=3):
        return type

    dh = sd.grad(h)
    assert (dh(2.0), dh(3.0)) == (4.0, 6.0)


def test_globals_and_cells_are_read_when_the_derivative_is_called(machine, monkeypatch):
    factor = 3.0

    def h(x):
        return factor * x * SCALE

    machine.bodies["h_grad"] = "return factor * SCALE"
    dh = sd.grad(h)
    assert dh(1.0) == 3.0
    factor = 5.0
    monkeypatch.setitem(globals(), "SCALE", 2.0)
    assert dh(1.0) == 10.0
    assert len(machine.requests) == 1


def test_what_generation_relied_on_is_checked_at_each_call(machine, monkeypatch):
    machine.watched = ["SCALE"]
    df = sd.grad(f)
    df(1.0)
    df(1.0)
    assert len(machine.requests) == 1
    monkeypatch.setitem(globals(), "SCALE", 2.0)
    machine.bodies["f_grad"] = "return 'new'"
    assert df(1.0) == "new"
    assert df.source.endswith("return 'new'\n")
    second = sd.grad(df)
    machine.watched = []
    second(1.0)
    count = len(machine.requests)
    monkeypatch.setitem(globals(), "SCALE", 3.0)
    second(1.0)
    assert len(machine.requests) == count + 2


def test_code_replaced_by_a_reloading_tool_is_differentiated_anew(machine):
    def h(x):
        return x

    def new(x):
        return 3 * x

    dh = sd.grad(h)
    dh(1.0)
    h.__code__ = new.__code__
    dh(1.0)
    assert len(machine.requests) == 2


def test_a_function_made_anew_from_the_same_code_generates_once(machine):
    def newton(x, a):
        return sd.grad(curved(a))(x)

    def curved(a):
        def lifted(y):
            return a * y

        return lifted

    machine.bodies["lifted_grad"] = "return a * y if isinstance(a, (int, float)) else 0.0"
    assert [newton(x, 2.0 * x) for x in (1.0, 2.0, 3.0)] == [2.0, 8.0, 18.0]
    assert len(machine.requests) == 1
    assert newton(1.0, 3) == 3.0  # other types in the cells
    assert len(machine.requests) == 2
    newton(1.0, len)
    newton(1.0, abs)  # another function in the cell
    assert len(machine.requests) == 4
    newton(1.0, [1.0])  # the elements of a list are not told by its type
    newton(1.0, [1.0])
    assert len(machine.requests) == 6


def test_a_reused_derivative_sees_its_own_cells_change(machine):
    def make(flag):
        def g(x):
            return x if flag else -x

        def change(new):
            nonlocal flag
            flag = new

        return sd.grad(g), change

    machine.bodies["g_grad"] = "return 1.0"
    first, _ = make(True)
    second, change = make(True)
    assert (first(1.0), second(1.0), len(machine.requests)) == (1.0, 1.0, 1)
    change(False)
    machine.bodies["g_grad"] = "return -1.0"
    assert (first(1.0), second(1.0), len(machine.requests)) == (1.0, -1.0, 2)


def test_source_function_and_stages_are_of_the_declared_types(machine):
    df = sd.grad(typed)
    assert df.source == "def typed_grad(x, a, n=3):\n    return 2 * x\n"
    assert machine.requests[0].types == {"x": Float(), "a": Array(), "n": Int()}
    df(np.ones(3), 1.0)
    assert df.function(1.0, None) == 2.0
    assert list(df.stages) == ["accept", "tidy"]
    assert df.stages["tidy"] == df.source
    assert len(machine.requests) == 2


@pytest.mark.parametrize(
    ("annotation", "expected"),
    [
        ("float", Float()),
        (float, Float()),
        (int, Int()),
        (bool, Bool()),
        (None, Const(None)),
        (np.ndarray, Array()),
        ("np.ndarray", Array()),
        ("numpy.typing.NDArray[numpy.float32]", Array(np.dtype("float32"))),
        ("npt.NDArray[np.float64]", Array(np.dtype(float))),
        (npt.NDArray[np.float64], Array(np.dtype(float))),
        (np.float32, Scalar(np.dtype("float32"))),
        (list, List(UNKNOWN)),
        ("list[float]", List(Float())),
        (list[int], List(Int())),
        ("tuple[float, int]", Tuple((Float(), Int()))),
        (tuple[float, ...], UNKNOWN),
        ("'float'", Float()),
        (dict, Dict()),
        ("exit()", UNKNOWN),
        ("not python", UNKNOWN),
        (int | None, UNKNOWN),
        (inspect.Parameter.empty, UNKNOWN),
    ],
)
def test_annotations_are_read_through_a_table(annotation, expected):
    assert declared_type(annotation) == expected


def test_specialize_declares_types_and_leaves_the_first_alone(machine):
    df = sd.jvp(f)
    special = df.specialize(np.ones(3))
    vector = Array(np.dtype(float), 1)
    special.source  # noqa: B018
    assert machine.requests[-1].types == {"x": vector, "y": Int(), "x_dot": vector}
    df.source  # noqa: B018
    assert machine.requests[-1].types == {"x": UNKNOWN, "y": UNKNOWN, "x_dot": UNKNOWN}
    with pytest.raises(TypeError, match="an example of x"):
        df.specialize()


def test_python_shows_the_generated_lines(machine):
    machine.bodies["f_grad"] = "return 1 / 0"
    df = sd.grad(f)
    assert inspect.getsource(df) == df.source
    assert inspect.getsource(df.function) == df.source
    with pytest.raises(ZeroDivisionError) as caught:
        df(1.0)
    last = traceback.extract_tb(caught.value.__traceback__)[-1]
    assert (last.line, last.name) == ("return 1 / 0", "f_grad")
    assert last.filename.startswith("<sourcediff f_grad #")
    assert linecache.checkcache() is None
    assert linecache.getline(last.filename, 2) == "    return 1 / 0\n"


def test_the_generated_function_looks_like_a_function_of_the_users_module(machine):
    function = sd.grad(f).function
    assert (function.__module__, function.__name__, function.__qualname__) == (__name__, "f_grad", "f_grad")
    assert function.__defaults__ == (2,)
    assert function.__globals__ is globals()


def test_pickling_goes_by_names(machine):
    assert pickle.loads(pickle.dumps(decorated)) is decorated
    df = pickle.loads(pickle.dumps(sd.grad(f, wrt="y", inputs_modified="allow")))
    assert (df.original, df.wrt, df.mode) == (f, "y", "grad")
    special = pickle.loads(pickle.dumps(sd.grad(f).specialize(1.0)))
    assert special.argument_types == {"x": Float(), "y": Int()}
    assert pickle.loads(pickle.dumps(with_derivatives)) is with_derivatives
    assert pickle.loads(pickle.dumps(with_derivatives.grad))(3.0) == 6.0
    with pytest.raises((pickle.PicklingError, AttributeError)):
        pickle.dumps(sd.grad(lambda x: x))
    assert copy.deepcopy(decorated) is decorated


def test_calls_from_several_threads_are_safe(machine):
    df = sd.grad(f)
    wrong = []

    def work(k):
        for i in range(200):
            y = (1.0, 1, None, "a", True)[(i + k) % 5]
            if df(float(i), y) != 2.0 * i:
                wrong.append((k, i))

    threads = [threading.Thread(target=work, args=(k,)) for k in range(8)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert wrong == []
    assert len(machine.requests) == 5


def test_importing_is_quick_and_brings_no_pipeline():
    heavy = ("astor", "pygments", "IPython", "sourcediff.steps", "sourcediff.rules")
    code = f"import sys, sourcediff; print([m for m in {heavy} if m in sys.modules])"
    environment = os.environ | {"PYTHONPATH": str(Path(sd.__file__).parents[1])}
    run = subprocess.run([sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, check=True, env=environment)
    assert run.stdout.strip() == "[]"
