"""Filters, recurrent cells, normalisations, integrators: state that is updated in place, with work arrays used again."""

import numpy as np

from tests.corpus import Program

rng = np.random.default_rng(35)
SIGNAL = rng.uniform(-1.0, 1.0, 6)
W = rng.uniform(-0.7, 0.7, (3, 3))
WX = rng.uniform(-0.7, 0.7, (3, 2))
INPUTS = rng.uniform(-1.0, 1.0, (4, 2))
IMAGE = rng.uniform(-1.0, 1.0, (4, 4))
KERNEL = rng.uniform(-1.0, 1.0, (2, 2))
BATCH = rng.uniform(-1.0, 1.0, (4, 3))
GAMMA = rng.uniform(0.5, 1.5, 3)
STATE = rng.uniform(-1.0, 1.0, 2)
P = np.array([[1.2, 0.1], [0.1, 0.8]])
F = np.array([[1.0, 0.1], [-0.2, 0.9]])


def softmax_rows(x):
    y = np.zeros_like(x)
    for i in range(x.shape[0]):
        top = x[i, 0]
        for j in range(1, x.shape[1]):
            top = max(top, x[i, j])
        total = 0.0
        for j in range(x.shape[1]):
            y[i, j] = np.exp(x[i, j] - top)
            total += y[i, j]
        for j in range(x.shape[1]):
            y[i, j] /= total
    return np.sum(y * y * np.arange(1.0, x.shape[1] + 1))


def softmax_in_place(scores):
    p = scores.copy()
    for row in p:
        row -= np.max(row)
        row[:] = np.exp(row)
        row /= np.sum(row)
    return np.sum(p**2)


def softmax_out(scores):
    p = scores - scores.max(axis=1, keepdims=True)
    np.exp(p, out=p)
    p /= p.sum(axis=1, keepdims=True)
    return -np.sum(np.log(p[:, 0]))


def convolution(image, kernel):
    h, w = image.shape
    kh, kw = kernel.shape
    out = np.zeros((h - kh + 1, w - kw + 1))
    for i in range(out.shape[0]):
        for j in range(out.shape[1]):
            for a in range(kh):
                for b in range(kw):
                    out[i, j] += image[i + a, j + b] * kernel[a, b]
    return np.sum(np.maximum(out, 0.0) ** 2)


def convolution_slices(image, kernel):
    n = image.shape[0] - kernel.shape[0] + 1
    out = np.zeros((n, n))
    for a in range(kernel.shape[0]):
        for b in range(kernel.shape[1]):
            out += kernel[a, b] * image[a : a + n, b : b + n]
    return np.sum(np.tanh(out))


def batch_norm(x, gamma, beta, mean, variance, momentum):
    """Normalisation with running statistics that are arguments, updated in place."""
    mu = x.mean(axis=0)
    var = ((x - mu) ** 2).mean(axis=0)
    mean *= 1.0 - momentum
    mean += momentum * mu
    variance *= 1.0 - momentum
    variance += momentum * var
    y = (x - mu) / np.sqrt(var + 1e-5)
    y *= gamma
    y += beta
    return np.sum(y**3) + np.sum(mean * variance)


def batch_norm_loops(x, gamma, beta):
    n, m = x.shape
    y = np.empty_like(x)
    for j in range(m):
        mean = 0.0
        for i in range(n):
            mean += x[i, j] / n
        var = 0.0
        for i in range(n):
            var += (x[i, j] - mean) ** 2 / n
        for i in range(n):
            y[i, j] = gamma[j] * (x[i, j] - mean) / np.sqrt(var + 1e-5) + beta[j]
    return np.sum(y**3)


def kalman_step(x, p, z, f, q, r):
    """Predict, then correct by one measurement of the first coordinate."""
    x = f @ x
    p = f @ p @ f.T + q * np.eye(2)
    s = p[0, 0] + r
    gain = p[:, 0] / s
    x += gain * (z - x[0])
    p -= np.outer(gain, p[0])
    return x @ x + np.trace(p)


def kalman_filter(zs, f, q, r):
    """The log likelihood of a series, with the state and its covariance in place."""
    x = np.zeros(2)
    p = np.eye(2)
    likelihood = 0.0
    for z in zs:
        x[:] = f @ x
        p[:] = f @ p @ f.T
        p[0, 0] += q
        p[1, 1] += q
        s = p[0, 0] + r
        e = z - x[0]
        likelihood -= 0.5 * (np.log(s) + e * e / s)
        k = p[:, 0] / s
        x += k * e
        p -= np.outer(k, p[0, :])
    return likelihood


def recurrent_cell(w, wx, inputs):
    """The states are the rows of one array."""
    h = np.zeros((len(inputs) + 1, w.shape[0]))
    for t in range(len(inputs)):
        h[t + 1] = np.tanh(w @ h[t] + wx @ inputs[t])
    return np.sum(h**2)


def gated_cell(w, wx, inputs):
    """One state vector, written over at each step."""
    h = np.zeros(w.shape[0])
    for x in inputs:
        gate = 1.0 / (1.0 + np.exp(-(w @ h)))
        h *= gate
        h += (1.0 - gate) * np.tanh(wx @ x)
    return np.sum(h * h)


