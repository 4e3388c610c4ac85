"""Random slow paths, on which power can be compared without choosing one path."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from models.hybrid_cable_robot.motion.trajectory import RESTING_ARM, Trajectory


def random_trajectories(
    count: int, seed: int, *, reach: float = 0.1, turn: float = 0.0, swing: float = 0.0, duration: float = 4.0
) -> Iterator[Trajectory]:
    """Paths from rest to rest between two random poses.

    Parameters
    ----------
    count : int
    seed : int
    reach : float, m
        Each coordinate of both end points is uniform within +-reach.
    turn : float, rad
        The same for the rotation vectors.
    swing : float, rad
        The same for each joint of the arm, about its rest at (0, -90, 180, 0, 0, 0) deg.
    duration : float, s

    Yields
    ------
    Trajectory
    """
    rng = np.random.default_rng(seed)
    for _ in range(count):
        positions, turns = rng.uniform(-reach, reach, (2, 3)), rng.uniform(-turn, turn, (2, 3))
        joints = np.array(RESTING_ARM) + rng.uniform(-swing, swing, (2, 6))
        yield Trajectory.model_validate(
            {
                "times": (0.0, duration),
                "platform_positions": positions.tolist(),
                "platform_rotations": turns.tolist(),
                "joints": joints.tolist(),
            }
        )
