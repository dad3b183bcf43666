"""What a dotted name means, looked up without running any code of the user's.

Attributes of modules are read as Python reads them. Of classes and instances only what lies there plainly is read:
entries of their dicts, slots, functions and methods; never a property or another descriptor, nor an attribute of an
object that makes up its attributes as it goes.
"""

from __future__ import annotations

import enum
import types
import warnings
from typing import Any, NamedTuple

import gast

from .function import Namespace


class Resolved(NamedTuple):
    """What was found.

    kind: the weakest link on the way: "builtin" or "helper" (nobody rebinds these), "module" (through modules only),
    "global", "cell", "class" (an attribute of a class), "instance" (an attribute of an object).
    """

    path: str
    value: Any
    kind: str


def resolve(node: Any, namespace: Namespace) -> Resolved | None:
    """The value of a Name or a chain of Attributes; None if it is something else, not defined, or not plainly there.

    That the first name is no local variable of the function is for the caller to know.
    """
    path = dotted(node)
    if path is None:
        return None
    root, *attributes = path.split(".")
    kind, value = namespace.lookup(root)
    if not kind:
        return None
    for attribute in attributes:
        kind = _link(value, kind)
        found, value = plain_attribute(value, attribute)
        if not found:
            return None
    return Resolved(path, value, kind)


def dotted(node: Any) -> str | None:
    """`np.linalg.norm` for a Name or a chain of Attributes on one, else None."""
    parts: list[str] = []
    while isinstance(node, gast.Attribute):
        parts.append(node.attr)
        node = node.value
    if not isinstance(node, gast.Name):
        return None
    return ".".join([node.id, *reversed(parts)])


def plain_attribute(owner: Any, name: str) -> tuple[bool, Any]:
    """(True, the attribute) if it can be read without running the user's code, else (False, None)."""
    if issubclass(type(owner), types.ModuleType):  # isinstance would ask the object what it says its class is
        return _of_module(owner, name)
    if issubclass(type(owner), type):
        return _of_class(owner, name)
    return _of_instance(owner, name)


def _link(owner: Any, kind: str) -> str:
    """How what is read from `owner` was reached, if `owner` itself was reached as `kind`."""
    if kind == "instance" or not issubclass(type(owner), (types.ModuleType, type)):
        return "instance"
    return "class" if kind == "class" or issubclass(type(owner), type) else "module"


def _of_module(module: types.ModuleType, name: str) -> tuple[bool, Any]:
    if name in vars(module):
        return True, vars(module)[name]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a deprecated name warns again when the program itself reads it
        try:
            return True, getattr(module, name)  # modules that import their parts when these are first read
        except Exception:  # noqa: BLE001 - whatever a module's own __getattr__ raises, the name is not there
            return False, None


def _of_class(cls: type, name: str) -> tuple[bool, Any]:
    if isinstance(cls, enum.EnumMeta) and name in cls.__members__:
        return True, cls.__members__[name]
    # Where the metaclass has a say, only what `type` itself gives is plain.
    if not _is_plain(type(cls)) or _defined(type(cls), name) not in (_MISSING, _defined(type, name)):
        return False, None
    if name in ("__name__", "__qualname__", "__module__", "__doc__"):
        return True, type.__getattribute__(cls, name)
    found = _defined(cls, name)
    if found is _MISSING:
        return False, None
    return (True, _bound(found, None, cls)) if _is_method(found) else _unless_descriptor(found)


def _of_instance(owner: Any, name: str) -> tuple[bool, Any]:
    cls = type(owner)
    if not _is_plain(cls):
        return False, None
    found = _defined(cls, name)
    if isinstance(found, _STORED):
        try:
            return True, _bound(found, owner, cls)
        except AttributeError:  # an empty slot
            return False, None
    is_data = found is not _MISSING and hasattr(type(found), "__set__")
    own = _own_dict(owner)
    if name in own and not is_data:
        return True, own[name]
    if found is _MISSING:
        return False, None
    return (True, _bound(found, owner, cls)) if _is_method(found) else _unless_descriptor(found)


_MISSING = object()
# Values that are stored: slots, and the fields of named tuples.
_STORED = (types.MemberDescriptorType, type(Resolved.path))


def _is_plain(cls: type) -> bool:
    """Are attributes looked up by Python's own code, not by a __getattribute__ of the user's?"""
    return isinstance(_defined(cls, "__getattribute__"), types.WrapperDescriptorType)


def _is_method(found: Any) -> bool:
    """Does reading it through an instance or class run nothing but Python's own binding?"""
    if isinstance(found, (classmethod, staticmethod)):
        return not hasattr(type(found.__func__), "__get__") or _is_method(found.__func__)
    binds = _defined(type(found), "__get__")
    return callable(found) and not isinstance(found, property) and isinstance(binds, types.WrapperDescriptorType)


def _bound(found: Any, owner: Any, cls: type) -> Any:
    return found.__get__(owner, cls) if hasattr(type(found), "__get__") else found


def _unless_descriptor(found: Any) -> tuple[bool, Any]:
    return (False, None) if hasattr(type(found), "__get__") else (True, found)


def _defined(cls: type, name: str) -> Any:
    """The entry of the first class in the order of resolution that has one."""
    for base in type.__dict__["__mro__"].__get__(cls):
        entries = type.__dict__["__dict__"].__get__(base)
        if name in entries:
            return entries[name]
    return _MISSING


def _own_dict(owner: Any) -> Any:
    """The instance's dict, without asking a property that is called __dict__."""
    found = _defined(type(owner), "__dict__")
    return found.__get__(owner) if isinstance(found, types.GetSetDescriptorType) else {}
