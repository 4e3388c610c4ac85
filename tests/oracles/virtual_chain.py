"""The paper's view of a section: a chain of five rigid joints that begins and ends as the arc does.

Two joints turn the base's frame towards the tip, a third moves it there along the chord, and two more turn it
into the tip's tangent (equations 5, 6 and 13 to 19, tables 1 and 2). It gives the same pose and the same
Jacobian as :mod:`models.continuum_kinematics.sections`; tests compare the two. Printed
errors are corrected: the fourth joint is ``theta_4 - pi/2`` in the table; the table's first and last rows,
which equation 5 leaves out, are ``Rx(90 deg)`` and ``Rx(-90 deg)``; the arctangents of equation 6 are those
of two arguments.
"""

from __future__ import annotations

import math

import numpy as np

from models.arrays import FloatArray, Numbers, finite_array
from models.continuum.arc import arc_functions
from models.continuum_kinematics.sections import checked_sections

TWISTS = (math.pi / 2, math.pi / 2, -math.pi / 2, -math.pi / 2, 0.0)
"""alpha [rad] of the five joints."""
OFFSETS = (0.0, math.pi / 2, 0.0, -math.pi / 2, 0.0)
"""Added to the five angles [rad]."""
SLIDE = 2
"""The joint that moves."""


def virtual_joints(sections: Numbers) -> FloatArray:
    """Joints (k, 5) of the chains of sections (k, 3): theta_1, theta_2, d_3, theta_4, theta_5; rad and m."""
    return np.array([_joints(section) for section in checked_sections(sections)])


def _joints(section: FloatArray) -> list[float]:
    """The joints of one section (equation 6), by u and v instead of curvature and direction."""
    s, u, v = section
    cosine, half = _half_angle(u, v)
    theta_1 = math.atan2(cosine, -half * u)
    theta_2 = math.asin(min(max(half * v, -1.0), 1.0))
    return [theta_1, theta_2, 2 * half * s, theta_2, theta_1 + math.pi]


def _half_angle(u: float, v: float) -> tuple[float, float]:
    """``cos(theta / 2)`` and ``sin(theta / 2) / theta``."""
    f = arc_functions((u * u + v * v) / 4)
    return f.C, f.A / 2


def chain_pose(joints: Numbers) -> FloatArray:
    """The pose (4, 4) at the end of the chains with the joints (k, 5)."""
    checked = finite_array(joints, (None, 5), "joints", "five per section")
    return _link_frames(checked)[-1] @ _turn_x(-math.pi / 2)


def _link_frames(joints: FloatArray) -> list[FloatArray]:
    """The frame (4, 4) behind each joint, by Denavit and Hartenberg's standard rule."""
    frames = [_turn_x(math.pi / 2)]
    for section in joints:
        for number, (joint, alpha, offset) in enumerate(zip(section, TWISTS, OFFSETS, strict=True)):
            angle, along = (offset, joint) if number == SLIDE else (joint + offset, 0.0)
            link = _turn_z(angle) @ _turn_x(alpha)
            link[2, 3] = along
            frames.append(frames[-1] @ link)
    return frames


def chain_jacobian(sections: Numbers) -> FloatArray:
    """Body Jacobian (6, 3 k) of the tip, through the virtual joints (equations 13 to 15, and 17 corrected).

    The same as :func:`models.continuum_kinematics.sections.jacobian`, but singular where a section bends
    by pi sideways: its chain is, its arc is not.
    """
    checked = checked_sections(sections)
    frames = _link_frames(virtual_joints(checked))
    tip = frames[-1] @ _turn_x(-math.pi / 2)
    columns = np.zeros((5 * len(checked), 6))
    for number, frame in enumerate(frames[:-1]):
        axis = frame[:3, 2]
        if number % 5 == SLIDE:
            columns[number, :3] = axis
        else:
            columns[number, :3] = np.cross(axis, tip[:3, 3] - frame[:3, 3])
            columns[number, 3:] = axis
    own = (columns.reshape(-1, 2, 3) @ tip[:3, :3]).reshape(-1, 5, 6)  # in the tip's axes
    slopes = np.array([joint_slopes(section) for section in checked])  # (k, 5, 3)
    return np.einsum("kjr,kji->rki", own, slopes).reshape(6, -1)


def joint_slopes(section: FloatArray) -> FloatArray:
    """Derivatives (5, 3) of a section's joints with respect to s, u and v (equation 17, corrected)."""
    s, u, v = section
    cosine, half = _half_angle(u, v)
    f = arc_functions((u * u + v * v) / 4)
    bend = np.array([0.0, u, v])
    d_cosine, d_half = -f.A / 4 * bend, f.A1 / 4 * bend
    x, y = half * u, half * v
    d_x = d_half * u + half * np.array([0.0, 1.0, 0.0])
    d_y = d_half * v + half * np.array([0.0, 0.0, 1.0])
    first = (cosine * d_x - x * d_cosine) / (x * x + cosine * cosine)
    second = d_y / math.sqrt(1 - y * y)
    slide = 2 * s * d_half + np.array([2 * half, 0.0, 0.0])
    return np.array([first, second, slide, second, first])


def _turn_x(angle: float) -> FloatArray:
    c, s = math.cos(angle), math.sin(angle)
    return np.array([[1.0, 0, 0, 0], [0, c, -s, 0], [0, s, c, 0], [0, 0, 0, 1]])


def _turn_z(angle: float) -> FloatArray:
    c, s = math.cos(angle), math.sin(angle)
    return np.array([[c, -s, 0, 0], [s, c, 0, 0], [0, 0, 1.0, 0], [0, 0, 0, 1]])
