"""Sag of the cables at a pose: the cables of the plain model are straight, real ones hang.

The tensions that the tension rule gives straight cables pull at the platform along catenaries instead. Their
wrench misses the one that straight cables would give by the *sag error*, and they are longer than the chord
and softer.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from models.arrays import FloatArray
from models.hybrid_cable_robot.bodies import GRAVITY
from models.hybrid_cable_robot.cables.catenary import (
    STEEPEST,
    Catenary,
    catenary,
    catenary_flexibility,
    catenary_span,
)
from models.hybrid_cable_robot.cables.geometry import SHORTEST_CABLE, cable_vectors, wrench_matrix
from models.hybrid_cable_robot.parameters import HybridCableRobot
from models.hybrid_cable_robot.robot import Robot
from models.hybrid_cable_robot.stiffness import attached_stiffness, cable_stiffness, load_stiffness
from models.numerics.rotations import cross

CURVE_POINTS = 17  # of a hanging cable in a picture


@dataclass(frozen=True, slots=True)
class CableSag:
    """Sagging cables of n poses with m cables.

    Attributes
    ----------
    forces : (n, m, 3) float, N
        On the platform, world axes.
    curves : (n, m, CURVE_POINTS, 3) float, m
        Points of each cable from its attachment to its pulley, relative to the attachment, world axes.
    unstretched : (n, m) float, m
        Lengths of the cables without tension.
    winch_tensions : (n, m) float, N
        At the pulleys.
    sags : (n, m) float, m
        Greatest distance of each cable from the straight line.
    wrench_errors : (n, 6) float, N and N m
        Wrench of the sagging cables less that of straight ones with the same tensions at the platform.
    stiffness : (n, 6, 6) float, N/m, N and N m/rad
        Of the platform on the sagging cables with fixed winches, and of the turning weight; world axes, about
        its origin.
    """

    forces: FloatArray
    curves: FloatArray
    unstretched: FloatArray
    winch_tensions: FloatArray
    sags: FloatArray
    wrench_errors: FloatArray
    stiffness: FloatArray

    def error(self, length_scale: float) -> FloatArray:
        """Size (n,) N of the wrench errors, torques divided by the characteristic length [m]."""
        scale = np.array([1.0, 1.0, 1.0, *(1.0 / length_scale,) * 3])
        return np.linalg.norm(self.wrench_errors * scale, axis=-1)


def cable_weights(parameters: HybridCableRobot) -> FloatArray:
    """Weights (m,) N/m of the cables; zero without ``cable_density``."""
    density = 0.0 if parameters.cable_density is None else parameters.cable_density
    return np.array(np.broadcast_to(density, len(parameters.attachments))) * -GRAVITY[2]


def cable_sag(
    robot: Robot, weights: FloatArray, positions: FloatArray, rotation: FloatArray, tensions: FloatArray
) -> CableSag:
    """Sag at positions (n, 3) m and one rotation (3, 3), with tensions (n, m) N at the platform.

    Parameters
    ----------
    robot : Robot
    weights : (m,) float, N/m
        Positive.
    """
    vectors = cable_vectors(robot, positions, rotation)
    lengths = np.maximum(np.linalg.norm(vectors, axis=-1), SHORTEST_CABLE)
    x = np.linalg.norm(vectors[..., :2], axis=-1)
    forwards = np.zeros_like(vectors)
    forwards[..., :2] = vectors[..., :2] / np.where(x > 0.0, x, 1.0)[..., None]
    forwards[..., 0] += x == 0.0  # of a cable straight up or down any plane will do
    axial = cable_stiffness(robot, lengths) * lengths
    found = catenary(x, vectors[..., 2], tensions, weights, axial)
    forces = found.horizontal[..., None] * forwards
    forces[..., 2] = found.vertical
    arms = np.broadcast_to(robot.attachments @ rotation.T, vectors.shape)
    wrench = np.concatenate([forces, cross(arms, forces)], axis=-1).sum(axis=-2)
    straight = (wrench_matrix(robot, positions, rotation) @ tensions[..., None])[..., 0]
    C = _point_stiffness(found, forwards, np.maximum(x, STEEPEST * lengths), weights, axial)
    K = attached_stiffness(C, arms, forces) + load_stiffness(robot, rotation)
    curves = _curves(found, forwards, weights, axial)
    missed = robot.rows * wrench - straight
    return CableSag(forces, curves, found.unstretched, found.far_tension, found.sag, missed, K)


def _curves(cables: Catenary, forwards: FloatArray, weights: FloatArray, axial: FloatArray) -> FloatArray:
    """Points (..., CURVE_POINTS, 3) m along catenaries, from their first ends."""
    shares = np.linspace(0.0, 1.0, CURVE_POINTS)
    H, V, L0, w, EA = (each[..., None] for each in (*cables[:3], weights, axial))
    x, z = catenary_span(H, V, L0 * shares, w, EA)
    points = x[..., None] * forwards[..., None, :]
    points[..., 2] = z
    return points


def _point_stiffness(
    cables: Catenary, forwards: FloatArray, x: FloatArray, weights: FloatArray, axial: FloatArray
) -> FloatArray:
    """Stiffness (..., 3, 3) N/m at the first ends of catenaries whose planes hold ``forwards`` (..., 3)."""
    flexibility = catenary_flexibility(*cables[:3], weights, axial)
    K = np.linalg.inv(flexibility)
    sideways = np.stack([-forwards[..., 1], forwards[..., 0], np.zeros_like(x)], axis=-1)
    up = np.broadcast_to(np.array([0.0, 0.0, 1.0]), forwards.shape)
    plane = np.stack([forwards, up], axis=-1)
    across = sideways[..., :, None] * sideways[..., None, :] * (cables.horizontal / x)[..., None, None]
    return plane @ K @ np.swapaxes(plane, -1, -2) + across
