"""Records of motion: of the platform in the world, of the arm's joints.

All arrays may carry leading dimensions, one entry per instant; they must then agree.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from models.errors import InputError
from models.floats import FloatArray
from models.hybrid_cable_robot.rotations import rotation_matrices

Numbers = Sequence[float] | FloatArray


@dataclass(frozen=True, slots=True)
class PlatformMotion:
    """Pose, velocity and acceleration of the platform, in the world frame.

    Attributes
    ----------
    position, velocity, acceleration : (..., 3) float, m, m/s, m/s^2
        Of the platform's origin.
    rotation : (..., 3, 3) float
        Platform to world.
    angular_velocity, angular_acceleration : (..., 3) float, rad/s, rad/s^2
    """

    position: FloatArray
    rotation: FloatArray
    velocity: FloatArray
    acceleration: FloatArray
    angular_velocity: FloatArray
    angular_acceleration: FloatArray

    @classmethod
    def at_rest(cls, position: Numbers, rotation_vector: Numbers) -> PlatformMotion:
        """The platform standing still at ``position`` (..., 3) m, turned by ``rotation_vector`` rad."""
        place = as_points(position, 3, "position")
        turn = rotation_matrices(as_points(rotation_vector, 3, "rotation_vector"))
        still = np.zeros(place.shape)
        return cls(place, turn, still, still, still, still)


@dataclass(frozen=True, slots=True)
class ArmMotion:
    """Angles of the arm's joints and their derivatives: (..., 6) float, rad, rad/s, rad/s^2."""

    angles: FloatArray
    velocities: FloatArray
    accelerations: FloatArray

    @classmethod
    def at_rest(cls, angles: Numbers) -> ArmMotion:
        """The arm standing still at ``angles`` (..., 6) rad."""
        values = as_points(angles, 6, "angles")
        return cls(values, np.zeros(values.shape), np.zeros(values.shape))


def as_points(values: Numbers, size: int, name: str) -> FloatArray:
    """``values`` as finite floats (..., size); raises ``InputError`` naming the argument."""
    try:
        points = np.array(values, dtype=float)
    except (TypeError, ValueError):
        raise InputError(f"expected {size} numbers per row", name) from None
    if points.ndim == 0 or points.shape[-1] != size or not np.isfinite(points).all():
        shape = "x".join(str(length) for length in points.shape) or "a single number"
        raise InputError(f"expected {size} finite numbers per row, got {shape}", name)
    return points
