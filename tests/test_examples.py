"""Every example runs: scripts as a user would start them, notebooks cell by cell, and with Jupyter's own machinery where it is installed.

The notebooks are stored with their outputs; `python -m tests.tools.write_docs` writes these anew.
"""

from __future__ import annotations

import importlib.util
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

import sourcediff as sd
from tests.tools import notebooks

SCRIPTS = sorted(notebooks.EXAMPLES.glob("*.py"))
NOTEBOOKS = notebooks.all_notebooks()

# What must be seen in the output of each.
SHOWN = {
    "first_gradient.py": ["def loss_grad(w, X, y, decay):", "agrees with finite differences, to second order"],
    "softplus_pairs.py": ["def pair_value_and_grad(x, y):", "Python, generated", "NumPy, by hand", "ns a pair"],
    "small_jacobians.py": ["return s * b0 + 0.0 * b1 + 0.0 * b2, s_dot * b0", "return b0, s, 0.0, 0.0", "bundle adjustment, 15 -> 2"],
    "choose_and_inline.py": ["def product_grad(x, y):", "def cooling_grad(power, steps):", "the slope 1.065905, by differences 1.065905"],
}


def name_of(path):
    return path.name


@pytest.mark.parametrize("path", SCRIPTS, ids=name_of)
def test_a_script_runs_and_shows_what_it_is_about(path):
    environment = {"PYTHONPATH": str(Path(sd.__file__).parents[1]), "PATH": "/usr/bin:/bin", "OMP_NUM_THREADS": "1"}
    done = subprocess.run([sys.executable, "-W", "error", str(path)], capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    assert [text for text in SHOWN[path.name] if text not in done.stdout] == []


@pytest.mark.parametrize("path", NOTEBOOKS, ids=name_of)
def test_a_notebook_prints_what_is_stored_in_it(path):
    stored = json.loads(path.read_text(encoding="utf-8"))
    now = json.loads(notebooks.current(path))
    assert notebooks.printed(now) == notebooks.printed(stored)
    assert stored["nbformat"] == 4
    assert len({cell["id"] for cell in stored["cells"]}) == len(stored["cells"])


@pytest.mark.parametrize("path", NOTEBOOKS, ids=name_of)
def test_a_notebook_runs_in_jupyter(path):
    nbformat, nbclient = pytest.importorskip("nbformat"), pytest.importorskip("nbclient")
    if importlib.util.find_spec("ipykernel") is None:
        pytest.skip("no kernel")
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    nbclient.NotebookClient(notebook, timeout=120, kernel_name="python3").execute()


def test_the_generated_softplus_computes_each_intermediate_once_and_has_no_tape():
    scope = {"__name__": "example"}
    text = (notebooks.EXAMPLES / "softplus_pairs.py").read_text(encoding="utf-8")
    file = str(notebooks.EXAMPLES / "softplus_pairs.py")
    exec(compile(text.split("value_and_grad = ")[0], file, "exec"), scope)
    source = sd.value_and_grad(scope["pair"], wrt=("x", "y")).source
    assert (source.count("exp("), source.count("log("), source.count("append")) == (3 - 1, 3 - 1, 0)  # each once, and once in a comment
    assert len(re.findall(r" [*/] ", re.sub(r"#.*", "", source))) <= 4 + 1


def test_the_readme_of_the_examples_names_them_all():
    text = (notebooks.EXAMPLES / "README.md").read_text(encoding="utf-8")
    assert [p.name for p in [*SCRIPTS, *NOTEBOOKS] if f"({p.name})" not in text] == []
