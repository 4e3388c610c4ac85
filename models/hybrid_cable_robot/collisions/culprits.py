"""The cables behind a failed test, in words that count cables from 1."""

from __future__ import annotations

import numpy as np

from models.arrays import FloatArray
from models.hybrid_cable_robot.collisions.distance_kernels import cable_distance, platform_clearance
from models.hybrid_cable_robot.collisions.distances import cable_distances, platform_clearances
from models.hybrid_cable_robot.robot import Robot


def touching_cables(robot: Robot, position: FloatArray, rotations: FloatArray) -> str:
    """The two cables that come closest at a position (3,) m, over rotations (o, 3, 3): ``cables 1 and 5``."""
    scratch = np.empty((len(robot.pulleys), 7))
    squares = [cable_distance(robot, rotation, position, scratch) for rotation in rotations]
    distances = cable_distances(robot, position, rotations[int(np.argmin(squares))])
    first, second = robot.pairs[int(np.argmin(distances))].tolist()
    return f"cables {first + 1} and {second + 1}"


def cutting_cable(robot: Robot, position: FloatArray, rotations: FloatArray) -> str:
    """The cable with the longest chord in the platform at a position (3,) m, over rotations (o, 3, 3)."""
    worst = int(np.argmin([platform_clearance(robot, rotation, position) for rotation in rotations]))
    return f"cable {int(np.argmin(platform_clearances(robot, position, rotations[worst]))) + 1}"


def point_text(position: FloatArray) -> str:
    """A position (3,) m in words."""
    x, y, z = position.tolist()
    return f"({x:.4g}, {y:.4g}, {z:.4g}) m"
