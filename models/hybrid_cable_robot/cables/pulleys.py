"""Cables over swivelling wheels: where a cable leaves its wheel, and how long it is.

A wheel of radius r turns freely about its swivel axis, which passes through the point A where the cable
reaches it in the direction k. With the attachment B, e the unit component of ``B - A`` normal to k, and the
wheel's centre ``M = A + r e``, the cable is free over ``l_f = sqrt(|B - M|^2 - r^2)`` behind the angle

    wrap = arccos(l_f / |B - M|) + angle from k to B - M, turned towards e,

and leaves in the direction ``cos(wrap) k + sin(wrap) e``. Its length is ``r wrap + l_f``. Without friction
the derivative of that length by the position of B is minus the unit vector u from B along the cable, so that
the wrench matrix is that of straight cables which end at the tangent point.

Where B moves in the plane of the wheel, the cable turns by ``1 / l_f``; across it the wheel swivels, and the
cable turns with it by ``sin(wrap) / rho``, rho the distance of B from the swivel axis.

Source: Bruckmann et al., "Wire robots part I", 2008, section 3.2; Pott, "Cable-Driven Parallel Robots", 2018,
section 7.2. Kernels that follow: ``geometry_kernels.cable_vector``.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from models.arrays import FloatArray

ARC_STEP = 0.2  # [rad] between the points of an arc in a picture
NEAREST = 1e-9  # [m]; an attachment as close as this to the swivel axis does not say how the wheel is turned


@dataclass(frozen=True, slots=True)
class Wraps:
    """Cables over wheels; zero vectors where an attachment lies inside its wheel or on its swivel axis.

    Attributes
    ----------
    vectors : (..., m, 3) float, m
        From the attachments to the points where the cables leave their wheels.
    angles : (..., m) float, rad
        By which the cables lie on their wheels.
    lengths : (..., m) float, m
        With the arcs.
    centers : (..., m, 3) float, m
        Centres of the wheels, from A.
    turning : (..., m, 3, 3) float, 1/m
        Decrease of the unit vectors u by the displacements of the attachments.
    """

    vectors: FloatArray
    angles: FloatArray
    lengths: FloatArray
    centers: FloatArray
    turning: FloatArray


def wraps(straight: FloatArray, radii: FloatArray, axes: FloatArray) -> Wraps:
    """Cables over wheels of ``radii`` (m,) m and swivel axes (m, 3).

    ``straight`` (..., m, 3) m are the vectors from the attachments to the points A on the swivel axes.
    """
    along = -np.sum(straight * axes, axis=-1)
    across = -straight - along[..., None] * axes
    rho = np.linalg.norm(across, axis=-1)
    e = across / np.where(rho > NEAREST, rho, 1.0)[..., None]
    x = rho - radii
    square = x * x + along * along
    real = (square > radii * radii) & ((rho > NEAREST) | (radii == 0.0))
    free = np.sqrt(np.where(real, square - radii * radii, 0.0))
    divisor = np.where(square > 0.0, square, 1.0)
    cosine = (free * along - radii * x) / divisor
    sine = (free * x + radii * along) / divisor
    angles = np.where(real, np.arctan2(sine, cosine), 0.0)
    angles += np.where(angles < 0.0, 2 * np.pi, 0.0)
    u = -(cosine[..., None] * axes + sine[..., None] * e) * real[..., None]
    sideways = np.cross(np.broadcast_to(axes, e.shape), e)
    inside = np.cross(sideways, u)
    bend = 1.0 / np.where(real, free, 1.0)
    swing = np.where(rho > NEAREST, sine / np.where(rho > NEAREST, rho, 1.0), bend)
    turning = (bend * real)[..., None, None] * inside[..., :, None] * inside[..., None, :]
    turning = turning + (swing * real)[..., None, None] * sideways[..., :, None] * sideways[..., None, :]
    return Wraps(free[..., None] * u, angles, radii * angles + free, radii[..., None] * e, turning)


def wheel_arcs(straight: FloatArray, radii: FloatArray, axes: FloatArray) -> list[FloatArray]:
    """Points (k, 3) m of m cables on their wheels, from where they leave them to A, relative to A."""
    found = wraps(straight, radii, axes)
    arcs: list[FloatArray] = []
    for center, radius, axis, angle in zip(found.centers, radii, axes, found.angles, strict=True):
        turns = np.linspace(angle, 0.0, 2 + int(angle / ARC_STEP)) if radius else np.empty(0)
        arcs.append(_on_wheel(center, radius, axis, turns))
    return arcs


def wheel_circles(straight: FloatArray, radii: FloatArray, axes: FloatArray) -> list[FloatArray]:
    """Points (k, 3) m around the wheels of m cables, relative to A; none of eyelets."""
    centers = wraps(straight, radii, axes).centers
    turns = np.linspace(0.0, 2 * np.pi, 2 + int(2 * np.pi / ARC_STEP))
    return [
        _on_wheel(center, radius, axis, turns if radius else turns[:0])
        for center, radius, axis in zip(centers, radii, axes, strict=True)
    ]


def _on_wheel(center: FloatArray, radius: float, axis: FloatArray, turns: FloatArray) -> FloatArray:
    """Points (k, 3) m of a wheel behind angles (k,) rad from A, relative to A."""
    outward = center / (radius or 1.0)
    return center + radius * (np.sin(turns)[:, None] * axis - np.cos(turns)[:, None] * outward)
