"""Dicts, and lists whose length is known, made and changed in the function; functions of Python that take functions."""

import functools
import itertools

import numpy as np

from tests.corpus import Program

WEIGHTS = {"a": 2.0, "b": 0.5}


def dict_changed(x):
    d = {}
    d["a"] = x
    d["b"] = d["a"] ** 2
    d["a"] = 3.0 * d["b"]
    d.update(c=x * d["a"])
    d["c"] += x
    d["a"] *= 2.0
    del d["a"]
    return d.get("c", 0.0) + d.pop("b") + d.setdefault("z", x) + len(d) * d["z"]


def dict_in_a_loop(x, n):
    state = {"pos": x, "vel": 1.0, "steps": 0}
    for _ in range(n):
        state["pos"] = state["pos"] + 0.1 * state["vel"]
        state["vel"] -= 0.1 * np.sin(state["pos"])
        state["steps"] += 1
    return state["pos"] * state["vel"] + state["steps"]


def dict_of_lists(x):
    d = {"even": [], "odd": []}
    for k in range(5):
        d["even" if k % 2 == 0 else "odd"].append(x**k)
    return sum(d["even"]) * sum(d["odd"])


def dict_shared(x):
    d = {"v": x}
    e = d
    copy = dict(d)
    e["v"] = x * x
    return d["v"] * copy["v"]


def dict_branches(x):
    d = {"v": x, "w": 1.0}
    if x > 0.5:
        d["v"] = x**3
    else:
        d["w"] = x
    return d["v"] * d["w"]


def dict_views(x):
    d = {"p": x, "q": x * x}
    total = 0.0
    for key, value in d.items():
        d[key] = value * 2.0
        total += len(key) * value
    for value in d.values():
        total *= value
    return total + sum(d[k] for k in sorted(d, reverse=True)) + sum({**d, "p": 1.0}.values())


def dict_of_functions(x):
    table = {"sin": np.sin, "square": lambda v: v * v, "scaled": functools.partial(np.multiply, 3.0)}
    for name in table:
        x = table[name](x)
    return x


def dict_comprehension(x):
    d = {k: x**k for k in (1, 2, 3)}
    tags = {k % 2 for k in d}
    return sum(d[k] for k in sorted(d)) * len(tags) + d.get(7, 1.0) * (2 in d)


def global_dict(x):
    return sum(w * x**k for k, (name, w) in enumerate(WEIGHTS.items())) + WEIGHTS["a"] * x


def keywords(x, **options):
    options["rate"] = options["rate"] * x
    options.setdefault("power", 2)
    return options["rate"] ** options["power"]


def called_with_keywords(x):
    options = {"rate": x}
    return keywords(x, **options) + options["rate"]


def list_edited(x):
    items = [x, 1.0]
    items.insert(0, x * x)
    items.extend([2.0 * x, 7.0])
    items[1:3] = [x**3]
    del items[-1]
    items += [x]
    items[0] *= 2.0
    items.reverse()
    last = items.pop(0)
    return sum(v * (i + 1) for i, v in enumerate(items, 1)) + last * items[-1]


def list_of_functions(x):
    fs = [lambda v, k=k: v**k for k in (1, 2, 3)]
    fs.append(np.sin)
    return sum(g(x) for g in fs)


def list_changed_while_iterated(x):
    items = [lambda v: v, np.sin, np.exp]
    total = x
    for k, g in enumerate(items):
        total = g(total)
        if k == 0:
            items[1] = np.cos
    return total


def list_handed_over(x):
    def extend(items, v):
        items.append(v * v)
        items.insert(0, v)
        return items

    mine = extend([x, 2.0], x)
    return mine[0] * mine[1] * mine[-1] + len(mine)


def list_of_lists(x):
    rows = [[x, 1.0], [2.0, x * x]]
    rows[0][1] = x
    rows.append(list(rows[0]))
    rows[0][0] = 3.0
    first, *rest = rows
    return first[0] * first[1] + sum(r[0] * r[1] for r in rest)


def stack_of_values(x):
    stack = [("num", x), ("num", 2.0), ("op", np.multiply)]
    values = []
    for kind, item in stack:
        if kind == "num":
            values.append(item)
        else:
            values.append(item(values.pop(), values.pop()))
    return values[0]


def nested_comprehension(x):
    grid = [[x * i + j for j in range(2)] for i in (1, 2, 3)]
    return sum(v**2 for row in grid for v in row)


def sorted_by_keys(x):
    s = sorted(x, key=lambda v: -v)
    t = sorted(x, reverse=True)
    return s[0] * 1.0 + s[1] * 10.0 + s[2] * 100.0 + max(x, key=abs) * min(x, key=lambda v: (v - 0.4) ** 2) + t[1] * x[0]


def folded(x, y):
    product = functools.reduce(lambda a, b: a * b + 1.0, [x, y, x, 3.0], 0.5)
    return product + sum(map(lambda a, b: a * b, (x, y), (y, 2.0))) + sum(filter(lambda v: v > 1.0, [x, y, x * y]))


def folded_arrays(x):
    scaled = map(lambda v: v * v, x)
    return functools.reduce(lambda a, b: a * 0.5 + b, list(scaled)) + sum(filter(lambda v: v > 0.6, x))


def iterated_tools(x, y):
    s = 0.0
    for a, b in itertools.product(x, y):
        s += a * b * b
    for a, b in itertools.combinations((s, x[0], y[1]), 2):
        s += a * b
    running = list(itertools.accumulate(x, lambda p, q: p * q))
    return s + running[-1] + sum(itertools.chain(x, y)) * sum(itertools.accumulate(y))


def joined_by_index(x):
    return np.sum(np.r_[x, 1.0, x * x] ** 2) + np.sum(np.c_[x, x * 2.0][:, 1])


def applied_to_elements(a):
    g = np.vectorize(lambda v: v * v if v > 0.5 else -v)
    return np.sum(g(a)) + np.sum(np.apply_along_axis(lambda r: r[0] * r[1], 1, a) * np.apply_along_axis(np.sum, 0, a))


PROGRAMS = [
    Program(dict_changed, (0.5,)),
    Program(dict_in_a_loop, (0.5, 4)),
    Program(dict_of_lists, (0.5,)),
    Program(dict_shared, (0.5,)),
    Program(dict_branches, (0.7,)),
    Program(dict_branches, (0.3,), name="dict_other_branch"),
    Program(dict_views, (0.5,)),
    Program(dict_of_functions, (0.5,)),
    Program(dict_comprehension, (0.5,)),
    Program(global_dict, (0.5,)),
    Program(called_with_keywords, (0.5,)),
    Program(list_edited, (0.5,)),
    Program(list_of_functions, (0.5,)),
    Program(list_changed_while_iterated, (0.5,)),
    Program(list_handed_over, (0.5,)),
    Program(list_of_lists, (0.5,)),
    Program(stack_of_values, (0.5,)),
    Program(nested_comprehension, (0.5,)),
    Program(sorted_by_keys, (np.array([0.5, -1.5, 2.5]),)),
    Program(folded, (0.9, 2.0), (0, 1)),
    Program(folded_arrays, (np.array([0.5, 0.7, 1.5]),)),
    Program(iterated_tools, (np.array([0.5, 1.5]), np.array([0.7, 1.1])), (0, 1)),
    Program(applied_to_elements, (np.array([[0.9, 0.2], [0.1, 0.8]]),)),
    Program(joined_by_index, (np.array([0.7, 1.2]),)),
]
