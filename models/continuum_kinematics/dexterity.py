"""Dexterity: the share of directions in which the tip can be at a point."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from errors import InputError
from models.arrays import FloatArray, Numbers, finite_array
from models.continuum_kinematics.dexterity_kernels import reach_directions
from models.continuum_kinematics.inverse import first_start
from models.continuum_kinematics.inverse_kernels import DRAWS
from models.continuum_kinematics.robot import Robot, characteristic_length, random_numbers, require_count

STARTS = 4  # of 12 000 directions at random points of random robots, 64 starts reach the same ones
TOLERANCE = 1e-6  # of the position in m, and of the direction in rad
MOST_DIRECTIONS = 10_000


class Dexterity(NamedTuple):
    """Dexterity at a point: those of n directions that are reached.

    Attributes
    ----------
    directions : (n, 3) float
        Unit vectors, base frame.
    reached : (n,) bool
    sections : (n, k, 3) float
        Length [m], u and v [rad] of each section, the nearest where the direction is not reached.
    starts : int
        How many were tried in all.
    """

    directions: FloatArray
    reached: np.ndarray[tuple[int], np.dtype[np.bool_]]
    sections: FloatArray
    starts: int

    @property
    def share(self) -> float:
        """Share of the directions that are reached."""
        return float(np.mean(self.reached))


def dexterity(robot: Robot, point: Numbers, directions: int = 500, *, seed: int = 0) -> Dexterity:
    """Find those of evenly spread directions that the tip's z can have while the tip is at a point.

    Parameters
    ----------
    robot : Robot
        See :func:`models.continuum_kinematics.robot.robot_from_limits`.
    point : (3,) float, m
        Base frame.
    directions : int
        How many; see :func:`spread_directions`.
    seed : int
        Of the starts.

    Raises
    ------
    InputError
        When the point is none, or the number of directions is not 1 to 10 000.
    """
    require_count(directions, MOST_DIRECTIONS, "directions")
    return reached_directions(robot, point, spread_directions(directions), seed=seed)


def reached_directions(robot: Robot, point: Numbers, directions: Numbers, *, seed: int = 0) -> Dexterity:
    """As :func:`dexterity`, for given directions (n, 3); their lengths do not count."""
    place = finite_array(point, (3,), "point", "x, y and z [m]")
    given = finite_array(directions, (None, 3), "directions", "x, y and z of each")
    sizes = np.linalg.norm(given, axis=1, keepdims=True)
    if not (sizes > 0.0).all():
        raise InputError("a direction is zero; give vectors of any other length", ("directions",))
    axes, count = given / sizes, len(robot.bend)
    sections, errors = np.tile(first_start(robot), (len(axes), 1, 1)), np.empty(len(axes))
    draws = random_numbers(seed, (DRAWS * STARTS, count, 3))
    scale = characteristic_length(robot)
    tolerance = TOLERANCE * min(1.0, scale)
    tried = reach_directions(place, axes, robot, scale, draws, tolerance, sections, errors)
    return Dexterity(axes, errors < tolerance, sections, tried)


def spread_directions(count: int) -> FloatArray:
    """Unit vectors (n, 3), spread evenly over the sphere on a Fibonacci spiral."""
    place = np.arange(count) + 0.5
    z = 1 - 2 * place / count
    angle, radius = math.pi * (1 + math.sqrt(5)) * place, np.sqrt(1 - z * z)
    return np.column_stack([radius * np.cos(angle), radius * np.sin(angle), z])
