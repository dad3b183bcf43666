"""sourcediff writes the function that computes the derivative of yours: plain Python source with NumPy.

import sourcediff as sd
df = sd.grad(f)
df(2.0)
print(df.source)
"""

from .checking import check_grads
from .decorators import differentiable
from .errors import DiffError, NoRuleError, SourceError, StageError, UnsupportedError, UsageError
from .result import Derivative
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
