"""Names that are assigned again: in loops, after them, in branches, and by exits; lists that get shorter."""

import numpy as np

from tests.corpus import Program


def first_assigned_in_a_loop(x):
    for _ in range(2):
        s = x
    for _ in range(2):
        s = s * s
    return s


def rewritten_after_its_loop(x, y):
    for _ in range(2):
        s = x
    s = s * y
    return s


def argument_rebound_then_written(a, b):
    for _ in range(2):
        b = b * 0.8
        b *= a
    return np.sum(b)


def rebound_or_stored_into(x, a):
    z = a + 1.0
    if x > -9:
        z = np.exp(z**2)
    else:
        z[1] = x
    return np.sum(z)


def condition_around_a_saved_value(y, a, b):
    h = 0.0
    for n in range(2):
        h += a[n] if y < 0.3 else b[0]
        if h < 1.0:
            y = y + 1.0
    return h


def conditional_return_in_a_loop(x, y):
    for i in range(1, 3):
        return x if i > 5 else y
    return 0.5


def written_then_rebound(a, b, k):
    g = b * 1
    g *= 2
    if k > 0:
        g = b / (1.5 + a**2)
    return np.sum(g)


def index_after_its_loop(x, b, k):
    for m in range(3):
        pass
    x = x * b[m]
    for m in range(3, k):  # noqa: B007
        pass
    return x


def array_from_a_descending_loop(a, b):
    for _ in range(2, 0, -1):
        g = a * b
    return np.sum(g)


def loop_variable_multiplied(y, a):
    for _, p in enumerate(a):
        p *= y
    return p


def element_after_its_loop(b, k):
    for e in b:
        pass
    n = 0
    while n < k:
        n += 1
        e -= e**2
    return e


def popped_and_not_kept(x, y):
    values = [y, x]
    values.pop()
    return sum(values) * x


def built_and_popped(y, a):
    values = [y * e for e in a]
    values.pop()
    return sum(values)


def array_and_number_in_a_list(a):
    values = [a, a[2]]
    t = values[-1]
    values.pop()
    return t


def list_from_a_loop(b):
    for _ in range(2):
        values = [b[0], b[1]]
    return np.mean(values)


def list_not_reached(y, a):
    for j in range(1, 2):
        values = [a[0], a[1]]
    if j:
        return y
    return sum(values)


def elements_of_itself(a):
    for _ in range(1, 3):
        a = a[[1, 1, 1]]
    return np.sum(a)


def loop_in_a_branch(x, k):
    if k != 2:
        for _ in range(3):
            x = x * x
    return x


def integers_become_numbers(x, a):
    c = np.array([2 for _ in range(3)]) * 1.0
    c[0] = x
    return np.sum(a * c)


def new_axis(x):
    c = x[:, np.newaxis]
    return np.sum(c * c * x)


def element_or_number_returned(x, y, b):
    for e in (x, y):
        if e > 1.0:
            return b[0]
    return 1


def early_return_before_a_loop_that_returns(x):
    if x > 0.5:
        return x * 2
    for _ in range(2):
        if x < -1.3:
            return x * 3
    return x * x


def early_return_of_the_argument(x):
    if x > 0.5:
        return x * 2
    n = 0
    while n < 2:
        if x < -1.3:
            return x
        n += 1
    return x


def previous_element(x):
    total = 0.0
    for k in range(len(x)):
        if k > 0:
            total += (x[k] - prev) ** 2  # noqa: F821
        prev = x[k]
    return total


def counter_of_two_branches(x):
    y = 0.0
    i = 0
    while i < len(x):
        if x[i] < 0:
            i += 1
            continue
        y += x[i] ** 2
        i += 1
    return y


def counter_in_steps(x):
    y = 0.0
    j = 0
    for v in x:
        if v > 1.0:
            j += 2
        elif v > 0.0:
            y += v * x[j]
            j += 1
    return y


def rebound_while_iterated_over(A):
    for _ in range(1):
        D = A
    for row in D:
        D = row
    return np.sum(row * D)


def product_of_a_loops_array(b):
    for _ in range(2):
        c = np.tanh(b)
    return np.prod(c)


def number_becomes_an_array(x):
    s = 0.0
    for _ in range(2):
        s = s + x * x
    return s


def number_or_array(x, a, k):
    g = x * 2.0
    if k > 0:
        g = np.tanh(a) * x
    return np.sum(g)


def written_again_and_again(x):
    y = x * 1
    for i in range(2):
        y[i + 1] = y[i] * y[i + 1]
        y = y * x
    return y


def argument_written(x):
    x[1:] += x[0] * x[0]
    return x * x


ONES = np.ones(3)
VECTOR = np.array([0.6, 1.1, -0.7])

PROGRAMS = [
    Program(first_assigned_in_a_loop, (-1.338,)),
    Program(rewritten_after_its_loop, (3.0, 5.0), (0, 1)),
    Program(argument_rebound_then_written, (VECTOR, np.array([1.0, 2.0, 3.0])), (0, 1)),
    Program(rebound_or_stored_into, (0.5, np.array([-1.06, 0.9, 0.3])), (0, 1)),
    Program(condition_around_a_saved_value, (-0.5, np.array([0.9, 0.2]), np.array([0.3])), (0, 1, 2)),
    Program(conditional_return_in_a_loop, (2.0, 3.0), (0, 1)),
    Program(written_then_rebound, (ONES, ONES.copy(), 1), (0, 1)),
    Program(index_after_its_loop, (2.0, ONES, 1), (0, 1)),
    Program(array_from_a_descending_loop, (VECTOR, ONES), (0, 1)),
    Program(loop_variable_multiplied, (0.79, np.array([-0.9, 0.6, -0.5897])), (0, 1)),
    Program(element_after_its_loop, (np.array([0.1, 0.2, 0.73]), 0)),
    Program(popped_and_not_kept, (1.0, 2.0), (0, 1)),
    Program(built_and_popped, (0.5, VECTOR), (0, 1)),
    Program(array_and_number_in_a_list, (VECTOR,)),
    Program(list_from_a_loop, (VECTOR,)),
    Program(list_not_reached, (1.3, VECTOR), (0, 1)),
    Program(elements_of_itself, (VECTOR,)),
    Program(loop_in_a_branch, (1.1, 3)),
    Program(integers_become_numbers, (2.0, VECTOR), (0, 1)),
    Program(new_axis, (VECTOR,)),
    Program(early_return_before_a_loop_that_returns, (0.7,)),
    Program(early_return_before_a_loop_that_returns, (-2.0,), name="late_return_after_an_early_one"),
    Program(early_return_of_the_argument, (0.7,)),
    Program(early_return_of_the_argument, (-0.7,), name="argument_at_last"),
    Program(previous_element, (VECTOR,)),
    Program(counter_of_two_branches, (np.array([0.3, -1.2, 0.7]),)),
    Program(counter_in_steps, (np.array([0.3, 1.2, 0.7, 0.4, 0.9, 1.1]),)),
    Program(rebound_while_iterated_over, (np.array([[0.3, 1.2], [0.7, 0.4]]),)),
    Program(product_of_a_loops_array, (VECTOR,)),
    Program(number_becomes_an_array, (VECTOR,)),
    Program(number_or_array, (0.4, VECTOR, 0), (0, 1)),
    Program(number_or_array, (0.4, VECTOR, 1), (0, 1), name="number_and_array"),
    Program(written_again_and_again, (VECTOR,)),
    Program(argument_written, (VECTOR,)),
    Program(element_or_number_returned, (0.5, 0.5, ONES), (0, 1, 2)),
]
