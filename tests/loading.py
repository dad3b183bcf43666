"""Text of a program -> a module with a real file, so that `inspect` finds the source as it finds a user's."""

from __future__ import annotations

import atexit
import functools
import importlib.util
import itertools
import re
import shutil
import sys
import tempfile
from pathlib import Path
from types import ModuleType
from typing import Any

PRELUDE = "import math\nimport numpy as np\n"
_numbers = itertools.count(1)


@functools.cache
def _folder() -> Path:
    folder = Path(tempfile.mkdtemp(prefix="sourcediff-tests-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def load(name: str, text: str, **names: Any) -> ModuleType:
    """A new module that runs `text` below the imports of math and np, with `names` defined."""
    plain = re.sub(r"\W", "_", name)
    identifier = f"{plain}_{next(_numbers)}"
    path = _folder() / f"{identifier}.py"
    path.write_text(PRELUDE + text, encoding="utf-8")
    spec = importlib.util.spec_from_file_location(identifier, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[identifier] = module
    vars(module).update(names)
    spec.loader.exec_module(module)
    return module
