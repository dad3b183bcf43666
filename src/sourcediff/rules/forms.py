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
    def inv_forward(y, a, a_dot): ...     # a tangent that is structurally zero is None

    constant(np.sign, np.floor)
    undefined(np.nextafter, "it has no useful derivative")

A rule speaks of one call only. The chain rule, accumulation, un-broadcasting and the cast to the argument's dtype are the machine's.
Operands are the parameters without a default; `operands=` names them where that is not so. An operand in `sequences` is a list or tuple
of arrays (also `*xs`); its adjoint is indexed as it is indexed. A `thin` adjoint may be smaller than its operand if it broadcasts to it.
`on` gives the tests where to try: an interval for each operand, or example calls of `f`.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from sourcediff.rules.text import Text, WrittenText

__all__ = ["REGISTRY", "Rule", "Text", "WrittenText", "alias", "all_rules", "bilinear", "constant", "elementwise", "forward", "linear"]
__all__ += ["reverse", "rule_for", "rule_for_operator", "undefined"]

Kind = Any  # str | Callable; see facts/kinds


@dataclass(eq=False)
class Rule:
    """What is known of one function: its derivative, and what analyses need of it."""

    function: Any
    path: str
    form: str  # "elementwise" | "linear" | "bilinear" | "general" | "constant" | "undefined"
    partials: Text | None = None
    reverse: Text | None = None
    forward: Text | None = None
    declared_operands: tuple[str, ...] | None = None
    sequences: frozenset[str] = frozenset()
    pure: bool = True
    view: bool = False
    kind: Kind = "unknown"
    cheap: bool = False
    operator: str | None = None
    reason: str = ""
    thin: bool = False
    on: Any = None

    @cached_property
    def parameters(self) -> tuple[inspect.Parameter, ...]:
        """The parameters of the function itself, as the rule states them."""
        text = self.partials or self.reverse or self.forward
        if text is None:
            return ()
        stated = list(inspect.signature(text.function).parameters.values())
        skip = 2 if text is self.reverse and text_takes_result(text) else 1
        return tuple(p for p in stated[skip:] if not (text is self.forward and p.name.endswith("_dot")))

    @cached_property
    def signature(self) -> inspect.Signature:
        """How a call binds. A constant function binds anything."""
        if self.form in ("constant", "undefined"):
            anything = inspect.Parameter("args", inspect.Parameter.VAR_POSITIONAL), inspect.Parameter("options", inspect.Parameter.VAR_KEYWORD)
            return inspect.Signature(anything)
        return inspect.Signature(self.parameters)

    @cached_property
    def operands(self) -> tuple[str, ...]:
        """The parameters that derivatives flow through."""
        if self.declared_operands is not None:
            return self.declared_operands
        return tuple(p.name for p in self.parameters if p.default is inspect.Parameter.empty and p.kind is not inspect.Parameter.KEYWORD_ONLY)


def text_takes_result(text: Text) -> bool:
    """Whether a reverse rule reads the result: its second parameter is then `y` where the first is `y_bar`."""
    names = text.function.__code__.co_varnames
    return text.function.__code__.co_argcount > 1 and names[1] + "_bar" == names[0]


REGISTRY: dict[int, Rule] = {}
_OPERATORS: dict[tuple[str, int], Rule] = {}

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]


def elementwise(function: Any, *, operator: str | None = None, arity: int = 2, **properties: Any) -> Decorator:
    """Declare the partial derivatives of a function that acts element by element and broadcasts."""

    def declare(partials: Callable[..., Any]) -> Callable[..., Any]:
        properties.setdefault("kind", "ufunc")
        rule = _register(Rule(function, path_of(function), "elementwise", partials=Text(partials), operator=operator, **_tidied(properties)))
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


def constant(*functions: Any, **properties: Any) -> None:
    """Declare that results carry no derivative, whatever the arguments."""
    for function in functions:
        _register(Rule(function, path_of(function), "constant", **_tidied(properties)))


def undefined(function: Any, reason: str, **properties: Any) -> None:
    """Declare that active arguments are refused, and why."""
    _register(Rule(function, path_of(function), "undefined", reason=reason, **_tidied(properties)))


def alias(function: Any, canonical: Any) -> None:
    """Another function of the same meaning and signature."""
    REGISTRY[id(function)] = REGISTRY[id(canonical)]
    _ALIASES.append(function)


def rule_for(value: Any) -> Rule | None:
    """The rule of a function, found by identity: a user's function of the same name has none."""
    return REGISTRY.get(id(value))


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
    if module == "builtins":
        return name
    if module == "numpy" or module.startswith("numpy."):
        return f"np{module[5:]}.{name}" if module in ("numpy", "numpy.linalg", "numpy.fft", "numpy.random") else f"np.{name}"
    return f"math.{name}" if module == "math" else name


_ALIASES: list[Any] = []  # keeps functions alive, so that their identity stays theirs


def _register(rule: Rule) -> Rule:
    REGISTRY[id(rule.function)] = rule
    return rule


def _reverse_declaration(
    form: str, function: Any, operands: Iterable[str] | None, sequences: Iterable[str], properties: dict[str, Any]
) -> Decorator:
    operator, arity, write = properties.pop("operator", None), properties.pop("arity", 2), properties.pop("write", None)

    def declare(adjoint: Callable[..., Any]) -> Callable[..., Any]:
        text = WrittenText(adjoint, write) if write else Text(adjoint)
        rule = Rule(function, path_of(function), form, reverse=text, operator=operator, **_tidied(properties))
        rule.declared_operands = None if operands is None else tuple(operands)
        rule.sequences = frozenset(sequences)
        _register(rule)
        if operator:
            _OPERATORS[operator, arity] = rule
        return adjoint

    return declare


def _tidied(properties: dict[str, Any]) -> dict[str, Any]:
    if "sequences" in properties:
        properties["sequences"] = frozenset(properties["sequences"])
    return properties
