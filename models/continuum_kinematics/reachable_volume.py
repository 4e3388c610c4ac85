"""Reachable volume: rings about the robot's axis that its tip reaches."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from models.arrays import FloatArray
from models.continuum_kinematics.reachable_volume_kernels import BoolArray, Rings, keep_nearest, reach_rings
from models.continuum_kinematics.robot import Robot, characteristic_length, require_count
from models.continuum_kinematics.state_kernels import fill_states, fill_tips

CELLS = 50  # rings along the whole robot at its greatest length
MOST_CELLS = 400
MOST_SAMPLES = 100_000_000
CHUNK = 4_096  # states that are held at once


class ReachableVolume(NamedTuple):
    """Volume that the tip reaches.

    Attributes
    ----------
    volume : float, m^3
        Of all rings that are reached.
    error : float, m^3
        Half the volume of all rings at the rim: rings that are reached beside one that is not, and rings
        that hold a tip but are not reached.
    held : (c, 2 c) bool
        Rings that are reached, outwards from the axis and upwards from the robot's length below the base.
    tried : int
        Searches for a state in a ring.
    """

    volume: float
    error: float
    held: BoolArray
    tried: int


def reachable_volume(
    robot: Robot, samples: int = 10_000, cells: int = CELLS, *, seed: int = 0
) -> ReachableVolume:
    """Add up the rings about z that the tip reaches.

    The limits are the same to all sides, so that the tip reaches a body of revolution. A ring counts when
    the tip can be in the middle of its section; a surface that the tip reaches has no volume. Tips of random
    states are moved to the middles of their rings by inverse kinematics. Rings that no tip was in are tried
    from the states of their neighbours. Lengths and the disks of bends are sampled evenly.

    Parameters
    ----------
    robot : Robot
        See :func:`models.continuum_kinematics.robot.robot_from_limits`.
    samples : int
    cells : int
        Rings along the robot at its greatest length; they are as wide as high.
    seed : int

    Raises
    ------
    InputError
        When the number of samples is not 1 to 100 000 000, or that of cells not 1 to 400.
    """
    require_count(cells, MOST_CELLS, "cells")
    edge = float(robot.upper.sum()) / cells
    kept = np.empty((cells, 2 * cells, len(robot.bend), 3))
    gaps, held = np.full((cells, 2 * cells), np.inf), np.zeros((cells, 2 * cells), np.bool_)
    for states in sampled_states(robot, samples, seed):
        keep_nearest(states, tips_of(states), edge, kept, gaps)
    queue = np.empty((held.size, 2), np.int64)
    tried = reach_rings(robot, characteristic_length(robot), Rings(edge, kept, held, queue), gaps)
    sizes = np.pi * (2 * np.arange(cells) + 1) * edge**3  # of rings, from the axis
    rim = held & ~_surrounded(held) | (np.isfinite(gaps) & ~held)
    return ReachableVolume(float(held.sum(axis=1) @ sizes), float(rim.sum(axis=1) @ sizes) / 2, held, tried)


def _surrounded(held: BoolArray) -> BoolArray:
    """Rings (c, 2 c) whose neighbours outwards, inwards, above and below are all reached."""
    wide = np.pad(held, 1)
    wide[0] = wide[1]  # across the axis
    return wide[:-2, 1:-1] & wide[2:, 1:-1] & wide[1:-1, :-2] & wide[1:-1, 2:]


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
