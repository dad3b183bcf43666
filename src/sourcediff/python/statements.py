"""Statements as lines of text, with the comments that belong to them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import gast

from .expressions import ATOM, BARE, NAMED, OR, TEST, arguments, expression, operator
from .patterns import pattern
from .wrapping import WIDTH, wrapped

Comments = Mapping[Any, "str | list[str]"]


class Printer:
    """Gathers lines; `block` prints statements at the present depth."""

    def __init__(self, comments: Comments) -> None:
        self.comments = comments
        self.lines: list[str] = []
        self.depth = 0

    def text(self) -> str:
        return "\n".join(self.lines) + "\n"

    def block(self, body: list[Any]) -> None:
        """The statements one below the other, a def inside a function set apart by an empty line, outside by two."""
        blanks = [""] if self.depth else ["", ""]
        was_def = False
        for i, node in enumerate(body):
            is_def = isinstance(node, _DEFINITIONS)
            if i and (is_def or was_def):
                self.lines += blanks
            self.statement(node)
            was_def = is_def

    def statement(self, node: Any) -> None:
        start = len(self.lines)
        _PRINTERS[type(node)](self, node)
        comment = self.comments.get(node)
        if isinstance(comment, str):
            # At the end of the first line, if there is room, and if the statement (or its header) is one line.
            line = f"{self.lines[start]}  # {comment}"
            if len(line) <= WIDTH and (isinstance(node, _COMPOUND) or len(self.lines) == start + 1):
                self.lines[start] = line
                return
            comment = [comment]
        self.lines[start:start] = [f"{'    ' * self.depth}# {line}".rstrip() for line in comment or ()]

    def line(self, head: str, value: str = "", tail: str = "") -> None:
        """One logical line; `value` is the part that may be put into parentheses to break it."""
        self.lines += wrapped("    " * self.depth, head, value, tail)

    def suite(self, head: str, body: list[Any], value: str = "") -> None:
        """A header and the statements under it."""
        self.line(head, value, ":")
        self.depth += 1
        self.block(body)
        self.depth -= 1


def _docstring(out: Printer, text: str) -> None:
    quoted = f'"""{text}"""'
    plain = text.isprintable() or all(c.isprintable() or c == "\n" for c in text)
    if not text or not plain or "\\" in text or '"""' in text or text[-1] == '"':
        out.line(repr(text))
    else:
        first, *rest = quoted.split("\n")
        out.lines += ["    " * out.depth + first, *rest]


def _expr(out: Printer, node: Any) -> None:
    if isinstance(node.value, gast.Constant) and isinstance(node.value.value, str):
        _docstring(out, node.value.value)
    else:
        out.line("", expression(node.value, BARE))


def _assign(out: Printer, node: Any) -> None:
    out.line("".join(f"{expression(t)} = " for t in node.targets), expression(node.value, BARE))


def _augmented(out: Printer, node: Any) -> None:
    out.line(f"{expression(node.target)} {operator(node.op)}= ", expression(node.value, BARE))


def _annotated(out: Printer, node: Any) -> None:
    target = expression(node.target, ATOM)
    if not node.simple and isinstance(node.target, gast.Name):
        target = f"({target})"
    value = "" if node.value is None else f" = {expression(node.value)}"
    out.line(f"{target}: {expression(node.annotation, TEST)}{value}")


def _return(out: Printer, node: Any) -> None:
    if node.value is None:
        out.line("return")
    else:
        out.line("return ", expression(node.value))


def _delete(out: Printer, node: Any) -> None:
    out.line("del " + ", ".join(expression(t, NAMED) for t in node.targets))


def _raise(out: Printer, node: Any) -> None:
    cause = "" if node.cause is None else f" from {expression(node.cause, TEST)}"
    out.line("raise" if node.exc is None else f"raise {expression(node.exc, TEST)}{cause}")


def _assert(out: Printer, node: Any) -> None:
    message = "" if node.msg is None else f", {expression(node.msg, TEST)}"
    out.line("assert ", expression(node.test, TEST), message)


def _import(out: Printer, node: Any) -> None:
    out.line("import " + _aliases(node.names))


def _import_from(out: Printer, node: Any) -> None:
    out.line(f"from {'.' * (node.level or 0)}{node.module or ''} import {_aliases(node.names)}")


def _aliases(names: list[Any]) -> str:
    return ", ".join(f"{a.name} as {a.asname}" if a.asname else a.name for a in names)


def _declaration(word: str) -> Callable[[Printer, Any], None]:
    return lambda out, node: out.line(f"{word} {', '.join(node.names)}")


def _word(word: str) -> Callable[[Printer, Any], None]:
    return lambda out, node: out.line(word)


def _if(out: Printer, node: Any, word: str = "if") -> None:
    out.suite(f"{word} ", node.body, expression(node.test, NAMED))
    orelse = node.orelse or []
    if len(orelse) == 1 and isinstance(orelse[0], gast.If) and orelse[0] not in out.comments:
        _if(out, orelse[0], "elif")
    elif orelse:
        out.suite("else", orelse)


