"""Instances of user classes: made by walking into `__init__`, read by looking the attribute up in the class as Python does.

An instance is a Ref that was made in the walked code, or a Known object from outside, such as a global model. Both have the same
methods and properties; attributes of the first stand in the heap, those of the second are read from the object when the derivative runs.
"""

from __future__ import annotations

import functools
import inspect
import sys
import types
from functools import partial
from typing import TYPE_CHECKING, Any

from ...python import quote
from .heap import field_of, held, set_field
from .outside import attribute_of_known, outside_value
from .values import Atom, Bound, Conflict, Fields, Known, Native, Ref, Seq, Super, Value

if TYPE_CHECKING:
    from .walk import Walk

DATA_MODEL = (property, functools.cached_property, staticmethod, classmethod, types.FunctionType)


def is_plain_class(cls: Any) -> bool:
    """A class whose instances are their attributes: nothing of how they are made or looked up is special."""
    return (
        isinstance(cls, type)
        and cls.__module__.partition(".")[0] not in LIBRARIES
        and all(getattr(cls, name) is getattr(object, name) for name in ("__new__", "__getattribute__"))
        and not hasattr(cls, "__getattr__")
        and (getattr(cls, "__setattr__") is getattr(object, "__setattr__") or is_frozen(cls))  # noqa: B009 - mypy compares their types
        and type(cls).__call__ is type.__call__
        and not issubclass(cls, BaseException)
    )


LIBRARIES = frozenset({*sys.stdlib_module_names, "numpy", "scipy", "sourcediff", "numba", "builtins"}) - {"__main__"}


def is_frozen(cls: Any) -> bool:
    return bool(getattr(getattr(cls, "__dataclass_params__", None), "frozen", False))


def is_named_tuple(cls: Any) -> bool:
    return isinstance(cls, type) and issubclass(cls, tuple) and hasattr(cls, "_fields") and hasattr(cls, "_field_defaults")


def class_of_object(value: Value) -> Any:
    """The user class that a value is an instance of; None for all others."""
    if isinstance(value, Ref) and value.cls not in (list, dict):
        return value.cls
    if isinstance(value, Known) and not isinstance(value.value, type) and is_plain_class(type(value.value)):
        return type(value.value)
    if isinstance(value, (Fields, Seq)) and value.form is not None:
        return value.form.cls
    return None


def found_in(cls: type, name: str, behind: type | None = None) -> tuple[type, Any] | None:
    """(the class that defines it, the attribute as it stands there), as Python looks for it; `behind`: what super() of this class sees."""
    order = cls.__mro__
    for owner in order[order.index(behind) + 1 :] if behind is not None else order:
        if name in owner.__dict__:
            return owner, owner.__dict__[name]
    return None


def believe(walk: Walk, cls: type, name: str) -> None:
    """Generation relies on what the class has under this name."""
    expected = inspect.getattr_static(cls, name, None)
    walk.spelling.guard(f"{cls.__name__}.{name}", partial(inspect.getattr_static, cls, name, None), expected)


def is_generated(owner: Any, function: Any) -> bool:
    """Was the method written by @dataclass? Then it has no source text."""
    return "__dataclass_params__" in owner.__dict__ and getattr(getattr(function, "__code__", None), "co_filename", "") == "<string>"


# -- attributes


def object_attribute(walk: Walk, receiver: Value, name: str, node: Any, hint: str, behind: type | None = None) -> Value:
    """`receiver.name`, with descriptors as Python runs them; `behind`: as `super()` in a method of this class."""
    from .calls import apply

    cls = class_of_object(receiver)
    found = found_in(cls, name, behind)
    owner, static = found if found is not None else (None, None)
    if found is not None and (isinstance(static, DATA_MODEL) or callable(static)):
        believe(walk, owner, name)  # type: ignore[arg-type]
    if isinstance(static, property):
        if static.fget is None:
            raise walk.problem("no_attribute", node, name=name, owner=cls.__name__)
        return apply(walk, Known(static.fget), [receiver], {}, node, hint)
    if behind is None:
        own = own_attribute(walk, receiver, name, node, hint)
        if own is not None:
            return own
    if name == "__class__":
        return of_class(walk, cls)
    if found is None:
        raise walk.problem("no_attribute", node, name=name, owner=cls.__name__)
    return bound(walk, receiver, cls, owner, name, static, node, hint)


def own_attribute(walk: Walk, receiver: Value, name: str, node: Any, hint: str) -> Value | None:
    """What the object itself has under this name."""
    if isinstance(receiver, Seq):
        names = receiver.form.cls._fields  # type: ignore[union-attr]
        return receiver.items[names.index(name)] if name in names else None
    if isinstance(receiver, Fields):
        return field_of(receiver, name)
    if isinstance(receiver, Known):
        own = name in getattr(receiver.value, "__dict__", ()) or is_slot(found_in(type(receiver.value), name))
        return attribute_of_known(walk, receiver, name, node) if own else None
    assert isinstance(receiver, Ref)
    value = field_of(held(walk, receiver, node), name)
    if isinstance(value, Conflict):
        raise walk.problem(value.reason or "runtime_function", node, name=name)
    return value


def is_slot(found: Any) -> bool:
    return found is not None and isinstance(found[1], types.MemberDescriptorType)


