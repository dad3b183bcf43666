"""sd.value_and_grad(matvec_of_lists, wrt=(0, 1)), declared for (list, list)"""
# ruff: noqa: E402, F811, I001 (the second half is kept as it was generated, with its own imports)

def matvec_of_lists(A, x):
    s = 0.0
    for row in A:
        r = 0.0
        for a, b in zip(row, x):
            r = a * b + r
        s = s + r * r
    return s

# The derivative

from sourcediff.runtime import add_at, check_scalar, owned, unbroadcast, zero_parts


def matvec_of_lists_value_and_grad(A, x):
    s = 0.0
    rs = []
    rs2 = []
    ss = []
    for i in range(len(A)):
        row = A[i]
        r = 0.0
        for i2 in range(min(len(row), len(x))):
            t = row[i2] * x[i2]  # r = a * b + r
            rs.append(r)
            r = t + r
        rs2.append(r)
        ss.append(s)
        s = s + r * r
    check_scalar(s, "matvec_of_lists")
    value = s
    s_bar = 1.0
    A_bar = zero_parts(A)
    x_bar = zero_parts(x)
    for i in reversed(range(len(A))):
        r = rs2.pop()
        s = ss.pop()
        t_bar = unbroadcast(s_bar, r * r)  # s = s + r * r
        s_bar = unbroadcast(s_bar, s)
        r_bar = 2 * t_bar * r
        row = A[i]  # for row in A:
        row_bar = zero_parts(row)
        for i2 in reversed(range(min(len(row), len(x)))):
            r = rs.pop()
            t2 = row[i2]
            t_bar2 = unbroadcast(r_bar, t2)  # r = a * b + r
            r_bar = unbroadcast(r_bar, r)
            t3 = x[i2]  # for a, b in zip(row, x):
            x_bar[i2] += unbroadcast(t_bar2 * t2, t3)
            row_bar[i2] += t_bar2 * t3
        add_at(A_bar, i, row_bar)  # for row in A:
    return value, (owned(A_bar, A), x_bar)
