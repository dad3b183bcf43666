"""`@sd.differentiable`: the function stays callable, and has its derivatives as attributes.

@sd.differentiable
def loss(w, x): ...

loss(w, x); loss.grad(w, x); print(loss.source("grad"))
"""

from __future__ import annotations

import functools
import sys
import types
from typing import Any

from .callables import Standing, Subject, signature_of, subject_of
from .choices import chosen
from .result import Derivative
from .transforms import TRANSFORMS


class Differentiable(Standing):
    """A function with its derivatives: `.grad`, `.value_and_grad`, `.jvp`, … each made when first asked for."""

    def __init__(self, f: Any, wrt: Any = 0) -> None:
        functools.update_wrapper(self, f)
        self._wrt = wrt

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        return self.__wrapped__(*args, **kwargs)

    @property
    def subject(self) -> Subject:
        """What the transforms differentiate when they are given this object."""
        return subject_of(self.__wrapped__)

    def __getattr__(self, name: str) -> Any:
        if name not in TRANSFORMS:
            raise AttributeError(f"{type(self).__name__} has no attribute {name!r}")
        made = TRANSFORMS[name](self, self._wrt)
        self.__dict__[name] = made
        return made

    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        return self if instance is None else _Method(self, instance)

    def source(self, transform: str) -> str:
        """The source of one of the derivatives: `f.source("grad")` is `f.grad.source`."""
        return getattr(self, transform).source

    def __reduce__(self) -> Any:
        found: Any = sys.modules.get(self.__module__)
        for part in self.__qualname__.split("."):
            found = getattr(found, part, None)
        return self.__qualname__ if found is self else (Differentiable, (self.__wrapped__, self._wrt))


class _Method(Standing):
    """A differentiable function bound to an object: a method whose derivatives are bound as well."""

    def __init__(self, function: Differentiable, instance: Any) -> None:
        self.__func__, self.__self__ = function, instance

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        return self.__func__(self.__self__, *args, **kwargs)

    @property
    def subject(self) -> Subject:
        return subject_of(types.MethodType(self.__func__, self.__self__))

    def __getattr__(self, name: str) -> Any:
        derivative = getattr(self.__func__, name)
        return derivative.__get__(self.__self__) if isinstance(derivative, Derivative) else derivative

    def source(self, transform: str) -> str:
        return getattr(self, transform).source


def differentiable(f: Any = None, *, wrt: Any = 0) -> Any:
    """Decorator: f keeps its call and gets `.grad`, `.value_and_grad`, `.jvp`, `.vjp`, `.pullback`, `.jacobian`, `.hessian`, …

    On a method, `m.loss.grad(x)` differentiates the bound method. `wrt` is checked now.
    """
    if f is None:
        return functools.partial(differentiable, wrt=wrt)
    chosen(wrt, signature_of(f), f.__name__)
    return Differentiable(f, wrt)
