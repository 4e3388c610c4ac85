"""Parts of the generated kernels: each computes a pose, and stands for all lanes of a vector.

Numbers of the eight cables are eight arguments, or a tuple of eight.
"""

from __future__ import annotations

import math

from models.hybrid_cable_robot.collisions.distance_kernels import PARALLEL
from models.hybrid_cable_robot.wrench.capacity_kernels import NULL_FACET
from models.jit import vectorized_part

NOTHING = 1e-200  # floor of divisors
FLOOR = 1e-12  # [m^2]; keeps the unit vector of a shorter cable finite
# Squared sines near PARALLEL: which side they are on depends on rounding, and the answer on the side.
UNSURE_FROM, UNSURE_TO = 0.5 * PARALLEL, 100 * PARALLEL
_MIDDLE, _HALF = 0.5 * (UNSURE_TO + UNSURE_FROM), 0.5 * (UNSURE_TO - UNSURE_FROM)

Eight = tuple[float, float, float, float, float, float, float, float]


@vectorized_part
def unit(
    gx: float, gy: float, gz: float, x: float, y: float, z: float
) -> tuple[float, float, float, float, float]:
    """Squared length [m^2], length [m] and unit vector of g - x."""
    dx, dy, dz = gx - x, gy - y, gz - z
    square = dx * dx + dy * dy + dz * dz
    length = math.sqrt(max(square, FLOOR))
    inverse = 1.0 / length
    return square, length, dx * inverse, dy * inverse, dz * inverse


@vectorized_part
def unit_from_wheel(
    gx: float, gy: float, gz: float, kx: float, ky: float, kz: float, radius: float,
    x: float, y: float, z: float,
) -> tuple[float, float, float, float, float]:  # fmt: skip
    """Squared length [m^2], length [m] and unit vector of a cable to the wheel at g - x with swivel axis k.

    As ``pulleys.wraps``; the square is that of the distance beyond which it is sure that the attachment lies
    neither in the wheel nor on its axis.
    """
    dx, dy, dz = x - gx, y - gy, z - gz
    along = dx * kx + dy * ky + dz * kz
    ax, ay, az = dx - along * kx, dy - along * ky, dz - along * kz
    apart = ax * ax + ay * ay + az * az
    distance = math.sqrt(max(apart, FLOOR))
    outward = distance - radius
    square = outward * outward + along * along
    free_square = square - radius * radius
    free = math.sqrt(max(free_square, FLOOR))
    divisor = 1.0 / max(square, FLOOR)
    cosine = (free * along - radius * outward) * divisor
    sine = (free * outward + radius * along) * divisor / distance
    ux, uy, uz = -(cosine * kx + sine * ax), -(cosine * ky + sine * ay), -(cosine * kz + sine * az)
    return min(free_square, apart), free, ux, uy, uz


@vectorized_part
def cross(ax: float, ay: float, az: float, ux: float, uy: float, uz: float) -> tuple[float, float, float]:
    """Cross product of a and u."""
    return ay * uz - az * uy, az * ux - ax * uz, ax * uy - ay * ux


@vectorized_part
def dot8(
    a: float, b: float, c: float, d: float, e: float, f: float, g: float, h: float,
    p: float, q: float, r: float, s: float, t: float, u: float, v: float, w: float,
) -> float:  # fmt: skip
    """Product of two rows, added in pairs so that additions need not wait for each other."""
    return ((a * p + b * q) + (c * r + d * s)) + ((e * t + f * u) + (g * v + h * w))


@vectorized_part
def project8(
    a: float, b: float, c: float, d: float, e: float, f: float, g: float, h: float, inverse_square: float,
    p: float, q: float, r: float, s: float, t: float, u: float, v: float, w: float,
) -> tuple[float, float, float, float, float, float, float, float, float]:  # fmt: skip
    """Share of the second row in the first, and the first row less that share."""
    share = inverse_square * dot8(a, b, c, d, e, f, g, h, p, q, r, s, t, u, v, w)
    return (
        share,
        a - share * p, b - share * q, c - share * r, d - share * s,
        e - share * t, f - share * u, g - share * v, h - share * w,
    )  # fmt: skip


@vectorized_part
def less8(
    a: float, b: float, c: float, d: float, e: float, f: float, g: float, h: float, share: float,
    p: float, q: float, r: float, s: float, t: float, u: float, v: float, w: float,
) -> Eight:  # fmt: skip
    """The first row less a share of the second."""
    return (
        a - share * p, b - share * q, c - share * r, d - share * s,
        e - share * t, f - share * u, g - share * v, h - share * w,
    )  # fmt: skip


@vectorized_part
def plus8(
    a: float, b: float, c: float, d: float, e: float, f: float, g: float, h: float, share: float,
    p: float, q: float, r: float, s: float, t: float, u: float, v: float, w: float,
) -> Eight:  # fmt: skip
    """The first row and a share of the second."""
    return (
        a + share * p, b + share * q, c + share * r, d + share * s,
        e + share * t, f + share * u, g + share * v, h + share * w,
    )  # fmt: skip


