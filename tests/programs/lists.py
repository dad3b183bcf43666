"""Lists of floats, of lists and of arrays, with their elements declared and not, changed and only read."""

import numpy as np

from tests.corpus import Program


def weighted(x: list[float], w: list[float]):
    s = 0.0
    for i in range(len(x)):
        s += x[i] ** 2 * w[i]
    return s


def matvec(A: list[list[float]], x: list[float]):
    s = 0.0
    for row in A:
        r = 0.0
        for a, b in zip(row, x):
            r = a * b + r
        s = s + r * r * r
    return s


def matvec_undeclared(A, x):
    s = 0.0
    for row in A:
        r = 0.0
        for a, b in zip(row, x):
            r = a * b + r
        s = s + r * r * r
    return s


def by_elements(A: list[list[float]], x: list[float]):
    s = 0.0
    for i in range(len(A)):
        for j in range(len(A[i])):
            s += A[i][j] ** 2 * x[j]
    return s


def by_elements_undeclared(A, x):
    s = 0.0
    for i in range(len(A)):
        for j in range(len(A[i])):
            s += A[i][j] ** 2 * x[j]
    return s


def cube(T: list[list[list[float]]]):
    s = 0.0
    for plane in T:
        for row in plane:
            p = 1.0
            for v in row:
                p = p * v
            s += p * p
    return s


def rows_in_branches(A: list[list[float]], x: float):
    s = 0.0
    for i in range(len(A)):
        row = A[i]
        if row[0] > 0.0:
            s += row[0] * row[-1] * x
        elif i > 1:
            first = A[0]
            s += first[0] ** 2
    if x > 100.0:
        last = A[-1]
        s += last[0]
    return s


def row_twice(A: list[list[float]]):
    one = A[0]
    other = A[0]
    s = sum(one)
    for v in other:
        s += v * v * one[0]
    return s + np.sum(np.array(A[1]) ** 2)


def row_of_a_search(A: list[list[float]], limit: float):
    k = 0
    while A[k][0] < limit:
        k += 1
    row = A[k]
    return row[0] * row[1] + sum(row)


def row_and_whole(A: list[list[float]], x: list[float]):
    s = 0.0
    for row in A:
        s += row[0] ** 3
    B = np.array(A)
    return s + np.sum(B * B) + np.dot(B, np.array(x))[0]


def kept_rows(A: list[list[float]]):
    kept = []
    for row in A:
        if row[0] > 0.0:
            kept.append(row)
    s = 0.0
    for row in kept:
        s += row[0] * row[1]
    return s


def squares(x: list[float]):
    ys = [v * v for v in x]
    ys[0] = ys[1] * x[0]
    zs = ys[:]
    zs[1] = 3.0
    return sum(ys) + zs[0] * ys[1]


def built_rows(x: list[float]):
    A = [[v * k for v in x] for k in range(3)]
    s = 0.0
    for row in A:
        for v in row:
            s += v**2
    return s


def written_rows(x: list[float], n: int):
    A = [[0.0] * len(x) for _ in range(n)]
    for i in range(n):
        row = A[i]
        for j in range(len(x)):
            row[j] = x[j] ** (i + 1)
    for i in range(1, n):
        A[i][0] += A[i - 1][1] * x[0]
    s = 0.0
    for i in range(n):
        s += A[i][0] * A[i][-1]
    return s


def pascal(x: list[float]):
    row = x
    while len(row) > 1:
        row = [row[k] * row[k + 1] for k in range(len(row) - 1)]
    return row[0]


def repeated(x: list[float], n: int):
    y = [0.0] * len(x)
    for i in range(len(x)):
        y[i] = x[i] * x[i]
    u = [x[0], x[1]] * n + y
    s = 0.0
    for i in range(len(u)):
        s += u[i] * y[i % len(y)]
    return s


