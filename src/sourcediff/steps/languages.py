"""The languages between the steps, each declared by what it changes of the one before.

ACCEPTED is what `accept` lets through, PLAIN what `desugar` gives, FLAT what `flatten` gives, CLOSED what `inline`
gives, DERIVED what `forward` and `reverse` give. docs/notes/001 says in prose what they mean.
"""

from __future__ import annotations

from typing import Any

import gast

from ..python.grammar import Grammar


def _is_literal(node: Any) -> bool:
    """Numbers are never negative or complex by themselves: `-1.0` is a UnaryOp."""
    if not isinstance(node, gast.Constant):
        return False
    if isinstance(node.value, complex):
        return node.value.real == 0 and str(node.value.real) == "0.0"
    return not (isinstance(node.value, (int, float)) and node.value < 0)


_COMPREHENSION = "comprehension(target=target, iter=expr, ifs=[expr, ...], is_async=0)"
_OPERATORS = """
        BinOp(left=expr, right=expr) | UnaryOp(operand=expr) | BoolOp(values=[expr, expr, ...])
        | Compare(left=expr, comparators=[expr, ...])""".strip()

ACCEPTED = Grammar(
    "ACCEPTED",
    function="FunctionDef(body=[stmt, stmt, ...])",
    stmt="""(
        simple | If(test=expr, body=[stmt, stmt, ...], orelse=[stmt, ...])
        | For(target=target, iter=expr, body=[stmt, stmt, ...], orelse=[stmt, ...])
        | While(test=expr, body=[stmt, stmt, ...], orelse=[stmt, ...])
        | FunctionDef(args=arguments, body=[stmt, stmt, ...], decorator_list=[expr, ...])
    )""",
    simple="""(
        Assign(targets=[target, target, ...], value=expr) | AugAssign(target=place, value=expr)
        | AnnAssign(target=place, value=expr | None) | Expr(value=expr) | Return(value=expr | None)
        | Raise(exc=expr | None, cause=expr | None) | Assert(test=expr, msg=expr | None)
        | Import | ImportFrom | Pass | Break | Continue | Global | Nonlocal | Delete(targets=[place, ...])
    )""",
    arguments="arguments(defaults=[expr, ...], kw_defaults=[expr | None, ...])",
    place="Name | Subscript(value=expr, slice=index) | Attribute(value=expr)",
    target="place | Tuple(elts=[target, ...]) | List(elts=[target, ...]) | Starred(value=target)",
    index="expr | slice | Tuple(elts=[expr | slice, ...])",
    slice="Slice(lower=expr | None, upper=expr | None, step=expr | None)",
    expr=f"""(
        Name | literal | {_OPERATORS} | Call(func=expr, args=[expr, ...], keywords=[keyword, ...])
        | Attribute(value=expr) | Subscript(value=expr, slice=index) | Starred(value=expr)
        | Tuple(elts=[expr, ...]) | List(elts=[expr, ...]) | Set(elts=[expr, ...])
        | Dict(keys=[expr | None, ...], values=[expr, ...]) | JoinedStr(values=[expr, ...])
        | FormattedValue(value=expr, format_spec=expr | None)
        | IfExp(test=expr, body=expr, orelse=expr) | NamedExpr(target=Name, value=expr)
        | Lambda(args=arguments, body=expr) | ListComp(elt=expr, generators=[loop, loop, ...])
        | GeneratorExp(elt=expr, generators=[loop, loop, ...])
        | SetComp(elt=expr, generators=[loop, loop, ...]) | DictComp(key=expr, value=expr, generators=[loop, loop, ...])
    )""",
    loop=_COMPREHENSION,
    keyword="keyword(value=expr)",
    literal=_is_literal,
)

# One target an assignment, no expression that decides or binds; one way out of loops and functions.
PLAIN = ACCEPTED.but(
    "PLAIN",
    function="FunctionDef(body=[stmt, ..., result])",
    result="Return(value=expr)",
    stmt="""(
        simple | If(test=expr, body=[stmt, stmt, ...], orelse=[stmt, ...])
        | For(target=Name, iter=expr, body=[stmt, ..., last], orelse=[])
        | While(test=expr, body=[stmt, ..., last], orelse=[])
        | FunctionDef(args=arguments, body=[stmt, ..., result], decorator_list=[])
    )""",
    last="stmt | If(test=Name, body=[Break], orelse=[])",
    simple="""(
        Assign(targets=[Tuple(elts=[Name, ...])], value=Name | Tuple(elts=[Name, ...]))
        | Assign(targets=[place], value=expr) | AugAssign(target=Name, value=expr) | accumulation
        | Expr(value=Call(func=expr, args=[expr, ...], keywords=[keyword, ...]))
        | Raise | Assert(test=expr) | Import | ImportFrom | Pass | deletion
    )""",
    accumulation="AugAssign(target=item, value=expr)",
    deletion="Delete(targets=[Subscript(value=atom, slice=index) | Attribute(value=atom)])",
    item="Subscript(value=atom, slice=index)",
    atom="Name | literal | UnaryOp(op=USub, operand=literal)",
    expr=f"""(
        Name | literal | {_OPERATORS} | Call(func=expr, args=[expr, ...], keywords=[keyword, ...])
        | Attribute(value=expr) | Subscript(value=expr, slice=index) | Starred(value=expr)
        | Tuple(elts=[expr, ...]) | List(elts=[expr, ...]) | Set(elts=[expr, ...])
        | Dict(keys=[expr | None, ...], values=[expr, ...]) | JoinedStr(values=[expr, ...])
        | FormattedValue(value=expr, format_spec=expr | None)
    )""",
)

