"""Which rule a call means, and how its arguments bind to the rule's parameters.

    bind(rule, args, keywords)              np.sum(x, axis=0)   ->  {"a": x, "axis": 0, "keepdims": False}
    bind_method("sum", x, args, keywords)   x.sum(axis=0)       ->  the rule of np.sum and the same
    rule_for_attribute("T")                 x.T                 ->  the rule of np.transpose
    runtime_call(f, text, bindings)         sum_(y_bar, x, axis=k), where the text of a rule depends on what is not known

Arguments are nodes, and so are the defaults that are filled in. A method is the function of the same name unless `_METHODS` says otherwise.
"""

from __future__ import annotations

from collections.abc import Callable
from inspect import Parameter, signature
from typing import Any

import gast
import numpy as np

from sourcediff.python.quote import constant
from sourcediff.rules.forms import Rule, rule_for
from sourcediff.rules.known import literal_value
from sourcediff.rules.text import Text

Nodes = list[Any]
Keywords = dict[str, Any]


class BindError(TypeError):
    """A call that the rule does not cover: an option that it does not know, a missing or superfluous argument."""


def bind(rule: Rule, args: Nodes, keywords: Keywords) -> dict[str, Any]:
    """parameter -> node, for every parameter of the rule; `*xs` is bound to a tuple display.

    The arguments of a constant that binds anything are called "0", "1", ….
    """
    if rule.form in ("constant", "undefined") and rule.takes is None:
        return {str(k): node for k, node in enumerate(args)} | keywords
    bound: dict[str, Any] = {}
    rest, options = list(args), {rule.also.get(k, k): node for k, node in keywords.items()}
    if len(options) < len(keywords):
        raise BindError(f"{rule.path} is given one argument under two names")
    for option, harmless in rule.besides.items():
        if option in options and _is_one_of(options[option], harmless):
            del options[option]
    fixed = [p for p in rule.parameters if p.kind in (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)]
    if any(isinstance(a, gast.Starred) for a in (rest[: len(fixed)] if len(fixed) < len(rule.parameters) else rest)):
        raise BindError(f"{rule.path} is called with a starred argument")
    for parameter in rule.parameters:
        if parameter.kind is Parameter.VAR_POSITIONAL:
            bound[parameter.name] = gast.Tuple(elts=rest, ctx=gast.Load())
            rest = []
        elif rest and parameter.kind is not Parameter.KEYWORD_ONLY:
            bound[parameter.name] = rest.pop(0)
        elif parameter.name in options and parameter.kind is not Parameter.POSITIONAL_ONLY:
            bound[parameter.name] = options.pop(parameter.name)
        elif parameter.default is not Parameter.empty:
            bound[parameter.name] = default_node(parameter.default)
        else:
            raise BindError(f"{rule.path} needs the argument {parameter.name}")
    if options:
        raise BindError(f"the option {next(iter(options))} of {rule.path} is not covered by its rule")
    if rest:
        raise BindError(f"{rule.path} has more arguments here than its rule covers")
    return bound


def runtime_call(function: Any, text: Text, bindings: dict[str, Any]) -> Any:
    """A call of a rule function itself, where its text could not be decided: each argument passed as the function takes it."""
    args: Nodes = []
    keywords: Nodes = []
    for parameter in signature(text.function).parameters.values():
        node = bindings[parameter.name]
        if parameter.kind is Parameter.VAR_POSITIONAL:
            args.extend(node.elts if isinstance(node, gast.Tuple) else [gast.Starred(value=node, ctx=gast.Load())])
        elif parameter.kind is Parameter.KEYWORD_ONLY or keywords:
            keywords.append(gast.keyword(arg=parameter.name, value=node))
        else:
            args.append(node)
    return gast.Call(func=function, args=args, keywords=keywords)


def _is_one_of(node: Any, values: tuple[Any, ...]) -> bool:
    try:
        given = literal_value(node)
    except ValueError:
        return False
    return any(type(given) is type(v) and given == v for v in values)


def default_node(value: Any) -> Any:
    if isinstance(value, tuple):
        return gast.Tuple(elts=[default_node(v) for v in value], ctx=gast.Load())
    return constant(value)


def bind_method(method: str, receiver: Any, args: Nodes, keywords: Keywords) -> tuple[Rule, dict[str, Any]]:
    """The rule of an array's method, and its arguments bound as those of the function that the rule is of."""
    rule = rule_for_method(method)
    if rule is None:
        raise BindError(f"there is no rule for the method {method}")
    adapt = _METHODS.get(method, (None, None))[1]
    if adapt is not None:
        args, keywords = adapt(list(args), dict(keywords))
    return rule, bind(rule, [receiver, *args], keywords)


def rule_for_method(method: str) -> Rule | None:
    """The rule behind `x.method(...)` of an array or NumPy scalar."""
    if method not in METHOD_NAMES:
        return None
    function = _METHODS[method][0] if method in _METHODS else getattr(np, method, None)
    return rule_for(function)


def rule_for_attribute(attribute: str) -> Rule | None:
    """The rule behind `x.attribute`; its first operand is x. Shapes and dtypes are constants and have the rule of np.shape."""
    if attribute in ("shape", "ndim", "size", "dtype", "nbytes", "itemsize", "strides", "flags"):
        return rule_for(np.shape)
    function = {"T": np.transpose, "real": np.real, "imag": np.imag, "mT": getattr(np, "matrix_transpose", None)}.get(attribute)
    return None if function is None else rule_for(function)


def _one_tuple(keyword: str) -> Callable[[Nodes, Keywords], tuple[Nodes, Keywords]]:
    """x.reshape(2, 3) and x.reshape((2, 3)) are np.reshape(x, (2, 3))."""

    def adapt(args: Nodes, keywords: Keywords) -> tuple[Nodes, Keywords]:
        if len(args) > 1 or (args and isinstance(args[0], gast.Starred)):
            args = [gast.Tuple(elts=args, ctx=gast.Load())]
        if len(args) == 1 and keyword in keywords:
            raise BindError(f"{keyword} is given twice")
        return args, keywords

    return adapt


_Method = tuple[Any, Callable[[Nodes, Keywords], tuple[Nodes, Keywords]] | None]
_METHODS: dict[str, _Method] = {
    "reshape": (np.reshape, _one_tuple("shape")),
    "transpose": (np.transpose, _one_tuple("axes")),
    "flatten": (np.ndarray.flatten, None),
    "astype": (np.ndarray.astype, None),
    "item": (np.ndarray.item, None),
    "tolist": (np.ndarray.tolist, None),
    "conj": (np.conj, None),
    "conjugate": (np.conj, None),
    "copy": (np.copy, None),
}
METHOD_NAMES = frozenset(
    {"all", "any", "argmax", "argmin", "argsort", "astype", "clip", "conj", "conjugate", "copy", "cumprod", "cumsum", "diagonal", "dot"}
    | {"flatten", "item", "max", "mean", "min", "nonzero", "prod", "ravel", "repeat", "reshape", "round", "searchsorted", "squeeze"}
    | {"std", "sum", "swapaxes", "take", "tolist", "trace", "transpose", "var"}
)
