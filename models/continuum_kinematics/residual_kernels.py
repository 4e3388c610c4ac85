"""Compiled residual of inverse kinematics, and its derivatives.

The residual is the position of the target minus that of the tip, and a rotation vector in the tip's axes
times a length that makes both comparable: of the whole rotation that is missing (``POSE``), of the one that
is missing of the tip's z (``AXIS``), or none (``POSITION``). The pose and its derivatives are those of
:mod:`models.continuum_kinematics.sections`; tests compare them.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from models.arrays import FloatArray, IntArray
from models.jit import entry, inner
from models.numerics.copy_kernels import copy

POSE, AXIS, POSITION = 0, 1, 2
SERIES_UP_TO = 0.1  # [rad^2]
NEARLY_PI = 3.1  # [rad]; beyond it the axis of a rotation is taken from its symmetric part
SMALL = 1e-3  # [rad^2]
OPPOSITE = 1e-9  # sine of the angle below which two axes are the same or opposite


class Target(NamedTuple):
    """Target of the tip.

    Attributes
    ----------
    rotation : (3, 3) float
        From the target's axes to the base's; only its z counts for ``AXIS``.
    position : (3,) float, m
        Base frame.
    mode : int
        ``POSE``, ``AXIS`` or ``POSITION``.
    scale : float, m
        What a radian is worth.
    """

    rotation: FloatArray
    position: FloatArray
    mode: int
    scale: float


class Scratch(NamedTuple):
    """Memory of a solve with n = 3 k parameters."""

    R: FloatArray  # (k + 1, 3, 3), of the base and of the end of each section
    p: FloatArray  # (k + 1, 3) m
    e: FloatArray  # (3,) rad, the rotation that is missing, in the tip's axes
    E: FloatArray  # (3, 3), the same as a matrix
    r: FloatArray  # (6,) m, the residual; more rows where changes are made small, too
    J: FloatArray  # (6, n), minus its derivatives, and of the further rows
    H: FloatArray  # (n, n)
    factor: FloatArray  # (n, n)
    slope: FloatArray  # (n,)
    step: FloatArray  # (n,)
    scale: FloatArray  # (n,)
    free: IntArray  # (n,), columns that may change
    trial: FloatArray  # (k, 3)
    best: FloatArray  # (k, 3), of several starts


@inner
def new_scratch(k: int, rows: int = 6) -> Scratch:
    """Memory for k sections and a residual of so many rows."""
    n = 3 * k
    return Scratch(
        np.empty((k + 1, 3, 3)), np.empty((k + 1, 3)), np.empty(3), np.empty((3, 3)), np.empty(rows),
        np.empty((rows, n)), np.empty((n, n)), np.empty((n, n)), np.empty(n), np.empty(n), np.empty(n),
        np.empty(n, np.int64), np.empty((k, 3)), np.empty((k, 3)),
    )  # fmt: skip


@inner
def section_functions(u: float) -> tuple[float, float, float, float, float, float]:
    """A, B, C, D, A1 and B1 of :func:`models.continuum.arc.arc_functions` of the square of the bend."""
    if u < SERIES_UP_TO:
        c5 = 1 / 120 - u * (1 / 5040 - u * (1 / 362880 - u * (1 / 39916800 - u / 6227020800)))
        c6 = 1 / 720 - u * (1 / 40320 - u * (1 / 3628800 - u * (1 / 479001600 - u / 87178291200)))
        c4, c3 = 1 / 24 - u * c6, 1 / 6 - u * c5
        c2, c1 = 0.5 - u * c4, 1.0 - u * c3
    else:
        theta = math.sqrt(u)
        sine, cosine = math.sin(0.5 * theta), math.cos(0.5 * theta)
        c1, c2 = 2 * sine * cosine / theta, 2 * sine * sine / u
        c3, c4 = (1 - c1) / u, (0.5 - c2) / u
    return c1, c2, 1 - u * c2, c3, (c3 - c2) / 2, (2 * c4 - c3) / 2


@inner
def place_sections(sections: FloatArray, R: FloatArray, p: FloatArray) -> None:
    """Fill the frames of the base and of the ends of sections (k, 3)."""
    for i in range(3):
        p[0, i] = 0.0
        for j in range(3):
            R[0, i, j] = 1.0 if i == j else 0.0
    for n in range(sections.shape[0]):
        s, u, v = sections[n, 0], sections[n, 1], sections[n, 2]
        A, B, C, _, _, _ = section_functions(u * u + v * v)
        for i in range(3):
            x, y, z = R[n, i, 0], R[n, i, 1], R[n, i, 2]
            p[n + 1, i] = p[n, i] + s * (A * z - B * (u * x + v * y))
            R[n + 1, i, 0] = x * (C + B * v * v) - y * B * u * v + z * A * u
            R[n + 1, i, 1] = y * (C + B * u * u) - x * B * u * v + z * A * v
            R[n + 1, i, 2] = z * C - A * (u * x + v * y)


@inner
def rotation_vector(E: FloatArray, e: FloatArray) -> None:
    """Fill ``e`` (3,) rad with the vector of the rotation E (3, 3)."""
    x, y, z = E[2, 1] - E[1, 2], E[0, 2] - E[2, 0], E[1, 0] - E[0, 1]
    twice_sine, twice_cosine = math.sqrt(x * x + y * y + z * z), E[0, 0] + E[1, 1] + E[2, 2] - 1
    angle = math.atan2(twice_sine, twice_cosine)
    if angle < NEARLY_PI:
        factor = angle / twice_sine if twice_sine > 1e-6 else 0.5
        e[0], e[1], e[2] = factor * x, factor * y, factor * z
        return
    column = 0
    for k in range(1, 3):
        if E[k, k] > E[column, column]:
            column = k
    square = 0.0
    for i in range(3):
        e[i] = 0.5 * (E[i, column] + E[column, i])
        if i == column:
            e[i] -= 0.5 * twice_cosine
        square += e[i] * e[i]
    factor = math.copysign(angle / math.sqrt(square), e[0] * x + e[1] * y + e[2] * z)
    for i in range(3):
        e[i] *= factor


@inner
def _axis_vector(R: FloatArray, rotation: FloatArray, e: FloatArray) -> None:
    """Fill e[0] and e[1] with the rotation vector, in the axes R, from their z to that of ``rotation``."""
    x, y, z = 0.0, 0.0, 0.0  # the wanted axis in the axes R
    for m in range(3):
        x += R[m, 0] * rotation[m, 2]
        y += R[m, 1] * rotation[m, 2]
        z += R[m, 2] * rotation[m, 2]
    sine = math.hypot(x, y)
    if sine > OPPOSITE:
        factor = math.atan2(sine, z) / sine
        e[0], e[1] = -factor * y, factor * x
    elif z < 0.0:
        e[0], e[1] = math.pi, 0.0  # about any axis that is normal to both
    else:
        e[0], e[1] = -y, x


@inner
def fill_residual(target: Target, sections: FloatArray, scratch: Scratch) -> float:
    """Fill frames, missing rotation and residual; returns the sum of its squares [m^2]."""
    R, p, e, r = scratch.R, scratch.p, scratch.e, scratch.r
    place_sections(sections, R, p)
    k = sections.shape[0]
    for i in range(3):
        r[i], e[i], r[3 + i] = target.position[i] - p[k, i], 0.0, 0.0
    if target.mode == POSE:
        E = scratch.E
        for i in range(3):
            for j in range(3):
                E[i, j] = 0.0
                for m in range(3):
                    E[i, j] += R[k, m, i] * target.rotation[m, j]
        rotation_vector(E, e)
    elif target.mode == AXIS:
        _axis_vector(R[k], target.rotation, e)
    total = 0.0
    for i in range(3):
        r[3 + i] = target.scale * e[i]
        total += r[i] * r[i] + r[3 + i] * r[3 + i]
    return total


@inner
def fill_slopes(target: Target, sections: FloatArray, scratch: Scratch) -> None:
    """Fill J with minus the derivatives of the residual; frames and residual are those of ``sections``."""
    R, p, e, J = scratch.R, scratch.p, scratch.e, scratch.J
    k = sections.shape[0]
    square = e[0] * e[0] + e[1] * e[1] + e[2] * e[2]
    half = 0.5 * math.sqrt(square)
    curl = 1 / 12 + square / 720 if square < SMALL else (1 - half / math.tan(half)) / square
    for n in range(k):
        s, u, v = sections[n, 0], sections[n, 1], sections[n, 2]
        A, B, _, D, A1, B1 = section_functions(u * u + v * v)
        dx, dy, dz = p[k, 0] - p[n, 0], p[k, 1] - p[n, 1], p[k, 2] - p[n, 2]
        # From the section's end to the tip, in the frame where the section begins.
        x = R[n, 0, 0] * dx + R[n, 1, 0] * dy + R[n, 2, 0] * dz + s * u * B
        y = R[n, 0, 1] * dx + R[n, 1, 1] * dy + R[n, 2, 1] * dz + s * v * B
        z = R[n, 0, 2] * dx + R[n, 1, 2] * dy + R[n, 2, 2] * dz - s * A
        for column in range(3):
            if column == 0:
                wx, wy, wz = 0.0, 0.0, 0.0
                a, b, c = -u * B, -v * B, A
            elif column == 1:
                wx, wy, wz = D * u * v, D * v * v - 1, -B * v
                a, b, c = -s * (2 * u * u * B1 + B), -2 * s * u * v * B1, 2 * s * u * A1
            else:
                wx, wy, wz = 1 - D * u * u, -D * u * v, B * u
                a, b, c = -2 * s * u * v * B1, -s * (2 * v * v * B1 + B), 2 * s * v * A1
            a, b, c = a + wy * z - wz * y, b + wz * x - wx * z, c + wx * y - wy * x
            at = 3 * n + column
            for i in range(3):
                J[i, at] = R[n, i, 0] * a + R[n, i, 1] * b + R[n, i, 2] * c
                J[3 + i, at] = R[n, i, 0] * wx + R[n, i, 1] * wy + R[n, i, 2] * wz
            _turn_to_tip(target, R[k], e, curl, J, at)


@inner
def _turn_to_tip(target: Target, R: FloatArray, e: FloatArray, curl: float, J: FloatArray, at: int) -> None:
    """Replace an angular velocity by minus the derivative of the missing rotation, times the scale."""
    wx, wy, wz = J[3, at], J[4, at], J[5, at]
    x = R[0, 0] * wx + R[1, 0] * wy + R[2, 0] * wz
    y = R[0, 1] * wx + R[1, 1] * wy + R[2, 1] * wz
    z = R[0, 2] * wx + R[1, 2] * wy + R[2, 2] * wz
    if target.mode == POSITION:
        x, y, z = 0.0, 0.0, 0.0
    elif target.mode == AXIS:
        # e = angle (-sin b, cos b, 0) of the wanted axis (sin cos b, sin sin b, cos); it turns by -w.
        angle = math.hypot(e[0], e[1])
        if angle > 1e-6:
            cx, cy = e[0] / angle, e[1] / angle
            along, across = cx * x + cy * y, cx * y - cy * x
            across = angle * (across / math.tan(angle) + z) if angle < NEARLY_PI else 0.0
            # the part along e changes the angle, the part across turns it
            x, y, z = along * cx - across * cy, along * cy + across * cx, 0.0
        else:
            z = 0.0
    else:
        cx, cy, cz = e[1] * z - e[2] * y, e[2] * x - e[0] * z, e[0] * y - e[1] * x
        x, y, z = (
            x - 0.5 * cx + curl * (e[1] * cz - e[2] * cy),
            y - 0.5 * cy + curl * (e[2] * cx - e[0] * cz),
            z - 0.5 * cz + curl * (e[0] * cy - e[1] * cx),
        )
    J[3, at], J[4, at], J[5, at] = target.scale * x, target.scale * y, target.scale * z


@entry
def residual_and_slopes(
    target: Target, sections: FloatArray, residual: FloatArray, slopes: FloatArray
) -> None:
    """Fill the residual (6,) and minus its derivatives (6, 3 k), for tests."""
    scratch = new_scratch(len(sections))
    fill_residual(target, sections, scratch)
    fill_slopes(target, sections, scratch)
    copy(scratch.r, residual)
    copy(scratch.J, slopes)


@entry
def fill_poses(states: FloatArray, poses: FloatArray) -> None:
    """Fill the poses (n, 4, 4) of the tips of states (n, k, 3)."""
    scratch = new_scratch(states.shape[1])
    for n in range(len(states)):
        place_sections(states[n], scratch.R, scratch.p)
        for i in range(3):
            for j in range(3):
                poses[n, i, j] = scratch.R[-1, i, j]
            poses[n, i, 3], poses[n, 3, i] = scratch.p[-1, i], 0.0
        poses[n, 3, 3] = 1.0


@entry
def fill_jacobians(states: FloatArray, scale: float, jacobians: FloatArray) -> None:
    """Fill the Jacobians (n, 6, 3 k) of the tips of states (n, k, 3), those of rotation times ``scale`` [m].

    Rows are velocity in the base frame, then angular velocity in the tip's axes; columns are s, u and v of
    each section.
    """
    scratch = new_scratch(states.shape[1])
    here = Target(scratch.R[-1], scratch.p[-1], POSE, scale)
    scratch.e[:] = 0.0
    for n in range(len(states)):
        place_sections(states[n], scratch.R, scratch.p)
        fill_slopes(here, states[n], scratch)
        copy(scratch.J, jacobians[n])
