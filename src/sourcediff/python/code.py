"""Code objects: are two of them the same program?

Lines are not compared (they move when something is inserted above), nor is anything that depends on where the
definition stands. Constants are compared with their types, since 1, 1.0 and True are equal to Python.
pytest rewrites the assert statements of test modules before it compiles them: names that begin with "@py"
give that away, and then everything is compared except what the rewriting adds.
"""

from __future__ import annotations

import inspect
import types
from typing import Any

_KIND = inspect.CO_VARARGS | inspect.CO_VARKEYWORDS | inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR


def equal(a: types.CodeType, b: types.CodeType) -> bool:
    """Is `a`, compiled just now from text, the program that `b` is?"""
    if _shape(a) != _shape(b):
        return False
    if _is_rewritten(b):
        return _covers(b, a)
    same = a.co_code == b.co_code and a.co_names == b.co_names and a.co_varnames == b.co_varnames and a.co_cellvars == b.co_cellvars
    return same and len(a.co_consts) == len(b.co_consts) and _same_constants(a, b)


def find(code: types.CodeType, path: list[str], name: str) -> types.CodeType | None:
    """The code object `name` inside those named in `path`, each inside the one before."""
    for step in path:
        (code,) = (c for c in code.co_consts if isinstance(c, types.CodeType) and c.co_name == step)
    found = None
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            if constant.co_name == name:
                found = constant  # the last: those of decorators and defaults stand before
            elif constant.co_name.startswith("<generic parameters"):
                found = find(constant, [], name) or found
    return found


def names_of(code: types.CodeType) -> set[str]:
    """Every name of any kind that the code, or code inside it, uses."""
    inner = (c for c in code.co_consts if isinstance(c, types.CodeType))
    return {*code.co_names, *code.co_varnames, *code.co_cellvars, *code.co_freevars}.union(*map(names_of, inner))


def mangled(name: str, owner: str) -> str:
    """The name as the compiler sees it inside the class `owner`."""
    stripped = owner.lstrip("_")
    if not stripped or not name.startswith("__") or name.endswith("__") or "." in name:
        return name
    return f"_{stripped}{name}"


def _shape(code: types.CodeType) -> tuple[Any, ...]:
    return code.co_name, code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount, code.co_flags & _KIND, code.co_freevars


def _same_constants(a: types.CodeType, b: types.CodeType) -> bool:
    # The body of a class names its own place (__qualname__, its first line): those of its constants are not compared.
    in_class = not a.co_flags & inspect.CO_NEWLOCALS
    for p, q in zip(a.co_consts, b.co_consts, strict=True):
        if isinstance(p, types.CodeType) and isinstance(q, types.CodeType):
            if not equal(p, q):
                return False
        elif not in_class and _key(p) != _key(q):
            return False
    return True


def _key(constant: Any) -> Any:
    if isinstance(constant, tuple):
        return tuple(map(_key, constant))
    if isinstance(constant, frozenset):
        return frozenset(map(_key, constant))
    return type(constant), repr(constant)


def _is_rewritten(code: types.CodeType) -> bool:
    return any(name.startswith("@py") for name in (*code.co_varnames, *code.co_names, *code.co_cellvars))


def _covers(rewritten: types.CodeType, plain: types.CodeType) -> bool:
    """Does the rewritten code have all that the plain one has, and no other variables?"""
    added = {name for name in rewritten.co_varnames if name.startswith("@py")}
    if set(plain.co_varnames) != set(rewritten.co_varnames) - added or not set(plain.co_names) <= set(rewritten.co_names):
        return False
    inner = [c for c in rewritten.co_consts if isinstance(c, types.CodeType)]
    keys = {_key(c) for c in rewritten.co_consts if not isinstance(c, types.CodeType)}
    for constant in plain.co_consts:
        if isinstance(constant, types.CodeType):
            if not any(equal(constant, c) for c in inner):
                return False
        elif constant is not None and _key(constant) not in keys:
            return False
    return True
