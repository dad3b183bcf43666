"""How errors look, and that the catalogue and its users agree."""

import ast
import copy
import pathlib
import pickle
import re
import string

import numpy as np
import pytest

import sourcediff.errors as errors
from sourcediff.errors import CATALOGUE, DiffError, Place, UnsupportedError, problem, raise_all, rule_skeleton

YIELD = Place("model.py", 4, 4, 4, 23, "norm2", "    yield np.sum(x * x)")


def test_the_format():
    assert str(problem("yield", YIELD, chain=[Place("model.py", 7, 0, 7, 1, "loss", "")])) == (
        "a value is yielded on the way to the result\n"
        "\n"
        '  File "model.py", line 4, in norm2\n'
        "    yield np.sum(x * x)\n"
        "    ^^^^^^^^^^^^^^^^^^^\n"
        "  called from model.py:7, in loss\n"
        "\n"
        "Return the value instead, or build a list.  [SD104]"
    )


def test_the_name_of_the_class_is_the_public_one():
    assert f"{UnsupportedError.__module__}.{UnsupportedError.__qualname__}" == "sourcediff.UnsupportedError"


@pytest.mark.parametrize(
    "place, lines",
    [
        (Place("m.py", 2, 8, 5, 1, "f", "    y = np.array([1,  "), ["    y = np.array([1,", "        ^^^^^^^^^^^^"]),
        (Place("m.py", 2, 4, 2, 5, "f", "\ta\tb = 1"), ["    a\tb = 1", "     \t ^"]),
        (Place("m.py", 2, 6, 2, 7, "f", "    日 x"), ["    日 x", "       ^"]),
        (Place("m.py", 2, 5, 2, 6, "f", "y = é(x)"), ["    y = é(x)", "         ^"]),
        (Place("m.py", 2, 90, 2, 99, "f", "short"), ["    short", " " * 94 + "^"]),
    ],
)
def test_carets(place, lines):
    shown = str(problem("yield", place)).split("\n\n")[1].splitlines()
    assert shown[1] == lines[0]
    if place.column < 90:
        assert shown[2] == lines[1]


def test_a_place_without_text_or_function():
    assert str(problem("yield", Place("m.py", 3, 0, 3, 1))).split("\n\n")[1] == '  File "m.py", line 3'


def test_several_problems_come_together():
    first, second = problem("yield", YIELD), problem("async")
    with pytest.raises(UnsupportedError, match=r"^2 problems\n\n1\. a value is yielded[^$]*\n\n2\. the function is asynchronous") as error:
        raise_all([first, second, first])
    assert error.value.problems == (first, second)
    assert (error.value.name, error.value.place, error.value.code) == ("yield", YIELD, "SD104")
    with pytest.raises(UnsupportedError) as error:
        raise_all([second])
    assert error.value is second
    raise_all([])


@pytest.mark.parametrize("name", CATALOGUE)
def test_every_entry(name):
    message = CATALOGUE[name]
    made = problem(name, YIELD, **dict.fromkeys(fields_of(name), "FIELD"))
    assert isinstance(made, DiffError)
    assert type(made).__name__ == message.kind
    assert re.fullmatch(r"SD[12349]\d\d", message.code)
    assert not message.sentence.endswith(".")
    assert message.sentence[0] in "{abcdefghijklmnopqrstuvwxyz"
    assert re.search(r"[.)]$", message.advice)
    assert "{" not in str(made).replace("{'", "")
    for again in (pickle.loads(pickle.dumps(made)), copy.deepcopy(made)):
        assert (type(again), str(again), again.name, again.place) == (type(made), str(made), name, YIELD)


def test_codes_are_unique():
    codes = [message.code for message in CATALOGUE.values()]
    assert len(set(codes)) == len(codes)


def test_several_problems_pickle():
    try:
        raise_all([problem("yield", YIELD), problem("no_parameters", function="f")])
    except DiffError as error:
        again = pickle.loads(pickle.dumps(error))
        assert str(again) == str(error)
        assert [p.name for p in again.problems] == ["yield", "no_parameters"]


def test_usage_errors_are_what_python_users_expect():
    assert isinstance(problem("no_parameters", function="f"), TypeError)
    assert isinstance(problem("unknown_variable", function="f", name="z", parameters="x, y"), ValueError)
    assert isinstance(problem("non_scalar", function="f"), errors.UsageError)


def test_a_field_that_is_missing_does_not_hide_the_error():
    assert "{function}" in str(problem("no_parameters"))


def test_the_skeleton_of_a_rule():
    def energy(x, y, scale=1.0):
        return x * y * scale

    assert rule_skeleton("model.energy", energy) == (
        "    @sd.elementwise(model.energy)\n    def energy(result, x, y):\n        return ..., ...  # the partial derivatives by x, y"
    )
    assert "def spacing(y, x):" in rule_skeleton("np.spacing", np.spacing)
    compile(rule_skeleton("np.f", energy).replace("    @", "@").replace("\n    ", "\n"), "skeleton", "exec")


def fields_of(name):
    message = CATALOGUE[name]
    return {re.split(r"[.\[]", f)[0] for _, f, _, _ in string.Formatter().parse(message.sentence + message.advice) if f}


def uses():
    """(file, line, name, fields) of each call of `problem` with a name that stands there."""
    for path in sorted(pathlib.Path(errors.__file__).parent.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call) or not node.args or not isinstance(node.args[0], ast.Constant):
                continue
            called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if called == "problem" and all(k.arg for k in node.keywords):
                yield f"{path.name}:{node.lineno}", node.args[0].value, {k.arg for k in node.keywords}


def test_every_use_gives_the_fields_of_its_entry():
    unknown = [(where, name) for where, name, _ in uses() if name not in CATALOGUE]
    assert unknown == []
    missing = [(where, name, fields_of(name) - given) for where, name, given in uses() if fields_of(name) - given]
    assert missing == []
