"""The transforms: each takes a function and gives its derivative of one kind, as a `Derivative`.

    import sourcediff as sd
    df = sd.grad(f, wrt="x")
    df(2.0)             # generated for the types of the arguments
    print(df.source)    # and readable

All take the same options. `wrt` chooses the variables: a position, a name, or a tuple of these; a single choice gives a
single result, a tuple of choices a tuple in the same order. Without a function they are decorators: `@sd.grad(wrt="x")`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from .callables import name_of, signature_of
from .errors import problem
from .result import Derivative

T = TypeVar("T")

_CHOICES: dict[str, tuple[Any, ...]] = {
    "has_aux": (False, True),
    "inputs_modified": ("allow", "copy"),
    "backend": ("python", "numba"),
    "sparse": (False, True),
    "jacobian_mode": ("auto", "forward", "reverse"),
}
_NOT_YET = {("backend", "numba"), ("sparse", True)}


def grad(
    f: Any = None,
    wrt: Any = 0,
    *,
    has_aux: bool = False,
    inputs_modified: str = "allow",
    backend: str = "python",
) -> Any:
    """The gradient of f, whose value must be a scalar: of the structure, shape and dtype of the argument.

    >>> import sourcediff as sd
    >>> sd.grad(lambda x: x ** 3)(2.0)
    12.0
    """
    return _transform("grad", f, wrt, has_aux=has_aux, inputs_modified=inputs_modified, backend=backend)


def value_and_grad(
    f: Any = None,
    wrt: Any = 0,
    *,
    has_aux: bool = False,
    inputs_modified: str = "allow",
    backend: str = "python",
) -> Any:
    """(value, gradient) of f, whose value must be a scalar."""
    return _transform("value_and_grad", f, wrt, has_aux=has_aux, inputs_modified=inputs_modified, backend=backend)


def jvp(
    f: Any = None,
    wrt: Any = 0,
    *,
    has_aux: bool = False,
    outputs: tuple[str, ...] = (),
    inputs_modified: str = "allow",
    backend: str = "python",
) -> Any:
    """`f_jvp(*args, x_dot, …)`: (value, value_dot), one tangent for each chosen variable.

    The tangents are keyword-only where f has a parameter with a default, `*args`, keyword-only ones or `**kwargs`.
    """
    return _transform("jvp", f, wrt, has_aux=has_aux, outputs=outputs, inputs_modified=inputs_modified, backend=backend)


def vjp(
    f: Any = None,
    wrt: Any = 0,
    *,
    has_aux: bool = False,
    outputs: tuple[str, ...] = (),
    inputs_modified: str = "allow",
    backend: str = "python",
) -> Any:
    """`f_vjp(*args, value_bar)`: (value, x_bar), for a cotangent of the value; several choices: (value, (x_bar, y_bar))."""
    return _transform("vjp", f, wrt, has_aux=has_aux, outputs=outputs, inputs_modified=inputs_modified, backend=backend)


def pullback(
    f: Any = None,
    wrt: Any = 0,
    *,
    has_aux: bool = False,
    outputs: tuple[str, ...] = (),
    inputs_modified: str = "allow",
    backend: str = "python",
) -> Any:
    """(value, pull): `pull(value_bar)` gives the cotangents, and may be called any number of times."""
    return _transform("pullback", f, wrt, has_aux=has_aux, outputs=outputs, inputs_modified=inputs_modified, backend=backend)


def pushforward(
    f: Any = None,
    wrt: Any = 0,
    *,
    has_aux: bool = False,
    outputs: tuple[str, ...] = (),
    inputs_modified: str = "allow",
    backend: str = "python",
) -> Any:
    """(value, push): `push(x_dot, …)` gives the tangent of the value; linearised once, pushed many times."""
    return _transform("pushforward", f, wrt, has_aux=has_aux, outputs=outputs, inputs_modified=inputs_modified, backend=backend)


def derivative(f: Any = None, wrt: Any = 0, *, inputs_modified: str = "allow", backend: str = "python") -> Any:
    """The derivative by one variable: of a scalar argument, for a value of any shape; of an array argument, elementwise.

    An array argument in which f is not elementwise is refused; `jacobian` is for these.
    """
    count = len(wrt) if isinstance(wrt, (tuple, list)) else 1
    if count > 1:
        raise problem("one_variable", transform="derivative", count=count)
    return _transform("derivative", f, wrt, inputs_modified=inputs_modified, backend=backend)


def jacobian(
    f: Any = None,
    wrt: Any = 0,
    *,
    mode: str = "auto",
    sparse: bool = False,
    has_aux: bool = False,
    outputs: tuple[str, ...] = (),
    inputs_modified: str = "allow",
    backend: str = "python",
) -> Any:
    """The Jacobian: an array of shape value.shape + x.shape; of a scalar by a scalar a float.

    mode: "forward", "reverse", or "auto", which takes forward where the directions are few or no more than the outputs.
    """
    options = {"jacobian_mode": mode, "sparse": sparse, "has_aux": has_aux, "outputs": outputs}
    return _transform("jacobian", f, wrt, **options, inputs_modified=inputs_modified, backend=backend)


def value_and_jacobian(
    f: Any = None,
    wrt: Any = 0,
    *,
    mode: str = "auto",
    sparse: bool = False,
    has_aux: bool = False,
    outputs: tuple[str, ...] = (),
    inputs_modified: str = "allow",
    backend: str = "python",
) -> Any:
    """(value, Jacobian); the options are those of `jacobian`."""
    options = {"jacobian_mode": mode, "sparse": sparse, "has_aux": has_aux, "outputs": outputs}
    return _transform("value_and_jacobian", f, wrt, **options, inputs_modified=inputs_modified, backend=backend)


def hessian(f: Any = None, wrt: Any = 0, *, inputs_modified: str = "allow", backend: str = "python") -> Any:
    """The Hessian of f, whose value must be a scalar: an array of shape x.shape + x.shape."""
    return _transform("hessian", f, wrt, inputs_modified=inputs_modified, backend=backend)


def hvp(f: Any = None, wrt: Any = 0, *, inputs_modified: str = "allow", backend: str = "python") -> Any:
    """`f_hvp(*args, x_dot, …)`: the Hessian times a direction, forward over reverse, without forming the Hessian."""
    return _transform("hvp", f, wrt, inputs_modified=inputs_modified, backend=backend)


def stop_gradient(x: T) -> T:
    """x itself; derivatives take it for a constant."""
    return x


TRANSFORMS: dict[str, Callable[..., Any]] = {
    t.__name__: t for t in (grad, value_and_grad, jvp, vjp, pullback, pushforward, derivative, jacobian, value_and_jacobian, hessian, hvp)
}


def _transform(mode: str, f: Any, wrt: Any, **options: Any) -> Any:
    """The Derivative, or a decorator where no function is given yet. All options are checked now."""
    for option, value in options.items():
        _check_option(option, value)
    if f is None:
        return lambda f: _transform(mode, f, wrt, **options)
    for name in options.get("outputs", ()):
        parameters = signature_of(f).parameters
        if name not in parameters:
            raise problem("outputs_unknown", function=name_of(f), name=name, parameters=", ".join(parameters))
    return Derivative(f, mode, wrt, tuple(sorted(options.items())))


def _check_option(option: str, value: Any) -> None:
    shown = "mode" if option == "jacobian_mode" else option
    if option in _CHOICES and not any(value is choice or (isinstance(value, str) and value == choice) for choice in _CHOICES[option]):
        raise problem("option_choice", option=shown, value=repr(value), choices=", ".join(map(repr, _CHOICES[option])))
    if option == "outputs" and not (isinstance(value, tuple) and all(isinstance(name, str) for name in value)):
        raise problem("option_choice", option=shown, value=repr(value), choices="a tuple of names of parameters")
    if (option, value) in _NOT_YET:
        raise problem("option_not_yet", option=shown, value=repr(value))
