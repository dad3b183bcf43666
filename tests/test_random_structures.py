"""Random structures as arguments, read by random paths: gradients in both modes, by paths, to second order, and flattened."""

from __future__ import annotations

import types
from typing import Any, NamedTuple

import numpy as np
import pytest

import sourcediff as sd
from tests import oracles
from tests import structures as st


class Pair(NamedTuple):
    left: Any
    right: Any


class Thing:
    def __init__(self, **attributes: Any) -> None:
        self.__dict__.update(attributes)


class Builder:
    """A structure, and the paths to its leaves."""

    def __init__(self, seed: int) -> None:
        self.rng = np.random.default_rng(seed)
        self.paths: list[tuple[str, bool]] = []  # (path, is it an array)

    def structure(self, path: str, depth: int) -> Any:
        kind = self.rng.integers(0, 10 if depth else 4)
        if kind <= 1:
            self.paths.append((path, False))
            return float(self.rng.uniform(0.5, 1.5))
        if kind == 2:
            self.paths.append((path, True))
            return self.rng.uniform(0.5, 1.5, 3)
        if kind == 3:
            return self.rng.choice([3, "text", None, True], 1).tolist()[0] if depth < 2 else self.structure(path, depth)
        size = int(self.rng.integers(1, 4))
        if kind in (4, 5):
            return {k: self.structure(f"{path}[{k!r}]", depth - 1) for k in "abc"[:size]}
        if kind == 6:
            return tuple(self.structure(f"{path}[{k}]", depth - 1) for k in range(size))
        if kind == 7:
            return [self.structure(f"{path}[{k}]", depth - 1) for k in range(size)]
        if kind == 8:
            return Pair(self.structure(f"{path}.left", depth - 1), self.structure(f"{path}.right", depth - 1))
        cls = Thing if self.rng.integers(2) else types.SimpleNamespace
        return cls(**{k: self.structure(f"{path}.{k}", depth - 1) for k in "uvw"[:size]})

    def program(self) -> str:
        """Products of leaves, some through names, some in a loop."""
        lines = ["def f(p):", "    s = 0.0"]
        for k in range(int(self.rng.integers(1, 5))):
            names = []
            for half in "xy":
                path, array = self.paths[self.rng.integers(len(self.paths))]
                if self.rng.integers(2):
                    base = path[: max(path.rfind("."), path.rfind("["))] or path
                    lines.append(f"    {half}{k} = {base}")
                    path = f"{half}{k}{path[len(base) :]}"
                names.append(f"np.sum({path} * {path})" if array and self.rng.integers(2) else f"{path}[1]" if array else path)
            if self.rng.integers(3):
                lines.append(f"    s = s + {names[0]} * {names[1]}")
            else:
                lines += ["    for i in range(3):", f"        s = s * 0.5 + np.sin({names[0]}) * {names[1]}"]
        return "\n".join([*lines, "    return s", ""])


@pytest.mark.parametrize("seed", range(24))
def test_random_structure(seed: int) -> None:
    builder = Builder(seed)
    p = builder.structure("p", 3)
    if not builder.paths or st.is_float(p):
        pytest.skip("a structure without a float, or a float")
    f = sd.from_source("import numpy as np\n" + builder.program())
    expected = oracles.gradient(f, (p,))
    gradient = sd.grad(f)(st.fresh(p))
    assert not st.difference_in_form(gradient, p)
    assert not expected.disagreement(st.flat(gradient))
    dot = st.random_like(p, np.random.default_rng(seed))
    assert sd.jvp(f)(st.fresh(p), dot)[1] == pytest.approx(st.pairing(gradient, dot), rel=1e-9, abs=1e-9)
    product = sd.hvp(f)(st.fresh(p), dot)
    estimate = oracles.directional(sd.grad(f), (p,), (dot,))
    assert not estimate.disagreement(st.flat(product), 1e-5)
    path = builder.paths[seed % len(builder.paths)][0]
    part = sd.grad(f, wrt=path)(st.fresh(p))
    assert not st.difference(part, eval(path, {"p": gradient}), 1e-9)
    vector, restore = sd.flatten(p)
    assert not st.difference(restore(vector), p)
    try:
        untyped = sd.grad(f).function
    except sd.UnsupportedError:
        return
    assert not st.difference(untyped(st.fresh(p)), gradient, 1e-9)
