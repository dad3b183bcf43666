"""Saved modules: they run without sourcediff, and what cannot be taken along is refused by name."""

from __future__ import annotations

import math
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import sourcediff as sd
from sourcediff import runtime
from tests.fakes import install

WEIGHT, NOTHING, LABEL, EDGE, PAIR = 3.0, None, "a 'b'", -math.inf, (1, (2.5,))
SINGLE = np.float32(0.5)
TABLE = np.arange(3.0)
xp = np


@pytest.fixture
def machine(monkeypatch):
    return install(monkeypatch)


def f(x, y=2.0):
    return x


def helper(x):
    return x + 1


def saved(derivative, folder):
    path = folder / "saved.py"
    derivative.save(path)
    return path.read_text()


def run(folder, expression, with_tests=False):
    """The value of an expression in a fresh Python that sees the saved module and no sourcediff."""
    paths = [str(folder), *([str(Path(__file__).parent)] if with_tests else [])]
    code = f"import sys; sys.path[:0] = {paths!r}; sys.modules['sourcediff'] = None; from saved import *; print({expression})"
    done = subprocess.run([sys.executable, "-I", "-W", "error", "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_the_text_of_a_saved_module(machine, tmp_path):
    machine.bodies["f_grad"] = "return np.exp(x) * WEIGHT"
    machine.helpers = {"np": np}
    text = saved(sd.grad(f).specialize(1.0), tmp_path).splitlines()
    assert text == [
        '"""The gradient of f by x.',
        "",
        "Written by sourcediff. It is right for arguments of these types: x: float, y: float. "
        "It checks neither types nor that the original is as it was.",
        '"""',
        "",
        "from __future__ import annotations",
        "",
        "import numpy as np",
        "",
        "",
        f"WEIGHT = 3.0  # from the module {__name__}",
        "",
        "",
        "def f_grad(x, y=2.0):",
        "    return np.exp(x) * WEIGHT",
    ]
    assert run(tmp_path, "f_grad(0.0)") == "3.0"


def test_plain_values_become_constants(machine, tmp_path):
    offset = 7

    def g(x):
        return x * offset

    machine.bodies["g_grad"] = "return NOTHING, LABEL, EDGE, PAIR, SINGLE, offset, abs(-1)"
    text = saved(sd.grad(g), tmp_path)
    assert "offset = 7  # from a variable around the function" in text
    assert run(tmp_path, "g_grad(1.0)") == str((None, LABEL, -math.inf, PAIR, np.float32(0.5), 7, 1))


def test_helpers_are_copied_with_all_that_they_call(machine, tmp_path):
    machine.helpers = {"unbroadcast": runtime.unbroadcast}
    machine.bodies["f_grad"] = "return unbroadcast(x * y, 1.0)"
    text = saved(sd.grad(f), tmp_path)
    assert "def _summed_to(" in text
    assert run(tmp_path, "f_grad(np.ones(3))") == "6.0"


def test_a_helper_under_another_name(machine, tmp_path):
    machine.helpers = {"zero_of2": runtime.zero_of}
    machine.bodies["f_grad"] = "return zero_of2(x)"
    saved(sd.grad(f), tmp_path)
    assert run(tmp_path, "f_grad(3.0)") == "0.0"


def test_modules_arrays_and_functions_are_imported(machine, tmp_path, monkeypatch):
    text = "import numpy as xp\nTABLE = xp.arange(3.0)\n\ndef h(x):\n    return x + 1\n\ndef g(x):\n    return x\n"
    (tmp_path / "home_of_g.py").write_text(text)
    monkeypatch.syspath_prepend(str(tmp_path))
    import home_of_g

    machine.bodies["g_grad"] = "return xp.sum(TABLE) + h(x)"
    text = saved(sd.grad(home_of_g.g), tmp_path)
    assert "import numpy as xp\nfrom home_of_g import TABLE\nfrom home_of_g import h\n" in text
    assert run(tmp_path, "g_grad(1.0)") == "5.0"


def test_defaults_have_their_meaning_too(machine, tmp_path):
    def g(x, scale=WEIGHT):
        return x * scale

    machine.bodies["g_grad"] = "return scale"
    assert "WEIGHT = 3.0" in saved(sd.grad(g), tmp_path)
    assert run(tmp_path, "g_grad(1.0)") == "3.0"


def test_what_has_no_home_is_refused_by_name(machine, tmp_path):
    table = np.ones(2)

    def g(x):
        return x * table

    machine.bodies["g_grad"] = "return table"
    with pytest.raises(sd.UsageError, match="table cannot be saved") as caught:
        sd.grad(g).save(tmp_path / "saved.py")
    assert caught.value.name == "no_home"
    assert not (tmp_path / "saved.py").exists()
    machine.bodies["f_grad"] = "return nowhere"
    with pytest.raises(sd.UsageError, match="nowhere cannot be saved"):
        sd.grad(f).save(tmp_path / "saved.py")


def test_two_meanings_of_a_name_are_refused(machine, tmp_path):
    def g(x):
        return x * np

    np = 3.0
    machine.helpers = {"unbroadcast": runtime.unbroadcast}
    machine.bodies["g_grad"] = "return unbroadcast(np * x, x)"
    with pytest.raises(sd.UsageError, match="two meanings of the name np"):
        sd.grad(g).save(tmp_path / "saved.py")
