"""Robots and states that several tests use."""

import numpy as np

from models.continuum_dynamics import ContinuumDynamics, robot_of
from models.continuum_dynamics.corotational.elements import moved_nodes, straight_nodes

ROBOTS = {
    "default": {},
    "one element": {"disks": 1, "length": 0.1},
    "five cables": {
        "disks": 4,
        "length": 0.3,
        "hole_azimuths": [0.1, 1.0, 2.0, 4.0, 5.0],
        "gravity": (1.0, -9.0, 3.0),
        "stiffness_damping": 0.01,
        "disk_mass": 0.02,
    },
}


def robot_with(**changes):
    """The default robot with these parameters, which need not be within the limits of a record."""
    return robot_of(ContinuumDynamics.model_construct(**changes))


def random_state(name, size, seed=0):
    """A robot with angles, rates and accelerations (n, 3)."""
    robot, rng = robot_with(**ROBOTS[name]), np.random.default_rng(seed)
    n = len(robot.masses)
    return robot, size * rng.normal(size=(n, 3)), 3 * rng.normal(size=(n, 3)), 20 * rng.normal(size=(n, 3))


def random_nodes(name, size, seed=0):
    """Places of the co-rotational form with local rotations of about ``size``, rates and accelerations (n, 6)."""
    robot, rng = robot_with(**ROBOTS[name]), np.random.default_rng(seed)
    n, nodes = len(robot.masses), straight_nodes(robot)
    change = size * rng.normal(size=(n, 6)) * ([1e-2 * robot.L] * 3 + [1.0] * 3)
    return robot, moved_nodes(nodes, change), 3 * rng.normal(size=(n, 6)), 20 * rng.normal(size=(n, 6))