@vectorized_part
def times8(
    a: float, b: float, c: float, d: float, e: float, f: float, g: float, h: float, factor: float
) -> Eight:
    """The row times a factor."""
    return (
        a * factor, b * factor, c * factor, d * factor, e * factor, f * factor, g * factor, h * factor,
    )  # fmt: skip


@vectorized_part
def product8(
    a: float, b: float, c: float, d: float, e: float, f: float, g: float, h: float,
    p: float, q: float, r: float, s: float, t: float, u: float, v: float, w: float,
) -> Eight:  # fmt: skip
    """Products of the numbers of two rows."""
    return a * p, b * q, c * r, d * s, e * t, f * u, g * v, h * w


@vectorized_part
def determinants8(
    a0: float, a1: float, a2: float, a3: float, a4: float, a5: float, a6: float, a7: float,
    b0: float, b1: float, b2: float, b3: float, b4: float, b5: float, b6: float, b7: float,
    c0: float, c1: float, c2: float, c3: float, c4: float, c5: float, c6: float, c7: float,
    d0: float, d1: float, d2: float, d3: float, d4: float, d5: float, d6: float, d7: float,
) -> Eight:  # fmt: skip
    """Determinants of each column of rows a and b with a column of rows c and d."""
    return (
        a0 * d0 - b0 * c0, a1 * d1 - b1 * c1, a2 * d2 - b2 * c2, a3 * d3 - b3 * c3,
        a4 * d4 - b4 * c4, a5 * d5 - b5 * c5, a6 * d6 - b6 * c6, a7 * d7 - b7 * c7,
    )  # fmt: skip


@vectorized_part
def facet(
    worst: float, square: float, p: float, q: float, r: float,
    x0: float, x1: float, x2: float, x3: float, x4: float, x5: float, f: float,
    y0: float, y1: float, y2: float, y3: float, y4: float, y5: float, g: float,
    z0: float, z1: float, z2: float, z3: float, z4: float, z5: float, h: float,
    h0: float, h1: float, h2: float, h3: float, h4: float, h5: float, half_difference: float,
) -> tuple[float, float, float]:  # fmt: skip
    """Worst signed square of a slack and square of its normal after one more facet, and the facet's size.

    The facet is that of three cables with multipliers p, -q and r, columns x, y and z of the right inverse
    and loads f, g and h. Ratios are compared by cross products, one division for all. A triple without facet
    counts as one of size 1: its normal is zero, which makes its ratio huge.
    """
    total = abs(p) + abs(q) + abs(r)
    size = total if total >= NULL_FACET else 1.0
    c0 = p * x0 - q * y0 + r * z0
    c1 = p * x1 - q * y1 + r * z1
    c2 = p * x2 - q * y2 + r * z2
    c3 = p * x3 - q * y3 + r * z3
    c4 = p * x4 - q * y4 + r * z4
    c5 = p * x5 - q * y5 + r * z5
    normal = c0 * c0 + c1 * c1 + c2 * c2 + c3 * c3 + c4 * c4 + c5 * c5
    reach = abs(c0) * h0 + abs(c1) * h1 + abs(c2) * h2 + abs(c3) * h3 + abs(c4) * h4 + abs(c5) * h5
    slack = half_difference * size - abs(p * f - q * g + r * h) - reach
    signed = slack * abs(slack)
    less = signed * square < worst * normal
    return signed if less else worst, normal if less else square, size


@vectorized_part
def nearest_square(
    ux: float, uy: float, uz: float, n: float, bx: float, by: float, bz: float,
    vx: float, vy: float, vz: float, m: float, cx: float, cy: float, cz: float,
    below: float, above: float,
) -> float:  # fmt: skip
    """Squared distance [m^2] of two cables: nearest point of one line, then of the other, clamped.

    Cables start at b and c and have unit vectors u and v and lengths n and m. They may touch up to ``below``
    from their attachments and up to ``above`` from their pulleys.
    """
    rx, ry, rz = bx - cx, by - cy, bz - cz
    cosine = ux * vx + uy * vy + uz * vz
    along = ux * rx + uy * ry + uz * rz
    across = vx * rx + vy * ry + vz * rz
    sine = 1.0 - cosine * cosine
    free = (cosine * across - along) / max(sine, PARALLEL)
    crossing = free if sine > PARALLEL else 0.0
    last, other = max(n - above, 0.0), max(m - above, 0.0)
    start = min(max(crossing, below), last)
    t = min(max(cosine * start + across, below), other)
    s = min(max(cosine * t - along, below), last)
    x = rx + s * ux - t * vx
    y = ry + s * uy - t * vy
    z = rz + s * uz - t * vz
    return x * x + y * y + z * z


