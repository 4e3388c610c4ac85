"""Vectors, lengths and motion of the cables, and the wrench matrix: the definitions of all kernels.

Kernels that follow from :func:`cable_vectors`:

- ``geometry_kernels.cable_vector``, for ``fill_matrix`` there and for ``stiffness_kernels``;
- ``collisions.distance_kernels.cable_distance`` and ``platform_clearance``, from the attachment in the
  world and from the pulley in the platform's frame;
- ``bounds/ray_kernels.fill_rays``, for blocks of positions;
- ``simd/code_generator.write_units``, for many positions at once in either precision.

Kernels that follow from :func:`scaled_wrench_matrix`: ``geometry_kernels.fill_matrix``,
``bounds/ray_kernels.fill_rays``, and the rows of the wrench matrix in ``simd/wrench_source.py`` and
``simd/condition_numbers_source.py``.

Contract: ``tests/models/hybrid_cable_robot/test_cable_vector_contract.py``.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from models.arrays import FloatArray
from models.hybrid_cable_robot.cables.pulleys import wraps
from models.hybrid_cable_robot.robot import Robot
from models.hybrid_cable_robot.trajectory import PlatformMotion
from models.numerics.rotations import cross

SHORTEST_CABLE = 1e-6  # [m]; a shorter cable has no direction


def straight_vectors(robot: Robot, position: FloatArray, rotation: FloatArray) -> FloatArray:
    """Vectors (..., m, 3) m from attachment to pulley point, world frame, at positions (..., 3) m."""
    return robot.pulleys - position[..., None, :] - robot.attachments @ np.swapaxes(rotation, -1, -2)


def cable_vectors(robot: Robot, position: FloatArray, rotation: FloatArray) -> FloatArray:
    """Vectors (..., m, 3) m from attachment to where the cable leaves its pulley; arguments as above."""
    straight = straight_vectors(robot, position, rotation)
    return wraps(straight, robot.wheels, robot.swivels).vectors if robot.wheels.any() else straight


def cable_lengths(robot: Robot, position: FloatArray, rotation: FloatArray) -> FloatArray:
    """Lengths (..., m) m of the cables from attachment to pulley point, with the parts on their wheels."""
    straight = straight_vectors(robot, position, rotation)
    if robot.wheels.any():
        return wraps(straight, robot.wheels, robot.swivels).lengths
    return np.linalg.norm(straight, axis=-1)


def wrench_matrix(robot: Robot, position: FloatArray, rotation: FloatArray) -> FloatArray:
    """Wrench matrix W (..., 6, m): cable tensions to force (N) and torque (N m) on the platform.

    ``W = [u_i; (R b_i) x u_i]`` about the platform's origin in world axes, ``u_i`` the unit vector
    from attachment to pulley; the Jacobian of the cable lengths is ``-W.T``. A cable shorter than
    ``SHORTEST_CABLE`` has no direction and gets a column of zeros; so do the rows that the motion pattern
    does not have. At positions (..., 3) m and one rotation (3, 3), or as many.
    """
    units = cable_directions(cable_vectors(robot, position, rotation))
    arms = robot.attachments @ np.swapaxes(rotation, -1, -2)
    W = np.swapaxes(np.concatenate([units, cross(arms, units)], axis=-1), -1, -2)
    return W if robot.rows.all() else robot.rows[:, None] * W


def cable_directions(vectors: FloatArray) -> FloatArray:
    """Unit vectors (..., m, 3) along vectors (..., m, 3) m; zero where shorter than ``SHORTEST_CABLE``."""
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    return np.where(lengths < SHORTEST_CABLE, 0.0, vectors / np.maximum(lengths, SHORTEST_CABLE))


def scaled_wrench_matrix(robot: Robot, position: FloatArray, rotation: FloatArray) -> FloatArray:
    """The wrench matrix (..., 6, m) with torque rows divided by the characteristic length; all entries 1."""
    W = wrench_matrix(robot, position, rotation)
    W[..., 3:, :] /= robot.length_scale
    return W


def cable_rates(robot: Robot, position: FloatArray, rotation: FloatArray) -> FloatArray:
    """Greatest speeds (..., m) of the cables over that of the platform, whose turning counts by L.

    Each in the direction that is worst for it: the length of its column of the scaled wrench matrix, 1 for a
    point mass.
    """
    return np.linalg.norm(scaled_wrench_matrix(robot, position, rotation), axis=-2)


@dataclass(frozen=True, slots=True)
class CableMotion:
    """Lengths, speeds and accelerations of m cables at n instants, and the wrench matrices.

    Attributes
    ----------
    lengths, speeds, accelerations : (n, m) float, m, m/s, m/s^2
        Positive speeds lengthen.
    wrench_matrices : (n, 6, m) float
        As :func:`~models.hybrid_cable_robot.robot.wrench_matrix`, one per instant.
    """

    lengths: FloatArray
    speeds: FloatArray
    accelerations: FloatArray
    wrench_matrices: FloatArray


def cable_motion(robot: Robot, motion: PlatformMotion) -> CableMotion:
    """Cable motion of a platform motion with n instants.

    With d from attachment to pulley and the attachment's velocity v and acceleration a,
    ``l l' = -d . v`` and ``l l'' = v . v - d . a - l'^2``; equation (1c) of the paper and its
    derivative. Over a wheel ``l'' = v . C v - u . a`` with the rate C at which the cable turns. Cables
    shorter than ``SHORTEST_CABLE`` have no direction and stand still.
    """
    arms = robot.attachments @ np.swapaxes(motion.rotation, -1, -2)
    w, alpha = motion.angular_velocity[:, None], motion.angular_acceleration[:, None]
    velocity = motion.velocity[:, None] + cross(w, arms)
    acceleration = motion.acceleration[:, None] + cross(alpha, arms) + cross(w, cross(w, arms))
    vectors = robot.pulleys - motion.position[:, None] - arms
    found = wraps(vectors, robot.wheels, robot.swivels) if robot.wheels.any() else None
    vectors = vectors if found is None else found.vectors
    lengths = np.sqrt(np.sum(vectors * vectors, axis=-1))
    real = lengths >= SHORTEST_CABLE
    divisors = np.where(real, lengths, SHORTEST_CABLE)
    units = np.where(real[..., None], vectors / divisors[..., None], 0.0)
    speeds = -np.sum(units * velocity, axis=-1)
    squares = np.where(real, np.sum(velocity * velocity, axis=-1) - speeds**2, 0.0)
    bending = squares / divisors
    if found is not None:
        lengths = np.where(real, found.lengths, lengths)
        bending = np.sum(velocity * (found.turning @ velocity[..., None])[..., 0], axis=-1)
    second = bending - np.sum(units * acceleration, axis=-1)
    W = np.swapaxes(np.concatenate([units, cross(arms, units)], axis=-1), -1, -2)
    return CableMotion(lengths, speeds, second, W if robot.rows.all() else robot.rows[:, None] * W)
