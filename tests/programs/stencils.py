"""Stencils in time: the field is written in place step by step, or two buffers take turns."""

import numpy as np

from tests.corpus import Program

rng = np.random.default_rng(31)
U = rng.uniform(-1.0, 1.0, 7)
V = rng.uniform(0.2, 0.6, 7)
A = rng.uniform(-1.0, 1.0, (5, 4))
E = rng.uniform(-1.0, 1.0, (4, 4))


def jacobi_1d(u, n):
    u = u.copy()
    for _ in range(n):
        u[1:-1] = (u[:-2] + u[1:-1] + u[2:]) / 3.0
    return np.sum(u * u)


def jacobi_1d_two_buffers(u, n):
    old = u.copy()
    new = u.copy()
    for _ in range(n):
        new[1:-1] = 0.33333 * (old[:-2] + old[1:-1] + old[2:])
        old, new = new, old
    return np.sum(old * old)


def jacobi_1d_elements(u, n):
    """The classic pair of loops over two arrays."""
    a = np.array(u)
    b = np.array(u)
    for _ in range(n):
        for i in range(1, len(a) - 1):
            b[i] = 0.33333 * (a[i - 1] + a[i] + a[i + 1])
        for i in range(1, len(a) - 1):
            a[i] = 0.33333 * (b[i - 1] + b[i] + b[i + 1])
    return np.sum(a * a)


def jacobi_2d(a, n):
    a = a.copy()
    for _ in range(n):
        a[1:-1, 1:-1] = 0.2 * (a[1:-1, 1:-1] + a[1:-1, :-2] + a[1:-1, 2:] + a[2:, 1:-1] + a[:-2, 1:-1])
    return np.sum(a * a)


def jacobi_2d_two_buffers(temperature, source, steps):
    current = temperature.copy()
    following = temperature.copy()
    for _ in range(steps):
        following[1:-1, 1:-1] = 0.25 * (
            current[:-2, 1:-1] + current[2:, 1:-1] + current[1:-1, :-2] + current[1:-1, 2:] + source[1:-1, 1:-1]
        )
        current, following = following, current
    return np.sum(current**2)


def gauss_seidel(a, n):
    a = a.copy()
    rows, columns = a.shape
    for _ in range(n):
        for i in range(1, rows - 1):
            for j in range(1, columns - 1):
                a[i, j] = 0.25 * (a[i - 1, j] + a[i + 1, j] + a[i, j - 1] + a[i, j + 1])
    return np.sum(a * a)


def fdtd_2d(ex, ey, hz, pulse):
    """Transverse electric field on a staggered grid; one step for each element of the pulse."""
    ex, ey, hz = ex.copy(), ey.copy(), hz.copy()
    for t in range(len(pulse)):
        ey[0, :] = pulse[t]
        ey[1:, :] -= 0.5 * (hz[1:, :] - hz[:-1, :])
        ex[:, 1:] -= 0.5 * (hz[:, 1:] - hz[:, :-1])
        hz[:-1, :-1] -= 0.7 * (ex[:-1, 1:] - ex[:-1, :-1] + ey[1:, :-1] - ey[:-1, :-1])
    return np.sum(ex * ex) + np.sum(ey * ey) + np.sum(hz * hz)


def red_black(u, f, n):
    """Over-relaxation on a line: the odd points, then the even ones."""
    u = u.copy()
    for _ in range(n):
        for start in (1, 2):
            left, right = u[start - 1 : -2 : 2], u[start + 1 :: 2]
            u[start:-1:2] += 1.3 * (0.5 * (left + right + f[start:-1:2]) - u[start:-1:2])
    return np.sum(u * u)


def red_black_2d(u, rhs, h, sweeps):
    n, m = u.shape
    u = u.copy()
    for _ in range(sweeps):
        for colour in range(2):
            for i in range(1, n - 1):
                for j in range(1 + (i + colour) % 2, m - 1, 2):
                    u[i, j] = 0.25 * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1] - h * h * rhs[i, j])
    return np.sum(u**2)


def wave_1d(u0, c, n):
    """Leapfrog: u(t+1) = 2u(t) - u(t-1) + (c dt/dx)^2 u''; three buffers take turns."""
    previous = u0.copy()
    u = u0.copy()
    following = np.zeros_like(u0)
    for _ in range(n):
        following[1:-1] = 2.0 * u[1:-1] - previous[1:-1] + c**2 * (u[2:] - 2.0 * u[1:-1] + u[:-2])
        previous, u, following = u, following, previous
    return np.sum(u * u)


def wave_1d_speeds(u0, speed, n):
    """The same with a history, row by row, and a speed at each point."""
    u = np.zeros((n + 2, len(u0)))
    u[0] = u0
    u[1] = u0
    for t in range(1, n + 1):
        u[t + 1, 1:-1] = 2 * u[t, 1:-1] - u[t - 1, 1:-1] + speed[1:-1] ** 2 * (u[t, 2:] - 2 * u[t, 1:-1] + u[t, :-2])
    return np.sum(u[-1] ** 2)


def upwind_limited(u, c, n):
    """Advection to the right with the minmod limiter, on a periodic line."""
    u = u.copy()
    for _ in range(n):
        left = u - np.roll(u, 1)
        right = np.roll(u, -1) - u
        slope = np.where(left * right > 0.0, np.where(np.abs(left) < np.abs(right), left, right), 0.0)
        flux = c * (u + 0.5 * (1.0 - c) * slope)
        u[1:] -= flux[1:] - flux[:-1]
        u[0] -= flux[0] - flux[-1]
    return np.sum(u * u)


