"""Cables that touch or cut the platform, and solids that come too close, while it follows a path."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from models.arrays import FloatArray
from models.hybrid_cable_robot.collisions.distance_kernels import cable_distance, platform_clearance
from models.hybrid_cable_robot.obstacles.gaps import gaps_along, tests_surroundings
from models.hybrid_cable_robot.parameters import HybridCableRobot
from models.hybrid_cable_robot.robot import Robot
from models.hybrid_cable_robot.trajectory_sampling import Samples
from models.jit import entry


@entry
def fill_gaps(
    robot: Robot,
    rotations: FloatArray,
    positions: FloatArray,
    distances: FloatArray,
    clearances: FloatArray,
) -> None:
    """Fill ``distances`` and ``clearances`` (n,) m for n poses of the platform.

    The least distance of the axes of the paired cables (k, 2), less ``reliefs`` (k, 2) m next to the
    platform and the pulleys, and the slab test's clearance of the platform box of ``half_size`` (3,) m, at
    ``rotations`` (n, 3, 3) and ``positions`` (n, 3) m. No cable may be without length.
    """
    cables = np.empty((robot.pulleys.shape[0], 7))
    for i in range(positions.shape[0]):
        distances[i] = math.sqrt(cable_distance(robot, rotations[i], positions[i], cables))
        clearances[i] = platform_clearance(robot, rotations[i], positions[i])


@dataclass(frozen=True, slots=True)
class PathGaps:
    """Gaps at n instants.

    Attributes
    ----------
    interference_margins : (n,) float, m
        Least distance of two cables' surfaces, negative where they overlap; without the parts next to
        a fitting that they share.
    platform_clearances : (n,) float, m
        Negative: the length of the longest chord of a cable inside the platform; see
        :func:`~models.hybrid_cable_robot.collisions.distances.platform_clearance`.
    obstacle_margins, arm_margins : (n,) float, m
        Gap of cables and platform from obstacles and the floor, and of the arm from these and from cables;
        infinite where there is nothing to test.
    wheel_margins : (n,) float, m
        Gap between wheels that may overlap, infinite without any; these are tested.
    touching, cutting : (n,) bool
        Where cables come closer than the clearance, or cut the platform, if the record tests for it.
    near, arm_near : (n,) bool
        Where ``obstacle_clearance`` is not kept, likewise.
    """

    interference_margins: FloatArray
    platform_clearances: FloatArray
    obstacle_margins: FloatArray
    arm_margins: FloatArray
    wheel_margins: FloatArray
    touching: NDArray[np.bool_]
    cutting: NDArray[np.bool_]
    near: NDArray[np.bool_]
    arm_near: NDArray[np.bool_]

    @property
    def free(self) -> bool:
        """True if no test that the record enables fails."""
        failed = (self.touching, self.cutting, self.near, self.arm_near, self.wheel_margins <= 0.0)
        return not any(each.any() for each in failed)


def path_gaps(
    parameters: HybridCableRobot, robot: Robot, path: Samples, pointlike: NDArray[np.bool_]
) -> PathGaps:
    """Gaps along a motion with n instants.

    Parameters
    ----------
    parameters : HybridCableRobot
    robot : Robot
    path : Samples
        With the arm's capsules at the angles of each instant.
    pointlike : (n,) bool
        Where a cable has no length: its gaps count as zero, and as no collision.
    """
    distances, clearances = np.full(len(pointlike), robot.diameter), np.zeros(len(pointlike))
    real = np.flatnonzero(~pointlike)
    found, room = np.empty(len(real)), np.empty(len(real))
    rotations, positions = path.platform.rotation[real], path.platform.position[real]
    fill_gaps(robot, rotations, positions, found, room)
    distances[real], clearances[real] = found, room
    around = np.full((len(pointlike), 3), np.inf)
    if tests_surroundings(parameters):
        around[real] = gaps_along(parameters, robot, rotations, positions, path.arm.angles[real])
    lacking = around <= parameters.obstacle_clearance
    close = (distances <= robot.diameter + robot.clearance) & ~pointlike
    return PathGaps(
        interference_margins=distances - robot.diameter,
        platform_clearances=clearances,
        obstacle_margins=around[:, 0],
        arm_margins=around[:, 1],
        wheel_margins=around[:, 2],
        touching=close & robot.check_interference,
        cutting=(clearances < 0.0) & robot.check_platform,
        near=lacking[:, 0] & parameters.check_obstacles,
        arm_near=lacking[:, 1] & parameters.check_arm,
    )
