"""What may be handed to a transform, taken apart: the Python function with the text, and what is bound to it.

A method is its function with `self` in front, a `functools.partial` its function with some arguments given, an object
with `__call__` the method of its class, a Numba-jitted function its `py_func`. Only the plain function underneath is
read and differentiated; the derivative is then called with what was bound, so it is shared by all objects of a class.
"""

from __future__ import annotations

import functools
import inspect
import linecache
import sys
import types
import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from .errors import problem, rule_skeleton


@dataclass(frozen=True)
class Subject:
    """`function` is a Python function or an (unbound) Derivative; `args` and `keywords` are bound to it."""

    function: Any
    args: tuple[Any, ...] = ()
    keywords: dict[str, Any] = field(default_factory=dict)

    def bind(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """`function`, taking the place of the subject's own, with the same things bound."""
        return functools.partial(function, *self.args, **self.keywords) if self.args or self.keywords else function

    @property
    def bound_names(self) -> list[str]:
        """The parameters of the function that have their arguments already."""
        return list(signature_of(self.function).bind_partial(*self.args, **self.keywords).arguments)

    @property
    def signature(self) -> inspect.Signature:
        return signature_of(self.bind(self.function))


class Standing:
    """An object that stands for a function: a Derivative, a differentiable function. The transforms take its subject."""

    @property
    def subject(self) -> Subject:
        raise NotImplementedError


def subject_of(f: Any) -> Subject:
    """Take a callable apart. Raises DiffError for what has no Python text and no rule."""
    args: tuple[Any, ...] = ()
    keywords: dict[str, Any] = {}
    while not isinstance(f, types.FunctionType):
        if isinstance(f, functools.partial):
            _refuse_placeholders(f)
            args, keywords, f = (*f.args, *args), {**f.keywords, **keywords}, f.func
        elif isinstance(f, types.MethodType):
            args, f = (f.__self__, *args), f.__func__
        elif isinstance(f, Standing):
            own = f.subject
            return Subject(own.function, (*own.args, *args), {**own.keywords, **keywords})
        else:
            f = _unwrapped(f)
    return Subject(f, args, keywords)


def signature_of(f: Callable[..., Any]) -> inspect.Signature:
    """The signature of f itself, not of what it wraps; annotations are left as text where Python has not evaluated them."""
    if sys.version_info >= (3, 14):
        import annotationlib

        return inspect.signature(f, follow_wrapped=False, annotation_format=annotationlib.Format.STRING)
    return inspect.signature(f, follow_wrapped=False)


def name_of(f: Any) -> str:
    """How messages and generated functions call f: an identifier."""
    while isinstance(f, functools.partial):
        f = f.func
    name = getattr(f, "__name__", None) or type(f).__name__
    return "lambda_" if name == "<lambda>" else name


def _unwrapped(f: Any) -> Any:
    """One layer less, for a callable that is neither a function nor a method."""
    if isinstance(f, functools._lru_cache_wrapper):
        warnings.warn(f"{name_of(f)} is cached; its derivative is that of the function inside, and is not cached", stacklevel=6)
        return f.__wrapped__
    jitted = inspect.getattr_static(f, "py_func", None)  # Numba keeps the Python function there
    if isinstance(jitted, types.FunctionType):
        return jitted
    ruled = _with_rule(f)
    if ruled is not None:
        return ruled
    if isinstance(f, staticmethod):
        return f.__func__
    if not callable(f):
        raise problem("not_callable", what=f"{f!r:.60}")
    if isinstance(f, type):
        raise problem("not_a_function", what=f"the class {f.__name__}")
    call: Any = type(f).__call__
    if isinstance(call, types.FunctionType):
        return types.MethodType(call, f)
    from .rules.forms import path_of

    raise problem("no_rule", function=path_of(f), skeleton=rule_skeleton(path_of(f), f))


def _with_rule(f: Any) -> Any:
    """A Python function of one line that calls f, if f is a function without text that has a rule (math.sin, np.sin)."""
    if not callable(f) or isinstance(f, type):
        return None
    from .rules.forms import rule_for

    rule = rule_for(f)
    if rule is None:
        return None
    needed = [p for p in rule.signature.parameters.values() if p.default is p.empty or p.name in rule.operands]
    if any(p.kind in (p.VAR_POSITIONAL, p.VAR_KEYWORD) for p in needed):
        raise problem("any_number", function=rule.path)
    return _calling(rule.path, tuple(p.name for p in needed))


@functools.lru_cache(maxsize=256)
def _calling(path: str, parameters: tuple[str, ...]) -> types.FunctionType:
    import math

    import numpy as np

    name, listed = path.rpartition(".")[2], ", ".join(parameters)
    text = f"def {name}({listed}):\n    return {path}({listed})\n"
    filename = f"<sourcediff {path}>"
    linecache.cache[filename] = (len(text), None, text.splitlines(keepends=True), filename)
    scope: dict[str, Any] = {"math": math, "np": np, "__name__": __name__}
    exec(compile(text, filename, "exec", dont_inherit=True), scope)
    return scope.pop(name)  # so that `abs` inside still means the builtin


def _refuse_placeholders(f: functools.partial[Any]) -> None:
    placeholder = getattr(functools, "Placeholder", None)  # Python 3.14
    if placeholder is not None and any(a is placeholder for a in f.args):
        raise problem("partial_placeholder")
