"""How the cables move when the platform does."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from models.hybrid_cable_robot.geometry import SHORTEST_CABLE, FloatArray, Robot
from models.hybrid_cable_robot.motion.motions import PlatformMotion
from models.hybrid_cable_robot.rotations import cross


@dataclass(frozen=True, slots=True)
class CableMotion:
    """Lengths, speeds and accelerations of m cables at n instants, and the wrench matrices.

    Attributes
    ----------
    lengths, speeds, accelerations : (n, m) float, m, m/s, m/s^2
        Positive speeds lengthen.
    wrench_matrices : (n, 6, m) float
        As :func:`~models.hybrid_cable_robot.geometry.wrench_matrix`, one per instant.
    """

    lengths: FloatArray
    speeds: FloatArray
    accelerations: FloatArray
    wrench_matrices: FloatArray


def cable_motion(robot: Robot, motion: PlatformMotion) -> CableMotion:
    """Cable motion of a platform motion with n instants.

    With d from attachment to pulley and the attachment's velocity v and acceleration a,
    ``l l' = -d . v`` and ``l l'' = v . v - d . a - l'^2``; equation (1c) of the paper and its
    derivative. Cables shorter than ``SHORTEST_CABLE`` have no direction and stand still.
    """
    arms = robot.attachments @ np.swapaxes(motion.rotation, -1, -2)
    w, alpha = motion.angular_velocity[:, None], motion.angular_acceleration[:, None]
    velocity = motion.velocity[:, None] + cross(w, arms)
    acceleration = motion.acceleration[:, None] + cross(alpha, arms) + cross(w, cross(w, arms))
    vectors = robot.pulleys - motion.position[:, None] - arms
    lengths = np.sqrt(np.sum(vectors * vectors, axis=-1))
    real = lengths >= SHORTEST_CABLE
    divisors = np.where(real, lengths, SHORTEST_CABLE)
    units = np.where(real[..., None], vectors / divisors[..., None], 0.0)
    speeds = -np.sum(units * velocity, axis=-1)
    squares = np.where(real, np.sum(velocity * velocity, axis=-1) - speeds**2, 0.0)
    second = squares / divisors - np.sum(units * acceleration, axis=-1)
    W = np.concatenate([units, cross(arms, units)], axis=-1)
    return CableMotion(lengths, speeds, second, np.swapaxes(W, -1, -2))