@vectorized_part
def clearness(ux: float, uy: float, uz: float, vx: float, vy: float, vz: float) -> float:
    """Positive where the squared sine of the angle between two unit vectors is not near PARALLEL."""
    cosine = ux * vx + uy * vy + uz * vz
    return abs((1.0 - cosine * cosine) - _MIDDLE) - _HALF


@vectorized_part
def slab_gap(
    gx: float, gy: float, gz: float, ox: float, oy: float, oz: float,
    bx: float, by: float, bz: float, hx: float, hy: float, hz: float,
) -> tuple[float, float]:  # fmt: skip
    """Squared length of the segment from b along g - o, and its gap to the box of half size h."""
    dx, dy, dz = gx - ox, gy - oy, gz - oz
    square = dx * dx + dy * dy + dz * dz
    return square, segment_gap(dx, dy, dz, bx, by, bz, hx, hy, hz)


@vectorized_part
def segment_gap(
    dx: float, dy: float, dz: float,
    bx: float, by: float, bz: float, hx: float, hy: float, hz: float,
) -> float:  # fmt: skip
    """Gap to the box of half size h of the segment from b along d, negative where they meet.

    A segment and a box are apart when some axis separates them: one of the box's own, or one normal to the
    segment and to an axis of the box. No division is needed, and none of the slab test's cases.
    """
    face_x = max(bx - hx + min(0.0, dx), -hx - bx - max(0.0, dx))
    face_y = max(by - hy + min(0.0, dy), -hy - by - max(0.0, dy))
    face_z = max(bz - hz + min(0.0, dz), -hz - bz - max(0.0, dz))
    edge_x = abs(by * dz - bz * dy) - (hy * abs(dz) + hz * abs(dy))
    edge_y = abs(bz * dx - bx * dz) - (hz * abs(dx) + hx * abs(dz))
    edge_z = abs(bx * dy - by * dx) - (hx * abs(dy) + hy * abs(dx))
    return max(face_x, face_y, face_z, edge_x, edge_y, edge_z)


@vectorized_part
def eigenvalue_bounds(
    d0: float, d1: float, d2: float, d3: float, d4: float, d5: float,
    s0: float, s1: float, s2: float, s3: float, s4: float,
) -> tuple[float, float, float]:  # fmt: skip
    """Trace, and bounds of the eigenvalues, of a tridiagonal matrix with squared subdiagonal s.

    No eigenvalue is farther from the mean than this (Samuelson's inequality).
    """
    trace = (d0 + d1 + d2) + (d3 + d4 + d5)
    mean = trace / 6.0
    e0, e1, e2, e3, e4, e5 = d0 - mean, d1 - mean, d2 - mean, d3 - mean, d4 - mean, d5 - mean
    spread = (
        e0 * e0 + e1 * e1 + e2 * e2 + e3 * e3 + e4 * e4 + e5 * e5
        + 2.0 * s0 + 2.0 * s1 + 2.0 * s2 + 2.0 * s3 + 2.0 * s4
    )  # fmt: skip
    radius = math.sqrt(5.0 / 6.0 * spread)
    return trace, max(mean - radius, 0.0), mean + radius


@vectorized_part
def _next_polynomial(
    gap: float, square: float, p: float, q: float, h: float, p0: float, q0: float, h0: float
) -> tuple[float, float, float]:
    """A leading minor's polynomial, derivative and half the second one, from those of the two before."""
    return gap * p - square * p0, p + gap * q - square * q0, q + gap * h - square * h0


@vectorized_part
def laguerre_step(
    x: float, upwards: bool,
    d0: float, d1: float, d2: float, d3: float, d4: float, d5: float,
    s0: float, s1: float, s2: float, s3: float, s4: float,
) -> tuple[float, float]:  # fmt: skip
    """The next x on the way to the least eigenvalue from below or to the greatest from above, and the step.

    Six rows make the step 6 p / (p' +- sqrt(25 p'^2 - 60 p (p'' / 2))).
    """
    p0, q0, h0 = x - d0, 1.0, 0.0
    p1, q1, h1 = _next_polynomial(x - d1, s0, p0, q0, h0, 1.0, 0.0, 0.0)
    p2, q2, h2 = _next_polynomial(x - d2, s1, p1, q1, h1, p0, q0, h0)
    p3, q3, h3 = _next_polynomial(x - d3, s2, p2, q2, h2, p1, q1, h1)
    p4, q4, h4 = _next_polynomial(x - d4, s3, p3, q3, h3, p2, q2, h2)
    p, q, h = _next_polynomial(x - d5, s4, p4, q4, h4, p3, q3, h3)
    root = math.sqrt(max(25.0 * q * q - 60.0 * p * h, 0.0))
    step = 6.0 * p / (min(q - root, -NOTHING) if upwards else max(q + root, NOTHING))
    return x - step, step
