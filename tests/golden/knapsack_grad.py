"""sd.grad(knapsack, wrt=0), declared for (an array of rank 1, list, int)"""
# ruff: noqa: E402, F811, I001 (the second half is kept as it was generated, with its own imports)

def knapsack(values, weights, capacity):
    """The best value, and a smooth penalty on the table on the way."""
    best = np.zeros(capacity + 1)
    for i in range(len(values)):
        for c in range(capacity, weights[i] - 1, -1):
            taken = best[c - weights[i]] + values[i]
            if taken > best[c]:
                best[c] = taken
    return best[capacity] + 0.1 * np.sum(best**2)

# The derivative

import numpy as np


def knapsack_grad(values, weights, capacity):
    best = np.zeros(capacity + 1)
    t = len(values)  # for i in range(len(values)):
    c2s = []
    for i in range(t):
        for c in range(capacity, weights[i] - 1, -1):
            taken = best[c - weights[i]] + values[i]
            c2 = taken > best[c]  # if taken > best[c]:
            c2s.append(c2)
            if c2:
                best[c] = taken
    best_bar = 0.2 * best  # return best[capacity] + 0.1 * np.sum(best**2)
    best_bar[capacity] += 1.0
    values_bar = np.zeros_like(values)
    for i in reversed(range(t)):
        for c in reversed(range(capacity, weights[i] - 1, -1)):
            taken_bar = 0.0
            if c2s.pop():
                taken_bar = best_bar[c]  # best[c] = taken
                best_bar[c] = 0.0
            values_bar[i] += taken_bar  # taken = best[c - weights[i]] + values[i]
            best_bar[c - weights[i]] += taken_bar
    return values_bar
