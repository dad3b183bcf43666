"""Programs with stores, views, swaps, exits and nests of them. Every one went wrong at some time, in first or second order.

PROGRAMS: name -> (source, arguments, chosen positions, sources of callees)
"""

import numpy as np

rng = np.random.default_rng(0)
V = rng.uniform(0.5, 1.5, 7)
W = rng.uniform(0.5, 1.5, 7)
M = rng.uniform(-1, 1, (5, 5)) + 5 * np.eye(5)
PROGRAMS = {}


def add(name, source, args, wrt=(0,), **callees):
    PROGRAMS[name] = (source, args, wrt, callees)


add(
    "jacobi_swap",
    """
def f(x, T):
    a = x.copy()
    b = x.copy()
    for t in range(T):
        b[1:-1] = 0.5 * (a[:-2] + a[2:])
        a, b = b, a
    return np.sum(a * a)
""",
    (V, 5),
)
add(
    "jacobi_swap_nonlinear",
    """
def f(x, T):
    a = x.copy()
    b = np.zeros_like(x)
    for t in range(T):
        b[1:-1] = a[:-2] * a[2:] * 0.3 + a[1:-1]
        a, b = b, a
    return np.sum(a * a)
""",
    (V, 5),
)
add(
    "jacobi_swap_alias_of_arg",
    """
def f(x, T):
    a = x
    b = np.zeros(len(x))
    for t in range(T):
        for i in range(1, len(x) - 1):
            b[i] = a[i-1] * a[i+1]
        a, b = b, a
    return a[2] * b[3] + x[1]
""",
    (V, 3),
)
add(
    "seidel_linear",
    """
def f(x, T):
    u = x.copy()
    for t in range(T):
        for i in range(1, len(u) - 1):
            u[i] = 0.5 * (u[i-1] + u[i+1])
    return np.sum(u * u)
""",
    (V, 4),
)
add(
    "seidel_nonlinear",
    """
def f(x, T):
    u = x.copy()
    for t in range(T):
        for i in range(1, len(u) - 1):
            u[i] = 0.5 * u[i-1] * u[i+1] + 0.1 * u[i] * u[i]
    return np.sum(u * u)
""",
    (V, 4),
)
add(
    "lu",
    """
def f(M):
    A = M.copy()
    n = len(A)
    for k in range(n):
        for i in range(k + 1, n):
            A[i, k] /= A[k, k]
            for j in range(k + 1, n):
                A[i, j] -= A[i, k] * A[k, j]
    s = 0.0
    for k in range(n):
        s += np.log(abs(A[k, k]))
    return s
""",
    (M,),
)
add(
    "lu_slices",
    """
def f(M):
    A = M.copy()
    n = len(A)
    for k in range(n - 1):
        A[k+1:, k] /= A[k, k]
        A[k+1:, k+1:] -= np.outer(A[k+1:, k], A[k, k+1:])
    s = 0.0
    for k in range(n):
        s += np.log(abs(A[k, k]))
    return s
""",
    (M,),
)
add(
    "recurrence",
    """
def f(x, a):
    y = np.zeros(len(x))
    y[0] = x[0]
    for i in range(1, len(x)):
        y[i] = a * y[i-1] + x[i] ** 2
    return np.sum(y * y)
""",
    (V, 0.7),
    (0, 1),
)
add(
    "newton",
    """
def f(a):
    x = 1.0
    while abs(x * x - a) > 1e-9:
        x = 0.5 * (x + a / x)
    return x
""",
    (3.0,),
)
add(
    "bubble",
    """
def f(x, w):
    y = x.copy()
    n = len(y)
    for i in range(n):
        for j in range(n - 1 - i):
            if y[j] > y[j+1]:
                y[j], y[j+1] = y[j+1], y[j]
    s = 0.0
    for i in range(n):
        s += w[i] * y[i] ** 2
    return s
""",
    (V, W),
    (0, 1),
)
add(
    "write_view_of_arg",
    """
def f(x, c):
    h = x[2:]
    if c > 0:
        h[1] = x[0] * x[3]
        h[0] = h[1] * x[1]
    return x[2] * x[3] + x[4]
""",
    (V, 1.0),
)
add(
    "list_of_views_then_write",
    """
def f(x):
    a = x.copy()
    rows = []
    for i in range(3):
        rows.append(a[i:i+3])
    a[2] = a[0] * a[1]
    s = 0.0
    for k in range(3):
        r = rows[k]
        r[1] = r[0] * r[2]
        s += r[1] * r[1]
    return s + a[3]
""",
    (V,),
)
add(
    "iadd_array_or_number",
    """
def f(x, v):
    y = x
    s = v
    z = s
    s += 2.0 * v
    w = y * 1.0
    u = w
    w += v
    w += x * x
    return np.sum(u * u) * z + s
""",
    (V, 1.3),
    (0, 1),
)
add(
    "dead_stores",
    """
def f(x):
    y = np.zeros(3)
    y[0] = x[0] * x[1]
    y[0] = x[2]
    y[1] = x[0] * y[0]
    y[0] = 4.0
    z = x[1] * 7.0
    z = x[0]
    return y[0] * y[1] * z
""",
    (V,),
)
add(
    "zero_trips",
    """
def f(x, n):
    s = x[0]
    t = x[1]
    for i in range(n):
        t = s * x[i]
        s = s + t * t
    return s * t
""",
    (V, 0),
)
add(
    "nested_break_return",
    """
def f(x, n):
    s = 1.0
    for i in range(n):
        for j in range(n):
            s = s * (1.0 + 0.1 * x[j])
            if s > 3.0 + i:
                break
            if i == 2:
                if j == 3:
                    return s * s * x[i]
            s = s + x[i] * x[j]
        if s > 50.0:
            break
    return s * 2.0
""",
    (V, 6),
)
add(
    "nested_break_noreturn",
    """
def f(x, n):
    s = 1.0
    for i in range(n):
        for j in range(i, n):
            s = s * (1.0 + 0.1 * x[j])
            if s > 3.0 + i:
                break
            if x[j] > 1.2:
                continue
            s = s + x[i] * x[j]
    return s * 2.0
""",
    (V, 6),
)
add(
    "inlined_writer",
    """
def f(x):
    y = x * x
    scale(y, x[0])
    scale(y, y[1])
    return np.sum(y) + y[2] * y[0]
""",
    (V,),
    (0,),
    scale="""
def scale(a, c):
    for k in range(len(a) - 1):
        a[k] = a[k] * c + a[k+1]
""",
)
add(
    "store_of_itself",
    """
def f(x):
    y = x.copy()
    for k in range(3):
        for i in range(len(y)):
            y[i] = np.sin(y[i]) * y[i]
    return np.sum(y)
""",
    (V,),
)
add(
    "store_exp_itself",
    """
def f(x):
    y = x.copy()
    y[1:4] = np.exp(y[1:4])
    y[:] = y * y
    y *= 0.5
    return np.sum(y * x)
""",
    (V,),
)
add(
    "row_iteration",
    """
def f(A, x):
    s = 0.0
    for row in A:
        t = 0.0
        for j in range(len(x)):
            t += row[j] * x[j]
        s += t * t
    return s
""",
    (M, V[:5]),
    (0, 1),
)
add(
    "row_iteration_written",
    """
def f(M):
    A = M.copy()
    s = 0.0
    for row in A:
        row[0] = row[1] * row[2]
        row += 0.5
        s += row[0] * row[3] * A[0, 0]
    return s
""",
    (M,),
)
add(
    "returned_buffer",
    """
def f(x, n):
    y = np.zeros(n)
    z = y
    for i in range(n):
        y[i] = x[i] * x[0]
        if i > 2:
            z[i-1] += y[i] * y[i]
    return y
""",
    (V, 6),
)
add(
    "returned_view",
    """
def f(x):
    y = x * x
    y[3] = y[2] * y[1]
    return y[1:4]
""",
    (V,),
)
add(
    "while_break_arrays",
    """
def f(x, tol):
    u = x.copy()
    k = 0
    while k < 50:
        r = u[0] - np.cos(u[0] * u[1])
        if abs(r) < tol:
            break
        u[0] = u[0] - 0.5 * r
        k = k + 1
    return u[0] * u[0] + x[1] * k
""",
    (V, 1e-6),
)
add(
    "rk4",
    """
def f(y0, h, n):
    y = y0 * 1.0
    for t in range(n):
        k1 = rhs(y)
        k2 = rhs(y + 0.5 * h * k1)
        k3 = rhs(y + 0.5 * h * k2)
        k4 = rhs(y + h * k3)
        y = y + h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4)
    return np.sum(y * y)
""",
    (V[:3], 0.1, 4),
    (0, 1),
    rhs="""
def rhs(y):
    d = np.zeros(3)
    d[0] = 10.0 * (y[1] - y[0])
    d[1] = y[0] * (2.8 - y[2]) - y[1]
    d[2] = y[0] * y[1] - 2.0 * y[2]
    return d
""",
)
add(
    "mlp",
    """
def f(W1, b1, x, v):
    h = np.tanh(W1 @ x + b1)
    return np.sum(h * v) / len(x)
""",
    (M * 0.1, V[:5], W[:5], V[:5]),
    (0, 1, 3),
)
add(
    "list_matvec",
    """
def f(x, n):
    ys = []
    for i in range(n):
        t = 0.0
        for j in range(n):
            t = t + x[i] * x[j] * j
        ys.append(t)
    s = 0.0
    for i in range(n):
        s = s + ys[i] * ys[n - 1 - i]
    return s
""",
    (V, 4),
)
add(
    "scalar_swap",
    """
def f(a, b, n):
    for i in range(n):
        a, b = b, a
        a = a * b
    return a + 2.0 * b
""",
    (1.1, 0.9, 5),
    (0, 1),
)
add(
    "fib_tuple",
    """
def f(a, b, n):
    for i in range(n):
        a, b = b, a * b + 0.1
    return b
""",
    (1.1, 0.9, 5),
    (0, 1),
)
add(
    "cond_pointer",
    """
def f(x, c):
    a = x.copy()
    if c > 0.0:
        v = a[1:4]
    else:
        v = a[2:5]
    v[0] = v[1] * v[2]
    a[3] = v[0] * a[0]
    return np.sum(v) * a[3]
""",
    (V, -1.0),
)
add(
    "carried_pointer",
    """
def f(x, n):
    a = x.copy()
    cur = a[0:2]
    for i in range(n):
        nxt = a[i+1:i+3]
        nxt[0] = cur[0] * cur[1] + nxt[1]
        cur = nxt
    return cur[0] * cur[1] + a[0]
""",
    (V, 4),
)
add(
    "rebinding_buffer",
    """
def f(x, n):
    u = x * 2.0
    for i in range(n):
        u[0] = u[0] * u[1]
        u = u * u[1] + x
    return u[0] + u[2]
""",
    (V, 3),
)
add(
    "n_body_like",
    """
def f(x0, n):
    x = x0.copy()
    v = np.zeros(len(x))
    for t in range(n):
        for i in range(len(x)):
            for j in range(len(x)):
                d = x[j] - x[i]
                v[i] += 0.01 * d / (1.0 + d * d)
        for i in range(len(x)):
            x[i] += 0.1 * v[i]
    return np.sum(x * x)
""",
    (V, 3),
)
add(
    "prefix_max_branchy",
    """
def f(x):
    m = x[0]
    s = 0.0
    for i in range(1, len(x)):
        if x[i] > m:
            m = x[i]
        else:
            s = s + m * x[i]
    return s * m
""",
    (V,),
)
add(
    "n_overlap_store",
    """
def f(x):
    y = x * x
    y[1:] = y[:-1]
    y[:-2] = y[2:] * y[1:-1]
    return np.sum(y * y * x)
""",
    (V,),
)
add(
    "n_overlap_acc",
    """
def f(x):
    y = x * x
    y[1:] += y[:-1]
    v = y[:-1]
    y[1:] += v
    v *= v
    return np.sum(y * y * x)
""",
    (V,),
)
add(
    "n_arg_written",
    """
def f(x):
    x[0] = x[1] * x[2]
    x[1] = x[0] * x[0]
    return np.sum(x * x)
""",
    (V,),
)
add(
    "n_pointer_ifexp",
    """
def f(x, c):
    a = x * 2.0
    b = x * 3.0
    y = a if c > 0.0 else b
    y[0] = y[1] * a[2] * b[1]
    return np.sum(a) * b[0] + a[0]
""",
    (V, -1.0),
)
add(
    "n_swap_in_branch",
    """
def f(x, n):
    a = x.copy()
    b = x * 0.5
    for t in range(n):
        b[1:] = a[:-1] * a[1:]
        if t % 3 != 1:
            a, b = b, a
    return np.sum(a) + b[1] * b[2]
""",
    (V, 5),
)
add(
    "n_stale_view",
    """
def f(x):
    a = x * x
    v = a[1:3]
    a = a * 2.0
    v[0] = v[1] * a[0]
    return np.sum(v * v) + np.sum(a)
""",
    (V,),
)
add(
    "n_tmp_buffer_reused",
    """
def f(x, n):
    tmp = np.zeros(len(x))
    s = 0.0
    for k in range(n):
        for i in range(len(x)):
            tmp[i] = x[i] * (k + 1.0)
        for i in range(len(x) - 1):
            s = s + tmp[i] * tmp[i+1]
        tmp[0] = 5.0
    return s * s
""",
    (V, 3),
)
add(
    "n_user_stack",
    """
def f(x, n):
    stack = []
    s = 1.0
    for i in range(n):
        stack.append(x[i] * s)
        s = s + x[i]
        if i % 2 == 1:
            p = stack.pop()
            q = stack.pop()
            stack.append(p * q)
    return stack[0] * s + stack[1]
""",
    (V, 4),
)
add(
    "n_index_data_dependent",
    """
def f(x, n):
    y = x.copy()
    k = 0
    for t in range(n):
        y[k] = y[k] * y[(k + 2) % len(y)]
        k = (k + 3) % len(y)
    return np.sum(y) * k
""",
    (V, 9),
)
add(
    "n_break_first",
    """
def f(x, n):
    s = x[0]
    for i in range(n):
        if s > 0.0:
            break
        s = s * x[i]
    return s * x[1]
""",
    (V, 4),
)
add(
    "n_early_return_top",
    """
def f(x, c):
    y = x[0] * x[1]
    if c > 0.0:
        return y * y
    z = np.sin(y)
    if c < -5.0:
        return z
    y = y * z
    return y * x[2]
""",
    (V, -1.0),
)
add(
    "m_while_swap",
    """
def f(x, tol):
    a = x.copy()
    b = x.copy()
    r = 1.0
    while r > tol:
        b[1:-1] = 0.5 * (a[:-2] * a[2:]) + 0.2 * a[1:-1]
        r = np.sum((a - b) * (a - b))
        a, b = b, a
    return np.sum(a * a)
""",
    (V * 0.5, 1e-3),
)
add(
    "n_ownership",
    """
def f(x, y):
    z = x + y
    w = z + x
    return np.sum(w) * x[0] * y[1] + np.sum(z * z)
""",
    (V, W),
    (0, 1),
)
add(
    "n_dead_value_overwrite",
    """
def f(x, n):
    y = np.zeros(len(x))
    s = 0.0
    for i in range(n):
        y[0] = x[i]
        y[0] = y[0] * x[0]
        s = s + y[0]
        y[1] = 2.0
    return s * s
""",
    (V, 4),
)
add(
    "n_inner_local_scalar",
    """
def f(x, n):
    s = 0.0
    t = 1.0
    for i in range(n):
        p = t
        for j in range(3):
            p = p * x[j] + s
            if p > 4.0:
                p = p - 4.0
        t = p * x[i]
        s = s + p * t
    return s + t
""",
    (V, 4),
)
add(
    "n_loop_last_value",
    """
def f(x, n):
    t = 3.0 * x[0]
    u = t * t
    for i in range(n):
        t = x[i] * x[i]
        u = u + t
    return u * t
""",
    (V, 3),
)
add(
    "n_gauss_solve",
    """
def f(M, b0):
    A = M.copy()
    b = b0.copy()
    n = len(b)
    for k in range(n):
        p = k
        for i in range(k + 1, n):
            if abs(A[i, k]) > abs(A[p, k]):
                p = i
        if p != k:
            tmp = A[k].copy()
            A[k] = A[p]
            A[p] = tmp
            b[k], b[p] = b[p], b[k]
        for i in range(k + 1, n):
            m = A[i, k] / A[k, k]
            A[i, k:] -= m * A[k, k:]
            b[i] -= m * b[k]
    x = np.zeros(n)
    for q in range(n):
        i = n - 1 - q
        x[i] = (b[i] - A[i] @ x) / A[i, i]
    return np.sum(x * x)
""",
    (M - 5.0 * np.eye(5) + 0.1, V[:5]),
    (0, 1),
)
