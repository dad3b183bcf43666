"""tidy keeps the meaning of random structured programs: numbers, arrays with views and in-place updates, stacks, loops with exits."""

from __future__ import annotations

import random
import textwrap
from typing import Any

import gast
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tidying_tools import FRESH, Outcome, facts_for, outcome, parse_function, print_tree

from sourcediff.python.lattice import UNKNOWN, Array, Float, Int, List, Type
from sourcediff.steps.tidy import tidy

pytestmark = pytest.mark.slow

USER = ("fa", "fb", "Aa", "Ab", "n", "La")
TYPES: dict[str, Type] = {"f": Float(), "A": Array(np.dtype(float), 1), "n": Int(), "i": Int(), "L": List(UNKNOWN)}


class Program:
    """Writes one program. A name's first letter is its kind: f number, A array of 3, i loop variable, L list of numbers."""

    def __init__(self, choose: random.Random) -> None:
        self.choose = choose
        self.bound = {"f": ["fa", "fb"], "A": ["Aa", "Ab"], "L": ["La"], "i": []}
        self.count = 0

    def text(self) -> str:
        lines = ["La = []", "Lt = []"]
        self.bound["L"].append("Lt")
        for _ in range(self.choose.randint(3, 10)):
            lines += self.statement(0)
        results = [self.name("f"), self.name("f"), self.name("A"), self.name("A")][: self.choose.randint(1, 4)]
        if self.choose.random() < 0.3:
            results.append("La")
        return "def f(fa, fb, Aa, Ab, n):\n" + textwrap.indent("\n".join([*lines, "return " + ", ".join(results)]), "    ") + "\n"

    def name(self, kind: str) -> str:
        """Rather one that was bound lately."""
        names = self.bound[kind]
        return self.choose.choice(names[-3:] if self.choose.random() < 0.7 else names)

    def target(self, kind: str) -> str:
        """A name to assign to: a known one, or a new temporary."""
        if self.choose.random() < 0.3:
            return self.name(kind)
        self.count += 1
        return f"{kind}t{self.count}"

    def bind(self, name: str) -> str:
        names = self.bound[name[0]]
        if name in names:
            names.remove(name)
        names.append(name)
        return name

    def atom(self) -> str:
        return self.choose.choice([self.name("f"), self.name("f"), self.name("f"), "1.0", "0.0", "2", "0.5", "1", "-1"])

    def real(self) -> str:
        return self.choose.choice([self.name("f"), self.name("f"), self.name("f"), "1.0", "0.0", "0.5"])

    def index(self) -> str:
        if self.bound["i"] and self.choose.random() < 0.5:
            return self.name("i")
        return self.choose.choice(["0", "1", "2", "-1"])

    def number(self) -> str:
        a, b, c = self.real(), self.atom(), self.atom()
        return self.choose.choice(
            [a, a, f"{a} + {b}", f"{a} - {b}", f"{a} * {b}", f"{a} * {b}", f"-{self.name('f')}", f"{a} * -{self.name('f')}"]
            + [f"np.sin({a})", f"{self.name('A')}[{self.index()}]", f"np.sum({self.name('A')})", f"log({self.name('f')})"]
            + [f"-{self.name('f')} + {b} * {c}", f"{a} * 2 * {self.name('f')}", f"({a} + {b}) * {c}", f"stir({self.name('A')})"]
            + [f"len({self.name('L')}) * {self.name('f')}", f"{self.name('f')} + {a} + -{self.name('f')}"]
        )

    def array(self) -> str:
        a, b = self.name("A"), self.name("A")
        return self.choose.choice(
            [a, f"{a} + {b}", f"{a} * {self.atom()}", f"1.0 * {a}", f"{a}[::-1]", f"np.zeros_like({a})", f"{a}.copy()", "np.zeros(3)"]
            + [f"{a} * {b}", f"-{a}", f"{a} - {b}", f"np.sin({a})"]
        )

    def statement(self, depth: int) -> list[str]:
        kinds = (
            ["hazard"] * 6
            + ["again"] * 4
            + ["number"] * 5
            + ["array"] * 3
            + ["update", "store", "store", "accumulate", "accumulate", "append", "pop", "swap", "effect"]
        )
        if depth < 2:
            kinds += ["if", "for", "for", "while", "exit"]
        return getattr(self, "a_" + self.choose.choice(kinds))(depth)

    def a_number(self, depth: int) -> list[str]:
        value = self.number()
        return [f"{self.bind(self.target('f'))} = {value}"]

    def a_hazard(self, depth: int) -> list[str]:
        """A temporary, something that may disturb what it was computed from, its use."""
        self.count += 1
        kind = self.choose.choice("ffA")
        temporary = f"{kind}t{self.count}"
        lines = [f"{temporary} = {self.number() if kind == 'f' else self.array()}"]
        lines += [line for _ in range(self.choose.randint(0, 2)) for line in self.disturbance(depth)]
        value = self.choose.choice(
            [temporary, f"{self.name(kind)} * {temporary}", f"{temporary} - {self.name('f')}", f"np.sin({temporary})"]
        )
        if kind == "f":
            value = self.choose.choice([value, f"{self.name('A')}[1] + {temporary}", f"stir({self.name('A')}) * {temporary}"])
        return [*lines, f"{self.bind(self.target(kind))} = {value}"]

    def a_again(self, depth: int) -> list[str]:
        """The same value twice, with something between."""
        self.count += 1
        kind = self.choose.choice("ffA")
        value = self.number() if kind == "f" else self.array()
        lines = [f"{kind}t{self.count} = {value}"]
        lines += [line for _ in range(self.choose.randint(0, 2)) for line in self.disturbance(depth)]
        self.bind(f"{kind}t{self.count}")
        return [*lines, f"{self.bind(self.target(kind))} = {value}"]

    def disturbance(self, depth: int) -> list[str]:
        kinds = ["update", "store", "accumulate", "swap", "effect", "append", "number", "array", "pop"] + ["if", "for"] * (depth < 2)
        return getattr(self, "a_" + self.choose.choice(kinds))(depth)

    def a_array(self, depth: int) -> list[str]:
        value = self.array()
        return [f"{self.bind(self.target('A'))} = {value}"]

    def a_update(self, depth: int) -> list[str]:
        if self.choose.random() < 0.5:
            return [f"{self.name('f')} {self.choose.choice(['+=', '-='])} {self.number()}"]
        return [f"{self.name('A')} {self.choose.choice(['+=', '-='])} {self.choose.choice([self.array(), self.atom()])}"]

    def a_store(self, depth: int) -> list[str]:
        if self.choose.random() < 0.3:
            return [f"{self.name('A')}[:] = {self.array()}"]
        return [f"{self.name('A')}[{self.index()}] = {self.number()}"]

    def a_accumulate(self, depth: int) -> list[str]:
        line = f"{self.name('A')}[{self.index()}] {self.choose.choice(['+=', '-='])} "
        again = line if self.choose.random() < 0.5 else f"{self.name('A')}[{self.index()}] += "
        return [line + self.number(), again + self.number()][: self.choose.randint(1, 2)]

    def a_append(self, depth: int) -> list[str]:
        return [f"{self.name('L')}.append({self.choose.choice([self.name('f'), self.number()])})"]

    def a_pop(self, depth: int) -> list[str]:
        stack = self.name("L")
        target = self.target("f")
        return [
            f"{stack}.append({self.name('f')})",
            *self.a_number(depth)[: self.choose.randint(0, 1)],
            f"{self.bind(target)} = {stack}.pop()",
        ]

    def a_swap(self, depth: int) -> list[str]:
        kind = self.choose.choice("fA")
        a, b = self.name(kind), self.name(kind)
        return [f"{a}, {b} = {b}, {a}"]

    def a_effect(self, depth: int) -> list[str]:
        return [
            self.choose.choice(
                [f"log({self.name('f')})", f"stir({self.name('A')})", f"assert {self.name('f')} == {self.name('f')} or True"]
            )
        ]

    def inner(self, depth: int) -> list[str]:
        """A block whose new names are not known behind it."""
        before = {kind: list(names) for kind, names in self.bound.items()}
        lines = [line for _ in range(self.choose.randint(1, 4)) for line in self.statement(depth + 1)]
        self.bound = before
        return ["    " + line for line in lines]

    def a_if(self, depth: int) -> list[str]:
        self.count += 1
        test = self.choose.choice(["{} > {}".format(self.name("f"), self.atom()), "not {} > 0".format(self.name("f")), "True", "False"])
        lines = [f"ct{self.count} = {test}", f"if ct{self.count}:", *self.inner(depth)]
        return lines + ["else:", *self.inner(depth)] if self.choose.random() < 0.5 else lines

    def a_for(self, depth: int) -> list[str]:
        self.count += 1
        variable = f"i{self.count}"
        head = f"for {variable} in {self.choose.choice(['range(3)', 'reversed(range(3))', 'range(n)', 'range(0)'])}:"
        self.bound["i"].append(variable)
        body = self.inner(depth)
        self.bound["i"].remove(variable)
        return [head, *body]

    def a_while(self, depth: int) -> list[str]:
        self.count += 1
        trips = f"nt{self.count}"
        return [f"{trips} = 0", f"while {trips} < 3:", f"    {trips} += 1", *self.inner(depth)]

    def a_exit(self, depth: int) -> list[str]:
        self.count += 1
        flag, trips = f"ct{self.count}", f"nt{self.count}"
        head = [f"{flag} = False", f"{trips} = 0", f"for i{self.count} in range(4):", f"    {trips} += 1", *self.inner(depth)]
        tail = [f"    {flag} = {self.name('f')} > {self.atom()}", f"    if {flag}:", "        break"]
        back = [f"for i{self.count} in range({trips}):", *self.inner(depth)] if self.choose.random() < 0.4 else []
        return head + tail + back


