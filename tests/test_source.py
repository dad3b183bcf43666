"""Reading functions: the text that is found compiles to the function's own code, or it is refused."""

import functools
import linecache
import math
import os
import pickle
import timeit
import types
import warnings

import gast
import numpy as np
import pytest

from sourcediff.errors import SourceError
from sourcediff.python import source
from sourcediff.python.emit import to_source
from sourcediff.python.source import from_text, place_of, read


def printed(f):
    return to_source(read(f).tree)


def keep(f):
    return f


@keep
@functools.lru_cache(maxsize=None)
def decorated(x, y: float = 1.0, *rest, key: "int" = 2, **more) -> np.ndarray:
    """A docstring."""
    z = x**2
    return z * y


def closure(w):
    def recursive(x):
        if x > 10.0:
            return recursive(x / w)
        return w * x

    def shadowed(x):
        math = x
        return math + w

    return recursive, shadowed


def with_assert(x):
    assert x > 0, f"not {x}"
    assert all(x < v for v in (1, 2, 3))
    return np.sqrt(x)


class Model:
    __scale = 2.0

    def __init__(self):
        self.__w = 3.0

    def loss(self, x):
        def inner(t):
            return t * self.__w

        return inner(x) * self.__scale

    def __hidden(self, x):
        return self.__dict__, super().__init__, x

    hidden = __hidden
    of_lambda = staticmethod(lambda self: self.__w)


def same_code(path, name="f"):
    scope = {}
    with open(path) as file:
        exec(compile(file.read(), str(path), "exec"), scope)
    return scope[name]


def test_decorators_are_stripped_and_annotations_are_text():
    assert printed(decorated.__wrapped__).splitlines()[0] == (
        'def decorated(x, y: "float" = 1.0, *rest, key: "int" = 2, **more) -> "np.ndarray":'
    )
    assert read(decorated.__wrapped__).tree.decorator_list == []


def test_closures_know_their_cells():
    recursive, shadowed = closure(3.0)
    assert read(recursive).namespace.lookup("w") == ("cell", 3.0)
    assert read(recursive).namespace.lookup("recursive") == ("cell", recursive)
    assert read(shadowed).namespace.lookup("np") == ("global", np)
    assert read(recursive).qualname == "closure.<locals>.recursive"
    assert read(recursive).original is recursive


def test_private_names_are_mangled():
    assert printed(Model.loss) == (
        "def loss(self, x):\n    def inner(t):\n        return t * self._Model__w\n\n    return inner(x) * self._Model__scale\n"
    )
    assert read(Model.hidden).tree.name == "__hidden"
    assert "self.__dict__" in printed(Model.hidden)
    assert read(Model.hidden).namespace.lookup("__class__") == ("cell", Model)
    assert printed(Model.of_lambda) == "def lambda_(self):\n    return self._Model__w\n"


def test_lambdas_on_one_line_are_told_apart():
    f, g, h = lambda x: x * 2, lambda x: 2 * x, lambda y=(lambda: 0): y
    assert [printed(k).splitlines()[1].strip() for k in (f, g, h)] == ["return x * 2", "return 2 * x", "return y"]
    same = [lambda x: -x, lambda x: -x]
    columns = [read(k).tree.place.column for k in same]
    assert columns[0] < columns[1]


def test_constants_are_compared_with_their_types():
    one, real, true, zero = lambda x: x * 1, lambda x: x * 1.0, lambda x: x * True, lambda x: (x, -0.0, 0.0)
    assert [printed(k).splitlines()[1].strip() for k in (one, real, true, zero)] == [
        "return x * 1",
        "return x * 1.0",
        "return x * True",
        "return x, -0.0, 0.0",
    ]


def test_a_lambda_over_several_lines():
    f = lambda x, y=2: (
        x
        +
        # between
        y
    )
    assert printed(f) == "def lambda_(x, y=2):\n    return x + y\n"


def test_rewritten_asserts_are_tolerated():
    assert any(name.startswith("@py") for name in with_assert.__code__.co_varnames)
    assert "assert all(x < v for v in (1, 2, 3))" in printed(with_assert)


def test_places_are_in_characters():
    # fmt: off
    def f(x):
        é = "größe"; y = np.exp(x)
        return (y
                + x)
    # fmt: on

    first, second, last = read(f).tree.body
    place = place_of(second.value)
    assert place.text[place.column : place.end_column] == "np.exp(x)"
    assert (place.function, place.file, place.line) == ("f", __file__, f.__code__.co_firstlineno + 1)
    assert place_of(last.value).end_line == place.line + 2
    for node in gast.walk(read(f).tree):
        assert isinstance(node, (gast.expr, gast.stmt)) == (place_of(node) is not None)
        assert not hasattr(node, "lineno")


