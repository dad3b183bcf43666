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

def matvec_of_lists_value_and_grad(A, x):
    s = 0.0
    rs = []
    for i in range(len(A)):
        row = A[i]
        r = 0.0
        for i2 in range(min(len(row), len(x))):
            r = row[i2] * x[i2] + r  # r = a * b + r
        rs.append(r)
        s += r * r
    A_bar = [[0.0] * len(row2) for row2 in A]
    x_bar = [0.0] * len(x)
    for i in reversed(range(len(A))):
        r = rs.pop()
        r_bar = 2 * r  # s = s + r * r
        row = A[i]  # for row in A:
        row_bar = A_bar[i]
        for i2 in reversed(range(min(len(row), len(x)))):
            x_bar[i2] += r_bar * row[i2]
            row_bar[i2] += r_bar * x[i2]
    return s, (A_bar, x_bar)