ARGUMENTS = (0.7, -1.3, np.array([0.3, -0.2, 0.9]), np.array([1.1, 0.4, -0.6]), 2)


def run(tree: Any) -> Outcome | None:
    return outcome(tree, ARGUMENTS)


def check(source: str, typed: bool) -> None:
    """Tidied, and tidied twice, the program does what it did; no results share memory that did not."""
    tree = parse_function(source)
    before = run(tree)
    if before is None:
        return
    types = (lambda name: TYPES.get(name[0], UNKNOWN)) if typed else (lambda name: UNKNOWN)
    after_tree = tidy(tree, facts_for(USER, types, {"np", "len", "range", "reversed"}, FRESH))
    after = run(after_tree)
    assert after is not None, source + "\n" + print_tree(after_tree)
    assert after.same(before), f"{source}\n{print_tree(after_tree)}\n{before}\n{after}"
    again = tidy(after_tree, facts_for(USER, types, {"np", "len", "range", "reversed"}, FRESH))
    result = run(again)
    assert result is not None and result.same(before), print_tree(after_tree) + print_tree(again)


@settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.randoms(use_true_random=False), st.booleans())
def test_random_programs_mean_the_same(choose: random.Random, typed: bool) -> None:
    check(Program(choose).text(), typed)


def test_programs_are_valid() -> None:
    ran = [run(parse_function(Program(random.Random(seed)).text())) is not None for seed in range(100)]
    assert sum(ran) > 60
    assert isinstance(parse_function(Program(random.Random(1)).text()), gast.FunctionDef)
