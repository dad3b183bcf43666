"""Logistic regression: print the gradient that sourcediff writes, check it, and use it to fit a model."""

import numpy as np

import sourcediff as sd


def loss(w, X, y, decay):
    margin = y * (X @ w)
    return np.mean(np.log1p(np.exp(-margin))) + decay * (w @ w)


random = np.random.default_rng(0)
X = random.standard_normal((200, 3))
y = np.sign(X @ np.array([1.0, -2.0, 0.5]))
w = np.zeros(3)

loss_grad = sd.grad(loss)
print(loss_grad.specialize(w, X, y, 1e-3).source)

sd.check_grads(loss, w, X, y, 1e-3)
print("The gradient agrees with finite differences, to second order.")

for _ in range(200):
    w = w - 0.5 * loss_grad(w, X, y, 1e-3)
print("The loss is", loss(np.zeros(3), X, y, 1e-3).round(4), "at the start and", loss(w, X, y, 1e-3).round(4), "after 200 steps.")
print("The weights are", w.round(2))
