"""The Jacobian of the bundle-adjustment residual with the value, derived and folded by hand: structural zeros are never computed."""

from __future__ import annotations

from math import cos, sin, sqrt


def bundle_residual(p0, p1, p2, p3, p4, p5, p6, p7, p8, p9, p10, p11, p12, p13, p14, m0, m1):
    """(value, row of the first residual, row of the second): derivatives by p0 … p14."""
    r0 = p0
    r1 = p1
    r2 = p2
    f = p6
    k1 = p9
    k2 = p10
    w = p14
    d0 = p11 - p3
    d1 = p12 - p4
    d2 = p13 - p5
    sq = r0 * r0 + r1 * r1 + r2 * r2
    th = sqrt(sq)
    c = cos(th)
    s = sin(th)
    ti = 1.0 / th
    a0 = r0 * ti
    a1 = r1 * ti
    a2 = r2 * ti
    oc = 1.0 - c
    x0 = a1 * d2 - a2 * d1
    x1 = a2 * d0 - a0 * d2
    x2 = a0 * d1 - a1 * d0
    ad = a0 * d0 + a1 * d1 + a2 * d2
    t = ad * oc
    Y0 = d0 * c + x0 * s + a0 * t
    Y1 = d1 * c + x1 * s + a1 * t
    Y2 = d2 * c + x2 * s + a2 * t
    iz = 1.0 / Y2
    px = Y0 * iz
    py = Y1 * iz
    rs = px * px + py * py
    L = 1.0 + rs * (k1 + k2 * rs)
    Lf = L * f
    wf = w * f
    g0 = px * Lf + p7 - m0
    g1 = py * Lf + p8 - m1
    e0 = w * g0
    e1 = w * g1
    J0_14 = g0
    J1_14 = g1
    J0_7 = w
    J0_8 = 0
    J1_7 = 0
    J1_8 = w
    J0_6 = w * px * L
    J1_6 = w * py * L
    wr = wf * rs
    w9 = wr * px
    w19 = wr * py
    J0_9 = w9
    J1_9 = w19
    J0_10 = w9 * rs
    J1_10 = w19 * rs
    dL = 2.0 * (k1 + 2.0 * k2 * rs)
    wL = w * Lf
    q = wf * dL
    A = wL + q * px * px
    B = q * px * py
    D = wL + q * py * py
    G00 = A * iz
    G01 = B * iz
    G02 = -(A * px + B * py) * iz
    G11 = D * iz
    G12 = -(B * px + D * py) * iz
    sa0 = s * a0
    sa1 = s * a1
    sa2 = s * a2
    o0 = oc * a0
    o1 = oc * a1
    o2 = oc * a2
    m01 = o0 * a1
    m02 = o0 * a2
    m12 = o1 * a2
    R00 = c + o0 * a0
    R01 = m01 - sa2
    R02 = m02 + sa1
    R10 = m01 + sa2
    R11 = c + o1 * a1
    R12 = m12 - sa0
    R20 = m02 - sa1
    R21 = m12 + sa0
    R22 = c + o2 * a2
    X0 = G00 * R00 + G01 * R10 + G02 * R20
    X1 = G00 * R01 + G01 * R11 + G02 * R21
    X2 = G00 * R02 + G01 * R12 + G02 * R22
    J0_11 = X0
    J0_12 = X1
    J0_13 = X2
    J0_3 = -X0
    J0_4 = -X1
    J0_5 = -X2
    hd = G00 * d0 + G01 * d1 + G02 * d2
    hx = G00 * x0 + G01 * x1 + G02 * x2
    ha = G00 * a0 + G01 * a1 + G02 * a2
    bth = -s * hd + c * hx + s * ha * ad
    b0 = s * (d1 * G02 - d2 * G01) + oc * (G00 * ad + d0 * ha)
    b1 = s * (d2 * G00 - d0 * G02) + oc * (G01 * ad + d1 * ha)
    b2 = s * (d0 * G01 - d1 * G00) + oc * (G02 * ad + d2 * ha)
    ba = b0 * a0 + b1 * a1 + b2 * a2
    u = bth - ti * ba
    J0_0 = a0 * u + ti * b0
    J0_1 = a1 * u + ti * b1
    J0_2 = a2 * u + ti * b2
    X0 = G01 * R00 + G11 * R10 + G12 * R20
    X1 = G01 * R01 + G11 * R11 + G12 * R21
    X2 = G01 * R02 + G11 * R12 + G12 * R22
    J1_11 = X0
    J1_12 = X1
    J1_13 = X2
    J1_3 = -X0
    J1_4 = -X1
    J1_5 = -X2
    hd = G01 * d0 + G11 * d1 + G12 * d2
    hx = G01 * x0 + G11 * x1 + G12 * x2
    ha = G01 * a0 + G11 * a1 + G12 * a2
    bth = -s * hd + c * hx + s * ha * ad
    b0 = s * (d1 * G12 - d2 * G11) + oc * (G01 * ad + d0 * ha)
    b1 = s * (d2 * G01 - d0 * G12) + oc * (G11 * ad + d1 * ha)
    b2 = s * (d0 * G11 - d1 * G01) + oc * (G12 * ad + d2 * ha)
    ba = b0 * a0 + b1 * a1 + b2 * a2
    u = bth - ti * ba
    J1_0 = a0 * u + ti * b0
    J1_1 = a1 * u + ti * b1
    J1_2 = a2 * u + ti * b2
    return (
        (e0, e1),
        (J0_0, J0_1, J0_2, J0_3, J0_4, J0_5, J0_6, J0_7, J0_8, J0_9, J0_10, J0_11, J0_12, J0_13, J0_14),
        (J1_0, J1_1, J1_2, J1_3, J1_4, J1_5, J1_6, J1_7, J1_8, J1_9, J1_10, J1_11, J1_12, J1_13, J1_14),
    )
