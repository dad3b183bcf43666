"""The command line: what it prints where, and its exit codes."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import sourcediff as sd
from sourcediff import cli
from sourcediff.python.lattice import Array, Float, List
from tests.fakes import install

MODEL = '''
import numpy as np

SCALE = 3.0
print("hello from the module")

def loss(w, x=2.0):
    return SCALE * w * x

def broken(w):
    return w / 0

class Model:
    def energy(self, q):
        return q
'''


@pytest.fixture
def machine(monkeypatch):
    return install(monkeypatch)


@pytest.fixture
def model(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "path", list(sys.path))
    path = tmp_path / f"model_{tmp_path.name}.py"
    path.write_text(MODEL)
    yield path
    sys.modules.pop(path.stem, None)


def test_source_goes_to_standard_output_plain_into_a_pipe(machine, model, capsys):
    assert cli.main(["grad", f"{model}:loss"]) == 0
    assert capsys.readouterr() == ("def loss_grad(w, x=2.0):\n    return 2 * w\n", "hello from the module\n")
    assert machine.requests[0].mode == "grad"


@pytest.mark.parametrize("command", cli.COMMANDS)
def test_every_command(machine, model, capsys, command):
    assert cli.main([command, f"{model}:loss"]) == 0
    assert f"def loss_{command.replace('-', '_')}(" in capsys.readouterr().out


def test_variables_and_types(machine, model, capsys):
    assert cli.main(["grad", f"{model}:loss", "--wrt", "w, x", "--types", "w=ndarray,x=list[float]"]) == 0
    assert (machine.requests[0].wrt, machine.requests[0].single) == (("w", "x"), False)
    assert machine.requests[0].types == {"w": Array(), "x": List(Float())}
    assert cli.main(["grad", f"{model}:loss", "--wrt", "1"]) == 0
    assert machine.requests[1].wrt == ("x",)


def test_a_method_is_named_with_its_class(machine, model, capsys):
    assert cli.main(["grad", f"{model}:Model.energy", "--wrt", "q"]) == 0
    assert "def energy_grad(self, q)" in capsys.readouterr().out


def test_stages(machine, model, capsys):
    assert cli.main(["grad", f"{model}:loss", "--stages"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("# after accept\ndef loss_grad")
    assert "\n# after tidy\n" in out


def test_a_module_is_written(machine, model, capsys, tmp_path):
    machine.bodies["loss_grad"] = "return SCALE * x"
    assert cli.main(["grad", f"{model}:loss", "-o", str(tmp_path / "out.py")]) == 0
    assert capsys.readouterr().out == ""
    code = f"import sys; sys.path.insert(0, {str(tmp_path)!r}); import out; print(out.loss_grad(1.0, 5.0))"
    run = subprocess.run([sys.executable, "-I", "-c", code], capture_output=True, text=True)
    assert run.stdout == "15.0\n", run.stderr


def test_check(machine, model, capsys):
    machine.bodies |= {"loss_jvp": "return 3 * w * x, 3 * x * w_dot", "loss_vjp": "return 3 * w * x, 3 * x * value_bar"}
    assert cli.main(["grad", f"{model}:loss", "--check"]) == 0
    assert "checked against finite differences" in capsys.readouterr().err
    machine.bodies["loss_jvp"] = "return 3 * w * x, 4 * x * w_dot"
    machine.bodies["broken_jvp"] = "return 1.0, 1.0"
    assert cli.main(["grad", f"{model}:loss", "--check"]) == 1
    assert "wrong: loss: the forward-mode derivative by w" in capsys.readouterr().err
    assert cli.main(["grad", f"{model}:broken", "--check"]) == 1
    assert "ZeroDivisionError" in capsys.readouterr().err


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["gradient", "model.py:loss"],
        ["grad", "nowhere.py:loss"],
        ["grad", "loss"],
        ["grad", "MODEL:absent"],
        ["grad", "MODEL:loss", "--types", "w"],
        ["grad", "MODEL:loss", "--types", "q=float"],
        ["grad", "MODEL:loss", "--types", "w=Foo"],
    ],
)
def test_wrong_usage_exits_with_2(model, capsys, arguments):
    with pytest.raises(SystemExit) as caught:
        cli.main([a.replace("MODEL", str(model)) for a in arguments])
    assert caught.value.code == 2
    assert "usage: sourcediff" in capsys.readouterr().err


def test_a_wrong_variable_exits_with_2(model, capsys):
    assert cli.main(["grad", f"{model}:loss", "--wrt", "z"]) == 2
    assert "has no parameter named 'z'" in capsys.readouterr().err


def test_a_refusal_exits_with_1_and_shows_the_error(machine, model, capsys, monkeypatch):
    def refuse(request):
        raise sd.errors.problem("yield")

    monkeypatch.setattr("sourcediff.steps.differentiate", refuse)
    assert cli.main(["grad", f"{model}:loss"]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert "sourcediff.UnsupportedError: a value is yielded" in err


def test_colours_on_a_terminal_only(monkeypatch):
    pytest.importorskip("pygments")
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert "\x1b[" in cli._coloured("def f(): pass\n")
    monkeypatch.setenv("NO_COLOR", "1")
    assert cli._coloured("def f(): pass\n") == "def f(): pass\n"


def test_help_explains_itself_with_examples():
    environment = {"PYTHONPATH": str(Path(sd.__file__).parents[1])}
    run = subprocess.run([sys.executable, "-m", "sourcediff", "--help"], capture_output=True, text=True, check=True, env=environment)
    assert "sourcediff grad model.py:loss --wrt w,b" in run.stdout
