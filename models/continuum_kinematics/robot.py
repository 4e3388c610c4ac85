"""The robot as the kernels see it: what its sections may do, and where its cables run."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from errors import InputError
from models.arrays import FloatArray, Numbers, finite_array
from models.continuum_kinematics.parameters import ContinuumKinematics

SCALE = 0.3
"""Share of the mean greatest length that a radian is worth, where errors or motions are compared."""


class Robot(NamedTuple):
    """A robot of k sections.

    Attributes
    ----------
    lower, upper : (k,) float, m
        The least and the greatest length of each section.
    bend : (k,) float, rad
        The greatest bend of each section.
    guides : int
        Guides per section.
    radius : float, m
        Distance of the cables from the backbone.
    """

    lower: FloatArray
    upper: FloatArray
    bend: FloatArray
    guides: int
    radius: float


def robot_from_limits(lengths: Numbers, bends: Numbers, guides: int, radius: float) -> Robot:
    """The robot whose sections have these lengths (k, 2) m, least and greatest, and greatest bends (k,) rad.

    Raises
    ------
    InputError
        When a value is not positive, a least length is above the greatest, or a cable inside a bend would
        have no length.
    """
    ranges = finite_array(lengths, (None, 2), "lengths", "the least and the greatest of each section")
    bend = finite_array(bends, (len(ranges),), "bends", "the greatest bend of each section")
    require_cables(guides, radius)
    for index, (low, high) in enumerate(ranges):
        if not 0.0 < low <= high:
            message = f"section {index + 1} is {low:g} to {high:g} m long; give 0 < least <= greatest"
            raise InputError(message, ("lengths", index))
        if bend[index] <= 0.0:
            message = f"section {index + 1} may bend by {bend[index]:g} rad; give a positive limit"
            raise InputError(message, ("bends", index))
    made = Robot(ranges[:, 0].copy(), ranges[:, 1].copy(), bend, int(guides), float(radius))
    if text := guides_meet(made):
        raise InputError(text, ("bends", int(np.argmin(cable_clearance(made)))))
    return made


def robot_of(parameters: ContinuumKinematics) -> Robot:
    """The robot of a record; :func:`slack` says whether its cables reach."""
    lengths = np.array(parameters.lengths)
    bends = np.array(parameters.bends)
    return Robot(
        lengths[:, 0].copy(), lengths[:, 1].copy(), bends, parameters.guides, parameters.guide_radius
    )


def cable_clearance(robot: Robot) -> FloatArray:
    """Share of each section's least length (k,) that its inner cable keeps at the greatest bend.

    Not positive where guides would meet, or would turn by more than a half turn from one to the next.
    """
    turn = 1.0 - robot.bend / (math.pi * robot.guides)
    return np.minimum(1.0 - robot.bend * robot.radius / robot.lower, turn)


def guides_meet(robot: Robot) -> str:
    """Name the section that bends so far that its guides would meet, with advice; empty if none does."""
    section = int(np.argmin(cable_clearance(robot)))
    if cable_clearance(robot)[section] > 0.0:
        return ""
    return (
        f"section {section + 1} is {robot.lower[section]:g} m long and may bend by "
        f"{robot.bend[section]:g} rad: its cables, {robot.radius:g} m from the backbone, would not reach "
        f"through {robot.guides} guides; lower the limit of bending, or set the cables nearer"
    )


def require_count(count: float, most: int, name: str) -> None:
    """Raise ``InputError`` at ``name`` unless it is a whole number of 1 to ``most``."""
    if not isinstance(count, int | np.integer) or not 1 <= count <= most:
        raise InputError(f"{count} {name} cannot be tried; give 1 to {most}", (name,))


def random_numbers(seed: float, shape: tuple[int, ...]) -> FloatArray:
    """Numbers in [0, 1) of a seed; raises ``InputError`` when it is no whole number of at least 0."""
    if not isinstance(seed, int | np.integer) or seed < 0:
        raise InputError(f"the seed cannot be {seed}; give a whole number of at least 0", ("seed",))
    return np.random.default_rng(seed).random(shape)


def require_cables(guides: int, radius: float) -> None:
    """Raise ``InputError`` for a number of guides or a radius that no robot has."""
    if not (math.isfinite(guides) and guides >= 1 and guides == int(guides)):
        message = f"a section cannot have {guides} guides; give a whole number of at least 1"
        raise InputError(message, ("guides",))
    if not (math.isfinite(radius) and radius > 0.0):
        message = f"the cables cannot be {radius} m from the backbone; give a positive radius"
        raise InputError(message, ("radius",))


def characteristic_length(robot: Robot) -> float:
    """The length [m] that a radian is worth."""
    return SCALE * float(robot.upper.mean())
