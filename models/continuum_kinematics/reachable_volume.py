"""Reachable volume: rings about the robot's axis in which the tip is for some of many random states."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from models.arrays import FloatArray
from models.continuum_kinematics.robot import Robot, require_count
from models.continuum_kinematics.state_kernels import fill_states, fill_tips

CELLS = 50  # edges of a ring along the whole robot at its greatest length
MOST_SAMPLES = 100_000_000
CHUNK = 4_096  # states that are held at once


def reachable_volume(robot: Robot, samples: int = 1_000_000, *, seed: int = 0) -> float:
    """Volume [m^3] of the rings about z that hold a tip, a fiftieth of the robot's length high and wide.

    The limits are the same to all sides, so that what the tip reaches is a body of revolution. Lengths and
    the disks of bends are sampled evenly. Rings at the rim count whole. More samples find more of those that
    are rarely reached: the volume grows with their number towards that of all rings that a tip can reach.

    Parameters
    ----------
    robot : Robot
        See :func:`models.continuum_kinematics.robot.robot_of`.
    samples : int
    seed : int

    Raises
    ------
    InputError
        When the number of samples is not 1 to 100 000 000.
    """
    edge = float(robot.upper.sum()) / CELLS
    held = np.zeros((CELLS + 1, 2 * CELLS + 2), np.bool_)
    for states in sampled_states(robot, samples, seed):
        tips = tips_of(states) / edge
        held[np.hypot(tips[:, 0], tips[:, 1]).astype(np.int64), (tips[:, 2] + CELLS + 1).astype(np.int64)] = (
            True
        )
    inner = np.arange(CELLS + 1)
    areas = np.pi * (2 * inner + 1) * edge**2  # of rings with these inner radii, in edges
    return float(held.sum(axis=1) @ areas) * edge


def reachable_points(robot: Robot, samples: int, *, seed: int = 0) -> FloatArray:
    """Tips (samples, 3) m of random states, base frame; see :func:`reachable_volume`."""
    return np.concatenate([tips_of(states) for states in sampled_states(robot, samples, seed)])


def sampled_states(robot: Robot, samples: int, seed: int) -> Iterator[FloatArray]:
    """Random states (n, k, 3), some at a time."""
    require_count(samples, MOST_SAMPLES, "samples")
    rng, size = np.random.default_rng(seed), (len(robot.bend), 3)
    for begin in range(0, samples, CHUNK):
        yield random_states(robot, rng.random((min(CHUNK, samples - begin), *size)))


def random_states(robot: Robot, draws: FloatArray) -> FloatArray:
    """States (n, k, 3) from numbers (n, k, 3) in [0, 1): lengths and the disks of bends are filled evenly."""
    states = np.empty_like(draws)
    fill_states(robot, draws, states)
    return states


def tips_of(states: FloatArray) -> FloatArray:
    """Tips (n, 3) m of states (n, k, 3): length [m], u and v [rad] of each section."""
    tips = np.empty((len(states), 3))
    fill_tips(states, tips)
    return tips