def upwind_elements(u, c, n):
    """The same by elements, with the limiter of van Leer."""
    u = u.copy()
    m = len(u)
    flux = np.zeros(m + 1)
    for _ in range(n):
        for i in range(1, m - 1):
            ahead = u[i + 1] - u[i]
            behind = u[i] - u[i - 1]
            limited = 2.0 * ahead * behind / (ahead + behind) if ahead * behind > 0.0 else 0.0
            flux[i + 1] = c * (u[i] + 0.5 * (1.0 - c) * limited)
        for i in range(2, m - 1):
            u[i] -= flux[i + 1] - flux[i]
    return np.sum(u * u)


def burgers(u, dt, n):
    """A nonlinear stencil: each step needs the field before it."""
    u = u.copy()
    for _ in range(n):
        u[1:-1] = u[1:-1] - dt * u[1:-1] * (u[2:] - u[:-2]) + 0.1 * (u[2:] - 2.0 * u[1:-1] + u[:-2])
    return np.sum(u**2)


def euler_gas(rho, momentum, energy, dt, n):
    """Gas in a closed tube: Rusanov fluxes between the cells."""
    rho, momentum, energy = rho.copy(), momentum.copy(), energy.copy()
    for _ in range(n):
        velocity = momentum / rho
        pressure = 0.4 * (energy - 0.5 * momentum * velocity)
        fastest = np.abs(velocity) + np.sqrt(1.4 * pressure / rho)
        speed = np.maximum(fastest[1:], fastest[:-1])
        flux_momentum = momentum * velocity + pressure
        flux_energy = (energy + pressure) * velocity
        f_rho = 0.5 * (momentum[1:] + momentum[:-1]) - 0.5 * speed * (rho[1:] - rho[:-1])
        f_momentum = 0.5 * (flux_momentum[1:] + flux_momentum[:-1]) - 0.5 * speed * (momentum[1:] - momentum[:-1])
        f_energy = 0.5 * (flux_energy[1:] + flux_energy[:-1]) - 0.5 * speed * (energy[1:] - energy[:-1])
        rho[1:-1] -= dt * (f_rho[1:] - f_rho[:-1])
        momentum[1:-1] -= dt * (f_momentum[1:] - f_momentum[:-1])
        energy[1:-1] -= dt * (f_energy[1:] - f_energy[:-1])
    return np.sum(rho**2) + np.sum(momentum**2) + np.sum(energy)


def gray_scott(u, v, feed, kill, n):
    """Two species that react and diffuse, updated with += on slices."""
    u, v = u.copy(), v.copy()
    for _ in range(n):
        reaction = u[1:-1] * v[1:-1] ** 2
        du = 0.2 * (u[2:] - 2 * u[1:-1] + u[:-2]) - reaction + feed * (1.0 - u[1:-1])
        dv = 0.1 * (v[2:] - 2 * v[1:-1] + v[:-2]) + reaction - (feed + kill) * v[1:-1]
        u[1:-1] += du
        v[1:-1] += dv
    return np.sum(u * v)


PROGRAMS = [
    Program(jacobi_1d, (U, 3)),
    Program(jacobi_1d_two_buffers, (U, 3)),
    Program(jacobi_1d_elements, (U, 2)),
    Program(jacobi_2d, (A, 2)),
    Program(jacobi_2d_two_buffers, (A, A[::-1] * 0.5, 3)),
    Program(jacobi_2d_two_buffers, (A, A[::-1] * 0.5, 3), (0, 1), name="jacobi_2d_two_buffers_all"),
    Program(gauss_seidel, (A, 2)),
    Program(fdtd_2d, (E, E.T * 0.7, E[::-1] + 0.3, U[:3])),
    Program(fdtd_2d, (E, E.T * 0.7, E[::-1] + 0.3, U[:3]), (0, 1, 2, 3), name="fdtd_2d_all"),
    Program(red_black, (U, V, 2)),
    Program(red_black, (U, V, 2), (0, 1), name="red_black_all"),
    Program(red_black_2d, (A, A[::-1] * 0.5, 0.7, 2)),
    Program(red_black_2d, (A, A[::-1] * 0.5, 0.7, 2), (0, 1, 2), name="red_black_2d_all"),
    Program(wave_1d, (U, 0.6, 3)),
    Program(wave_1d, (U, 0.6, 3), (0, 1), name="wave_1d_all"),
    Program(wave_1d_speeds, (U, V, 3)),
    Program(wave_1d_speeds, (U, V, 3), (0, 1), name="wave_1d_speeds_all"),
    Program(upwind_limited, (U, 0.4, 2)),
    Program(upwind_limited, (U, 0.4, 2), (0, 1), name="upwind_limited_all"),
    Program(upwind_elements, (U, 0.4, 2), (0, 1)),
    Program(burgers, (U, 0.1, 3)),
    Program(burgers, (U, 0.1, 3), (0, 1), name="burgers_all"),
    Program(euler_gas, (V + 1.0, U[::-1] * 0.3, V + 2.0, 0.05, 2)),
    Program(euler_gas, (V + 1.0, U[::-1] * 0.3, V + 2.0, 0.05, 2), (0, 1, 2, 3), name="euler_gas_all"),
    Program(gray_scott, (V + 0.4, V[::-1], 0.05, 0.03, 3)),
    Program(gray_scott, (V + 0.4, V[::-1], 0.05, 0.03, 3), (0, 1, 2, 3), name="gray_scott_all"),
]
