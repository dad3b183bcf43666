"""sd.jacobian(spherical, wrt=(0, 1, 2))"""
# ruff: noqa: E402, F811, I001 (the second half is kept as it was generated, with its own imports)

def spherical(r: float, theta: float, phi: float):
    s = math.sin(theta)
    return r * s * math.cos(phi), r * s * math.sin(phi), r * math.cos(theta)

# The derivative

import math


def spherical_jacobian(r, theta, phi):
    s = math.sin(theta)
    s_dot_theta = math.cos(theta)
    t = r * s  # return r * s * math.cos(phi), r * s * math.sin(phi), r * math.cos(theta)
    t_dot_theta = s_dot_theta * r
    t2 = math.cos(phi)
    t3_dot_r = s * t2
    t3_dot_theta = t_dot_theta * t2
    t3_dot_phi = -math.sin(phi) * t
    t3 = math.sin(phi)
    t6_dot_r = s * t3
    t6_dot_theta = t_dot_theta * t3
    t6_dot_phi = t2 * t
    t8_dot_theta = -s * r
    return ((t3_dot_r, t3_dot_theta, t3_dot_phi), (t6_dot_r, t6_dot_theta, t6_dot_phi),
            (s_dot_theta, t8_dot_theta, 0.0))
