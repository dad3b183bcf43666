"""The command line: print the derivative of a function in a file, or write it as a module.

Source goes to standard output, all else to standard error. Exit code 0: done; 1: refused or wrong, with the message;
2: used wrongly.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib.util
import os
import re
import sys
import traceback
import types
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from .checking import check_grads
from .declared import type_of_text
from .errors import DiffError, UsageError
from .python.lattice import UNKNOWN, Array, Bool, Complex, Int, List, Scalar, Tuple, Type
from .result import Derivative
from .transforms import TRANSFORMS

COMMANDS = ("grad", "value-and-grad", "jvp", "vjp", "jacobian", "hessian", "hvp")

_EXAMPLES = """examples:
  sourcediff grad model.py:loss                      print the gradient by the first parameter
  sourcediff grad model.py:loss --wrt w,b            by two parameters
  sourcediff grad model.py:loss --types w=ndarray,n=int
                                                     shorter source, right for these types
  sourcediff value-and-grad model.py:loss -o d.py    write a module that needs no sourcediff
  sourcediff jvp model.py:loss --stages              print the program after each step
  sourcediff grad model.py:loss --check              compare with finite differences

types are float, int, bool, complex, ndarray, NDArray[float32], list, list[float] …; what is not
given is taken from the annotations. The functions of a file are found by importing it."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit code."""
    parser = _parser()
    given = parser.parse_args(arguments)
    try:
        derivative = _derivative(given)
    except _WrongUsage as wrong:
        parser.error(str(wrong))
    except UsageError as error:
        print(_told(error), file=sys.stderr)
        return 2
    except DiffError as error:
        print(_told(error), file=sys.stderr)
        return 1
    try:
        _show(derivative, given)
        return _checked(derivative, given) if given.check else 0
    except _WrongUsage as wrong:
        parser.error(str(wrong))
    except DiffError as error:
        print(_told(error), file=sys.stderr)
        return 1


class _WrongUsage(Exception):
    pass


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="sourcediff",
        description="Write the derivative of a Python function as Python source.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("transform", choices=COMMANDS, help="which derivative")
    parser.add_argument("function", metavar="FILE.py:FUNCTION", help="the function; Class.method is possible")
    parser.add_argument("--wrt", default="0", metavar="x,y", help="variables: names or positions (default: the first parameter)")
    parser.add_argument(
        "--types", default="", metavar="x=float,a=ndarray", help="types of the arguments; knowing more makes the source shorter"
    )
    parser.add_argument("-o", dest="output", metavar="OUT.py", help="write a module that stands alone")
    parser.add_argument("--stages", action="store_true", help="print the program after each step")
    parser.add_argument("--check", action="store_true", help="compare with finite differences at random arguments of the types")
    return parser


def _derivative(given: argparse.Namespace) -> Derivative:
    f, is_method = _function(given.function)
    choices = [int(c) + is_method if c.isdigit() else c for c in re.split(r"\s*,\s*", given.wrt.strip())]
    derivative = TRANSFORMS[given.transform.replace("-", "_")](f, choices[0] if len(choices) == 1 else tuple(choices))
    declared = _types(given.types, list(derivative.__signature__.parameters))
    return derivative.declaring(declared) if declared else derivative


def _function(text: str) -> tuple[Any, bool]:
    """The function that FILE.py:FUNCTION names, and is it a method, whose `self` is not counted?"""
    file, separator, name = text.rpartition(":")
    if not separator or not file or not name:
        raise _WrongUsage(f"write FILE.py:FUNCTION, not {text!r}")
    path = Path(file)
    if not path.is_file():
        raise _WrongUsage(f"there is no file {file}")
    owner: Any = None
    found: Any = _imported(path)
    for part in name.split("."):
        if not hasattr(found, part):
            raise _WrongUsage(f"{file} has no function {name}")
        owner, found = found, getattr(found, part)
    is_method = isinstance(owner, type) and isinstance(found, types.FunctionType) and not isinstance(vars(owner).get(part), staticmethod)
    return found, is_method


