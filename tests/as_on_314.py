"""A pytest plugin that takes away what Python 3.14 has no more: `python3.13 -m pytest -p tests.as_on_314`."""

import ast

for name in ("__getattr__", "Num", "Str", "Bytes", "NameConstant", "Ellipsis"):
    vars(ast).pop(name, None)
for name in ("n", "s"):
    if name in vars(ast.Constant):
        delattr(ast.Constant, name)
