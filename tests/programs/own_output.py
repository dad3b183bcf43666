"""The forms that generated derivatives are made of, as input: stacks, accumulation into owned arrays, arrays filled by loops."""

import numpy as np

from tests.corpus import Program

X = np.array([0.3, 0.7, 1.1, 0.8, -0.4])


def gradient_with_stack(x, w, n):
    xs = []
    for _ in range(n):
        xs.append(x)
        x = np.sin(x * w)
    x_bar = 1.0
    w_bar = 0.0
    for _ in range(n):
        x = xs.pop()
        t_bar = x_bar * np.cos(x * w)
        w_bar += t_bar * x
        x_bar = t_bar * w
    return x_bar + w_bar


def stack_of_pairs(x, n):
    saved = []
    y = x
    for _ in range(n):
        saved.append((x, y))
        x, y = y * x, x + y
    s = x
    while saved:
        a, b = saved.pop()
        s = s * a + b
    return s


def scattered(x):
    y = np.ones(3)
    np.add.at(y, [1, 1, 2, 0, 2], x)
    return np.sum(y * y)


def accumulated_into_owned(x):
    x_bar = np.zeros_like(x)
    for i in range(len(x)):
        x_bar[i] += 2.0 * x[i]
        x_bar[0] += x[i] * x[0]
    x_bar += x * x
    return np.sum(x_bar * x)


def filled_by_a_loop(x):
    y = np.empty(len(x))
    for i in reversed(range(len(x))):
        y[i] = x[i] * x[len(x) - 1 - i] ** 2
    return y


def counted_exit(x):
    trips = 0
    flag = False
    while not flag:
        trips += 1
        x = x * 1.3
        flag = x > 3.0
    for _ in range(trips):
        x = x * 0.9 + 0.1 * x * x
    return x


def arrays_on_a_stack(x, n):
    rows = []
    for _ in range(n):
        rows.append(x.copy())
        x = np.tanh(x) * x
    s = 0.0
    for _ in range(n):
        row = rows.pop()
        s += row @ x
    return s


def own_closure(x, seed):
    y = np.exp(x)

    def pull(y_bar):
        return y_bar * y

    return np.sum(pull(seed) * x)


PROGRAMS = [
    Program(gradient_with_stack, (0.9, 1.3, 4), (0, 1)),
    Program(stack_of_pairs, (0.9, 3)),
    Program(scattered, (X,)),
    Program(accumulated_into_owned, (X,)),
    Program(filled_by_a_loop, (X,)),
    Program(counted_exit, (0.9,)),
    Program(arrays_on_a_stack, (X, 3)),
    Program(own_closure, (X, X * 2.0), (0, 1)),
]