def prefix_sums(x: list[float]):
    sums = [0.0] * (len(x) + 1)
    for i in range(len(x)):
        sums[i + 1] = sums[i] + x[i]
    s = 0.0
    for i in range(len(x)):
        s += sums[i + 1] ** 2
    return s


def layers(weights: list[np.ndarray], x):
    for W in weights:
        x = np.tanh(W @ x)
    return np.sum(x * x)


def vectors_by_elements(vs: list[np.ndarray], x: list[float]):
    s = 0.0
    for v in vs:
        for j in range(len(x)):
            s += v[j] ** 2 * x[j]
    return s


def vectors_written(vs: list[np.ndarray]):
    s = 0.0
    for v in vs:
        v[0] = v[1] * v[1]
        s += np.sum(v**2)
    return s


def pair_in_a_list(a: float, b: float):
    pair = [a * b, b]
    s = 0.0
    for v in pair:
        s += v * v
    return s + pair[0] * max(pair)


def list_result(A: list[list[float]], x: list[float]):
    y = []
    for row in A:
        r = 0.0
        for j in range(len(x)):
            r += row[j] * x[j]
        y.append(r * r)
    return y


def rows_result(A: list[list[float]]):
    return [[v * v for v in row] for row in A]


RNG = np.random.default_rng(7)
A = RNG.uniform(0.5, 1.5, (3, 4)).tolist()
X = RNG.uniform(0.5, 1.5, 4).tolist()
SIGNS = [[0.7, 0.2, 1.3], [-0.4, 0.5], [0.9, -1.1], [-2.0, 0.1, 0.6]]
RAGGED = [[0.7, 0.2, 1.3], [], [0.9]]
WEIGHTS = [*RNG.normal(size=(3, 4, 4))]
VECTORS = [np.array([0.5, 1.5]), np.array([0.7, -0.2, 0.4])]

PROGRAMS = [
    Program(weighted, (X, X[::-1]), (0, 1)),
    Program(weighted, ([], []), (0, 1), name="weighted_empty"),
    Program(matvec, (A, X), (0, 1)),
    Program(matvec, (A, X), (0,), name="matvec_by_matrix"),
    Program(matvec, (RAGGED, X), (0, 1), name="matvec_ragged"),
    Program(matvec, ([], X), (0, 1), name="matvec_no_rows"),
    Program(matvec_undeclared, (A, X), (0, 1)),
    Program(matvec_undeclared, (RAGGED, X), (0, 1), name="matvec_undeclared_ragged"),
    Program(matvec_undeclared, (np.array(A), np.array(X)), (0, 1), name="matvec_of_arrays"),
    Program(by_elements, (A, X), (0, 1)),
    Program(by_elements_undeclared, (A, X), (0, 1)),
    Program(by_elements_undeclared, (tuple(A), X), (0, 1), name="by_elements_of_a_tuple"),
    Program(by_elements_undeclared, (list(map(np.array, A)), X), (0, 1), name="by_elements_of_arrays"),
    Program(cube, ([A, RAGGED],)),
    Program(rows_in_branches, (SIGNS, 0.7), (0, 1)),
    Program(row_twice, (SIGNS,)),
    Program(row_of_a_search, (sorted(SIGNS), 0.5)),
    Program(row_and_whole, (A, X), (0, 1)),
    Program(kept_rows, (SIGNS,)),
    Program(squares, (X,)),
    Program(built_rows, (X,)),
    Program(written_rows, (X, 3)),
    Program(pascal, (X,)),
    Program(repeated, (X, 2)),
    Program(prefix_sums, (X,)),
    Program(layers, (WEIGHTS, RNG.normal(size=4)), (0, 1)),
    Program(vectors_by_elements, (VECTORS, [0.4, 0.9]), (0, 1)),
    Program(vectors_written, (VECTORS,)),
    Program(pair_in_a_list, (0.5, 1.5), (0, 1)),
    Program(list_result, (A, X), (0, 1)),
    Program(rows_result, (RAGGED,)),
]
