"""sourcediff writes the function that computes the derivative of yours: plain Python source with NumPy.

import sourcediff as sd
df = sd.grad(f)
df(2.0)
print(df.source)
"""

from typing import Any

from .checking import check_grads
from .decorators import differentiable
from .errors import DiffError, NoRuleError, SourceError, StageError, UnsupportedError, UsageError
from .python.source import from_source
from .result import Derivative
from .structures import flatten
from .transforms import (
    derivative,
    grad,
    hessian,
    hvp,
    jacobian,
    jvp,
    pullback,
    pushforward,
    stop_gradient,
    value_and_grad,
    value_and_jacobian,
    vjp,
)

__version__ = "0.1.0"

RULES = ("bilinear", "constant", "elementwise", "forward", "linear", "reverse", "undefined")


def __getattr__(name: str) -> Any:
    """How rules are declared, from sourcediff.rules: imported when first asked for, since few programs declare any."""
    if name not in RULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from . import rules

    return getattr(rules.forms, name)


def __dir__() -> list[str]:
    return sorted({*globals(), *RULES})


__all__ = [
    "Derivative",
    "DiffError",
    "NoRuleError",
    "SourceError",
    "StageError",
    "UnsupportedError",
    "UsageError",
    "check_grads",
    "derivative",
    "differentiable",
    "flatten",
    "from_source",
    "grad",
    "hessian",
    "hvp",
    "jacobian",
    "jvp",
    "pullback",
    "pushforward",
    "stop_gradient",
    "value_and_grad",
    "value_and_jacobian",
    "vjp",
]
