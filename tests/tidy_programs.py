"""Programs as a derivative step writes them, one hazard or habit each; `test_tidy` runs them before and after tidy.

Every program has the parameters (x, w, n, a, b): two numbers, an int, two arrays of 4. `log` and `stir` are calls with effects:
`log(v)` writes v down and returns v / 2, `stir(a)` writes a[0] and returns a[2].
"""

PROGRAMS = r"""
t = x * w; y = np.sin(t); y_bar = 1.0; t2 = np.cos(t); t_bar = y_bar * t2; x_bar = t_bar * w; w_bar = t_bar * x; return x_bar, w_bar
---
t = a[0]; a[0] = 5.0; y = t * 2; return y
---
t = a[0]; b[0] = 5.0; y = t * 2; return y
---
v = a[1:]; t = v * 2; a[1] = 9.0; return t, v
---
v = a[1:]; a[1] = 9.0; t = v * 2; return t
---
t = x * 2; x = w; y = t + x; return y
---
t = np.sum(a); a += 1.0; y = t * x; return y
---
t = log(x); t2 = log(w); y = t2 - t; return y
---
t = log(x); y = x * t; return y
---
t = a[0]; t2 = stir(a); y = t + t2; return y
---
t = stir(a); t2 = a[0]; y = t2 + t; return y
---
t = stir(a); y = a * t; return y
---
t = stir(a); t2 = a * 2; y = t2 + t; return y
---
t = stir(a); a[1] += t; return x
---
t = x * w; assert t > -10.0; y = t + 1.0; return y
---
y, z = x, w; y, z = z, y; t = y * 2; return t - z
---
t = x; x, w = w, x; y = t * w; return y, x
---
t = x; t2 = t; x = w; y = t2 * t; return y
---
xs = []; s = x
for i in range(n):
    xs.append(s); s = s * w
s_bar = 1.0; w_bar = 0.0
for i in reversed(range(n)):
    s = xs.pop(); w_bar += s_bar * s; s_bar = s_bar * w
return s_bar, w_bar
---
xs = []; ys = []; s = x; u = w
for i in range(n):
    xs.append(s); ys.append(u); t = s * u; s = np.sin(t); u = u + s
s_bar = 1.0; u_bar = 0.0
for i in reversed(range(n)):
    u = ys.pop(); s = xs.pop(); s_bar += u_bar; t = s * u; t2 = np.cos(t)
    t_bar = s_bar * t2; s_bar = t_bar * u; t3 = t_bar * s; u_bar += t3
return s_bar, u_bar
---
xs = []; xs.append(x); xs.append(w); t = xs.pop(); t2 = xs.pop(); y = t2 - t * 2; return y
---
xs = []; xs.append(x); xs.append(w); t = xs.pop(); t2 = xs.pop(); y = t2 * 3; return y
---
xs = []; xs.append(x); t = len(xs); xs.append(w); y = t * x; return y
---
xs = []; xs.append(x); t = xs.pop(); y = x * w + t; return y, xs
---
xs = []
for i in range(n):
    xs.append(i); t = xs.pop(); xs.append(t)
return x
---
c = x > 0.0
if c:
    y = x * w; t = w
else:
    y = x - w; t = x
z = y * t; z_bar = 1.0; y_bar = z_bar * t
if c:
    x_bar = y_bar * w
else:
    x_bar = y_bar
return x_bar
---
y_bar = 0.0; c = w > 0.0
if c:
    y_bar += x
y_bar += w; return y_bar
---
c = w < 0.0; t = 0.0
if c:
    t = x
y = t * 2; return y
---
t = x
if w < 0.0:
    t = w
y = t; return y
---
t = w
for i in range(n):
    y = t * x; t = y
return t
---
t = w
for i in range(n):
    t2 = t; t = t2 * x
return t
---
t = 1.0
for i in range(n):
    t2 = t * x; t = t2 + 1.0
return t
---
s = 0.0
for i in range(n):
    s += a[i]
return x
---
flag = False; trips = 0; s = x
for i in range(n):
    trips += 1; s = s * w; c = s > 0.5; flag = c
    if flag:
        break
s_bar = 1.0
for _ in range(trips):
    s_bar = s_bar * w
return s_bar
---
flag = False; trips = 0; s = x
for i in range(n):
    trips += 1; s = s * w; flag = s > 0.5
    if flag:
        break
return s
---
flag = False; trips = 0; s = x
for i in range(n):
    trips += 1; s = s * w; flag = s > 0.5
    if flag:
        break
return w
---
trips = 0; s = x
while s < 10.0:
    trips += 1; s = s + 3.0
s_bar = 1.0; w_bar = 0.0
for _ in range(trips):
    w_bar += s_bar
return s_bar, w_bar
---
trips = 0; s = x
while s < 10.0:
    trips += 1; s = s + 3.0
return w
---
trips = 0; s = x
while s < 10.0:
    trips += 1; s = s + 3.0; t = log(s)
return w
---
k = 0
while k < n:
    k += 1; a[0] += 1.0
return x
---
y = np.zeros(4)
for i in range(n):
    y[i] = x * i
return w
---
y = np.zeros(4); z = y
for i in range(n):
    y[i] = x * i
return z
---
y = np.zeros(4); z = y[::-1]; y[0] = x; return z
---
y = np.zeros(4); ys = []; ys.append(y); y[0] = x; t = ys.pop(); return t
---
y = np.zeros(4); y[0] = x; y = np.zeros(4); return y
---
y = np.zeros(4); y[0] = x; y2 = np.zeros_like(y); return y2
---
p = np.zeros(4); q = np.zeros(4)
for i in range(n):
    p[1:] = q[:-1] + x; p, q = q, p
return q
---
p = np.zeros(4); q = np.zeros(4)
for i in range(n):
    p[1:] = q[:-1] + x; p, q = q, p
z = np.zeros_like(q); return z
---
p = a; q = b
for i in range(n):
    p[0] = q[1] * x; p, q = q, p
return x
---
x_bar = np.zeros_like(a); x_bar[0] += x; x_bar[0] += w; return x_bar
---
x_bar = np.zeros_like(a); x_bar[0] += x; t = x_bar[0]; x_bar[0] += t; return x_bar
---
x_bar = np.zeros_like(a); i = 1; x_bar[i] += x; i = 2; x_bar[i] += w; return x_bar
---
x_bar = np.zeros_like(a); x_bar[0] += -x; x_bar[1] -= -w; return x_bar
---
a_bar = np.zeros_like(a)
for i in reversed(range(n)):
    g = a_bar[i]; a_bar[i] = 0.0; t = g * w; a_bar[i - 1] += t; a_bar[i] += x
return a_bar
---
a_bar = np.ones_like(a)
for i in reversed(range(1, n)):
    t = a_bar[i]; a_bar[i] = 0.0; a_bar[i - 1] += t * w
return a_bar
---
t_bar = a * w; x_bar = t_bar; y_bar = t_bar; x_bar[0] += 1.0; return x_bar, y_bar
---
t_bar = 1.0 * a; t_bar[0] = 7.0; return t_bar
---
t_bar = 1.0 * a; a[0] = 7.0; return t_bar
---
t_bar = 1.0 * a; return t_bar
---
t = a * w; t2 = a * w; t2[0] = 1.0; return t, t2
---
t = a * w; t2 = a * w; return t, t2
---
t = a * w; t2 = a * w; y = t + t2; return y
---
t = a * w; a[0] = 1.0; t2 = a * w; y = t + t2; return y
---
t = x * w; x = x + 1.0; t2 = x * w; y = t + t2; return y
---
t = np.zeros(4); t2 = np.zeros(4); t[0] = 1.0; return t, t2
---
t = log(x); t2 = log(x); y = t + t2; return y
---
t = x * w; t2 = 1.0 * t; t3 = t2 / 1; t4 = -t3; y = -t4; return y
---
t = x * w; t2 = t + t; y = t2 + t2; return y
---
t = 1 / w; y = x * t; return y
---
t = 1 / w; y = t * x; z = t * 2; return y, z
---
t = -w; y = x + t; z = t + x; t2 = -x; u = w - t2; return y, z, u
---
t = a > 0; y = 1 * t; z = y + y; return z
---
t = 2; y = t / 1; return y
---
t = 2; y = 1.0 * t; return y
---
s = 0.0
for i in range(n):
    t = s; s = t + a[i]
return s
---
s = x
for i in range(n):
    t = s * w
    for j in range(n):
        s += t * 0.1
return s
---
y = x
for i in range(n):
    t = a * y; y = np.sum(t)
return y
---
def pull(y_bar):
    t = y_bar * w; x_bar = t
    return x_bar
y = x * w; t = pull(1.0); t2 = pull(t); return t2
---
t = x * w
def pull(y_bar):
    t2 = y_bar * t
    return t2
return pull(2.0)
---
t = x * w
def pull(y_bar):
    t2 = y_bar * t
    return t2
t = w
return pull(2.0)
---
def pull(y_bar):
    x_bar = np.zeros_like(a)
    for i in range(n):
        t = y_bar * b[i]; x_bar[i] += t
    return x_bar
return pull(1.0), pull(1.0)
---
xs = []
def pull(y_bar):
    t = xs[0]
    return y_bar * t
xs.append(x); return pull(2.0)
---
t = x > 0.0; t2 = w > 0.0; c = t and t2
if c:
    y = 1.0
else:
    y = 2.0
return y
---
t = w / x; c = x > 0.0 and t > 0.0
if c:
    y = 1.0
else:
    y = 2.0
return y
---
flag = True
if flag:
    y = x
else:
    y = w
return y
---
c = x > 0.0
if c:
    t = x * w
else:
    y_bar = x; t2 = y_bar * 3.0; a[0] = t2
return x
---
t = range(n)
for i in t:
    a[i] = x
return a
---
t = n - 1; t2 = reversed(range(t))
for i in t2:
    a[i] = x
return a
---
t = a * 2
for v in t:
    a[0] += v
return a
---
t = x * w; message = f"{t}"; return message
---
c = x > 5.0
if c:
    raise ValueError("no")
t = x * w; return t
---
i = 1; t = i + 1; a[t] = x; t2 = a[t]; return t2
---
t = n - 1; a[t] += w; return x
---
t = log(x); a[0] = t; t2 = a[0]; return t2
---
k = 0
for i in range(n):
    k = k + 2; t = a[k % 4]; a[0] += t
return x
---
y = x; t = y * w; y = t + 1.0; t2 = y * y; y = t2; return y
---
x_bar = 0.0; w_bar = 0.0
for i in range(n):
    x_bar = x_bar + w; w_bar = w_bar + x
return x_bar
---
v = np.zeros(4); np.add.at(v, [0, 0, 1], x); return v
---
v = np.zeros(4); np.add.at(v, [0, 0, 1], x); return x
---
t = a[0]; np.add.at(a, [0, 0, 1], x); y = t * 2; return y
---
v = np.zeros(4); t = np.add(a, b, out=v); return v
---
t = v = x * w; return t, v
---
s_bar = 1.0; t_bar = s_bar; u_bar = t_bar; x_bar = u_bar; return x_bar
---
t = x * w; y = t; t2 = t * y; return y, t2
---
t = (x, w); y = t[0]; t2 = y * 2; return t2, t
---
t = [x, w]; t2 = np.array(t); t[0] = 3.0; return t2
---
t = x * w * x * w * x * w * x * w; t2 = t + t * t - t / w
t3 = t2 * t2 + np.sin(t2) * np.cos(t2); y = t3 * np.exp(t3) + np.sin(t3) * x; return y
---
t = a; t[0] = x; return b
---
t = np.empty_like(a); t[:] = a; t2 = t.copy(); t[0] = 0.0; return t2
---
t = a.T; t2 = t * x; a[1] = 0.0; return t2
---
t = 1.0 * a; stir(a); t2 = t - x; return t2 + t
---
t = -a; t2 = 1.0 * a; t3 = 1.0 * t2; x += stir(t2); t4 = t * t3; return t4
---
t = a * w; t2 = a * w; stir(t); y = t2 + t; return y
---
t = x * w; x = w + 1.0; s_bar = t; y = s_bar * x; return y
---
t_dot = w * x; x = x * x; w = t_dot; return x * w
---
t_dot = w * x; y = w; w = t_dot; return y * w
---
for i in range(n):
    t_dot = w * x; x = x * w; w = t_dot
return w, x
---
c = x > 0.0
if c:
    t = x
else:
    t = w
z = t; return z * t
---
c = x > 0.0
if c:
    t = x
else:
    t = w
z = t; return z
---
lost = []; lost.append(a); a[0] = 1.0; return x
"""


def programs() -> list[str]:
    """The sources, one function each."""
    found = []
    for text in PROGRAMS.strip("\n").split("\n---\n"):
        lines = [line[: len(line) - len(line.lstrip())] + part.strip() for line in text.split("\n") for part in line.split("; ")]
        found.append("def f(x, w, n, a, b):\n" + "".join("    " + line + "\n" for line in lines if line.strip()))
    return found
