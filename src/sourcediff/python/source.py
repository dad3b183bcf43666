"""From a function object to its tree: read the text, believe it only if it is what is running.

The text that stands where a code object says it came from may be another one: the file was edited after the import,
two lambdas share a line, a cell was run again. So every definition that could be meant is compiled in a context like
its own (class, free variables, future imports), and the one whose code equals the function's own is taken. That code
is equal, but not its lines: lines may have been inserted above it.

A file is parsed once for each text it had; a function is read once for each code object.
"""

from __future__ import annotations
import __future__

import ast
import copy
import hashlib
import linecache
import textwrap
import types
import warnings
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

import gast

from ..errors import DiffError, Place, problem
from . import code
from .function import Function, Namespace
from .place import finished

_FUTURE = 0
for _feature in __future__.all_feature_names:
    _FUTURE |= getattr(__future__, _feature).compiler_flag

_Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


class _Found(NamedTuple):
    tree: Any  # gast.FunctionDef
    text: str


class _File(NamedTuple):
    definitions: dict[str, list[tuple[_Definition, str]]]  # by name, with the class whose private names it uses ("" for none)
    # What the module's own top level says that the compiler heeds inside functions: it calls attributes of imported names
    # in another way, and super() too where the module itself mentions `super`.
    imported: frozenset[str]
    mentions_super: bool


def read(f: Any) -> Function:
    """The function as a tree. Decorators are gone from it, a lambda has become a def named `lambda_` with one return,
    class-private names are mangled, annotations are text; each expr and stmt has its `place`. Wrappers are not followed.

    Raises SourceError: no_source, no_source_c, source_changed, not_a_function.
    """
    if not isinstance(f, types.FunctionType):
        raise _not_python(f)
    by_file = _READ.setdefault(f.__code__, {})
    file = f.__code__.co_filename
    if file not in by_file:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # Python said what it has to say about this text when it ran it
            by_file[file] = _find(f)
    tree, text = by_file[file]
    cells = dict(zip(f.__code__.co_freevars, f.__closure__ or (), strict=True))
    namespace = Namespace(globals=f.__globals__, cells=cells)
    return Function(tree, namespace, original=f, file=file, source=text, qualname=f.__qualname__)


def from_text(text: str, globals: dict[str, Any]) -> Function:
    """The one function that `text` defines (imports may stand before it), run in `globals` and read back."""
    text = textwrap.dedent(text)
    try:
        module = ast.parse(text)
    except SyntaxError as error:
        raise problem("text_invalid", reason=error.msg) from None
    *before, last = module.body or [ast.Pass()]
    if not isinstance(last, ast.FunctionDef) or not all(isinstance(s, (ast.Import, ast.ImportFrom)) for s in before):
        raise problem("not_one_function")
    file = f"<sourcediff text {hashlib.sha1(text.encode()).hexdigest()[:12]}>"
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    exec(compile(text, file, "exec", dont_inherit=True), globals)  # noqa: S102 - the caller's own text, as if in a file
    return read(globals[last.name])


def from_source(text: str, globals: dict[str, Any] | None = None) -> Any:
    """The function that a text defines, for programs without files; its derivatives and tracebacks show the text.

    Args:
        text: one function definition; imports may stand before it.
        globals: the namespace that it runs in, a new one by default.

    Raises:
        SourceError: the text is not valid Python, or not one function.

    >>> import sourcediff as sd
    >>> f = sd.from_source("def f(x):\\n    return x * x\\n")
    >>> sd.grad(f)(3.0)
    6.0
    """
    namespace = {"__name__": "__main__"} if globals is None else globals
    function = from_text(text, namespace)
    return namespace[function.tree.name]


def place_of(node: Any) -> Place | None:
    """Where in the user's source the node stands; None for one that a step made."""
    return getattr(node, "place", None)


_READ: WeakKeyDictionary[types.CodeType, dict[str, _Found]] = WeakKeyDictionary()


def _not_python(f: Any) -> DiffError:
    if isinstance(f, (types.BuiltinFunctionType, types.MethodDescriptorType, types.WrapperDescriptorType, type(len))):
        return problem("no_source_c", function=f.__qualname__)
    if callable(f) and hasattr(f, "__name__") and not isinstance(f, (type, types.MethodType)):
        return problem("no_source_c", function=f.__name__)
    return problem("not_a_function", what=repr(f))


