"""The forms in which a derivative is said, once, and the registry of all that were said.

    @elementwise(np.tanh)
    def tanh(y, x):                       # result, operands -> one partial for each operand
        return 1 - y * y

    @linear(np.sum, thin=True)            # cotangent of the result, operands, options -> adjoint of each operand;
    def sum_(y_bar, x, axis=None): ...    # forward is the function itself on the tangents

    @bilinear(np.matmul, operator="@")    # likewise; forward is f(a_dot, b) + f(a, b_dot)
    def matmul(y_bar, a, b): ...

    @reverse(np.linalg.inv)               # the general form: two declarations, one under the other
    def inv(y_bar, y, a): ...             # `y` beside `y_bar` is the result
    @forward(np.linalg.inv)
    def inv_forward(y, a, a_dot): ...     # a tangent that is structurally zero is None;
                                          # `*xs` is the tuple xs here, its tangents xs_dot

    @composition(np.ptp)                  # no rule: a function in whose place this one is read and inlined
    def ptp(a, axis=None): return np.max(a, axis=axis) - np.min(a, axis=axis)

    constant(np.sign, np.floor)
    undefined(np.nextafter, "it has no useful derivative")

A rule speaks of one call only. The chain rule, accumulation, un-broadcasting and the cast to the argument's dtype are the machine's.
Operands are the parameters without a default; `operands=` names them where that is not so. An operand in `sequences` is a list or tuple
of arrays (also `*xs`); its adjoint is indexed as it is indexed. A parameter that is no operand must not be active, but for those
that are `inert`. A `thin` adjoint may be smaller than its operand if it broadcasts to it.
`on` gives the tests where to try: an interval for each operand, or example calls of `f`.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from sourcediff.rules.text import Text, WrittenText

__all__ = ["REGISTRY", "Rule", "Text", "WrittenText", "alias", "all_rules", "bilinear", "composition"]
__all__ += ["constant", "elementwise", "forward", "linear", "operator_of", "reverse", "rule_for", "rule_for_operator", "undefined"]

Kind = Any  # str | Callable; see facts/kinds


@dataclass(eq=False)
class Rule:
    """What is known of one function: its derivative, and what analyses need of it."""

    function: Any
    path: str
    form: str  # "elementwise" | "linear" | "bilinear" | "general" | "composition" | "constant" | "undefined"
    partials: Text | None = None
    reverse: Text | None = None
    forward: Text | None = None
    declared_operands: tuple[str, ...] | None = None
    sequences: frozenset[str] = frozenset()
    pure: bool = True
    view: bool | Callable[[dict[str, Any]], bool] = False  # see is_view
    kind: Kind = "unknown"
    cheap: bool = False
    operator: str | None = None
    reason: str = ""
    thin: bool = False
    pointwise: bool = False  # element i of the result depends on element i of the (broadcast) operands alone
    definition: Any = None  # of a composition: the Python function to read instead
    takes: Any = None  # of a constant: a function whose parameters are those of the call; without it, any call binds
    real: bool = False  # what the rule says holds for real operands only
    also: dict[str, str] = field(default_factory=dict)  # other names that NumPy gives to parameters
    besides: dict[str, tuple[Any, ...]] = field(default_factory=dict)  # options of no effect, if given these literals
    inert: frozenset[str] = frozenset()  # parameters that may be active though they are no operands: their derivative is zero
    on: Any = None

    @cached_property
    def parameters(self) -> tuple[inspect.Parameter, ...]:
        """The parameters of the function itself, as the rule states them."""
        if self.definition or self.takes:
            return tuple(inspect.signature(self.definition or self.takes).parameters.values())
        text = self.partials or self.reverse or self.forward
        if text is None:
            return tuple(inspect.signature(_anything).parameters.values())
        stated = list(inspect.signature(text.function).parameters.values())
        skip = 2 if text is self.reverse and text_takes_result(text) else 1
        return tuple(p for p in stated[skip:] if not (text is self.forward and p.name.endswith("_dot")))

    def is_view(self, bound: dict[str, Any]) -> bool:
        """May the result of the call with these arguments share memory with the first operand?"""
        return self.view(bound) if callable(self.view) else self.view

    @cached_property
    def signature(self) -> inspect.Signature:
        """How a call binds."""
        return inspect.Signature(self.parameters)

    @cached_property
    def operands(self) -> tuple[str, ...]:
        """The parameters that derivatives flow through."""
        if self.declared_operands is not None:
            return self.declared_operands
        if self.form in ("constant", "undefined"):
            return ()
        return tuple(
            p.name for p in self.parameters if p.default is inspect.Parameter.empty and p.kind is not inspect.Parameter.KEYWORD_ONLY
        )


def text_takes_result(text: Text) -> bool:
    """Whether a reverse rule reads the result: its second parameter is then `y` where the first is `y_bar`."""
    names = text.function.__code__.co_varnames
    return text.function.__code__.co_argcount > 1 and names[1] + "_bar" == names[0]


REGISTRY: dict[int, Rule] = {}
_OPERATORS: dict[tuple[str, int], Rule] = {}

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]


def elementwise(
    function: Any, *, operator: str | None = None, arity: int = 2, operands: Iterable[str] | None = None, **properties: Any
) -> Decorator:
    """Declare the partial derivatives of a function that acts element by element and broadcasts."""

    def declare(partials: Callable[..., Any]) -> Callable[..., Any]:
        settings = {"kind": "ufunc", "pointwise": True} | properties
        rule = _register(Rule(function, path_of(function), "elementwise", partials=Text(partials), operator=operator, **_frozen(settings)))
        rule.declared_operands = None if operands is None else tuple(operands)
        if operator:
            _OPERATORS[operator, arity] = rule
        return partials

    return declare


def linear(function: Any, *, operands: Iterable[str] | None = None, sequences: Iterable[str] = (), **properties: Any) -> Decorator:
    """Declare the adjoint of a function that is linear in all its operands together."""
    return _reverse_declaration("linear", function, operands, sequences, properties)


def bilinear(function: Any, *, operands: Iterable[str] | None = None, sequences: Iterable[str] = (), **properties: Any) -> Decorator:
    """Declare the adjoints of a function that is linear in each operand while the others stay."""
    return _reverse_declaration("bilinear", function, operands, sequences, properties)


def reverse(function: Any, *, operands: Iterable[str] | None = None, sequences: Iterable[str] = (), **properties: Any) -> Decorator:
    """Declare the adjoints of a function of any kind; `forward` declares the other half."""
    return _reverse_declaration("general", function, operands, sequences, properties)


def forward(function: Any) -> Decorator:
    """Declare the tangent of the result, under the `reverse` declaration of the same function."""

    def declare(tangent: Callable[..., Any]) -> Callable[..., Any]:
        REGISTRY[id(function)].forward = Text(tangent)
        return tangent

    return declare


def composition(function: Any, **properties: Any) -> Decorator:
    """Declare what a function is composed of: the machine reads the declared function in its place."""

    def declare(definition: Callable[..., Any]) -> Callable[..., Any]:
        _register(Rule(function, path_of(function), "composition", definition=definition, **_frozen(properties)))
        return definition

    return declare


def constant(*functions: Any, **properties: Any) -> None:
    """Declare that results carry no derivative, whatever the arguments."""
    for function in functions:
        _register(Rule(function, path_of(function), "constant", **_frozen(properties)))


def undefined(function: Any, reason: str, **properties: Any) -> None:
    """Declare that active arguments are refused, and why."""
    _register(Rule(function, path_of(function), "undefined", reason=reason, **_frozen(properties)))


def alias(function: Any, canonical: Any) -> None:
    """Another function of the same meaning and signature."""
    REGISTRY[id(function)] = REGISTRY[id(canonical)]
    _ALIASES.append(function)


def rule_for(value: Any) -> Rule | None:
    """The rule of a function, found by identity: a user's function of the same name has none."""
    rule = REGISTRY.get(id(value))
    if rule is None and type(value) is _BOUND and isinstance(value.__self__, np.ufunc):
        return _UFUNC_METHODS.get((value.__self__.__name__, value.__name__))  # np.add.at is a new object each time
    return rule


