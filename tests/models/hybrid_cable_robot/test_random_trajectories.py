"""Random paths."""

import math

import numpy as np
import pytest

from models.hybrid_cable_robot import TRAJECTORIES, random_trajectories, sample


def test_random_paths_stay_within_their_reach_and_repeat():
    paths = list(random_trajectories(20, 7, reach=0.2, turn=0.1, swing=0.3, duration=3.0))
    assert paths == list(random_trajectories(20, 7, reach=0.2, turn=0.1, swing=0.3, duration=3.0))
    positions = np.array([path.platform_positions for path in paths])
    assert 0.15 < np.abs(positions).max() <= 0.2
    assert 0.07 < np.abs([path.platform_rotations for path in paths]).max() <= 0.1
    rest = TRAJECTORIES["quintic-4s"].joints[0]
    assert 0.25 < np.abs(np.array([path.joints for path in paths]) - rest).max() <= 0.3
    assert sample(paths[0], 5).times[-1] == 3.0


def test_paths_that_neither_turn_nor_swing_move_the_platform_alone():
    (path,) = random_trajectories(1, 1)
    motion = sample(path, 9)
    np.testing.assert_array_equal(motion.platform.rotation, np.broadcast_to(np.eye(3), (9, 3, 3)))
    assert np.ptp(motion.arm.angles, axis=0).max() < 1e-12
    assert motion.arm.angles[0, 1] == pytest.approx(-math.pi / 2)
