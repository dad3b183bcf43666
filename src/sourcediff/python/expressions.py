"""Expressions as text, with the parentheses that a person would write and no others.

The common nodes are printed here by precedence; the structure of the rare ones (comprehensions, sets, walruses, yields)
is left to astor, which gets each operand as a ready-made name. This is the one file that imports astor, when it is
first needed: at import it names nodes that Python has deprecated.
"""

from __future__ import annotations

import warnings
from functools import cache
from typing import Any

import gast

from .quote import rebuilt

# How tightly an expression binds; one that binds less than its surroundings ask for gets parentheses. BARE is the whole
# of a statement or the right side of an assignment, NAKED is where a tuple needs no parentheses.
BARE, NAKED, NAMED, TEST, OR, AND, NOT, COMPARE, BIT_OR, BIT_XOR, BIT_AND, SHIFT, SUM, TERM, FACTOR, POWER, AWAIT, ATOM = range(18)
_NEVER = BARE - 1  # in parentheses wherever it stands

_BINARY: dict[type, tuple[str, int]] = {
    gast.Add: ("+", SUM),
    gast.Sub: ("-", SUM),
    gast.Mult: ("*", TERM),
    gast.Div: ("/", TERM),
    gast.FloorDiv: ("//", TERM),
    gast.Mod: ("%", TERM),
    gast.MatMult: ("@", TERM),
    gast.LShift: ("<<", SHIFT),
    gast.RShift: (">>", SHIFT),
    gast.BitOr: ("|", BIT_OR),
    gast.BitXor: ("^", BIT_XOR),
    gast.BitAnd: ("&", BIT_AND),
    gast.Pow: ("**", POWER),
}
_UNARY = {gast.USub: "-", gast.UAdd: "+", gast.Invert: "~"}
_COMPARISON = {
    gast.Eq: "==",
    gast.NotEq: "!=",
    gast.Lt: "<",
    gast.LtE: "<=",
    gast.Gt: ">",
    gast.GtE: ">=",
    gast.Is: "is",
    gast.IsNot: "is not",
    gast.In: "in",
    gast.NotIn: "not in",
}


def expression(node: Any, level: int = NAKED) -> str:
    """The text of an expression where at least `level` is asked for."""
    printer = _PRINTERS.get(type(node))
    text, binding = printer(node) if printer is not None else _by_astor(node)
    return f"({text})" if binding < level else text


def operator(op: Any) -> str:
    """The sign of a binary operator."""
    return _BINARY[type(op)][0]


def arguments(node: Any) -> str:
    """A parameter list, without its parentheses."""
    positional = [*node.posonlyargs, *node.args]
    defaults = [None] * (len(positional) - len(node.defaults or [])) + list(node.defaults or [])
    parts = [_parameter(p, d) for p, d in zip(positional, defaults, strict=True)]
    if node.posonlyargs:
        parts.insert(len(node.posonlyargs), "/")
    if node.vararg is not None:
        parts.append("*" + _parameter(node.vararg, None))
    elif node.kwonlyargs:
        parts.append("*")
    parts += [_parameter(p, d) for p, d in zip(node.kwonlyargs, node.kw_defaults, strict=True)]
    if node.kwarg is not None:
        parts.append("**" + _parameter(node.kwarg, None))
    return ", ".join(parts)


def _parameter(node: Any, default: Any) -> str:
    annotation = getattr(node, "annotation", None)
    text = node.id if annotation is None else f"{node.id}: {expression(annotation, NAMED)}"
    if default is None:
        return text
    equals = "=" if annotation is None else " = "
    return f"{text}{equals}{expression(default, TEST)}"


def _name(node: Any) -> tuple[str, int]:
    return node.id, ATOM


def _constant(node: Any) -> tuple[str, int]:
    value = node.value
    if isinstance(value, (str, bytes)):
        return _string(value), ATOM
    if value is Ellipsis:
        return "...", ATOM
    if isinstance(value, (float, complex)):
        return repr(value).replace("inf", "1e309"), ATOM
    return repr(value), ATOM


def _string(value: str | bytes) -> str:
    """Double quotes, unless that would need escapes."""
    text = repr(value)
    prefix, body = ("b", text[2:-1]) if isinstance(value, bytes) else ("", text[1:-1])
    return text if '"' in body or "'" in body else f'{prefix}"{body}"'


def _attribute(node: Any) -> tuple[str, int]:
    owner = expression(node.value, ATOM)
    is_number = isinstance(node.value, gast.Constant) and isinstance(node.value.value, (int, float, complex))
    return f"({owner}).{node.attr}" if is_number else f"{owner}.{node.attr}", ATOM


def _subscript(node: Any) -> tuple[str, int]:
    index = node.slice
    if isinstance(index, gast.Tuple) and index.elts:
        inner = ", ".join(expression(e, NAMED) for e in index.elts) + ("," if len(index.elts) == 1 else "")
    else:
        inner = expression(index, NAMED)
    return f"{expression(node.value, ATOM)}[{inner}]", ATOM


def _slice(node: Any) -> tuple[str, int]:
    lower, upper = ("" if part is None else expression(part, TEST) for part in (node.lower, node.upper))
    step = "" if node.step is None else ":" + expression(node.step, TEST)
    return f"{lower}:{upper}{step}", ATOM


def _call(node: Any) -> tuple[str, int]:
    func = expression(node.func, ATOM)
    if len(node.args) == 1 and not node.keywords and isinstance(node.args[0], gast.GeneratorExp):
        return func + expression(node.args[0], ATOM), ATOM
    parts = [expression(a, NAMED) for a in node.args]
    parts += [f"{k.arg}={expression(k.value, TEST)}" if k.arg else f"**{expression(k.value, OR)}" for k in node.keywords]
    return f"{func}({', '.join(parts)})", ATOM