def _for(out: Printer, node: Any) -> None:
    word = "async for" if isinstance(node, gast.AsyncFor) else "for"
    out.suite(f"{word} {expression(node.target)} in ", node.body, expression(node.iter))
    if node.orelse:
        out.suite("else", node.orelse)


def _while(out: Printer, node: Any) -> None:
    out.suite("while ", node.body, expression(node.test, NAMED))
    if node.orelse:
        out.suite("else", node.orelse)


def _with(out: Printer, node: Any) -> None:
    word = "async with" if isinstance(node, gast.AsyncWith) else "with"
    items = []
    for item in node.items:
        text = expression(item.context_expr, TEST)
        items.append(text if item.optional_vars is None else f"{text} as {expression(item.optional_vars, OR)}")
    out.suite(f"{word} {', '.join(items)}", node.body)


def _try(out: Printer, node: Any) -> None:
    out.suite("try", node.body)
    word = "except*" if isinstance(node, gast.TryStar) else "except"
    for handler in node.handlers:
        kind = "" if handler.type is None else f" {expression(handler.type, TEST)}"
        name = getattr(handler.name, "id", handler.name)
        out.suite(word + kind + (f" as {name}" if name else ""), handler.body)
    if node.orelse:
        out.suite("else", node.orelse)
    if node.finalbody:
        out.suite("finally", node.finalbody)


def _match(out: Printer, node: Any) -> None:
    out.line(f"match {expression(node.subject)}:")
    out.depth += 1
    for case in node.cases:
        guard = "" if case.guard is None else f" if {expression(case.guard, NAMED)}"
        out.suite(f"case {pattern(case.pattern)}{guard}", case.body)
    out.depth -= 1


def _def(out: Printer, node: Any) -> None:
    _decorators(out, node)
    word = "async def" if isinstance(node, gast.AsyncFunctionDef) else "def"
    result = "" if getattr(node, "returns", None) is None else f" -> {expression(node.returns, TEST)}"
    out.suite(f"{word} {node.name}{_type_parameters(node)}({arguments(node.args)}){result}", node.body)


def _class(out: Printer, node: Any) -> None:
    _decorators(out, node)
    keywords = [f"{k.arg}={expression(k.value, TEST)}" if k.arg else f"**{expression(k.value, OR)}" for k in node.keywords]
    bases = ", ".join([*(expression(b, NAMED) for b in node.bases), *keywords])
    out.suite(f"class {node.name}{_type_parameters(node)}" + (f"({bases})" if bases else ""), node.body)


def _decorators(out: Printer, node: Any) -> None:
    for decorator in getattr(node, "decorator_list", None) or []:
        out.line("@" + expression(decorator, NAMED))


def _type_parameters(node: Any) -> str:
    signs = {"TypeVar": "", "TypeVarTuple": "*", "ParamSpec": "**"}
    parts = []
    for parameter in getattr(node, "type_params", None) or []:
        bound = getattr(parameter, "bound", None)
        default = getattr(parameter, "default_value", None)
        text = signs[type(parameter).__name__] + parameter.name
        text += "" if bound is None else f": {expression(bound, TEST)}"
        parts.append(text if default is None else f"{text} = {expression(default, TEST)}")
    return f"[{', '.join(parts)}]" if parts else ""


def _type_alias(out: Printer, node: Any) -> None:
    out.line(f"type {expression(node.name)}{_type_parameters(node)} = {expression(node.value, TEST)}")


_DEFINITIONS = (gast.FunctionDef, gast.AsyncFunctionDef, gast.ClassDef)
_COMPOUND = (*_DEFINITIONS, gast.If, gast.For, gast.AsyncFor, gast.While, gast.With, gast.AsyncWith, gast.Try, gast.TryStar, gast.Match)
_PRINTERS: dict[type, Callable[..., None]] = {
    gast.Expr: _expr,
    gast.Assign: _assign,
    gast.AugAssign: _augmented,
    gast.AnnAssign: _annotated,
    gast.Return: _return,
    gast.Delete: _delete,
    gast.Raise: _raise,
    gast.Assert: _assert,
    gast.Import: _import,
    gast.ImportFrom: _import_from,
    gast.Global: _declaration("global"),
    gast.Nonlocal: _declaration("nonlocal"),
    gast.Pass: _word("pass"),
    gast.Break: _word("break"),
    gast.Continue: _word("continue"),
    gast.If: _if,
    gast.For: _for,
    gast.AsyncFor: _for,
    gast.While: _while,
    gast.With: _with,
    gast.AsyncWith: _with,
    gast.Try: _try,
    gast.TryStar: _try,
    gast.Match: _match,
    gast.FunctionDef: _def,
    gast.AsyncFunctionDef: _def,
    gast.ClassDef: _class,
    gast.TypeAlias: _type_alias,
}