# One operation a statement.
FLAT = PLAIN.but(
    "FLAT",
    result="Return(value=display)",
    stmt="""(
        simple | If(test=Name, body=[stmt, stmt, ...], orelse=[stmt, ...])
        | For(target=Name, iter=atom | operation, body=[stmt, ..., last], orelse=[])
        | For(target=Name, iter=Call(func=Name, args=[call], keywords=[]), body=[stmt, ..., last], orelse=[])
        | While(test=control, body=[stmt, ..., last], orelse=[])
        | FunctionDef(args=arguments, body=[stmt, ..., result], decorator_list=[])
    )""",
    simple="""(
        Assign(targets=[Tuple(elts=[Name, ...])], value=Name | Tuple(elts=[Name, ...]))
        | Assign(targets=[Name], value=value) | Assign(targets=[item | Attribute(value=atom)], value=atom)
        | AugAssign(target=Name, value=atom) | accumulation | Expr(value=call)
        | Raise | Assert(test=control) | Import | ImportFrom | Pass | deletion
    )""",
    accumulation="AugAssign(target=item, value=atom)",
    arguments="arguments(defaults=[atom, ...], kw_defaults=[atom | None, ...])",
    value="display | operation | truth",
    display="atom | Tuple(elts=[display, ...]) | List(elts=[display, ...])",
    atom="Name | constant",
    constant="literal | UnaryOp(operand=constant) | BinOp(left=constant, right=constant)",
    operation="""(
        BinOp(left=atom, right=atom) | UnaryOp(op=USub | UAdd | Invert, operand=atom) | call | Attribute(value=owner) | item
        | Set(elts=[atom, ...]) | Dict(keys=[atom | None, ...], values=[atom, ...]) | JoinedStr(values=[text, ...])
    )""",
    owner="atom | path",
    path="Name | Attribute(value=path)",
    call="Call(func=path | Attribute(value=atom), args=[display | Starred(value=atom), ...], keywords=[keyword, ...])",
    keyword="keyword(value=display)",
    text="literal | FormattedValue(value=atom, format_spec=None | JoinedStr(values=[text, ...]))",
    index="whole | slice | Tuple(elts=[whole | slice, ...])",
    slice="Slice(lower=whole | None, upper=whole | None, step=whole | None)",
    whole="""(
        atom | BinOp(left=whole, op=Add | Sub | Mult | FloorDiv | Mod, right=whole) | UnaryOp(op=USub, operand=whole)
        | Call(func=Name, args=[Name], keywords=[]) | Attribute(value=Name) | Subscript(value=Attribute(value=Name), slice=whole)
    )""",
    truth="Compare(left=control, comparators=[control, ...]) | BoolOp(values=[control, control, ...]) | UnaryOp(op=Not, operand=control)",
    control="""(
        truth | atom | BinOp(left=control, right=control) | UnaryOp(operand=control)
        | Call(func=path, args=[control, ...], keywords=[keyword(value=control), ...]) | Attribute(value=control)
        | Subscript(value=control, slice=control | part | Tuple(elts=[control | part, ...]))
        | Tuple(elts=[control, ...]) | List(elts=[control, ...]) | Set(elts=[control, ...])
    )""",
    part="Slice(lower=control | None, upper=control | None, step=control | None)",
)

# Every call is known; the rest is FLAT.
CLOSED = FLAT.but(
    "CLOSED",
    stmt="""(
        simple | If(test=control, body=[stmt, stmt, ...], orelse=[stmt, ...])
        | For(target=Name, iter=atom | operation, body=[stmt, ..., last], orelse=[])
        | For(target=Name, iter=Call(func=Name, args=[control, ...], keywords=[]), body=[stmt, ..., last], orelse=[])
        | While(test=control, body=[stmt, ..., last], orelse=[])
    )""",
    simple="""(
        Assign(targets=[Tuple(elts=[Name, ...])], value=Name | Tuple(elts=[Name, ...]))
        | Assign(targets=[Name], value=value) | Assign(targets=[item | Attribute(value=atom)], value=atom)
        | accumulation | Expr(value=call)
        | Raise | Assert(test=control) | Import | ImportFrom | Pass | deletion
    )""",
    accumulation="AugAssign(target=Name | item, op=Add | Sub, value=atom)",
    path="| Subscript(value=path, slice=atom)",
    display="| path | Dict(keys=[atom, ...], values=[display, ...]) | Call(func=Name, args=[control, ...], keywords=[]) | made",
    made="Call(func=Name | Attribute(value=path), args=[display, ...], keywords=[keyword, ...])",
)

# What forward and reverse write: whole expressions on the right, in-place adds, stacks, helpers; still one way out.
DERIVED = PLAIN.but(
    "DERIVED",
    stmt="""(
        simple | If(test=expr, body=[stmt, stmt, ...], orelse=[stmt, ...])
        | For(target=Name, iter=expr, body=[stmt, ..., last], orelse=[])
        | While(test=expr, body=[stmt, ..., last], orelse=[])
        | FunctionDef(args=arguments, body=[stmt, ..., result], decorator_list=[])
    )""",
    accumulation="AugAssign(target=item, value=expr)",
    expr="| IfExp(test=expr, body=expr, orelse=expr) | repeated",
    repeated="GeneratorExp(elt=expr, generators=[loop, loop, ...]) | ListComp(elt=expr, generators=[loop, loop, ...])",
)