def rule_for_operator(symbol: str, arity: int = 2) -> Rule | None:
    """The rule of `x + y` is ("+", 2), that of `-x` is ("-", 1)."""
    return _OPERATORS.get((symbol, arity))


def operator_of(symbol: str, arity: int, function: Any) -> None:
    """Say that an operator means a function that has a rule."""
    _OPERATORS[symbol, arity] = REGISTRY[id(function)]


def all_rules() -> list[Rule]:
    return list({id(rule): rule for rule in REGISTRY.values()}.values())


def path_of(function: Any) -> str:
    """How emitted code names a function: np.sin, np.linalg.inv, math.exp, abs; a helper by its own name."""
    module = getattr(function, "__module__", None) or "numpy"  # older NumPys give ufuncs no module
    name = getattr(function, "__qualname__", None) or function.__name__
    if isinstance(getattr(function, "__self__", None), np.ufunc):
        return f"np.{function.__self__.__name__}.{function.__name__}"
    if module == "numpy.random" and name.startswith("RandomState.") and hasattr(function, "__self__"):
        name = function.__name__  # the functions of np.random are methods of a hidden RandomState
    if module == "builtins":
        return name
    if isinstance(function, np.ufunc) and getattr(np, name, None) is not function:
        return name  # scipy.special and others make ufuncs too
    if module == "numpy" or module.startswith("numpy."):
        return f"np{module[5:]}.{name}" if module in _NUMPY_MODULES else f"np.{name}"
    return f"math.{name}" if module == "math" else name


_NUMPY_MODULES = ("numpy", "numpy.linalg", "numpy.fft", "numpy.random", "numpy.lib.stride_tricks")


def _anything(*args: Any, **options: Any) -> None:
    """The parameters of a call about which a rule says nothing."""


_BOUND: Any = type(len)
_UFUNC_METHODS: dict[tuple[str, str], Rule] = {}
_ALIASES: list[Any] = []  # keeps functions alive, so that their identity stays theirs


def _register(rule: Rule) -> Rule:
    owner = getattr(rule.function, "__self__", None)
    if isinstance(owner, np.ufunc):
        _UFUNC_METHODS[owner.__name__, rule.function.__name__] = rule
    REGISTRY[id(rule.function)] = rule
    return rule


def _reverse_declaration(
    form: str, function: Any, operands: Iterable[str] | None, sequences: Iterable[str], properties: dict[str, Any]
) -> Decorator:
    operator, arity, write = properties.pop("operator", None), properties.pop("arity", 2), properties.pop("write", None)

    def declare(adjoint: Callable[..., Any]) -> Callable[..., Any]:
        text = WrittenText(adjoint, write) if write else Text(adjoint)
        rule = Rule(function, path_of(function), form, reverse=text, operator=operator, **_frozen(properties))
        rule.declared_operands = None if operands is None else tuple(operands)
        rule.sequences = frozenset(sequences)
        _register(rule)
        if operator:
            _OPERATORS[operator, arity] = rule
        return adjoint

    return declare


def _frozen(properties: dict[str, Any]) -> dict[str, Any]:
    """The properties, with those that name several parameters as sets."""
    return {key: frozenset(value) if key in ("sequences", "inert") else value for key, value in properties.items()}
