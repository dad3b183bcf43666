"""Tables that are filled entry by entry from their neighbours."""

import math

import numpy as np

from tests.corpus import Program

rng = np.random.default_rng(33)
X = rng.uniform(-1.0, 1.0, 4)
Y = rng.uniform(-1.0, 1.0, 3)
TRANSITION = rng.uniform(-1.0, 1.0, (3, 3))
EMISSION = rng.uniform(-1.0, 1.0, (5, 3))


def soft_min(a, b, c, gamma):
    least = min(a, b, c)
    total = math.exp((least - a) / gamma) + math.exp((least - b) / gamma) + math.exp((least - c) / gamma)
    return least - gamma * math.log(total)


def soft_alignment(x, y, gamma):
    """Dynamic time warping with a soft minimum."""
    n, m = len(x), len(y)
    r = np.full((n + 1, m + 1), 1e3)
    r[0, 0] = 0.0
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            cost = (x[i - 1] - y[j - 1]) ** 2
            r[i, j] = cost + soft_min(r[i - 1, j], r[i, j - 1], r[i - 1, j - 1], gamma)
    return r[n, m]


def hard_alignment(x, y):
    r = np.full((len(x) + 1, len(y) + 1), np.inf)
    r[0, 0] = 0.0
    for i, xi in enumerate(x):
        for j, yj in enumerate(y):
            r[i + 1, j + 1] = abs(xi - yj) + min(r[i, j + 1], r[i + 1, j], r[i, j])
    return r[-1, -1]


def edit_distance(x, y, gap):
    """One row of the table at a time, written over the one before."""
    row = gap * np.arange(len(y) + 1.0)
    for i in range(len(x)):
        diagonal = row[0]
        row[0] += gap
        for j in range(len(y)):
            above = row[j + 1]
            row[j + 1] = min(diagonal + (x[i] - y[j]) ** 2, above + gap, row[j] + gap)
            diagonal = above
    return row[-1]


def viterbi(transition, emission):
    """The score of the best path, with one vector of scores that is written in place."""
    score = emission[0].copy()
    for t in range(1, len(emission)):
        score[:] = np.max(score[:, None] + transition, axis=0) + emission[t]
    return np.max(score)


def viterbi_elements(transition, emission):
    steps, states = emission.shape
    best = np.zeros((steps, states))
    best[0] = emission[0]
    for t in range(1, steps):
        for s in range(states):
            top = best[t - 1, 0] + transition[0, s]
            for q in range(1, states):
                candidate = best[t - 1, q] + transition[q, s]
                if candidate > top:
                    top = candidate
            best[t, s] = top + emission[t, s]
    return max(best[-1])


def forward_algorithm(transition, emission):
    """The log of the sum over all paths."""
    alpha = np.zeros(emission.shape)
    alpha[0] = emission[0]
    for t in range(1, len(emission)):
        for s in range(transition.shape[0]):
            z = alpha[t - 1] + transition[:, s]
            top = np.max(z)
            alpha[t, s] = top + np.log(np.sum(np.exp(z - top))) + emission[t, s]
    return np.log(np.sum(np.exp(alpha[-1])))


def longest_path(w):
    """The heaviest path through a grid, going right or down."""
    n, m = w.shape
    best = w.copy()
    for j in range(1, m):
        best[0, j] += best[0, j - 1]
    for i in range(1, n):
        best[i, 0] += best[i - 1, 0]
        for j in range(1, m):
            best[i, j] += max(best[i - 1, j], best[i, j - 1])
    return best[-1, -1]


def shortest_paths(d):
    """Floyd and Warshall, in place."""
    d = d.copy()
    for k in range(len(d)):
        d[:] = np.minimum(d, d[:, k : k + 1] + d[k])
    return np.sum(d)


def knapsack(values, weights, capacity):
    """The best value, and a smooth penalty on the table on the way."""
    best = np.zeros(capacity + 1)
    for i in range(len(values)):
        for c in range(capacity, weights[i] - 1, -1):
            taken = best[c - weights[i]] + values[i]
            if taken > best[c]:
                best[c] = taken
    return best[capacity] + 0.1 * np.sum(best**2)


def binomial_option(spot, strike, up, rate, n):
    """An American put by a tree whose levels are written over each other."""
    down = 1.0 / up
    p = (math.exp(rate) - down) / (up - down)
    value = np.zeros(n + 1)
    for j in range(n + 1):
        value[j] = max(strike - spot * up ** (2 * j - n), 0.0)
    for level in range(n - 1, -1, -1):
        for j in range(level + 1):
            hold = math.exp(-rate) * (p * value[j + 1] + (1.0 - p) * value[j])
            value[j] = max(hold, strike - spot * up ** (2 * j - level))
    return value[0]


PROGRAMS = [
    Program(soft_alignment, (X, Y, 0.5)),
    Program(soft_alignment, (X, Y, 0.5), (0, 1, 2), name="soft_alignment_all"),
    Program(hard_alignment, (X, Y), (0, 1)),
    Program(edit_distance, (X, Y, 0.3), (0, 1, 2)),
    Program(viterbi, (TRANSITION, EMISSION), (0, 1)),
    Program(viterbi_elements, (TRANSITION, EMISSION), (0, 1)),
    Program(forward_algorithm, (TRANSITION, EMISSION), (0, 1)),
    Program(longest_path, (EMISSION,)),
    Program(shortest_paths, (np.exp(2.0 * TRANSITION),)),
    Program(knapsack, (np.exp(X), [2, 1, 3, 2], 5)),
    Program(binomial_option, (1.0, 1.1, 1.2, 0.01, 3), (0, 1, 2, 3)),
]
