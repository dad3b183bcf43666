"""Random programs with objects: aliases, writes through them, dicts, a list of objects, branches and loops. Their texts alone."""

from __future__ import annotations

import random

HEADER = """
class O:
    def __init__(self, v, w=1.0):
        self.v = v
        self.w = w
        self.c = None

    def bump(self, d):
        self.v = self.v + d * self.w

    def twin(self):
        return O(self.w, self.v)

    @property
    def s(self):
        return self.v + self.w

    def __add__(self, o):
        return O(self.v + o.v, self.w * 0.5 + o.w)

    def __iadd__(self, o):
        self.v = self.v + 0.5 * o.v
        return self
"""
START = """
def f(x, y, n):
    z = x * y
    a, b = O(x, y), O(y)
    e = O(z, 0.5)
    d = {"a": x, "b": 1.0}
    h = {"a": y, "b": z}
    L = [a, O(0.7, x)]
"""
RESULT = 'a.v * 1.1 + b.v * a.w + e.s * 0.7 + b.w + d["a"] * h["b"] + d["b"] + h["a"] + L[0].v * L[1].w + z'


class Writer:
    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.lines: list[str] = []
        self.loops = 0

    def program(self) -> str:
        self.block(1, 0, self.random.randrange(4, 9))
        return f"{HEADER}\n{START}" + "\n".join([*self.lines, f"    return {RESULT}", ""])

    def one(self, *options: str) -> str:
        return self.random.choice(options)

    def number(self) -> str:
        return f"{self.random.uniform(0.2, 1.5):.2f}"

    def expression(self) -> str:
        kind = self.random.random()
        if kind < 0.3:
            return f"{self.one('a', 'b', 'e')}.{self.one('v', 'w', 's')}"
        if kind < 0.5:
            return self.one("x", "y", "z")
        if kind < 0.6:
            return f"{self.one('d', 'h')}[{self.key()}]"
        if kind < 0.7:
            return f"np.sin({self.expression()})"
        if kind < 0.8:
            return self.number()
        if kind < 0.9:
            return f"({self.expression()} * {self.expression()})"
        return f"({self.expression()} - 0.3 * {self.expression()})"

    def key(self) -> str:
        return self.one('"a"', '"b"')

    def simple(self) -> str:
        a, o, value, k = self.one("a", "b", "e"), self.one("a", "b", "e"), self.expression(), self.one("0", "1")
        x, y = self.random.sample(["a", "b", "e"], 2)
        return self.one(
            f"{a}.{self.one('v', 'w')} = {value}",
            f"{a}.v = {value}",
            f"{a}.v += {value}",
            f"{a}.bump({value})",
            f"{o} = {a}",
            f"{a} = O({value}, {self.expression()})",
            f"{a} = {o} + {self.one('a', 'b', 'e')}",
            f"{a} += {o}",
            f"{a} = {o}.twin()",
            f"{x}, {y} = {y}, {x}",
            f"{self.one('x', 'y', 'z')} = {value}",
            f"{self.one('d', 'h')}[{self.key()}] = {value}",
            f"d = {self.one('h', 'dict(h)', 'dict(d)')}",
            f"L[{k}] = {a}",
            f"{a} = L[{k}]",
            f"L[{k}].w = {value}",
            f"{a}.c = {o}",
        )

    def block(self, indent: int, depth: int, count: int) -> None:
        space = "    " * indent
        for _ in range(count):
            kind = self.random.random()
            if kind < 0.78 or depth == 2:
                self.lines.append(space + self.simple())
            elif kind < 0.9:
                self.lines.append(f"{space}if {self.expression()} > {self.number()}:")
                self.block(indent + 1, depth + 1, self.random.randrange(1, 4))
                if self.random.random() < 0.6:
                    self.lines.append(f"{space}else:")
                    self.block(indent + 1, depth + 1, self.random.randrange(1, 3))
            else:
                self.loops += 1
                self.lines.append(f"{space}for k{self.loops} in {self.one('range(3)', 'range(n)', 'range(2)')}:")
                self.block(indent + 1, depth + 1, self.random.randrange(1, 4))
                if self.random.random() < 0.2:
                    self.lines += [f"{space}    if {self.expression()} > 1.3:", f"{space}        break"]