def layered_states(w, wx, inputs, layers):
    """A row of states for each layer, all in place."""
    h = np.zeros((layers, w.shape[0]))
    for x in inputs:
        h[0] = np.tanh(wx @ x + w @ h[0])
        for k in range(1, layers):
            h[k] = np.tanh(h[k - 1] + w @ h[k])
    return np.sum(h[-1] ** 2)


def exponential_smoothing(x, a, b):
    level = x.copy()
    trend = np.zeros_like(x)
    for t in range(1, len(x)):
        level[t] = a * x[t] + (1.0 - a) * (level[t - 1] + trend[t - 1])
        trend[t] = b * (level[t] - level[t - 1]) + (1.0 - b) * trend[t - 1]
    return np.sum((x - level) ** 2)


def biquad(x, b0, b1, b2, a1, a2):
    """A filter of second order, direct form II transposed: two numbers of state."""
    y = np.empty(len(x))
    z1 = z2 = 0.0
    for n in range(len(x)):
        y[n] = b0 * x[n] + z1
        z1 = b1 * x[n] - a1 * y[n] + z2
        z2 = b2 * x[n] - a2 * y[n]
    return np.sum(y * y)


def running_filter(x, a):
    """Forward and backward over the same array."""
    y = x.copy()
    for i in range(1, len(y)):
        y[i] += a * y[i - 1]
    for i in reversed(range(len(y) - 1)):
        y[i] += a * y[i + 1]
    return np.sum(y * y)


def pendulum(y, out):
    out[0] = y[1]
    out[1] = -np.sin(y[0]) - 0.1 * y[1]


def rk4_work_arrays(y0, h, n):
    """Runge-Kutta steps that allocate nothing: the slopes go into arrays that are used again."""
    y = y0.copy()
    k1, k2, k3, k4 = np.empty(2), np.empty(2), np.empty(2), np.empty(2)
    stage = np.empty(2)
    for _ in range(n):
        pendulum(y, k1)
        stage[:] = y + 0.5 * h * k1
        pendulum(stage, k2)
        stage[:] = y + 0.5 * h * k2
        pendulum(stage, k3)
        stage[:] = y + h * k3
        pendulum(stage, k4)
        y += h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4)
    return np.sum(y * y)


def rk4_rows(y0, h, n):
    """The slopes are the rows of one array."""
    y = y0.copy()
    k = np.zeros((4, 2))
    for _ in range(n):
        for s, c in enumerate((0.0, 0.5, 0.5, 1.0)):
            at = y + c * h * k[s - 1] if s else y
            k[s, 0] = at[1]
            k[s, 1] = -(at[0] ** 3)
        y += h / 6.0 * (k[0] + 2.0 * k[1] + 2.0 * k[2] + k[3])
    return y @ y


def momentum_descent(x, rate, decay, n):
    """An optimiser whose buffers are updated in place, on the function of Rosenbrock."""
    x = x.copy()
    m = np.zeros_like(x)
    g = np.zeros_like(x)
    for _ in range(n):
        g[0] = -2.0 * (1.0 - x[0]) - 40.0 * x[0] * (x[1] - x[0] ** 2)
        g[1] = 20.0 * (x[1] - x[0] ** 2)
        m *= decay
        m += g
        x -= rate * m
    return np.sum(x**2)


PROGRAMS = [
    Program(softmax_rows, (BATCH,)),
    Program(softmax_in_place, (BATCH,)),
    Program(softmax_out, (BATCH,)),
    Program(convolution, (IMAGE, KERNEL)),
    Program(convolution, (IMAGE, KERNEL), (0, 1), name="convolution_all"),
    Program(convolution_slices, (IMAGE, KERNEL), (0, 1)),
    Program(batch_norm, (BATCH, GAMMA, GAMMA - 1.0, GAMMA * 0.5, GAMMA + 0.2, 0.1), (0, 1, 2)),
    Program(batch_norm, (BATCH, GAMMA, GAMMA - 1.0, GAMMA * 0.5, GAMMA + 0.2, 0.1), (0, 1, 2, 3, 4, 5), name="batch_norm_all"),
    Program(batch_norm_loops, (BATCH, GAMMA, GAMMA - 1.0), (0, 1, 2)),
    Program(kalman_step, (STATE, P, 0.7, F, 0.1, 0.3), (0, 1, 2, 3, 4, 5)),
    Program(kalman_filter, (SIGNAL[:3], F, 0.1, 0.3), (0, 1, 2, 3)),
    Program(recurrent_cell, (W, WX, INPUTS), (0, 1, 2)),
    Program(gated_cell, (W, WX, INPUTS), (0, 1, 2)),
    Program(layered_states, (W, WX, INPUTS, 2), (0, 1, 2)),
    Program(exponential_smoothing, (SIGNAL, 0.3, 0.6), (0, 1, 2)),
    Program(biquad, (SIGNAL, 0.4, 0.3, -0.2, 0.5, -0.3), (0, 1, 2, 3, 4, 5)),
    Program(running_filter, (SIGNAL, 0.6), (0, 1)),
    Program(rk4_work_arrays, (STATE, 0.1, 2), (0, 1)),
    Program(rk4_rows, (STATE, 0.1, 2), (0, 1)),
    Program(momentum_descent, (STATE, 0.01, 0.9, 3), (0, 1, 2)),
]
