"""Particles, sparse matrices, histograms: elements at indices that are data."""

import numpy as np

from tests.corpus import Program

rng = np.random.default_rng(34)
POSITIONS = rng.uniform(0.5, 4.5, 5)
CHARGES = rng.uniform(0.5, 1.5, 5)
CLOUD = rng.uniform(-1.0, 1.0, (4, 3))
DATA = rng.uniform(-1.0, 1.0, 6)
INDICES = np.array([0, 2, 1, 2, 0, 3])
INDPTR = np.array([0, 2, 3, 3, 6])
V = rng.uniform(-1.0, 1.0, 4)
CHAIN = np.cumsum(rng.uniform(0.8, 1.2, 5))


def deposit(x, q):
    """Particles in cells: each charge goes to the two grid points beside it; the energy of the field."""
    cell = np.floor(x).astype(int)
    part = x - cell
    rho = np.zeros(6)
    np.add.at(rho, cell, q * (1.0 - part))
    np.add.at(rho, cell + 1, q * part)
    field = np.cumsum(rho - np.mean(rho))
    return 0.5 * np.sum(field * field)


def particle_in_cell(x, v, dt, n):
    """Deposit, solve, gather, push."""
    x, v = x.copy(), v.copy()
    for _ in range(n):
        cell = np.floor(x).astype(int)
        part = x - cell
        rho = np.zeros(7)
        np.add.at(rho, cell, 1.0 - part)
        np.add.at(rho, cell + 1, part)
        field = np.cumsum(rho) - 0.5 * rho
        force = field[cell] * (1.0 - part) + field[cell + 1] * part
        v += dt * force
        x += dt * v
    return np.sum(v * v) + np.sum(x * v)


def deposit_by_a_loop(x, q):
    rho = np.zeros(6)
    for xi, qi in zip(x, q):
        cell = int(xi)
        part = xi - cell
        rho[cell] += qi * (1.0 - part)
        rho[cell + 1] += qi * part
    return np.sum(rho**2)


def spmv(data, x, indices, indptr):
    """A sparse matrix in rows times a vector."""
    y = np.zeros(len(indptr) - 1)
    for i in range(len(y)):
        for k in range(indptr[i], indptr[i + 1]):
            y[i] += data[k] * x[indices[k]]
    return np.sum(y * y)


def spmv_slices(data, x, indices, indptr):
    y = np.empty(len(indptr) - 1)
    for i in range(len(indptr) - 1):
        row = slice(indptr[i], indptr[i + 1])
        y[i] = data[row] @ x[indices[row]]
    return np.sum(y * y)


def spmv_transposed(data, x, indices, indptr):
    y = np.zeros(4)
    for i in range(len(indptr) - 1):
        for k in range(indptr[i], indptr[i + 1]):
            y[indices[k]] += data[k] * x[i]
    return y @ y


def histogram(x, w):
    """The weights in each bin, gathered by masks."""
    counts = np.zeros(4)
    for b in range(4):
        inside = (x >= b + 0.5) & (x < b + 1.5)
        counts[b] = np.sum(w[inside] * x[inside])
    return np.sum(counts**2)


def soft_threshold(x, limit):
    y = x.copy()
    large = y > limit
    small = y < -limit
    y[large] -= limit
    y[small] += limit
    y[~(large | small)] = 0.0
    return np.sum(y * y) + np.sum(x[large])


def winsorized(x, low, high):
    y = np.array(x)
    y[y < low] = low
    y[y > high] = high
    return np.sum((y - y.mean()) ** 2)


def pair_forces(x):
    """The size of the forces among all pairs, accumulated into both partners."""
    n = len(x)
    force = np.zeros_like(x)
    for i in range(n):
        for j in range(i):
            d = x[i] - x[j]
            f = d / (0.1 + d @ d) ** 1.5
            force[i] -= f
            force[j] += f
    return np.sum(force**2)


def velocity_verlet(x, v, dt, n):
    """A chain of springs with fixed ends: positions and velocities in place, forces in a work array."""
    x, v = x.copy(), v.copy()
    force = np.zeros_like(x)
    force[1:-1] = x[2:] - 2.0 * x[1:-1] + x[:-2]
    for _ in range(n):
        v += 0.5 * dt * force
        x += dt * v
        force[1:-1] = x[2:] - 2.0 * x[1:-1] + x[:-2]
        v += 0.5 * dt * force
    return 0.5 * np.sum(v * v) + 0.5 * np.sum((x[1:] - x[:-1]) ** 2)


def spring_chain(x, v, k, rest, dt, n):
    """Symplectic steps by loops over springs and masses; the springs are stiffening."""
    x, v = x.copy(), v.copy()
    m = len(x)
    for _ in range(n):
        for i in range(m - 1):
            stretch = x[i + 1] - x[i] - rest
            pull = k * stretch + 0.5 * stretch**3
            v[i] += dt * pull
            v[i + 1] -= dt * pull
        for i in range(m):
            x[i] += dt * v[i]
    return np.sum(v**2) + x[-1] * x[0]


def segment_means(x, labels):
    sums = np.zeros(3)
    counts = np.zeros(3)
    for i, label in enumerate(labels):
        sums[label] += x[i]
        counts[label] += 1
    means = sums / counts
    return np.sum((x - means[labels]) ** 2)


def embedding(table, ids, w):
    """Rows taken by index, with a repeated one; each row moved by one step of a gradient."""
    table = table.copy()
    for k in ids:
        table[k] -= 0.1 * (table[k] @ w) * w
    return np.sum(table[ids] ** 2)


PROGRAMS = [
    Program(deposit, (POSITIONS, CHARGES)),
    Program(deposit, (POSITIONS, CHARGES), (0, 1), name="deposit_all"),
    Program(particle_in_cell, (POSITIONS, DATA[:5], 0.01, 2)),
    Program(particle_in_cell, (POSITIONS, DATA[:5], 0.01, 2), (0, 1, 2), name="particle_in_cell_all"),
    Program(deposit_by_a_loop, (POSITIONS, CHARGES), (0, 1)),
    Program(spmv, (DATA, V, INDICES, INDPTR)),
    Program(spmv, (DATA, V, INDICES, INDPTR), (0, 1), name="spmv_all"),
    Program(spmv_slices, (DATA, V, INDICES, INDPTR), (0, 1)),
    Program(spmv_transposed, (DATA, V, INDICES, INDPTR), (0, 1)),
    Program(histogram, (POSITIONS, CHARGES), (0, 1)),
    Program(soft_threshold, (DATA, 0.3), (0, 1)),
    Program(winsorized, (DATA, -0.4, 0.5), (0, 1, 2)),
    Program(pair_forces, (CLOUD,)),
    Program(velocity_verlet, (CHAIN, DATA[:5], 0.1, 2)),
    Program(velocity_verlet, (CHAIN, DATA[:5], 0.1, 2), (0, 1, 2), name="velocity_verlet_all"),
    Program(spring_chain, (CHAIN, DATA[:5], 2.0, 0.9, 0.1, 2)),
    Program(spring_chain, (CHAIN, DATA[:5], 2.0, 0.9, 0.1, 2), (0, 1, 2, 3, 4), name="spring_chain_all"),
    Program(segment_means, (DATA, np.array([0, 1, 0, 2, 1, 0]))),
    Program(embedding, (CLOUD, np.array([0, 2, 0]), V[:3]), (0, 2)),
]
