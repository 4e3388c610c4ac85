"""Elastic catenaries: cables that hang under their own weight between two points.

A cable has the unstretched length L0, the weight w per unstretched length and the axial stiffness EA. At its
first end its tension has the horizontal part H, towards the second end, and the vertical part V, upwards.
With a = V / H and b = (V + w L0) / H the second end lies

    x = H L0 / EA + (H / w) (asinh b - asinh a),
    z = (V L0 + w L0^2 / 2) / EA + (H / w) (sqrt(1 + b^2) - sqrt(1 + a^2))

away (Irvine, "Cable Structures", 1981, chapter 2; there from the upper end). Below, quotients of differences
by b - a are written so that no digit is lost where the weight tends to zero.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from models.arrays import FloatArray

LEAST_PULL = 2.0  # weights of its straight length: a cable pulled by less hangs too deep to be used
STEEPEST = 1e-7  # horizontal part of a chord's direction: a steeper cable counts as this steep
ROUNDING = 1e-13  # of the chord: a second end closer than this is reached
STEPS = 50  # of Newton's method; a handful is enough


class Catenary(NamedTuple):
    """Cables (...) from a first end, which is the platform's, to a second one.

    Attributes
    ----------
    horizontal, vertical : (...) float, N
        Parts H and V of the tension at the first end.
    unstretched : (...) float, m
        Length L0 of the cable without tension.
    far_tension : (...) float, N
        Tension at the second end.
    sag : (...) float, m
        Greatest distance of the cable from the straight line between its ends.
    """

    horizontal: FloatArray
    vertical: FloatArray
    unstretched: FloatArray
    far_tension: FloatArray
    sag: FloatArray


class _Slopes(NamedTuple):
    """Slopes a and b of both ends, their secants, and ``(asinh b - asinh a) / (b - a)``.

    ``q`` is ``(b sqrt(1 + a^2) - a sqrt(1 + b^2)) / (b - a)``, the hyperbolic sine of ``asinh b - asinh a``
    over ``b - a``.
    """

    a: FloatArray
    b: FloatArray
    root_a: FloatArray
    root_b: FloatArray
    q: FloatArray
    mean: FloatArray


def _slopes(H: FloatArray, V: FloatArray, L0: FloatArray, weight: FloatArray) -> _Slopes:
    a, b = V / H, (V + weight * L0) / H
    root_a, root_b = np.hypot(1.0, a), np.hypot(1.0, b)
    same_side = a * b > 0.0  # else nothing cancels, and a and b differ unless both are zero
    gap = np.where(b > a, b - a, 1.0)
    q = np.where(
        same_side,
        (a + b) / np.where(same_side, b * root_a + a * root_b, 1.0),
        np.where(b > a, (b * root_a - a * root_b) / gap, 1.0),
    )
    u = q * (b - a)
    mean = q * np.where(u > 1e-4, np.arcsinh(u) / np.where(u > 1e-4, u, 1.0), 1.0 - u * u / 6.0)
    return _Slopes(a, b, root_a, root_b, q, mean)


def catenary_span(
    H: FloatArray, V: FloatArray, L0: FloatArray, weight: FloatArray, axial: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Horizontal and vertical distance (...) m of the second end from the first one.

    Parameters
    ----------
    H, V : (...) float, N
        Parts of the tension at the first end.
    L0 : (...) float, m
    weight : (...) float, N/m
    axial : (...) float, N
        EA; infinite where the cable does not stretch.
    """
    at = _slopes(H, V, L0, weight)
    x = L0 * (H / axial + at.mean)
    z = L0 * ((V + weight * L0 / 2) / axial + (at.a + at.b) / (at.root_a + at.root_b))
    return x, z


def catenary_flexibility(
    H: FloatArray, V: FloatArray, L0: FloatArray, weight: FloatArray, axial: FloatArray
) -> FloatArray:
    """Derivatives (..., 2, 2) m/N of :func:`catenary_span` by H and V at constant L0; symmetric."""
    at = _slopes(H, V, L0, weight)
    roots = at.root_a * at.root_b
    elastic, ratio = L0 / axial, L0 / H
    xx = elastic + ratio * (at.mean - at.q / roots)
    xz = -ratio * (at.a + at.b) / ((at.root_a + at.root_b) * roots)
    zz = elastic + ratio * at.q / roots
    return np.stack([np.stack([xx, xz], axis=-1), np.stack([xz, zz], axis=-1)], axis=-2)


def catenary(
    x: FloatArray, z: FloatArray, tension: FloatArray, weight: FloatArray, axial: FloatArray
) -> Catenary:
    """The cables whose second ends lie x, z (...) m away and that pull with ``tension`` (...) N at the first.

    A tension below ``LEAST_PULL`` weights of the straight cable counts as that much.

    Parameters
    ----------
    x, z : (...) float, m
        Horizontal distance, at least 0, and vertical distance.
    tension : (...) float, N
    weight : (...) float, N/m
        Positive.
    axial : (...) float, N
    """
    chord = np.hypot(x, z)
    x = np.maximum(x, STEEPEST * chord)
    tension = np.maximum(tension, LEAST_PULL * weight * chord)
    # The parabola: at the first end the cable is lower than its chord by half its weight over the tension.
    angle = np.arctan2(z, x) - np.arcsin(weight * x / (2.0 * tension))
    L0 = chord / (1.0 + tension / axial)
    for _ in range(STEPS):
        H, V = tension * np.cos(angle), tension * np.sin(angle)
        reached_x, reached_z = catenary_span(H, V, L0, weight, axial)
        miss_x, miss_z = x - reached_x, z - reached_z
        if np.all(np.hypot(miss_x, miss_z) <= ROUNDING * chord):
            break
        flexibility = catenary_flexibility(H, V, L0, weight, axial)
        by_angle = (flexibility @ np.stack([-V, H], axis=-1)[..., None])[..., 0]
        end = np.hypot(H, V + weight * L0)
        along_x, along_z = H / axial + H / end, (V + weight * L0) * (1.0 / axial + 1.0 / end)
        determinant = by_angle[..., 0] * along_z - by_angle[..., 1] * along_x
        angle = angle + (miss_x * along_z - miss_z * along_x) / determinant
        L0 = L0 + (by_angle[..., 0] * miss_z - by_angle[..., 1] * miss_x) / determinant
    H, V = tension * np.cos(angle), tension * np.sin(angle)
    deepest = np.clip((H * z / x - V) / weight, 0.0, L0)
    low_x, low_z = catenary_span(H, V, deepest, weight, axial)
    sag = np.abs(low_x * z - low_z * x) / chord
    return Catenary(H, V, L0, np.hypot(H, V + weight * L0), sag)
