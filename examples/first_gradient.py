"""Logistic regression: print the gradient that sourcediff writes, and use it to fit a model."""

import numpy as np

import sourcediff as sd


def loss(w: np.ndarray, X: np.ndarray, y: np.ndarray, decay: float):
    z = X @ w
    fit = np.mean(np.logaddexp(0.0, z) - y * z)
    return fit + decay * np.sum(w * w)


loss_grad = sd.grad(loss)
print(loss_grad.source)

random = np.random.default_rng(0)
X = random.standard_normal((200, 3))
y = (X @ np.array([1.0, -2.0, 0.5]) > 0.0).astype(float)

w = np.zeros(3)
for _ in range(200):
    w = w - 0.5 * loss_grad(w, X, y, 1e-3)
print("loss at the start", loss(np.zeros(3), X, y, 1e-3).round(4), "and after 200 steps", loss(w, X, y, 1e-3).round(4))
print("weights", w.round(2))

sd.check_grads(loss, w, X, y, 1e-3)
print("the gradient agrees with finite differences, to second order")
