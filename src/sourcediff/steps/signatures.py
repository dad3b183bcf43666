"""What the derivative takes beside the function's own parameters, and how these are called.

`f_jvp` and `f_hvp` take one tangent for each chosen variable, `f_vjp` takes the cotangent of the value. They follow
f's parameters: positional where each of f's parameters is positional and has no default, so that the call reads
`f_jvp(x, y, x_dot)`; keyword-only otherwise, so that a forgotten one is a TypeError instead of a wrong reading of
another argument. `pull` and `push` of `f_pullback` and `f_pushforward` take the same names as parameters of their own.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import gast

from ..python.names import Names
from ..python.quote import rebuilt

TANGENT_MODES = frozenset({"jvp", "hvp"})  # the tangents are parameters of the derivative itself
PUSH_MODES = TANGENT_MODES | {"pushforward"}
SEED_MODES = frozenset({"vjp"})
PULL_MODES = SEED_MODES | {"pullback"}


def derivative_parameters(
    fn_args: gast.arguments, wrt: tuple[str, ...], mode: str, taken: Names
) -> tuple[gast.arguments, dict[str, str], str | None]:
    """(parameters of the derivative, chosen variable -> name of its tangent, name of the seed or None).

    For "pushforward" and "pullback" the names are those of the parameters of `push` and `pull`. Annotations are left
    out: they say what f takes, and would be evaluated where the derivative is pasted.
    """
    tangents, seed = extra_names(wrt, mode, taken.fresh)
    bare = rebuilt(
        fn_args,
        args=[_bare(p) for p in fn_args.args],
        posonlyargs=[_bare(p) for p in fn_args.posonlyargs],
        kwonlyargs=[_bare(p) for p in fn_args.kwonlyargs],
        vararg=_bare(fn_args.vararg),
        kwarg=_bare(fn_args.kwarg),
    )
    extra = [_parameter(p) for p in own_parameters(mode, tangents, seed)]
    if not extra:
        return bare, tangents, seed
    if fn_args.defaults or fn_args.vararg or fn_args.kwonlyargs or fn_args.kwarg:
        return _keyword_only(bare, extra), tangents, seed
    return rebuilt(bare, args=[*bare.args, *extra]), tangents, seed


def extra_names(wrt: tuple[str, ...], mode: str, fresh: Callable[[str], str]) -> tuple[dict[str, str], str | None]:
    """(chosen variable -> name of its tangent, name of the seed or None), as the mode takes them."""
    tangents = {path: fresh(f"{identifier_of(path)}_dot") for path in wrt} if mode in PUSH_MODES else {}
    return tangents, fresh("value_bar") if mode in PULL_MODES else None


def own_parameters(mode: str, tangents: dict[str, str], seed: str | None) -> list[str]:
    """Those of the names that are parameters of the derivative itself, not of a function that it returns."""
    if mode in TANGENT_MODES:
        return list(tangents.values())
    return [seed] if mode in SEED_MODES and seed else []


def identifier_of(path: str) -> str:
    """A path as one identifier: `params.w` and `params['w']` are `params_w`."""
    return re.sub(r"\W+", "_", path).strip("_")


def _keyword_only(args: Any, extra: list[Any]) -> Any:
    return rebuilt(args, kwonlyargs=[*args.kwonlyargs, *extra], kw_defaults=[*args.kw_defaults, *[None] * len(extra)])


def _parameter(identifier: str) -> Any:
    return gast.Name(id=identifier, ctx=gast.Param(), annotation=None, type_comment=None)


def _bare(parameter: Any) -> Any:
    if parameter is None or (parameter.annotation is None and parameter.type_comment is None):
        return parameter
    return rebuilt(parameter, annotation=None, type_comment=None)