def _starred(node: Any) -> tuple[str, int]:
    return "*" + expression(node.value, BIT_OR), NAMED


def _binary(node: Any) -> tuple[str, int]:
    sign, level = _BINARY[type(node.op)]
    left, right = (AWAIT, FACTOR) if level == POWER else (level, level + 1)
    return f"{expression(node.left, left)} {sign} {expression(node.right, right)}", level


def _unary(node: Any) -> tuple[str, int]:
    if isinstance(node.op, gast.Not):
        return "not " + expression(node.operand, NOT), NOT
    return _UNARY[type(node.op)] + expression(node.operand, FACTOR), FACTOR


def _bool(node: Any) -> tuple[str, int]:
    sign, level = (" and ", AND) if isinstance(node.op, gast.And) else (" or ", OR)
    return sign.join(expression(v, level + 1) for v in node.values), level


def _compare(node: Any) -> tuple[str, int]:
    parts = [expression(node.left, BIT_OR)]
    for op, right in zip(node.ops, node.comparators, strict=True):
        parts += [_COMPARISON[type(op)], expression(right, BIT_OR)]
    return " ".join(parts), COMPARE


def _conditional(node: Any) -> tuple[str, int]:
    return f"{expression(node.body, OR)} if {expression(node.test, OR)} else {expression(node.orelse, TEST)}", TEST


def _lambda(node: Any) -> tuple[str, int]:
    parameters = arguments(node.args)
    return f"lambda{' ' if parameters else ''}{parameters}: {expression(node.body, TEST)}", TEST


def _tuple(node: Any) -> tuple[str, int]:
    if len(node.elts) > 1:
        return ", ".join(expression(e, NAMED) for e in node.elts), NAKED
    return (f"({expression(node.elts[0], NAMED)},)" if node.elts else "()"), ATOM


def _list(node: Any) -> tuple[str, int]:
    return "[" + ", ".join(expression(e, NAMED) for e in node.elts) + "]", ATOM


def _dict(node: Any) -> tuple[str, int]:
    items = zip(node.keys, node.values, strict=True)
    parts = (f"**{expression(v, BIT_OR)}" if k is None else f"{expression(k, TEST)}: {expression(v, TEST)}" for k, v in items)
    return "{" + ", ".join(parts) + "}", ATOM


def _f_string(node: Any) -> tuple[str, int]:
    """In quotes that no part within braces contains, since before Python 3.12 none may."""
    inner = "".join(expression(v.value) for v in gast.walk(node) if isinstance(v, gast.FormattedValue))
    quote = next((q for q in ('"', "'", '"""', "'''") if q not in inner), '"')
    return f"f{quote}{_pieces(node, quote[0])}{quote}", ATOM


def _pieces(node: Any, quote: str) -> str:
    parts = []
    for value in node.values:
        if isinstance(value, gast.FormattedValue):
            text = expression(value.value, OR)
            conversion = f"!{chr(value.conversion)}" if value.conversion not in (None, -1) else ""
            spec = "" if value.format_spec is None else ":" + _pieces(value.format_spec, quote)
            parts.append("{" + (" " if text[0] == "{" else "") + text + conversion + spec + "}")
        else:
            text = "".join("\\" + c if c in ("\\", quote) else c if c.isprintable() else repr(c)[1:-1] for c in value.value)
            parts.append(text.replace("{", "{{").replace("}", "}}"))
    return "".join(parts)


def _by_astor(node: Any) -> tuple[str, int]:
    """A rare node. astor puts parentheses around what it thinks needs them at the top: those are dropped here."""
    tree = gast.gast_to_ast(_skeleton(node))
    text: str = _astor().to_source(tree, pretty_source="".join).strip()
    if not isinstance(node, gast.GeneratorExp) and text[0] == "(" and text[-1] == ")":
        text = text[1:-1]
    return text, _RARE.get(type(node), ATOM)


def _skeleton(node: Any) -> Any:
    """The node with every operand replaced by a name that is its whole text."""
    fields: dict[str, Any] = {}
    level = ATOM if isinstance(node, gast.Await) else OR
    for field in node._fields:
        value = getattr(node, field, None)
        if isinstance(value, gast.expr):
            fields[field] = _ready_made(expression(value, NAKED if field == "target" else level))
        elif isinstance(value, list):
            fields[field] = [_skeleton(v) if isinstance(v, gast.comprehension) else _operand(v) for v in value]
    return rebuilt(node, **fields)


def _operand(node: Any) -> Any:
    return _ready_made(expression(node, NAMED if isinstance(node, gast.Starred) else OR))


def _ready_made(text: str) -> Any:
    return gast.Name(id=text, ctx=gast.Load(), annotation=None, type_comment=None)


@cache
def _astor() -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import astor
    return astor


_PRINTERS = {
    gast.Name: _name,
    gast.Constant: _constant,
    gast.Attribute: _attribute,
    gast.Subscript: _subscript,
    gast.Slice: _slice,
    gast.Call: _call,
    gast.Starred: _starred,
    gast.BinOp: _binary,
    gast.UnaryOp: _unary,
    gast.BoolOp: _bool,
    gast.Compare: _compare,
    gast.IfExp: _conditional,
    gast.Lambda: _lambda,
    gast.Tuple: _tuple,
    gast.List: _list,
    gast.Dict: _dict,
    gast.JoinedStr: _f_string,
}
_RARE = {gast.NamedExpr: _NEVER, gast.Yield: BARE, gast.YieldFrom: BARE, gast.Await: AWAIT}