def test_a_file_that_moved_and_one_that_changed(tmp_path):
    path = tmp_path / "model.py"
    path.write_text("def f(x):\n    return x * 2\n")
    moved, changed = same_code(path), same_code(path)
    path.write_text("import math\n\n\ndef f(x):\n    # twice\n    return x * 2\n")
    os.utime(path, (1, 1))
    assert place_of(read(moved).tree).line == 4
    source._READ.clear()
    path.write_text("def f(x):\n    return x * 3\n")
    os.utime(path, (2, 2))
    with pytest.raises(SourceError) as error:
        read(changed)
    assert error.value.name == "source_changed"
    assert str(path) in str(error.value)


def test_a_file_that_is_no_longer_python(tmp_path):
    path = tmp_path / "model.py"
    path.write_text("def f(x):\n    return x * 7\n")
    f = same_code(path)
    path.write_text("def f(x:\n")
    with pytest.raises(SourceError) as error:
        read(f)
    assert error.value.name == "source_changed"


def test_what_was_read_is_remembered(tmp_path):
    path = tmp_path / "model.py"
    path.write_text("def f(x):\n    return x * 5\n")
    f = same_code(path)
    tree = read(f).tree
    path.write_text("")
    assert read(f).tree is tree


def test_text_in_linecache_only():
    text = "from __future__ import annotations\nimport numpy as np\nf = lambda x: np.sin(x)\ndef g(x: anything) -> None:\n    return f(x)\n"
    linecache.cache["<cell 7>"] = (len(text), None, text.splitlines(keepends=True), "<cell 7>")
    scope = {}
    exec(compile(text, "<cell 7>", "exec"), scope)
    assert printed(scope["f"]) == "def lambda_(x):\n    return np.sin(x)\n"
    assert printed(scope["g"]) == 'def g(x: "anything") -> "None":\n    return f(x)\n'


@pytest.mark.parametrize(
    "f, name",
    [
        (eval("lambda x: x"), "no_source"),
        (len, "no_source_c"),
        (math.sin, "no_source_c"),
        (np.exp, "no_source_c"),
        (np.add.reduce, "no_source_c"),
        (str.join, "no_source_c"),
        (Model, "not_a_function"),
        (Model().loss, "not_a_function"),
        (3, "not_a_function"),
        (functools.partial(math.pow, 2), "not_a_function"),
    ],
)
def test_refusals(f, name):
    with pytest.raises(SourceError) as error:
        read(f)
    assert error.value.name == name
    assert pickle.loads(pickle.dumps(error.value)).name == name


def test_what_python_warns_about_is_no_obstacle(tmp_path):
    path = tmp_path / "model.py"
    path.write_text("def f(x):\n    '\\d'\n    return x is 1\n")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        f = same_code(path)
    assert printed(f).splitlines()[-1] == "    return x is 1"


def test_from_text():
    scope = {}
    f = from_text("    import math\n    def f(x):\n        return f(x) if x > math.pi else x\n", scope)
    assert f.original(1.0) == 1.0
    assert f.namespace.lookup("f") == ("global", f.original)
    assert to_source(f) == "def f(x):\n    return f(x) if x > math.pi else x\n"
    assert from_text("def f(x): return x", {}).file == from_text("def f(x): return x", {}).file


@pytest.mark.parametrize(
    "text, name",
    [
        ("x = 1", "not_one_function"),
        ("", "not_one_function"),
        ("def f(x): return x\ndef g(x): return x", "not_one_function"),
        ("print(1)\ndef f(x): return x", "not_one_function"),
        ("async def f(x): return x", "not_one_function"),
        ("def f(x) return x", "text_invalid"),
    ],
)
def test_text_that_is_not_one_function(text, name):
    with pytest.raises(SourceError) as error:
        from_text(text, {})
    assert error.value.name == name


def functions_of(module):
    return [v for v in vars(module).values() if isinstance(v, types.FunctionType) and v.__code__.co_filename == module.__file__]


def test_every_function_of_some_large_modules_is_found_again():
    import argparse
    import fractions
    import statistics
    import typing

    for module in (argparse, fractions, statistics, typing):
        functions = functions_of(module)
        for cls in [c for c in vars(module).values() if isinstance(c, type) and c.__module__ == module.__name__]:
            functions += [v for v in vars(cls).values() if isinstance(v, types.FunctionType) and v.__code__.co_filename == module.__file__]
        assert functions
        for f in functions:
            read(f)


def test_a_file_is_parsed_once(tmp_path):
    path = tmp_path / "long.py"
    path.write_text("".join(f"def f{i}(x):\n    y = x * {i}\n    return y\n\n\n" for i in range(600)))
    scope = {}
    exec(compile(path.read_text(), str(path), "exec"), scope)
    read(scope["f0"])
    start = timeit.default_timer()
    for i in range(1, 101):
        read(scope[f"f{i}"])
    assert timeit.default_timer() - start < 1.0  # a parse of this file alone takes 15 ms
