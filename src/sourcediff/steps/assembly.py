"""From a request to its product: the steps in order."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..python import quote
from ..python.emit import to_source
from ..python.function import Function, Namespace
from ..python.lattice import UNKNOWN
from ..python.names import Names, names_in, parameter_names
from .closed import Closed
from .frame import Frame
from .inline import inline
from .inlining.kept_calls import dotted
from .inlining.nested import outer_frame
from .languages import ACCEPTED, CLOSED, DERIVED
from .modes import MODES
from .prepare import Preparer
from .purity import is_fresh, is_pure
from .signatures import derivative_parameters
from .text import finished_source
from .tidy import TidyFacts, tidy

GRADIENT_FIRST = {"hessian": "jacobian", "hvp": "jvp"}  # derivatives of the gradient


def assembled(request: Any) -> Any:
    """The product of a request."""
    preparer = Preparer()
    return of_code(request, preparer(request.function), preparer)


def of_code(request: Any, code: Any, preparer: Preparer, parent: Any = None, outer: Any = None) -> Any:
    """The product of a request for prepared code. parent, outer: the frame and the walk around it, if it stands in walked code."""
    if request.mode in GRADIENT_FIRST:
        return of_gradient(request, code, preparer, parent, outer)
    return derived(request, code, preparer, parent=parent, outer=outer)


def of_gradient(request: Any, code: Any, preparer: Preparer, parent: Any, outer: Any) -> Any:
    """Forward over reverse: what is written by grad is read again."""
    from . import Product, Request

    own = parameter_names(code.tree.args)
    types = {p: t for p, t in request.types.items() if p in own}
    gradient = derived(
        Request(request.function, "grad", request.wrt, request.single, types, request.options), code, preparer, "", parent, outer
    )
    function = Function(gradient.tree, gradient.namespace, request.function, "", "", gradient.tree.name)
    again = Preparer()
    code = again.reread(function)
    around = outer_frame(outer, gradient.tree) if outer is not None else None
    product = derived(request, code, again, f"{gradient.tree.name.removesuffix('_grad')}_{request.mode}", around, outer)
    guards = (*gradient.guards, *product.guards)
    return Product(
        product.tree,
        product.source,
        product.helpers,
        guards,
        {**gradient.stages, **{f"second {k}": v for k, v in product.stages.items()}},
        product.namespace,
    )


def derived(request: Any, code: Any, preparer: Preparer, name: str = "", parent: Any = None, outer: Any = None) -> Any:
    """One derivation: inline, forward or reverse, tidy."""
    from . import Product

    taken = Names(names_in(code.tree) | identifiers(request.function))
    arguments, tangents, seed = derivative_parameters(code.tree.args, request.wrt, request.mode, taken)
    extra = {*tangents.values(), *([seed] if seed else [])}
    options = dict(request.options)
    outputs, has_aux = options.get("outputs", ()), options.get("has_aux", False)
    closed = inline(code, request.types, preparer, extra, request.function, parent, outer, outputs, has_aux)
    closed.copies_inputs = options.get("inputs_modified") == "copy"
    for parameter in extra:
        closed.types[parameter] = request.types.get(parameter, UNKNOWN)
    CLOSED.verify(closed.tree, "inline")
    stages: dict[str, Any] = {**preparer.stages, "inline": closed.tree}
    name = name or f"{code.tree.name}_{request.mode}"
    body = MODES[request.mode](Frame(request, closed, tangents, seed))
    tree = quote.rebuilt(code.tree, name=name, args=arguments, body=body, decorator_list=[], returns=None)
    DERIVED.verify(tree, MODES[request.mode].__name__)
    stages["derive"] = tree
    tree = tidied(tree, closed, preparer.stages["accept"])
    ACCEPTED.verify(tree, "tidy")
    stages["tidy"] = tree
    source, helpers = finished_source(tree, closed, code.tree)
    texts: dict[str, Callable[[], str]] = {k: (lambda t=t: to_source(t)) for k, t in stages.items()}  # type: ignore[misc]
    namespace = Namespace(code.namespace.globals, code.namespace.cells, closed.spelling.helpers)
    return Product(tree, source, helpers, tuple(closed.spelling.guards), texts, namespace)


def identifiers(function: Any) -> set[str]:
    from types import CodeType, FunctionType

    found: set[str] = set()
    pending = [function.__code__] if isinstance(function, FunctionType) else []
    while pending:
        code = pending.pop()
        found.update(code.co_varnames, code.co_names, code.co_freevars, code.co_cellvars)
        pending += [c for c in code.co_consts if isinstance(c, CodeType)]
    return found


def tidied(tree: Any, closed: Closed, original: Any) -> Any:
    facts = TidyFacts(
        user_names=frozenset(names_in(original)),
        type_of=lambda n: closed.types.get(n, UNKNOWN),
        is_pure=is_pure(closed),
        is_fresh=is_fresh(closed),
        is_elementwise=lambda call: getattr(closed.calls.get(dotted(call.func)), "form", "") == "elementwise",
        whole=closed.whole_bars,
    )
    return tidy(tree, facts)