def _find(f: types.FunctionType) -> _Found:
    file = f.__code__.co_filename
    linecache.checkcache(file)
    text = "".join(linecache.getlines(file, f.__globals__))
    # what `python -c` runs and what exec runs have one name, "<string>": another text there says nothing
    absent = problem("no_source", function=f.__qualname__)
    changed = absent if file == "<string>" else problem("source_changed", function=f.__qualname__, file=file)
    if not text:
        raise absent
    try:
        parsed = _parsed(text)
    except SyntaxError:
        raise changed from None
    matches = list(_matches(f.__code__, parsed))
    if not matches:
        raise changed
    # Several can match only with equal code: then the position decides, for the sake of error messages.
    positions = list(f.__code__.co_positions())
    node, owner, _ = next((m for m in matches if list(m[2].co_positions()) == positions), matches[0])
    return _Found(finished(_as_def(node), text, file, f.__name__, owner), text)


@lru_cache(maxsize=64)
def _parsed(text: str) -> _File:
    definitions: dict[str, list[tuple[_Definition, str]]] = {}
    imported: set[str] = set()
    mentions_super = False
    pending: list[tuple[ast.AST, str, bool]] = [(ast.parse(text), "", True)]
    while pending:
        node, owner, at_top = pending.pop()
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            definitions.setdefault("<lambda>" if isinstance(node, ast.Lambda) else node.name, []).append((node, owner))
            at_top = False
        elif isinstance(node, ast.ClassDef):
            owner, at_top = node.name, False
        elif at_top and isinstance(node, (ast.Import, ast.ImportFrom)):
            imported.update((alias.asname or alias.name).partition(".")[0] for alias in node.names)
        elif at_top and isinstance(node, ast.Name) and node.id == "super":
            mentions_super = True
        pending.extend((child, owner, at_top) for child in ast.iter_child_nodes(node))
    return _File(definitions, frozenset(imported), mentions_super)


def _matches(original: types.CodeType, file: _File) -> Iterator[tuple[_Definition, str, types.CodeType]]:
    """The definitions that compile to `original`: those on its line, or if there are none, those elsewhere in the file."""
    definitions = file.definitions.get(original.co_name, [])
    names = code.names_of(original)
    top = [f"import {name}" for name in sorted(file.imported & names)] + ["super"] * file.mentions_super
    context = ast.parse("\n".join(top)).body
    here = [d for d in definitions if _first_line(d[0]) == original.co_firstlineno]
    elsewhere = [d for d in definitions if _first_line(d[0]) != original.co_firstlineno]
    for group in (here, elsewhere):
        found = False
        for node, owner in group:
            compiled = _compiled(node, owner, original, context)
            if compiled is not None and code.equal(compiled, original):
                found = True
                yield node, owner, compiled
        if found:
            return


def _first_line(node: _Definition) -> int:
    decorators = getattr(node, "decorator_list", [])
    return decorators[0].lineno if decorators else node.lineno


def _compiled(node: _Definition, owner: str, like: types.CodeType, context: list[ast.stmt]) -> types.CodeType | None:
    """The code object of `node`, compiled where the free variables of `like` are those of an enclosing function.

    context: statements at the top of the module.
    """
    body: list[ast.stmt] = [ast.copy_location(ast.Expr(node), node)] if isinstance(node, ast.Lambda) else [node]
    if not isinstance(node, ast.Lambda) and code.mangled(node.name, owner) not in like.co_freevars:
        body.insert(0, ast.copy_location(ast.Global(names=[node.name]), node))
    wrapper = ast.parse(f"def outer({', '.join(like.co_freevars)}): pass").body
    wrapper[0].body = body  # type: ignore[attr-defined]
    if owner:
        of_class = ast.parse(f"class {owner}: pass").body
        of_class[0].body = wrapper  # type: ignore[attr-defined]
        wrapper = of_class
    module = ast.Module(body=[*context, *wrapper], type_ignores=[])
    try:
        compiled = compile(module, like.co_filename, "exec", flags=like.co_flags & _FUTURE, dont_inherit=True)
    except (SyntaxError, ValueError):
        return None
    return code.find(compiled, [owner, "outer"] if owner else ["outer"], like.co_name)


def _as_def(node: _Definition) -> Any:
    """The definition as a gast FunctionDef of its own, without decorators."""
    if isinstance(node, ast.Lambda):
        plain: Any = ast.parse("def lambda_(): return 0").body[0]
        plain.args = node.args
        plain.body[0].value = node.body
        ast.copy_location(plain.body[0], node.body)
    else:
        plain = copy.copy(node)
        plain.decorator_list = []
    return gast.ast_to_gast(ast.copy_location(plain, node))
