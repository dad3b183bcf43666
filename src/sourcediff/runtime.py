"""The few functions that a derivative may call. They need NumPy alone and are copied into saved modules.

The machine writes the chain rule; what depends on shapes and dtypes that only the run knows stands here: summing a cotangent to the
shape of its operand, zeros, a last-write rule for stores, the check of seeds. The predicates at the end choose between two correct
texts of a rule; here they answer for values, in `rules/text.py` for types.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view


def unbroadcast(g: Any, x: Any) -> Any:
    """The cotangent `g` summed to the shape of `x`, of its dtype (real for a real x): what broadcasting x back means.

    Lists and tuples element by element; what is no number and no array raises TypeError.
    """
    kind = type(x)
    if kind is np.ndarray:
        dtype = x.dtype
        if type(g) is np.ndarray and g.dtype is dtype and g.shape == x.shape:
            return g
        if dtype.kind not in "fc":
            dtype = np.result_type(dtype, np.float64)
        g = _summed_to(np.asarray(g), x.shape)
        if dtype.kind == "f" and g.dtype.kind == "c":
            g = g.real
        return g.astype(dtype, copy=False)
    if kind is float or kind is int or kind is bool:
        if type(g) is float:
            return g
        return float(_total(g).real)
    if kind is complex:
        return complex(_total(g))
    if isinstance(x, np.generic):
        total = _total(g)
        if x.dtype.kind == "c":
            return x.dtype.type(total)
        return x.dtype.type(total.real) if x.dtype.kind == "f" else np.float64(total.real)
    if isinstance(x, np.ndarray):
        return unbroadcast(g, np.asarray(x))
    if isinstance(x, (list, tuple)) and isinstance(g, (list, tuple)):
        return [unbroadcast(p, v) for p, v in zip(g, x, strict=True)]
    if isinstance(x, dict) and isinstance(g, dict):
        return {key: unbroadcast(g[key], v) for key, v in x.items()}
    if _is_number(x) or x is None:  # None: no value yet, and nobody asks for its cotangent
        return g
    raise TypeError(f"sourcediff differentiates numbers and arrays, not a {kind.__name__}")


def _summed_to(g: Any, shape: tuple[int, ...]) -> Any:
    """Sum over what broadcasting added; a `g` of fewer dimensions, or of length 1 where x is longer, is spread."""
    extra = g.ndim - len(shape)
    if extra > 0:
        g = np.asarray(g.sum(axis=tuple(range(extra))))
    ones = tuple(i for i, n in enumerate(shape[len(shape) - g.ndim :]) if n == 1 and g.shape[i] != 1)
    if ones:
        g = g.sum(axis=ones, keepdims=True)
    return g if g.shape == shape else np.broadcast_to(g, shape)


def _total(g: Any) -> Any:
    return g.sum() if isinstance(g, np.ndarray) else g


def _is_number(x: Any) -> bool:
    return hasattr(x, "__add__") and hasattr(x, "__mul__") and not hasattr(x, "__len__")


def zero_of(x: Any) -> Any:
    """The zero cotangent of `x`, with its structure; float64 where x is of integers."""
    kind = type(x)
    if kind is float or kind is int or kind is bool:
        return 0.0
    if kind is np.ndarray:
        return np.zeros_like(x) if x.dtype.kind in "fc" else np.zeros(x.shape)
    if kind is complex:
        return 0j
    if isinstance(x, np.generic):
        return x.dtype.type(0) if x.dtype.kind in "fc" else np.float64(0)
    if isinstance(x, list):
        return [zero_of(v) for v in x]
    if isinstance(x, tuple):
        return [zero_of(v) for v in x]  # cotangents are added in place; `owned` gives them the structure of x
    if isinstance(x, dict):
        return {key: zero_of(v) for key, v in x.items()}
    return 0 if _is_number(x) and not isinstance(x, str) else None


def broadcast_like(g: Any, x: Any) -> Any:
    """`g` spread to the shape of `x`; it may be read-only."""
    return np.broadcast_to(g, np.shape(x)) if np.shape(g) != np.shape(x) else g


def owned(g: Any, x: Any) -> Any:
    """A fresh writable array of the shape and dtype of `x`, filled with `g`; `g` itself where x is a number.

    A list, tuple or dict part by part; what carries no derivative there has None.
    """
    if isinstance(x, list):
        return [owned_part(p, v) for p, v in zip(each(g, x), x, strict=True)]
    if isinstance(x, tuple):
        parts = [owned_part(p, v) for p, v in zip(each(g, x), x, strict=True)]
        return type(x)(*parts) if hasattr(x, "_fields") else tuple(parts)
    if isinstance(x, dict):
        return {key: owned_part(g[key], v) for key, v in x.items()}
    if x is None or isinstance(x, (bool, str)):
        return None
    if g is None:  # an object, of which nothing was read
        return with_fields(x, **{name: owned_part(zero_of(v), v) for name, v in attributes(x).items()})
    if not isinstance(x, np.ndarray):
        return unbroadcast(g, x)
    out = np.empty(x.shape, x.dtype if x.dtype.kind in "fc" else np.float64)
    out[...] = g.real if out.dtype.kind == "f" and np.iscomplexobj(g) else g
    return out


def owned_part(g: Any, x: Any) -> Any:
    """`owned(g, x)` of a part of a structure: None for an integer."""
    discrete = isinstance(x, (int, np.integer, np.bool_)) or (isinstance(x, np.ndarray) and x.dtype.kind not in "fc")
    return None if discrete else owned(g, x)


def check_seed(seed: Any, value: Any, name: str) -> None:
    """Raise ValueError unless `seed` has the structure and shape of `value`: a seed is never broadcast. None asks for nothing."""
    if value is None:
        return
    if isinstance(value, dict):
        if not isinstance(seed, dict) or seed.keys() != value.keys():
            raise ValueError(f"{name} has not the keys of the dict that it belongs to: {', '.join(map(repr, value))}")
        for key in value:
            check_seed(seed[key], value[key], f"{name}[{key!r}]")
        return
    if isinstance(value, (list, tuple)) and isinstance(seed, (list, tuple)):
        if len(seed) != len(value):
            raise ValueError(f"{name} has {len(seed)} parts, the value it belongs to has {len(value)}")
        for k in range(len(value)):
            check_seed(seed[k], value[k], f"{name}[{k}]")
        return
    if isinstance(value, tuple):
        raise ValueError(f"{name} must be a tuple, as the value it belongs to is")
    if np.shape(seed) != np.shape(value):
        raise ValueError(f"{name} has shape {np.shape(seed)}, the value it belongs to has shape {np.shape(value)}")
    if isinstance(value, np.ndarray) and value.ndim and not (isinstance(seed, np.ndarray) and seed.dtype.kind in "fcO"):
        raise ValueError(f"{name} must be an array of floats, as the value it belongs to is an array")


def check_item(items: Any, old: Any) -> None:
    """Raise TypeError if `items[i] op= v` updates an array in a list, which other names may see, where it was taken to replace a number."""
    if isinstance(items, (list, dict)) and isinstance(old, (np.ndarray, list)):
        raise TypeError("an array in a list is updated in place; state its type: annotate the list, or use .specialize(...)")


def check_replaced(old: Any, new: Any) -> None:
    """Raise TypeError if a list in a list is replaced by one of another length: their cotangents could not take turns."""
    if not isinstance(old, (list, tuple)) or len(old) != len(new):
        raise TypeError("a list in a list is replaced by one of another length; build a new list of lists")


def check_scalar(value: Any, name: str) -> None:
    """Raise TypeError unless `value`, the result of the function `name`, is one real number."""
    if np.shape(value) != ():
        raise TypeError(f"grad needs a scalar: {name} returned an array of shape {np.shape(value)}; use jacobian or vjp")
    if np.iscomplexobj(value):
        raise TypeError(f"grad needs a real result: {name} returned a complex number; use vjp, or np.real of it")


def last_writes(index: Any, shape: tuple[int, ...]) -> Any:
    """Where a store `x[index] = v` into an x of this shape kept its value: False at the earlier ones of repeated indices."""
    places = np.arange(math.prod(shape)).reshape(shape)[index]
    order = np.arange(places.size).reshape(places.shape)
    writer = np.empty(math.prod(shape), order.dtype)
    writer[places] = order
    return writer[places] == order


def count(x: Any, axis: Any = None) -> int:
    """How many elements of `x` a reduction over `axis` combines into one."""
    shape = np.shape(x)
    if axis is None:
        return math.prod(shape)
    return math.prod(shape[i] for i in axis) if isinstance(axis, tuple) else shape[axis]


def expanded(g: Any, x: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """`g`, which has the shape of a reduction of `x` over `axis`, in a shape that broadcasts to that of x."""
    return g if axis is None or keepdims else np.expand_dims(g, axis)


def others_product(xs: Any) -> list[Any]:
    """For each element of a sequence the product of all others, without dividing: zeros are welcome."""
    before = [1.0]
    for x in xs[:-1]:
        before.append(before[-1] * x)
    after = 1.0
    out = []
    for k in range(len(xs) - 1, -1, -1):
        out.append(before[k] * after)
        after = after * xs[k]
    return out[::-1]


def phase(x: Any) -> Any:
    """x / |x|, and 0 at 0: the sign of a real number, the direction of a complex one."""
    return np.sign(x)


def pick(chosen: Any, values: Any, parts: Any) -> Any:
    """The part that belongs to the value that max or min chose: the first equal to it."""
    if len(values) == 1:
        values, parts = values[0], parts[0]
    return parts[list(values).index(chosen)]


def pick_adjoint(g: Any, chosen: Any, values: Any) -> list[Any]:
    """The adjoints of the arguments of max or min: `g` for the one chosen, 0.0 for the others."""
    choices = list(values[0]) if len(values) == 1 else list(values)
    position = choices.index(chosen)
    parts = [g if k == position else 0.0 for k in range(len(choices))]
    if len(values) > 1:
        return parts
    return [np.array(parts) if isinstance(values[0], np.ndarray) else parts]


# ---- elements moved back where shapes.py moved them from ----


def inverse(axes: Any) -> tuple[int, ...]:
    """The permutation of axes that undoes `axes`."""
    forward = [a % len(axes) for a in axes]
    return tuple(forward.index(k) for k in range(len(axes)))


def split_like(g: Any, arrays: Any, axis: int | None) -> list[Any]:
    """`g` cut along `axis` into pieces of the shapes of `arrays`, which were joined to its shape."""
    if axis is None:
        g, axis = np.reshape(g, -1), 0
        lengths = [np.size(a) for a in arrays]
    else:
        lengths = [np.shape(a)[axis] if np.ndim(a) == g.ndim else 1 for a in arrays]
    pieces, start = [], 0
    for a, n in zip(arrays, lengths, strict=True):
        piece = g[(slice(None),) * (axis % g.ndim) + (slice(start, start + n),)]
        pieces.append(np.reshape(piece, np.shape(a)))
        start += n
    return pieces


def scattered(g: Any, x: Any, index: Any) -> Any:
    """Zeros of the shape of `x` with `g` added at `index`: the adjoint of `x[index]`. Repeated indices accumulate."""
    out = zero_of(x)
    np.add.at(out, index, unbroadcast(g, out[index]))
    return out


def taken_back(g: Any, x: Any, indices: Any, axis: int | None) -> Any:
    """Zeros of the shape of `x` with `g` added where np.take(x, indices, axis) took its elements."""
    if axis is None:
        return np.reshape(scattered(g, np.reshape(x, -1), indices), np.shape(x))
    return scattered(g, x, (slice(None),) * (axis % np.ndim(x)) + (np.asarray(indices),))


def untiled(g: Any, x: Any, reps: Any) -> Any:
    """The sum of the copies that np.tile(x, reps) made."""
    reps = (reps,) if np.ndim(reps) == 0 else tuple(reps)
    rank = max(len(reps), np.ndim(x))
    reps = (1,) * (rank - len(reps)) + reps
    shape = (1,) * (rank - np.ndim(x)) + np.shape(x)
    interleaved = [n for pair in zip(reps, shape, strict=True) for n in pair]
    return np.reshape(np.sum(np.reshape(g, interleaved), axis=tuple(range(0, 2 * rank, 2))), np.shape(x))


def unrepeated(g: Any, x: Any, repeats: Any, axis: int | None) -> Any:
    """The sum of the copies of each element that np.repeat(x, repeats, axis) made."""
    shape = np.shape(x)
    flat = (math.prod(shape),) if axis is None else shape
    axis = 0 if axis is None else axis
    source = np.repeat(np.arange(flat[axis]), repeats)
    moved = np.moveaxis(np.asarray(g), axis, 0)
    out = np.zeros((flat[axis], *moved.shape[1:]), moved.dtype)
    np.add.at(out, source, moved)
    return np.reshape(np.moveaxis(out, 0, axis), shape)


def unresized(g: Any, x: Any) -> Any:
    """The sum of the copies of each element that np.resize(x, ...) made."""
    out = np.zeros(np.size(x), np.asarray(g).dtype)
    np.add.at(out, np.arange(np.size(g)) % max(out.size, 1), np.ravel(g))
    return np.reshape(out, np.shape(x))


def unwindowed(g: Any, x: Any, window_shape: Any, axis: Any = None) -> Any:
    """Zeros of the shape of `x` with `g` added where sliding_window_view(x, window_shape, axis) shows its elements."""
    out = zero_of(x)
    windows = sliding_window_view(out, window_shape, axis, writeable=True)
    for place in np.ndindex(windows.shape[np.ndim(x) :]):  # each element of the window shows no element of x twice
        windows[..., *place] += g[..., *place]
    return out


def unpadded(g: Any, x: Any, pad_width: Any) -> Any:
    """The middle of `g`, where np.pad put x."""
    before = np.broadcast_to(pad_width, (np.ndim(x), 2))[:, 0]
    return g[tuple(slice(b, b + n) for b, n in zip(before, np.shape(x), strict=True))]


def resampled(g: Any, x: Any, pad_width: Any, mode: str) -> Any:
    """The adjoint of a np.pad that copies elements of x: each gets the sum over its copies."""
    if mode not in ("edge", "reflect", "symmetric", "wrap"):
        raise ValueError(f"the derivative of np.pad with mode={mode!r} is not known")
    source = np.pad(np.arange(np.size(x)).reshape(np.shape(x)), pad_width, mode=mode)  # type: ignore[call-overload]
    out = np.zeros(np.size(x), np.asarray(g).dtype)
    np.add.at(out, source, g)
    return np.reshape(out, np.shape(x))


def flat_index(i: Any, shape: tuple[int, ...], mode: str = "raise") -> Any:
    """The index of the elements that `x.flat[i]` means, for an x of this shape."""
    size = math.prod(shape)
    if isinstance(i, slice):
        i = range(*i.indices(size))
    elif np.asarray(i).dtype == bool:
        i = np.flatnonzero(i)
    elif mode == "wrap":
        i = np.mod(i, size)
    elif mode == "clip":
        i = np.clip(i, 0, size - 1)
    i = np.asarray(i, int)
    if np.any((i < -size) | (i >= size)):
        raise IndexError(f"an index is out of bounds for an array of {size} elements")
    return np.unravel_index(i % size if size else i, shape)


def along_axis(indices: Any, shape: tuple[int, ...], axis: int | None) -> Any:
    """The index of the elements that np.take_along_axis(x, indices, axis) means, for an x of this shape."""
    if axis is None:
        return flat_index(indices, shape)
    places = [np.arange(n).reshape([-1 if k == j else 1 for j in range(len(shape))]) for k, n in enumerate(shape)]
    places[axis] = indices
    return tuple(places)


# ---- predicates of rules: True only where certain ----


def literal(x: Any) -> bool:
    """Whether x stands in the source as a literal: no value does."""
    return False


def known_none(x: Any) -> bool:
    return x is None


def known_equal(x: Any, value: Any) -> bool:
    return type(x) is type(value) and x == value


def known_scalar(x: Any) -> bool:
    return np.ndim(x) == 0 and not isinstance(x, np.ndarray)


def known_float(x: Any) -> bool:
    return type(x) is float


def known_array(x: Any) -> bool:
    return isinstance(x, np.ndarray)


def known_rank(x: Any, rank: int) -> bool:
    return x is not None and np.ndim(x) == rank


def known_inexact(dtype: Any) -> bool:
    """Whether `dtype` is of floating-point or complex numbers."""
    return bool(np.issubdtype(dtype, np.inexact))


def known_real(x: Any) -> bool:
    return not np.iscomplexobj(x)


def known_mask(x: Any) -> bool:
    return isinstance(x, np.ndarray) and x.dtype == bool


def known_distinct(index: Any) -> bool:
    """Whether an index names no element twice."""
    return isinstance(index, (int, slice)) or known_mask(index)


# ---- cotangents of memory ----


def add_at(buffer: Any, index: Any, value: Any) -> None:
    """Add `value` to `buffer[index]`; what an index names twice adds up. `buffer` is an array or a list of cotangents."""
    if isinstance(buffer, np.ndarray):
        np.add.at(buffer, index, value)
    elif isinstance(index, slice):
        places = list(range(len(buffer)))[index]
        for k in range(len(places)):
            buffer[places[k]] = plus(buffer[places[k]], value[k])
    else:
        buffer[index] = plus(buffer[index], value)


def zero_parts(x: Any) -> Any:
    """The zero cotangents of the parts of a list or tuple, as a list that can be added to."""
    return [] if x is None else [zero_of(v) for v in x]


def each(g: Any, x: Any) -> Any:
    """The cotangents of the parts of a list or tuple x: those of g, or g for every part, if it is one number."""
    return g if isinstance(g, (list, tuple)) or np.ndim(g) > 0 else [g for _ in x]


def add_each(buffer: Any, parts: Any) -> None:
    """Add the parts to the elements of a list of cotangents."""
    for k, part in enumerate(each(parts, buffer)):
        buffer[k] = plus(buffer[k], part)


def add_into_each(buffers: Any, parts: Any) -> None:
    """Add the parts to the arrays or lists of a list of cotangents, in place: other names may know these."""
    for buffer, part in zip(buffers, each(parts, buffers), strict=True):
        if isinstance(buffer, list):
            add_each(buffer, part)
        else:
            buffer += part


def shared_as(view: Any, y: Any, x: Any) -> Any:
    """The cotangent of y, which is x in another shape: `view` of that of x if y is a view too, and zeros if it is a copy."""
    return view if np.may_share_memory(y, x) else np.zeros_like(y)


def add_unless_shared(buffer: Any, value: Any) -> None:
    """Add the cotangent of what may be a copy, unless it is the very memory."""
    if not np.may_share_memory(buffer, value):
        buffer += value


def plus(a: Any, b: Any) -> Any:
    """The sum of two cotangents, part by part where one is a list, tuple or dict; a number is that of each part."""
    if isinstance(b, (list, tuple, dict)) and not isinstance(a, (list, tuple, dict)):
        return plus(b, a)
    if isinstance(a, list):
        return [plus(p, q) for p, q in zip(a, each(b, a), strict=True)]
    if isinstance(a, tuple):
        return tuple([plus(p, q) for p, q in zip(a, each(b, a), strict=True)])
    if isinstance(a, dict):
        return {key: plus(p, b[key] if isinstance(b, dict) else b) for key, p in a.items()}
    if a is None or b is None:
        return b if a is None else a
    return a + b


def owned_unbroadcast(g: Any, x: Any) -> Any:
    """`unbroadcast(g, x)` in memory of its own."""
    fitted = unbroadcast(g, x)
    return fitted.copy() if isinstance(fitted, np.ndarray) and isinstance(g, np.ndarray) else fitted


def zero_gradient(x: Any) -> Any:
    """The gradient by an argument that nothing depends on: zeros in its structure, None where no derivative is."""
    return owned(zero_of(x), x)


def attributes(x: Any) -> dict[str, Any]:
    """What an object holds, by name."""
    names: Any = getattr(x, "__dict__", None) or getattr(x, "__dataclass_fields__", ())
    return {name: getattr(x, name) for name in names}


def with_fields(x: Any, /, **fields: Any) -> Any:
    """An object of the class of `x`, or of the class x, with these attributes and no others; its __init__ does not run."""
    cls: Any = x if isinstance(x, type) else type(x)
    new = cls.__new__(cls)
    for name, value in fields.items():
        object.__setattr__(new, name, value)
    return new


def kept(x: Any) -> Any:
    """`x` as it is now, whatever the caller writes into it later."""
    if isinstance(x, np.ndarray):
        return x.copy()
    if isinstance(x, dict):
        return {key: kept(v) for key, v in x.items()}
    if isinstance(x, (list, tuple)):
        parts = [kept(v) for v in x]
        return parts if isinstance(x, list) else type(x)(*parts) if hasattr(x, "_fields") else tuple(parts)
    held = {} if isinstance(x, (type, type(np), type(kept))) else attributes(x)
    copies = {name: kept(v) for name, v in held.items()}
    return with_fields(x, **copies) if any(copies[name] is not v for name, v in held.items()) else x


def working_copy(x: Any) -> Any:
    """A copy of an argument that the way back may write into; what a list or dict holds is not copied."""
    return x.copy() if isinstance(x, (np.ndarray, list, dict)) else x


def working_copies(xs: Any) -> Any:
    """Copies of the arrays of a list that is an argument, which the way back may write into."""
    return [x.copy() for x in xs]


def put_back_each(to: Any, xs: Any) -> None:
    """Make the arrays of the list `to` what their working copies are."""
    for old, new in zip(to, xs, strict=True):
        old[...] = new


def put_back(to: Any, x: Any) -> None:
    """Make the argument `to` what its working copy `x` is."""
    if isinstance(x, np.ndarray):
        to[...] = x
    elif isinstance(x, list):
        to[:] = x
    elif isinstance(x, dict):
        to.clear()
        to.update(x)


def check_separate(name: str, written: Any, **others: Any) -> None:
    """Raise ValueError if the argument `written`, which the function writes into, shares memory with another argument.

    Of a list of arrays or lists, which may be written one by one, each is compared with the others too.
    """
    if isinstance(written, list) and written and isinstance(written[0], (np.ndarray, list)):
        for k, part in enumerate(written):
            check_separate(f"{name}[{k}]", part, **others, **{f"{name}[{j}]": written[j] for j in range(k)})
    for other, value in others.items():
        if value is not written and (isinstance(value, (tuple, list, dict)) or hasattr(value, "__dict__")):
            parts = value if isinstance(value, (tuple, list)) else (value if isinstance(value, dict) else attributes(value)).values()
            check_separate(name, written, **{f"{other}[{k}]": p for k, p in enumerate(parts) if not isinstance(p, (float, int))})
        if isinstance(written, np.ndarray) and isinstance(value, np.ndarray) and np.may_share_memory(written, value):
            if np.shares_memory(written, value, max_work=10**6):  # type: ignore[arg-type]
                raise ValueError(f"the arguments {name} and {other} share memory, and the function writes into one of them; pass a copy")
        elif isinstance(written, list) and written is value:
            raise ValueError(f"the arguments {name} and {other} are one list, and the function writes into it; pass a copy")


# ---- Jacobians ----


def unit_directions(x: Any) -> Any:
    """The unit vectors of x's space, one a row: an array of shape (x.size,) + x.shape."""
    if isinstance(x, (list, tuple, dict)):
        raise TypeError(f"a Jacobian by a {type(x).__name__} is written for its parts: call the derivative itself, or specialize it")
    x = np.asarray(x)
    return np.eye(x.size, dtype=x.dtype).reshape((x.size, *x.shape))


def stacked_columns(columns: Any, value: Any, x: Any) -> Any:
    """The Jacobian of shape value.shape + x.shape from the tangents of `value` along the unit directions of x.

    Of a list or tuple the Jacobians of its elements.
    """
    if isinstance(value, (list, tuple)):
        return type(value)([stacked_columns([c[k] for c in columns], v, x) for k, v in enumerate(value)])
    shape = np.shape(value) + np.shape(x)
    return np.stack(columns, axis=-1).reshape(shape) if columns else np.zeros(shape)


def stacked_rows(rows: Any, value: Any, x: Any) -> Any:
    """The Jacobian of shape value.shape + x.shape from the gradients of each element of `value`."""
    shape = np.shape(value) + np.shape(x)
    return np.stack(rows).reshape(shape) if rows else np.zeros(shape)


def zero_jacobian(value: Any, x: Any) -> Any:
    """Zeros of shape value.shape + x.shape, of x's dtype."""
    return np.zeros(np.shape(value) + np.shape(x), np.asarray(x).dtype)
