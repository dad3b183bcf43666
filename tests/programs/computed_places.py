"""Stores at places that are computed from what is stored into, and from lengths of lists that change."""

import numpy as np

from tests.corpus import Program


def mask_of_itself(x):
    w = np.sin(x)
    for _ in range(2):
        w[w > 0.1] = 0.05 * x[0] * w[0]
    return np.sum(w)


def masks_one_after_another(x):
    w = x * 1.0
    for _ in range(3):
        m = w > 0.1
        w[m] = -w[m] * x[0]
        w[w < -1] = 1.5 * x[1]
    return np.sum(w**2)


def mask_of_a_turned_array(x):
    w = x * 1.0
    for _ in range(3):
        w[w > 0.1] = w[w > 0.1] * w[::-1][0] * 0.5
    return np.sum(w**2)


def place_of_the_largest(x):
    w = x * 1.0
    for _ in range(3):
        k = np.argmax(w)
        w[k] = w[k - 1] * x[k]
    return np.sum(w**2)


def largest_without_a_name(x):
    w = x * 1.0
    for _ in range(3):
        w[np.argmax(w)] = -x[0] * w[0]
    return np.sum(w**2)


def sorted_places(x):
    w = x * 1.0
    for i in range(3):
        w[np.argsort(w)[:2]] = w[np.argsort(w)[1:3]] * x[i]
    return np.sum(w**2)


def accumulated_at_a_rounded_element(x):
    w = x * 1.0
    for i in range(3):
        w[int(abs(w[0])) % 3] += w[1] * x[i]
    return np.sum(w**2)


def slice_up_to_a_rounded_element(x):
    w = x * 1.0
    for i in range(3):
        w[: int(abs(w[0])) % 3] *= w[1] * x[i]
    return np.sum(w**2)


def slice_up_to_a_counter(x):
    y = np.zeros(3)
    i = 0
    while i < 3:
        y[:i] += x[i]
        i += 1
    return np.sum(y**2)


def length_of_a_growing_list(x):
    b = [x[0]]
    for _ in range(2):
        b.append(b[-1] * x[len(b)])
    return b[-1]


def length_of_a_shrinking_list(x):
    b = [v * 1.0 for v in x]
    s = 1.0
    while b:
        v = b.pop()
        s = s * v + x[len(b)]
    return s


def middle_of_a_list(x):
    b = [x[0]]
    b.append(x[1] * x[0])
    b.append(x[2])
    return b[len(b) // 2] * b[0]


VECTOR = np.array([0.47, -1.13, 1.71])

PROGRAMS = [
    Program(mask_of_itself, (np.array([0.5, -1.0, 2.0]),)),
    Program(masks_one_after_another, (VECTOR,)),
    Program(mask_of_a_turned_array, (VECTOR,)),
    Program(place_of_the_largest, (VECTOR,)),
    Program(largest_without_a_name, (VECTOR,)),
    Program(sorted_places, (VECTOR,)),
    Program(accumulated_at_a_rounded_element, (VECTOR,)),
    Program(slice_up_to_a_rounded_element, (np.array([1.2, -0.7, 0.8]),)),
    Program(slice_up_to_a_counter, (VECTOR,)),
    Program(length_of_a_growing_list, (VECTOR,)),
    Program(length_of_a_shrinking_list, (VECTOR,)),
    Program(middle_of_a_list, (VECTOR,)),
]