def bound(walk: Walk, receiver: Value, cls: Any, owner: Any, name: str, static: Any, node: Any, hint: str) -> Value:
    """An attribute of the class, bound to the object as its descriptor says."""
    from .calls import apply

    if is_generated(owner, static) or (owner is object and name == "__init__"):
        return generated(walk, receiver, owner, name, static, node)
    match static:
        case types.FunctionType():
            return Bound(Known(static), (receiver,))
        case staticmethod():
            return Known(static.__func__)
        case classmethod():
            return Bound(Known(static.__func__), (of_class(walk, cls),))
        case functools.cached_property():
            value = apply(walk, Known(static.func), [receiver], {}, node, hint)
            if isinstance(receiver, Ref):
                set_field(walk, receiver, name, value, node)
            return value
        case types.MemberDescriptorType():
            raise walk.problem("no_attribute", node, name=name, owner=cls.__name__)
    if hasattr(type(static), "subject") or hasattr(static, "cache_info") or hasattr(static, "py_func"):
        return Bound(Known(static), (receiver,))
    if hasattr(type(static), "__get__"):
        raise walk.problem("not_yet_objects", node)
    spelled = of_class(walk, owner)
    return outside_value(
        walk,
        static,
        lambda: quote.expr(f"o.{name}", o=spelled.node()),
        f"{owner.__name__}.{name}",
        partial(getattr, owner, name, None),
        "attribute",
    )


def of_class(walk: Walk, cls: Any) -> Known:
    return Known(cls, lambda: walk.spelling.value(cls.__name__, cls))


def generated(walk: Walk, receiver: Value, owner: Any, name: str, static: Any, node: Any) -> Value:
    """A method without text: those of @dataclass, and `object.__init__`."""
    if name == "__init__":
        from .construction import initialise

        return Native(lambda walk, args, keywords, node, hint: initialise(walk, receiver, (owner, static), args, keywords, node))
    raise walk.problem("not_yet_objects", node)


def class_attribute(walk: Walk, known: Known, name: str, node: Any) -> Value | None:
    """`C.name` where that is a method; None for what is read like any attribute."""
    cls = known.value
    found = found_in(cls, name)
    if (
        found is None
        or not isinstance(found[1], (types.FunctionType, staticmethod, classmethod))
        or not (is_plain_class(cls) or is_named_tuple(cls))
    ):
        return None
    owner, static = found
    believe(walk, owner, name)
    if isinstance(static, classmethod):
        return Bound(Known(static.__func__), (known,))
    if name == "__init__":
        from .construction import initialise

        return Native(lambda walk, args, keywords, node, hint: initialise(walk, args[0], found, args[1:], keywords, node))
    return Known(static.__func__ if isinstance(static, staticmethod) else static)


def set_attribute(walk: Walk, receiver: Value, name: str, value: Value, node: Any, anyway: bool = False) -> None:
    """`receiver.name = value`; anyway: as `object.__setattr__` does it."""
    from .calls import apply

    cls = class_of_object(receiver)
    found = found_in(cls, name) if cls is not None else None
    if found is not None and isinstance(found[1], property):
        believe(walk, found[0], name)
        if found[1].fset is None:
            raise walk.problem("frozen_attribute", node, name=name)
        apply(walk, Known(found[1].fset), [receiver, value], {}, node)
    elif isinstance(receiver, Ref) and cls is not None:
        if is_frozen(cls) and not anyway:
            raise walk.problem("frozen_attribute", node, name=name)
        if found is not None and hasattr(type(found[1]), "__set__") and not is_slot(found):
            raise walk.problem("not_yet_objects", node)
        set_field(walk, receiver, name, value, node)
    elif isinstance(receiver, Seq):
        raise walk.problem("frozen_attribute", node, name=name)
    elif isinstance(receiver, (Known, Atom, Fields)):
        raise walk.problem("attribute_write", node, name=name)
    else:
        raise walk.problem("not_yet_objects", node)


def delete_attribute(walk: Walk, receiver: Value, name: str, node: Any) -> None:
    from .heap import put, without_field

    if not isinstance(receiver, Ref) or class_of_object(receiver) is None or is_frozen(receiver.cls):
        raise walk.problem("attribute_write", node, name=name)
    own_attribute(walk, receiver, name, node, "t")
    put(walk, receiver, without_field(held(walk, receiver, node), name), node)


def call_dunder(walk: Walk, receiver: Value, name: str, args: list[Value], node: Any, hint: str = "t") -> Value:
    """A special method, which Python looks up in the class."""
    from .calls import apply

    cls = class_of_object(receiver)
    owner, static = found_in(cls, name) or (None, None)
    if owner is None:
        raise walk.problem("no_attribute", node, name=name, owner=cls.__name__)
    believe(walk, owner, name)
    return apply(walk, bound(walk, receiver, cls, owner, name, static, node, hint), args, {}, node, hint)


# -- super()


def super_of(walk: Walk, args: list[Value], node: Any) -> Value:
    """`super()` or `super(C, self)`."""
    if len(args) == 2 and isinstance(args[0], Known):
        return Super(args[0].value, args[1])
    cells, positional = walk.frame.code.namespace.cells, walk.frame.code.tree.args.args
    if not args and "__class__" in cells and positional and positional[0].id in walk.frame.env:
        return Super(cells["__class__"].cell_contents, walk.frame.env[positional[0].id])
    raise walk.problem("not_yet_objects", node)


def super_attribute(walk: Walk, value: Super, name: str, node: Any, hint: str) -> Value:
    receiver = value.receiver
    if isinstance(receiver, Known) and isinstance(receiver.value, type):  # in a classmethod
        found = found_in(receiver.value, name, value.owner)
        if found is not None and isinstance(found[1], classmethod):
            return Bound(Known(found[1].__func__), (receiver,))
        raise walk.problem("not_yet_objects", node)
    return object_attribute(walk, receiver, name, node, hint, behind=value.owner)