def _imported(path: Path) -> types.ModuleType:
    """Import the file under its own name, with its folder first on the path, as Python does for a script."""
    sys.path.insert(0, str(path.resolve().parent))
    name = path.stem
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise _WrongUsage(f"{path} is not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules.setdefault(name, module)
    try:
        with contextlib.redirect_stdout(sys.stderr):  # what the file prints is not part of the source that is asked for
            spec.loader.exec_module(module)
    except Exception:
        raise _WrongUsage(f"{path} cannot be imported:\n{traceback.format_exc(limit=-1)}") from None
    return module


def _types(text: str, parameters: list[str]) -> dict[str, Type]:
    """`x=float,a=list[float]` as parameter -> type."""
    declared: dict[str, Type] = {}
    for part in filter(None, re.split(r",(?![^\[]*\])", text)):
        name, separator, written = (p.strip() for p in part.partition("="))
        if not separator or name not in parameters:
            raise _WrongUsage(f"--types: write parameter=type, with a parameter among {', '.join(parameters)}, not {part!r}")
        declared[name] = type_of_text(written)
        if declared[name] == UNKNOWN:
            raise _WrongUsage(f"--types: {written!r} is not a type that sourcediff knows")
    return declared


def _show(derivative: Derivative, given: argparse.Namespace) -> None:
    if given.stages:
        for name, source in derivative.stages.items():
            print(_coloured(f"# after {name}\n{source.rstrip()}\n\n"), end="")
    if given.output:
        try:
            derivative.save(given.output)
        except OSError as error:
            raise _WrongUsage(f"{given.output} cannot be written: {error.strerror}") from None
    elif not given.stages:
        print(_coloured(derivative.source.rstrip() + "\n"), end="")


def _coloured(source: str) -> str:
    """Highlighted on a terminal, plain into a pipe."""
    if not sys.stdout.isatty() or "NO_COLOR" in os.environ:
        return source
    try:
        from pygments import highlight
        from pygments.formatters import TerminalFormatter
        from pygments.lexers import PythonLexer
    except ImportError:
        return source
    return str(highlight(source, PythonLexer(), TerminalFormatter()))


def _checked(derivative: Derivative, given: argparse.Namespace) -> int:
    """Compare with finite differences at random arguments; the exit code."""
    random = np.random.default_rng(0)
    try:
        arguments = derivative.example_arguments(lambda t: _example(t, random))
        check_grads(derivative.original, *arguments.args, wrt=derivative.wrt, order=1, **arguments.kwargs)
    except AssertionError as wrong:
        print(f"wrong: {wrong}", file=sys.stderr)
        return 1
    except DiffError:
        raise
    except Exception as error:
        print(f"not checked, since the function fails at random arguments: {type(error).__name__}: {error}", file=sys.stderr)
        return 1
    print("checked against finite differences", file=sys.stderr)
    return 0


def _example(t: Type, random: np.random.Generator) -> Any:
    """A random value of a type; a float where nothing is known."""
    if isinstance(t, Int):
        return 3
    if isinstance(t, Bool):
        return True
    if isinstance(t, Complex):
        return complex(*random.uniform(0.5, 1.5, 2))
    if isinstance(t, Array):
        shape = (4,) * (1 if t.rank is None else t.rank)
        return random.uniform(0.5, 1.5, shape).astype(t.dtype or np.float64)
    if isinstance(t, Scalar):
        return t.dtype.type(random.uniform(0.5, 1.5))
    if isinstance(t, List):
        return [_example(t.element, random) for _ in range(4)]
    if isinstance(t, Tuple):
        return tuple(_example(e, random) for e in t.elements)
    return float(random.uniform(0.5, 1.5))


def _told(error: DiffError) -> str:
    return f"{type(error).__module__}.{type(error).__name__}: {error}"
