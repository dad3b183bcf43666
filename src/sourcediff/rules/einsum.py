"""np.einsum: the adjoint of an operand is another einsum, whose subscripts are a permutation of the old ones.

    y = np.einsum("ij,jk->ik", a, b)      a_bar = np.einsum("ik,jk->ij", y_bar, b)

Where the subscripts are literal that call is the text. An index that one operand has alone is summed there: its adjoint is spread
along it; an operand with a repeated index takes its adjoint on the diagonal. These, and subscripts known only at run time, are the
helper's.
"""

from __future__ import annotations

from typing import Any

import gast
import numpy as np

from sourcediff.python.quote import constant, expr
from sourcediff.rules.forms import bilinear
from sourcediff.rules.known import literal_value
from sourcediff.rules.text import Known


def write(bindings: dict[str, Any], known: Known) -> list[Any] | None:
    """One expression for each operand, in a display, since the operands are one sequence."""
    operands = bindings["operands"].elts
    if any(isinstance(o, gast.Starred) for o in operands):
        return None
    try:
        subscripts = literal_value(bindings["subscripts"])
    except ValueError:
        subscripts = None
    adjoints = [_written(k, subscripts, bindings) for k in range(len(operands))]
    return [gast.List(elts=adjoints, ctx=gast.Load())]


def _written(k: int, subscripts: str | None, bindings: dict[str, Any]) -> Any:
    operands = bindings["operands"].elts
    turned = None if subscripts is None else adjoint_subscripts(k, subscripts)
    if turned is None:
        whole = gast.Tuple(elts=operands, ctx=gast.Load())
        return expr(
            "einsum_adjoint(k, y_bar, subscripts, operands)",
            k=constant(k),
            y_bar=bindings["y_bar"],
            subscripts=bindings["subscripts"],
            operands=whole,
        )
    arguments = [constant(turned), bindings["y_bar"], *operands[:k], *operands[k + 1 :]]
    call = expr("np.einsum()", np=bindings.get("np", "np"))
    return gast.Call(func=call.func, args=arguments, keywords=[])


def split_subscripts(subscripts: str) -> tuple[list[str], str]:
    """The indices of each operand and of the result, which are those that occur once, in order, where it is not stated."""
    left, arrow, result = subscripts.replace(" ", "").partition("->")
    if not arrow:
        letters = sorted(c for c in set(left) if c.isalpha() and left.count(c) == 1)
        result = ("..." if "..." in left else "") + "".join(letters)
    return left.split(","), result


def adjoint_subscripts(k: int, subscripts: str) -> str | None:
    """The subscripts that give the adjoint of operand k from the cotangent and the other operands; None where einsum alone cannot."""
    operands, result = split_subscripts(subscripts)
    mine, others = operands[k], operands[:k] + operands[k + 1 :]
    letters = mine.replace("...", "")
    available = "".join([result, *others])
    if len(set(letters)) < len(letters) or any(c not in available for c in letters):
        return None
    if "..." in subscripts and "..." not in result:
        return None
    kept = mine if "..." in mine or "..." not in subscripts else "..." + mine  # summed to the operand's shape by the machine
    return ",".join([result, *others]) + "->" + kept


def einsum_adjoint(k, y_bar, subscripts, operands):
    """The adjoint of operand k of np.einsum(subscripts, *operands), for any subscripts."""
    turned = adjoint_subscripts(k, subscripts)
    others = [*operands[:k], *operands[k + 1 :]]
    if turned is not None:
        return np.einsum(turned, y_bar, *others)
    if "..." in subscripts:
        raise ValueError(f"the derivative of np.einsum({subscripts!r}) with these dots is not known")
    inputs, result = split_subscripts(subscripts)
    letters = "".join(dict.fromkeys(inputs[k]))
    sizes = dict(zip(inputs[k], np.shape(operands[k]), strict=True))
    rest = inputs[:k] + inputs[k + 1 :]
    missing = [c for c in letters if c not in "".join([result, *rest])]
    ones = [np.ones(sizes[c]) for c in missing]
    part = np.einsum(",".join([result, *rest, *missing]) + "->" + letters, y_bar, *others, *ones)
    if letters == inputs[k]:
        return part
    out = np.zeros(np.shape(operands[k]), part.dtype)
    np.einsum(inputs[k] + "->" + letters, out)[...] = part  # a view of the diagonal
    return out


@bilinear(
    np.einsum,
    operands=("operands",),
    sequences=("operands",),
    kind="einsum",
    write=write,
    on=[
        "f('ij,jk->ik', A, C)",
        "f('ij,j', A, v)",
        "f('i,i', v, w)",
        "f('ij->', A)",
        "f('ij->i', A)",
        "f('ii', S)",
        "f('ii->i', S)",
        "f('ij,ik->jk', A, A)",
        "f('...j,j->...', A, v)",
        "f('bij,bjk->bik', SS, SS)",
        "f('i,j->ij', v, w)",
        "f('ij,jk,k->i', A, C, C[0])",
        "f('ji', A)",
        "f('ij,k->i', A, v)",
    ],
)
def einsum(y_bar, subscripts, *operands):
    return [einsum_adjoint(k, y_bar, subscripts, operands) for k in range(len(operands))]
