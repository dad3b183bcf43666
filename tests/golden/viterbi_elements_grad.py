"""sd.grad(viterbi_elements, wrt=(0, 1)), declared for (an array of rank 2, an array of rank 2)"""
# ruff: noqa: E402, F811, I001 (the second half is kept as it was generated, with its own imports)

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

# The derivative

import numpy as np
from sourcediff.runtime import owned_unbroadcast, pick_adjoint


def viterbi_elements_grad(transition, emission):
    t = emission.shape  # steps, states = emission.shape
    steps = t[0]
    states = t[1]
    best = np.zeros((steps, states))
    t2 = emission[0]  # best[0] = emission[0]
    best[0] = t2
    cs = []
    for t3 in range(1, steps):
        for s in range(states):
            top = best[t3 - 1, 0] + transition[0, s]  # top = best[t - 1, 0] + transition[0, s]
            for q in range(1, states):
                # candidate = best[t - 1, q] + transition[q, s]
                top2 = best[t3 - 1, q] + transition[q, s]
                c = top2 > top  # if candidate > top:
                cs.append(c)
                if not c:
                    top2 = top
                top = top2
            best[t3, s] = top + emission[t3, s]  # best[t, s] = top + emission[t, s]
    t4 = best[-1]  # return max(best[-1])
    t4_bar = pick_adjoint(1.0, max(t4), (t4,))[0]
    best_bar = np.zeros_like(best)
    best_bar[-1] += t4_bar
    transition_bar = np.zeros_like(transition)
    emission_bar = np.zeros_like(emission)
    for t3 in reversed(range(1, steps)):
        for s in reversed(range(states)):
            top_bar = best_bar[t3, s]  # best[t, s] = top + emission[t, s]
            emission_bar[t3, s] += top_bar
            for q in reversed(range(1, states)):
                top2_bar = top_bar
                top_bar = 0.0
                if not cs.pop():
                    top_bar = top2_bar
                    top2_bar = 0.0
                transition_bar[q, s] += top2_bar  # candidate = best[t - 1, q] + transition[q, s]
                best_bar[t3 - 1, q] += top2_bar
            transition_bar[0, s] += top_bar  # top = best[t - 1, 0] + transition[0, s]
            best_bar[t3 - 1, 0] += top_bar
    emission_bar[0] += owned_unbroadcast(best_bar[0], t2)  # best[0] = emission[0]
    return transition_bar, emission_bar
