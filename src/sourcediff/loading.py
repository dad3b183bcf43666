"""A generated text becomes a function that lives where the user's function lives.

It runs in the user's own globals and closure cells, so that reads are live; what sourcediff adds to the scope arrives
in cells of its own, so that nothing of the user's is touched. The text is registered with linecache under a name of its
own, so that tracebacks, pdb and inspect.getsource show the generated lines.
"""

from __future__ import annotations

import ast
import itertools
import linecache
import types
import weakref
from typing import Any

_numbers = itertools.count(1)


def load(source: str, original: types.FunctionType, cells: dict[str, Any], helpers: dict[str, Any]) -> types.FunctionType:
    """The function that the last definition in `source` makes, in the globals of `original`, with its defaults.

    cells: name -> cell of the user's closure. helpers: name -> object that the text needs beside these.
    """
    *imports, last = ast.parse(source).body
    definition = _without_evaluation(last)
    filename = f"<sourcediff {definition.name} #{next(_numbers)}>"
    scope = {**cells, **{name: types.CellType(value) for name, value in helpers.items()}}
    code = _compiled(imports, definition, list(scope), filename)
    closure = tuple(scope[name] for name in code.co_freevars)
    function = types.FunctionType(code, original.__globals__, definition.name, original.__defaults__, closure)
    function.__kwdefaults__ = dict(original.__kwdefaults__) if original.__kwdefaults__ else None
    function.__module__ = original.__module__
    function.__qualname__ = (
        original.__qualname__.rpartition(".")[0] + "." + definition.name if "." in original.__qualname__ else definition.name
    )
    linecache.cache[filename] = (len(source), None, source.splitlines(keepends=True), filename)
    weakref.finalize(code, linecache.cache.pop, filename, None).atexit = False
    return function


def _without_evaluation(definition: Any) -> Any:
    """Defaults, annotations and decorators would be evaluated by the `def`; the original's are used instead."""
    arguments = definition.args
    nothing = ast.copy_location(ast.Constant(value=None), definition)
    arguments.defaults = [nothing for _ in arguments.defaults]
    arguments.kw_defaults = [default and nothing for default in arguments.kw_defaults]
    for parameter in [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, arguments.vararg, arguments.kwarg]:
        if parameter is not None:
            parameter.annotation = None
    definition.returns, definition.decorator_list = None, []
    return definition


def _compiled(imports: list[ast.stmt], definition: Any, free: list[str], filename: str) -> types.CodeType:
    """The code object of the definition, with the names in `free` bound around it.

    The imports are not run, but the compiler calls attributes of imported names in another way, and the text with its
    imports must compile to the same code when it is read again.
    """
    module = ast.parse(f"def scope({', '.join(free)}): pass")
    scope: Any = module.body[0]
    scope.body = [definition]
    if definition.name not in free:
        scope.body.insert(0, ast.Global(names=[definition.name], lineno=1, col_offset=0))
    module.body = [*imports, scope]
    outer = _code_named("scope", compile(module, filename, "exec", dont_inherit=True))
    return _code_named(definition.name, outer).replace(co_qualname=definition.name)


def _code_named(name: str, within: types.CodeType) -> types.CodeType:
    return next(c for c in within.co_consts if isinstance(c, types.CodeType) and c.co_name == name)
