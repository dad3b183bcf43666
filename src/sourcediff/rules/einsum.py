"""np.einsum: the adjoint of an operand is another einsum, whose subscripts are those of the call in another order.

    y = np.einsum("ij,jk->ik", a, b)      a_bar = np.einsum("ik,jk->ij", y_bar, b)

An index that one operand has alone is summed there: a vector of ones spreads the adjoint along it. Where an operand repeats an
index ("ii"), an identity matrix puts the adjoint on the diagonal. Where the subscripts are literal that call is the text.
"""

from __future__ import annotations

import string
from typing import Any

import gast
import numpy as np

from sourcediff.python.quote import constant, expr
from sourcediff.rules.forms import bilinear
from sourcediff.rules.known import literal_value
from sourcediff.rules.text import Known
from sourcediff.runtime import unbroadcast


def write(bindings: dict[str, Any], known: Known) -> list[Any] | None:
    """One expression for each operand, in a display, since the operands are one sequence."""
    operands = bindings["operands"].elts
    try:
        subscripts = literal_value(bindings["subscripts"])
    except ValueError:
        return None
    if any(isinstance(o, gast.Starred) for o in operands) or not isinstance(subscripts, str):
        return None
    return [gast.List(elts=[_written(k, subscripts, bindings) for k in range(len(operands))], ctx=gast.Load())]


def _written(k: int, subscripts: str, bindings: dict[str, Any]) -> Any:
    operands = bindings["operands"].elts
    module = bindings.get("np", "np")
    turned, links = adjoint_subscripts(k, subscripts)
    extra = [expr(f"np.{maker}(np.shape(x)[axis])", np=module, x=operands[k], axis=constant(axis)) for maker, axis in links]
    arguments = [constant(turned), bindings["y_bar"], *operands[:k], *operands[k + 1 :], *extra]
    call = gast.Call(func=expr("np.einsum", np=module), args=arguments, keywords=[])
    if "..." not in subscripts:
        return call
    return expr("unbroadcast(g, x)", g=call, x=operands[k], unbroadcast=bindings.get("unbroadcast", "unbroadcast"))


def split_subscripts(subscripts: str) -> tuple[list[str], str]:
    """The indices of each operand and of the result, which are those that occur once, in order, where it is not stated."""
    left, arrow, result = subscripts.replace(" ", "").partition("->")
    if not arrow:
        letters = sorted(c for c in set(left) if c.isalpha() and left.count(c) == 1)
        result = ("..." if "..." in left else "") + "".join(letters)
    return left.split(","), result


def adjoint_subscripts(k: int, subscripts: str) -> tuple[str, list[tuple[str, int]]]:
    """The subscripts that give the adjoint of operand k from the cotangent, the other operands and some links.

    A link is ("ones", axis) or ("eye", axis): a vector of ones or an identity matrix as long as that axis of operand k. With dots
    the adjoint still has to be summed to the shape of the operand.
    """
    operands, result = split_subscripts(subscripts)
    others = [result, *operands[:k], *operands[k + 1 :]]
    unused = iter(c for c in string.ascii_letters if c not in subscripts)
    wanted, linked, links = "", [], []
    mine = operands[k].replace("...", ".")
    for place, letter in enumerate(mine):
        # an axis behind the dots is counted from the end
        axis = place if "." not in mine[:place] else place - len(mine)
        if letter in wanted and letter != ".":
            letter, first = next(unused), letter
            linked.append(first + letter)
            links.append(("eye", axis))
        elif letter != "." and letter not in "".join(others) and mine.count(letter) == 1:
            linked.append(letter)
            links.append(("ones", axis))
        wanted += letter
    if "..." in subscripts and "." not in wanted:
        wanted = "." + wanted
    return ",".join([*others, *linked]) + "->" + wanted.replace(".", "..."), links


def einsum_adjoint(k, y_bar, subscripts, operands):
    """The adjoint of operand k of np.einsum(subscripts, *operands), for subscripts known only at run time."""
    turned, links = adjoint_subscripts(k, subscripts)
    extra = [np.ones(np.shape(operands[k])[axis]) if maker == "ones" else np.eye(np.shape(operands[k])[axis]) for maker, axis in links]
    return unbroadcast(np.einsum(turned, y_bar, *operands[:k], *operands[k + 1 :], *extra), operands[k])


def hands_on_elements(bound: dict[str, Any]) -> bool:
    """NumPy returns a view of a single operand that nothing is summed of: "ij->ji", "ii->i"."""
    operands = getattr(bound["operands"], "elts", [])
    if len(operands) > 1:
        return False
    try:
        subscripts = literal_value(bound["subscripts"])
    except ValueError:
        return True
    if not isinstance(subscripts, str):
        return True
    [read], result = split_subscripts(subscripts)
    return set(read) <= set(result)


@bilinear(
    np.einsum,
    besides={"optimize": (True, False, "greedy", "optimal")},
    operands=("operands",),
    sequences=("operands",),
    kind="einsum",
    view=hands_on_elements,
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
        "f('iji->j', B[:, :2].transpose(0, 2, 1)[:, :, :2])",
        "f('...i->...', A)",
        "f('...ii->...', SS)",
        "f('i...,i->i...', A, u)",
        "f('ii,ij', S, A)",
    ],
)
def einsum(y_bar, subscripts, *operands):
    return [einsum_adjoint(k, y_bar, subscripts, operands) for k in range(len(operands))]
