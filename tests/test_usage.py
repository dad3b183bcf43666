"""The outer layers and the pipeline together: what a user does first. (`test_docs.py` runs what the README says.)"""

from __future__ import annotations

import functools
import importlib
import inspect
import math
import pickle
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import sourcediff as sd

ROOT = Path(__file__).parents[1]
SCALE = 3.0
TABLE = np.array([1.0, 2.0])


def f(x, y):
    return np.sin(x) * y


def typed(x: float, n: int = 3):
    return SCALE * x**n


def energy(q: np.ndarray):
    return np.sum(TABLE * q * q) + SCALE * q[0]


class Spring:
    def __init__(self, k):
        self.k = k

    def energy(self, x):
        return 0.5 * self.k * x * x

    @sd.differentiable
    def force(self, x):
        return self.k * x * x

    def __call__(self, x):
        return self.k * x


def test_the_same_function_in_all_its_forms():
    spring = Spring(4.0)
    assert sd.grad(spring.energy)(3.0) == 12.0
    assert sd.grad(Spring(2.0).energy)(3.0) == 6.0
    assert spring.force.grad(3.0) == 24.0
    assert sd.grad(spring.force)(3.0) == 24.0
    assert sd.grad(spring)(1.0) == 4.0
    assert sd.grad(functools.partial(f, math.pi / 2))(5.0) == 1.0
    assert sd.grad(functools.partial(typed, n=2))(1.0) == 6.0
    assert sd.grad(lambda x: x * x)(3.0) == 6.0
    assert sd.grad(math.sin)(0.0) == 1.0
    assert sd.grad(np.sin)(np.float64(0.0)) == 1.0
    with pytest.warns(UserWarning, match="cached"):
        assert sd.grad(functools.lru_cache(lambda x: x * x))(3.0) == 6.0


def with_aux(x):
    return x * x, {"twice": 2 * x}


def test_what_each_transform_returns():
    assert sd.value_and_grad(with_aux, has_aux=True)(3.0) == ((9.0, {"twice": 6.0}), 6.0)
    assert sd.grad(with_aux, has_aux=True)(3.0) == (6.0, {"twice": 6.0})
    assert sd.jvp(with_aux, has_aux=True)(3.0, 1.0) == (9.0, 6.0, {"twice": 6.0})
    assert sd.vjp(with_aux, has_aux=True)(3.0, 1.0) == (9.0, 6.0, {"twice": 6.0})
    assert sd.vjp(f, wrt=("x", "y"))(0.0, 2.0, 1.0) == (0.0, (2.0, 0.0))
    value, pull = sd.pullback(f)(0.0, 2.0)
    assert (value, pull(1.0), pull(3.0)) == (0.0, 2.0, 6.0)
    value, push = sd.pushforward(f)(0.0, 2.0)
    assert (value, push(1.0), push(3.0)) == (0.0, 2.0, 6.0)
    assert sd.derivative(f)(0.0, 2.0) == 2.0
    point = np.array([1.0, 2.0])
    assert sd.jacobian(lambda x: x * x)(point).tolist() == [[2.0, 0.0], [0.0, 4.0]]
    assert sd.hessian(energy)(point).tolist() == [[2.0, 0.0], [0.0, 4.0]]
    assert sd.hvp(energy)(point, point).tolist() == [2.0, 8.0]


def test_an_attribute_is_read_when_the_derivative_is_called():
    spring = Spring(4.0)
    slope = sd.grad(spring.energy)
    assert slope(1.0) == 4.0
    spring.k = 5.0
    assert slope(1.0) == 5.0


def test_a_redefined_helper_changes_the_derivative(monkeypatch):
    monkeypatch.setitem(globals(), "helper", lambda x: x * x)
    df = sd.grad(uses_helper)
    assert df(3.0) == 6.0
    monkeypatch.setitem(globals(), "helper", lambda x: x * x * x)
    assert df(3.0) == 27.0


def uses_helper(x):
    return helper(x)  # noqa: F821


def test_derivatives_of_derivatives():
    assert sd.grad(sd.grad(lambda x: x**4))(2.0) == 48.0
    assert sd.grad(sd.grad(sd.grad(lambda x: x**4)))(2.0) == 48.0
    assert sd.jvp(sd.grad(f))(0.0, 2.0, 1.0) == (2.0, 0.0)
    sd.check_grads(energy, np.array([0.3, 0.7]))


def test_a_new_closure_of_the_same_code_generates_once_and_is_right():
    def newton(x):
        for _ in range(3):
            a = x + 1.0
            x = x - sd.grad(lambda y: a * y * y)(x)  # noqa: B023
        return x

    def by_hand(x):
        for _ in range(3):
            x = x - 2 * (x + 1.0) * x
        return x

    assert newton(0.1) == pytest.approx(by_hand(0.1), rel=1e-14)


MODEL = """
import numpy as np

SCALE = 3.0
TABLE = np.array([1.0, 2.0])

def power(x: float, n: int = 3):
    return SCALE * x**n

def energy(q):
    return np.sum(TABLE * q * q) + SCALE * q[0]
"""


@pytest.mark.parametrize(("name", "point"), [("power", "2.0"), ("energy", "np.array([0.3, 0.7])")])
def test_a_saved_module_stands_alone(tmp_path, monkeypatch, name, point):
    (tmp_path / f"model_of_{name}.py").write_text(MODEL)
    monkeypatch.syspath_prepend(str(tmp_path))
    df = sd.grad(getattr(importlib.import_module(f"model_of_{name}"), name))
    df.save(tmp_path / "saved.py")
    expected = df(eval(point))
    show = f"print(repr(np.asarray(saved.{name}_grad({point})).tolist()))"
    code = f"import sys; sys.path.insert(0, {str(tmp_path)!r}); sys.modules['sourcediff'] = None; import numpy as np, saved; {show}"
    done = subprocess.run([sys.executable, "-I", "-W", "error", "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == repr(np.asarray(expected).tolist())
    assert "import sourcediff" not in (tmp_path / "saved.py").read_text()
    assert "from sourcediff" not in (tmp_path / "saved.py").read_text()


def test_declared_types_shape_the_source_and_calls_look_for_themselves():
    df = sd.grad(typed)
    assert "unbroadcast" not in df.source
    assert df(np.float64(2.0)) == 36.0
    assert inspect.getsource(df).strip().splitlines()[0] == "def typed_grad(x, n=3):"
    with pytest.raises(TypeError, match="integer"):
        df(2)


def test_pickling():
    assert pickle.loads(pickle.dumps(sd.grad(typed)))(1.0) == 9.0


def test_the_command_line(tmp_path):
    file = tmp_path / "user_model.py"
    file.write_text("import numpy as np\n\ndef loss(w: float, x: float):\n    return np.exp(w * x)\n")
    command = [sys.executable, "-m", "sourcediff", "grad", f"{file}:loss", "--check"]
    done = subprocess.run(command, capture_output=True, text=True, env={"PYTHONPATH": str(Path(sd.__file__).parents[1])})
    assert (done.returncode, done.stderr) == (0, "checked against finite differences\n")
    assert "def loss_grad(w, x):" in done.stdout


def test_the_first_example_runs():
    environment = {"PYTHONPATH": str(Path(sd.__file__).parents[1])}
    done = subprocess.run(
        [sys.executable, "-W", "error", str(ROOT / "examples" / "first_gradient.py")], capture_output=True, text=True, env=environment
    )
    assert done.returncode == 0, done.stderr
    assert "def loss_grad(w, X, y, decay):" in done.stdout
    assert "agrees with finite differences" in done.stdout
