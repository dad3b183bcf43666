"""Random programs full of what desugar takes apart: exits, short circuits, walruses, comprehensions, effects in every place.

Each call of `tick` writes into a log, so a program that evaluates its parts in another order is found out.
"""

from __future__ import annotations

import random


class Writer:
    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.count = 0
        self.in_comprehension = 0

    def tick(self) -> str:
        self.count += 1
        return f"tick({self.count}, {self.random.randint(0, 3)})"

    def expression(self, depth: int = 0) -> str:
        if depth > 1 or self.random.random() < 0.3:
            return self.random.choice(["a", "b", "c", "1", "2", "L[0]", "L[1]", self.tick()])
        if self.random.random() < 0.25:
            self.in_comprehension += 1  # Python allows no walrus in what is iterated over
            made = self.comprehension(depth + 1)
            self.in_comprehension -= 1
            return made
        return self.operation(depth + 1)

    def operation(self, d: int) -> str:
        e, kind = self.expression, self.random.randint(0, 9)
        if kind == 0:
            return f"({e(d)} + {e(d)})"
        if kind == 1:
            return f"({e(d)} * {e(d)})"
        if kind == 2:
            return f"({e(d)} if {self.test(d)} else {e(d)})"
        if kind == 3:
            return f"({e(d)} and {e(d)})"
        if kind == 4:
            return f"({e(d)} or {e(d)})"
        if kind == 5:
            return self.tick() if self.in_comprehension else f"({self.random.choice('abc')} := {e(d)})"
        if kind == 6:
            return f"(lambda q, z={e(d)}: q + z + {self.random.choice('abq')})({e(d)})"
        if kind == 7:
            return f"int({e(d)} < {e(d)} <= {e(d)})"
        if kind == 8:
            return f"bump(L, {e(d)})"
        return f"sum([*[{e(d)}, {e(d)}], {e(d)}])"

    def comprehension(self, d: int) -> str:
        e, kind = self.expression, self.random.randint(0, 3)
        if kind == 0:
            return f"sum({e(d)} + v for v in ({e(d)}, {e(d)}) if {self.test(d)})"
        if kind == 1:
            return f"len([({e(d)}, v) for v in range({self.random.randint(0, 3)}) for w in (v, {e(d)}) if w])"
        if kind == 2:
            return f"int(any(v > {e(d)} for v in ({e(d)}, {e(d)}, {e(d)})))"
        return f"int(all(v != w for v in ({e(d)}, 2) for w in (1, {e(d)})))"

    def test(self, depth: int = 0) -> str:
        kind = self.random.randint(0, 7)
        if kind < 3 and depth > 2:
            return self.random.choice("abc")
        if kind == 0:
            return f"({self.test(depth + 1)} and {self.test(depth + 1)})"
        if kind == 1:
            return f"({self.test(depth + 1)} or {self.test(depth + 1)})"
        if kind == 2:
            return f"not {self.test(depth + 1)}"
        if kind == 3:
            return f"{self.expression(1)} < {self.expression(1)} < {self.expression(1)}"
        if kind == 4:
            return self.tick()
        return f"{self.expression(1)} {self.random.choice(['<', '>', '==', '!='])} {self.expression(1)}"

    def block(self, depth: int, in_loop: bool, many: int = 2) -> list[str]:
        return [line for _ in range(self.random.randint(1, many)) for line in self.statement(depth, in_loop)]

    def statement(self, depth: int, in_loop: bool) -> list[str]:
        if depth > 2 or self.random.random() < 0.5:
            return self.simple(in_loop)
        kind = self.random.randint(0, 8)
        if kind < 4:
            return self.branch(depth, in_loop)
        return self.for_loop(depth, in_loop) if kind < 7 else self.while_loop(depth, in_loop)

    def simple(self, in_loop: bool) -> list[str]:
        choose, e = self.random.choice, self.expression
        kind = self.random.randint(0, 9)
        if kind < 2:
            return [f"{choose('abc')} = {e()}"]
        if kind == 2:
            return [f"{choose('abc')} {choose('+-*%')}= {e()}"]
        if kind == 3:
            return [f"L[{choose(['0', '1', 'a % 2', self.tick() + ' % 2'])}] {choose('+*')}= {e()}"]
        if kind == 4:
            return [self.unpacking()]
        if kind == 5:
            return [f"a = b = {e()}"] if self.random.random() < 0.5 else [f"L[{e()} % 2] = {e()}"]
        if kind == 6 and in_loop:
            return [f"if {self.test()}:", f"    {choose(['break', 'continue'])}"]
        if kind == 7:
            return [f"if {self.test()}:", f"    return {e()}"]
        return [e()]

    def unpacking(self) -> str:
        e = self.expression
        return self.random.choice(
            [
                "a, b = b, a",
                "a, b, c = c, a, b",
                f"a, b = {e()}, {e()}",
                f"L[0], L[1] = L[1], {e()}",
                f"(a, b), c = ({e()}, {e()}), {e()}",
                f"a, *m = [{e()}, {e()}, {e()}]; b = sum(m)",
                f"i = 0; i, L[i] = 1, {e()}",
            ]
        )

    def branch(self, depth: int, in_loop: bool) -> list[str]:
        lines = [f"if {self.test()}:", *_indented(self.block(depth + 1, in_loop) + self.exit(in_loop))]
        if self.random.random() < 0.3:
            lines += [f"elif {self.test()}:", *_indented(self.block(depth + 1, in_loop))]
        if self.random.random() < 0.5:
            lines += ["else:", *_indented(self.block(depth + 1, in_loop) + self.exit(in_loop))]
        return lines

    def exit(self, in_loop: bool) -> list[str]:
        if self.random.random() < 0.7:
            return []
        return [self.random.choice(["break", "continue"]) if in_loop else f"return {self.expression()}"]

    def for_loop(self, depth: int, in_loop: bool) -> list[str]:
        e = self.expression
        heads = [
            f"i in range({self.random.randint(0, 4)})",
            f"i, a in enumerate(({e()}, {e()}))",
            "b in (x + tick(5, x) for x in (1, 2, 3) if x != c)",
        ]
        lines = [f"for {self.random.choice(heads)}:", *_indented(self.block(depth + 1, True))]
        return lines + self.loop_else(depth, in_loop)

    def while_loop(self, depth: int, in_loop: bool) -> list[str]:
        self.count += 1
        w = f"w{self.count}"
        tests = [f"{w} < {self.random.randint(0, 3)}", f"({w} < 3 and {self.test()})", f"{self.test()} and {w} < 2", "tick(77, 1)"]
        body = [f"{w} += 1", f"if {w} > 4: break", *self.block(depth + 1, True)]
        return [f"{w} = 0", f"while {self.random.choice(tests)}:", *_indented(body), *self.loop_else(depth, in_loop)]

    def loop_else(self, depth: int, in_loop: bool) -> list[str]:
        return ["else:", *_indented(self.block(depth + 1, in_loop))] if self.random.random() < 0.4 else []


def program(seed: int) -> str:
    writer = Writer(seed)
    body = writer.block(0, False, many=3)
    ending = ["return a, b, c"] if writer.random.random() < 0.8 else []
    return "\n".join(["def f(a, b, c, L):", *_indented(body + ending)]) + "\n"


def _indented(lines: list[str]) -> list[str]:
    return ["    " + line for line in lines]
